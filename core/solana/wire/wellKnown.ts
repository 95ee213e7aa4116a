// Instructions of the programs that every cluster has: System, Token and Token-2022, Associated Token Account, Memo,
// Compute Budget. Layouts as in the programs' own interfaces; amounts are raw units.
import { ByteWriter } from '../encoding/byteWriter';
import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../chain/addresses';
import { keyBytes } from '../chain/keys';
import type { AccountMeta, UncompiledInstruction } from './messageWriter';
import { programAddress } from '../chain/programAddress';

const CREATE_WITH_SEED = 3;
const TRANSFER = 2;
const TRANSFER_CHECKED = 12;
/** Of the Associated Token Account Program. */
const CREATE = 0;
const CREATE_IDEMPOTENT = 1;
const UNIT_LIMIT = 2;
const UNIT_PRICE = 3;
const LOADED_DATA_LIMIT = 4;

const signer = (address: string): AccountMeta => ({ address, isSigner: true, isWritable: false });
const payer = (address: string): AccountMeta => ({ address, isSigner: true, isWritable: true });
const writable = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: true });
const readonly = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: false });

export function transfer({
  from,
  to,
  lamports,
}: {
  from: string;
  to: string;
  lamports: bigint;
}): UncompiledInstruction {
  const data = new ByteWriter().u32(TRANSFER).u64(lamports).done();
  return { program: SYSTEM_PROGRAM, accounts: [payer(from), writable(to)], data };
}

export interface CreateWithSeed {
  /** Pays, signs, and is the base of the new address. */
  readonly from: string;
  /** The result of `addressWithSeed` for base, seed and owner. */
  readonly to: string;
  readonly seed: string;
  readonly lamports: bigint;
  readonly space: bigint;
  readonly owner: string;
}

export function createWithSeed({ from, to, seed, lamports, space, owner }: CreateWithSeed): UncompiledInstruction {
  const text = new TextEncoder().encode(seed);
  const data = new ByteWriter()
    .u32(CREATE_WITH_SEED)
    .bytes(keyBytes(from) ?? [])
    .u64(BigInt(text.length))
    .bytes(text)
    .u64(lamports)
    .u64(space)
    .bytes(keyBytes(owner) ?? [])
    .done();
  return { program: SYSTEM_PROGRAM, accounts: [payer(from), writable(to)], data };
}

export const memo = (given: { readonly text: string; readonly signer: string }): UncompiledInstruction => ({
  program: MEMO_PROGRAM,
  accounts: [signer(given.signer)],
  data: new TextEncoder().encode(given.text),
});

/** An owner's associated token account for a mint; undefined if either is not a key. */
export function associatedAddress(owner: string, mint: string, tokenProgram: string): string | undefined {
  const [ownerKey, programKey, mintKey] = [owner, tokenProgram, mint].map(keyBytes);
  if (ownerKey === undefined || programKey === undefined || mintKey === undefined) return undefined;
  return programAddress([ownerKey, programKey, mintKey], ASSOCIATED_TOKEN_PROGRAM)?.address;
}

export interface CreateAssociated {
  readonly payer: string;
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly tokenProgram: string;
  /** Whether an account that is there already is an error. */
  readonly isNew: boolean;
}

export const createAssociated = (given: CreateAssociated): UncompiledInstruction => ({
  program: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer(given.payer),
    writable(given.account),
    readonly(given.owner),
    readonly(given.mint),
    readonly(SYSTEM_PROGRAM),
    readonly(given.tokenProgram),
  ],
  data: Uint8Array.of(given.isNew ? CREATE : CREATE_IDEMPOTENT),
});

export interface TransferChecked {
  readonly source: string;
  readonly mint: string;
  readonly destination: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly decimals: number;
  readonly tokenProgram: string;
}

export const transferChecked = (given: TransferChecked): UncompiledInstruction => ({
  program: given.tokenProgram,
  accounts: [writable(given.source), readonly(given.mint), writable(given.destination), signer(given.owner)],
  data: new ByteWriter().u8(TRANSFER_CHECKED).u64(given.amount).u8(given.decimals).done(),
});

export const unitLimit = (units: number): UncompiledInstruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: new ByteWriter().u8(UNIT_LIMIT).u32(units).done(),
});

/** `bytes` of account data that the transaction may load. */
export const loadedDataLimit = (bytes: number): UncompiledInstruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: new ByteWriter().u8(LOADED_DATA_LIMIT).u32(bytes).done(),
});

/** `price`: micro-lamports per compute unit. */
export const unitPrice = (price: bigint): UncompiledInstruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: new ByteWriter().u8(UNIT_PRICE).u64(price).done(),
});
