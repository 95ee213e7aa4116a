// The upgradeable loader's own instructions, as deployment tools build them with @solana/web3.js.
import {
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
  type Connection,
} from '@solana/web3.js';

export const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');

const BUFFER_HEAD = 37;
const PROGRAM_BYTES = 36;
/** Code that fits into a transaction along with everything else in it. */
export const CHUNK = 900;

const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
const readonly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: false });

export const programData = (program: PublicKey): PublicKey =>
  PublicKey.findProgramAddressSync([program.toBuffer()], LOADER)[0];

const instruction = (keys: TransactionInstruction['keys'], ...data: readonly (Buffer | Uint8Array)[]) =>
  new TransactionInstruction({ programId: LOADER, keys, data: Buffer.concat(data) });

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

/** An account for the code, and its owner. */
export async function createBuffer(
  connection: Connection,
  payer: PublicKey,
  buffer: PublicKey,
  bytes: number,
): Promise<TransactionInstruction[]> {
  const space = BUFFER_HEAD + bytes;
  return [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: buffer,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      space,
      programId: LOADER,
    }),
    instruction([writable(buffer), readonly(payer)], u32(0)),
  ];
}

export function write(
  buffer: PublicKey,
  authority: PublicKey,
  offset: number,
  chunk: Uint8Array,
): TransactionInstruction {
  return instruction([writable(buffer), signer(authority)], u32(1), u32(offset), u64(chunk.length), chunk);
}

/** A program that is made from a written buffer, with room for `room` bytes of code. */
interface Deployment {
  readonly program: PublicKey;
  readonly buffer: PublicKey;
  readonly room: number;
}

export async function deploy(
  connection: Connection,
  payer: PublicKey,
  { program, buffer, room }: Deployment,
): Promise<TransactionInstruction[]> {
  return [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: program,
      lamports: await connection.getMinimumBalanceForRentExemption(PROGRAM_BYTES),
      space: PROGRAM_BYTES,
      programId: LOADER,
    }),
    instruction(
      [
        { pubkey: payer, isSigner: true, isWritable: true },
        writable(programData(program)),
        writable(program),
        writable(buffer),
        readonly(SYSVAR_RENT_PUBKEY),
        readonly(SYSVAR_CLOCK_PUBKEY),
        readonly(SystemProgram.programId),
        signer(payer),
      ],
      u32(2),
      u64(room),
    ),
  ];
}

export function upgrade(program: PublicKey, buffer: PublicKey, authority: PublicKey): TransactionInstruction {
  return instruction(
    [
      writable(programData(program)),
      writable(program),
      writable(buffer),
      writable(authority),
      readonly(SYSVAR_RENT_PUBKEY),
      readonly(SYSVAR_CLOCK_PUBKEY),
      signer(authority),
    ],
    u32(3),
  );
}

/** Ends a program; its code's lamports go to the authority. */
export function close(program: PublicKey, authority: PublicKey): TransactionInstruction {
  return instruction(
    [writable(programData(program)), writable(authority), signer(authority), writable(program)],
    u32(5),
  );
}
