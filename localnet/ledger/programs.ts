// A program from a file as the upgradeable loader keeps it: the account that is called, and the account with its code.
import { createHash } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../../core/values/base58';
import { BPF_LOADER_UPGRADEABLE, U64_MAX } from './addresses';
import type { AccountState, GenesisProgram } from './types';

const PROGRAM = 2;
const PROGRAM_BYTES = 36;
const PROGRAM_DATA = 3;
/** State, the slot of the deployment, and the authority that may upgrade. */
const PROGRAM_DATA_HEAD = 45;

const PRIME = 2n ** 255n - 19n;
/** The constant of the curve that public keys lie on. */
const EDWARDS_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** The account with the code first: the engine reads it at the moment the program is written. */
export function programAccounts(
  { address, elf, authority }: GenesisProgram,
  rent: (bytes: number) => bigint,
): readonly (readonly [address: string, account: AccountState])[] {
  const codeAddress = programDataAddress(address);
  const code = new Uint8Array(PROGRAM_DATA_HEAD + elf.length);
  const head = new DataView(code.buffer);
  head.setUint32(0, PROGRAM_DATA, true);
  code[12] = 1;
  code.set(decodeBase58(authority) ?? [], 13);
  code.set(elf, PROGRAM_DATA_HEAD);
  const program = new Uint8Array(PROGRAM_BYTES);
  new DataView(program.buffer).setUint32(0, PROGRAM, true);
  program.set(decodeBase58(codeAddress) ?? [], 4);
  const of = (data: Uint8Array, executable: boolean): AccountState => ({
    lamports: rent(data.length),
    owner: BPF_LOADER_UPGRADEABLE,
    data,
    executable,
    rentEpoch: U64_MAX,
  });
  return [
    [codeAddress, of(code, false)],
    [address, of(program, true)],
  ];
}

/** Whether the account holds the code of a program of the upgradeable loader. */
export const isProgramCode = ({ owner, data }: AccountState): boolean =>
  owner === BPF_LOADER_UPGRADEABLE && data.length >= PROGRAM_DATA_HEAD && data[0] === PROGRAM_DATA;

/** Where the loader keeps a program's code: the first address derived from the program's that is nobody's public key. */
export function programDataAddress(program: string): string {
  const seeds = decodeBase58(program) ?? new Uint8Array();
  const loader = decodeBase58(BPF_LOADER_UPGRADEABLE) ?? new Uint8Array();
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
      .update(seeds)
      .update(Uint8Array.of(bump))
      .update(loader)
      .update('ProgramDerivedAddress')
      .digest();
    if (!isOnCurve(hash)) return encodeBase58(hash);
  }
  throw new RangeError('no address can be derived');
}

/** True when the bytes are a point of the Ed25519 curve: its y, little-endian, and the sign of its x in the last bit. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  const square = (y * y) % PRIME;
  const xSquare = ((square - 1n + PRIME) * power(EDWARDS_D * square + 1n, PRIME - 2n)) % PRIME;
  return xSquare === 0n || power(xSquare, (PRIME - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base % PRIME;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % PRIME;
    factor = (factor * factor) % PRIME;
  }
  return result;
}
