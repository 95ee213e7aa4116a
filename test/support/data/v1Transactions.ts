// Version 1 transactions for tests: real ones made by @solana/kit, and bytes written from the layout, whole or broken in
// one place.
import {
  AccountRole,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';

export interface KitConfig {
  readonly priorityFeeLamports?: bigint;
  readonly computeUnitLimit?: number;
  readonly loadedAccountsDataSizeLimit?: number;
  readonly heapSize?: number;
}

export interface KitTransaction {
  readonly payer: KeyPairSigner;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  readonly config?: KitConfig;
}

/** Wire bytes of a signed version 1 transaction, by the public client. */
export async function kitV1({ payer, blockhash, instructions, config = {} }: KitTransaction): Promise<Uint8Array> {
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 2n ** 63n },
        m,
      ),
    (m) => setTransactionMessageConfig(config, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return new Uint8Array(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
}

/** A System transfer, written from its layout. */
export function transferInstruction(from: KeyPairSigner, to: string, lamports: bigint): Instruction {
  const data = new Uint8Array(12);
  data[0] = 2;
  new DataView(data.buffer).setBigUint64(4, lamports, true);
  return {
    programAddress: '11111111111111111111111111111111' as Instruction['programAddress'],
    accounts: [
      { address: from.address, role: AccountRole.WRITABLE_SIGNER, signer: from } as never,
      { address: to as Instruction['programAddress'], role: AccountRole.WRITABLE },
    ],
    data,
  };
}

export const newSigner = (): Promise<KeyPairSigner> => generateKeyPairSigner();

export interface V1Layout {
  readonly version: number;
  readonly header: readonly [signatures: number, readonlySigned: number, readonlyUnsigned: number];
  readonly mask: number;
  readonly blockhash: Uint8Array;
  readonly instructionCount: number;
  readonly addressCount: number;
  readonly addresses: readonly Uint8Array[];
  /** The values of the mask's bits, in order, as bytes. */
  readonly config: readonly number[];
  readonly instructionHeaders: readonly (readonly [program: number, accounts: number, data: number])[];
  readonly payload: readonly number[];
  readonly signatures: readonly Uint8Array[];
}

export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** One signer, one writable account, one program that is called with both. */
export const SOUND: V1Layout = {
  version: 0x81,
  header: [1, 0, 1],
  mask: 0b1_1111,
  blockhash: key(9),
  instructionCount: 1,
  addressCount: 3,
  addresses: [key(1), key(2), key(3)],
  // 1,500 lamports; 420,000 units; 67,108,864 bytes; a heap of 65,536 bytes.
  config: [0xdc, 5, 0, 0, 0, 0, 0, 0, 0xa0, 0x68, 6, 0, 0, 0, 0, 4, 0, 0, 1, 0],
  instructionHeaders: [[2, 2, 3]],
  payload: [0, 1, 0xaa, 0xbb, 0xcc],
  signatures: [new Uint8Array(64).fill(7)],
};

export function v1Bytes(changed: Partial<V1Layout> = {}): Uint8Array {
  const layout = { ...SOUND, ...changed };
  return Uint8Array.from([
    layout.version,
    ...layout.header,
    ...[0, 8, 16, 24].map((shift) => (layout.mask >>> shift) & 0xff),
    ...layout.blockhash,
    layout.instructionCount,
    layout.addressCount,
    ...layout.addresses.flatMap((address) => [...address]),
    ...layout.config,
    ...layout.instructionHeaders.flatMap(([program, accounts, data]) => [program, accounts, data & 0xff, data >> 8]),
    ...layout.payload,
    ...layout.signatures.flatMap((signature) => [...signature]),
  ]);
}

const addresses = (count: number): readonly Uint8Array[] => Array.from({ length: count }, (_, at) => key(at + 1));
const signatures = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, at) => new Uint8Array(64).fill(at + 1));
const heap = (bytes: number): Partial<V1Layout> => ({
  mask: 0b1_0000,
  config: [0, 8, 16, 24].map((shift) => (bytes >>> shift) & 0xff),
});

/** Every rule a node checks before it runs anything, each broken alone; SIMD-0385, "Sanitization". */
export const BROKEN: Readonly<Record<string, Uint8Array>> = {
  'an unknown bit of the mask': v1Bytes({ mask: 0b11_1111 }),
  'the highest bit of the mask': v1Bytes({ mask: 0x8000_001f }),
  'the first half of the fee alone': v1Bytes({ mask: 0b1, config: [1, 0, 0, 0] }),
  'the second half of the fee alone': v1Bytes({ mask: 0b10, config: [1, 0, 0, 0] }),
  'no signer': v1Bytes({ header: [0, 0, 1], signatures: [] }),
  'every signer is readonly': v1Bytes({ header: [1, 1, 1] }),
  'more accounts in the header than there are': v1Bytes({ header: [1, 0, 3] }),
  '13 signers': v1Bytes({
    header: [13, 0, 1],
    addressCount: 14,
    addresses: addresses(14),
    instructionHeaders: [[13, 2, 3]],
    signatures: signatures(13),
  }),
  '65 addresses': v1Bytes({ addressCount: 65, addresses: addresses(65) }),
  '65 instructions': v1Bytes({
    instructionCount: 65,
    instructionHeaders: Array.from({ length: 65 }, () => [2, 0, 0] as const),
    payload: [],
  }),
  'an address twice': v1Bytes({ addresses: [key(1), key(1), key(3)] }),
  'the fee payer as program': v1Bytes({ instructionHeaders: [[0, 2, 3]] }),
  'a program outside the list': v1Bytes({ instructionHeaders: [[3, 2, 3]] }),
  'an account outside the list': v1Bytes({ payload: [0, 3, 0xaa, 0xbb, 0xcc] }),
  'a heap that is not a multiple of 1,024': v1Bytes(heap(33_000)),
  'a heap below 32,768': v1Bytes(heap(31_744)),
  'a heap above 262,144': v1Bytes(heap(263_168)),
  'a byte too many': v1Bytes({ signatures: [new Uint8Array(65)] }),
  'a byte too few': v1Bytes().subarray(0, -1),
  'no signature': v1Bytes({ signatures: [] }),
  'no addresses': v1Bytes({ addressCount: 0, addresses: [], header: [1, 0, 0] }),
  'version 0 in place of a count of signatures': v1Bytes({ version: 0x80 }),
  'version 2': v1Bytes({ version: 0x82 }),
  'version 127': v1Bytes({ version: 0xff }),
  'nothing at all': new Uint8Array(),
  'one byte': Uint8Array.of(0x81),
};
