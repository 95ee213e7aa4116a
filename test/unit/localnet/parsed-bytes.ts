// Shared by the tests of parsed accounts and instructions: bytes by the programs' layouts, and their parsed form.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { wireText } from '../../../localnet/wireJson';
import { parseAccount } from '../../../localnet/rpc/parsed/parsedAccounts';
import type { AgaveLine } from '../../../localnet/ledger/types';
import { parseInstruction } from '../../../localnet/rpc/parsed/parsedInstructions';

export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
export const u16 = (value: number): Buffer => u8(value & 0xff, value >> 8);
export const u32 = (value: number): Buffer => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);
export const u64 = (value: bigint | number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
export const f64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
/** A key, and longer bytes, made of one number. */
export const key = (fill: number): string => encodeBase58(Buffer.alloc(32, fill));
export const bytes = (length: number, fill: number): Buffer => Buffer.alloc(length, fill);
export const base64 = (length: number, fill: number): string => bytes(length, fill).toString('base64');
export const keyBytes = (fill: number): Buffer => bytes(32, fill);
export const text = (value: string): Buffer => Buffer.concat([u64(value.length), Buffer.from(value)]);

export const ADDRESS = key(200);
export const VOTE = 'Vote111111111111111111111111111111111111111';
export const SYSVAR = 'Sysvar1111111111111111111111111111111111111';
export const CONFIG = 'Config1111111111111111111111111111111111111';
export const STAKE = 'Stake11111111111111111111111111111111111111';
export const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The JSON of an account as answers show it; undefined where its bytes are returned as they are. */
export function accountText(
  owner: string,
  data: Buffer,
  address = ADDRESS,
  line: AgaveLine = '4.2',
): string | undefined {
  const account = { lamports: 1n, owner, data, executable: false, rentEpoch: 0n };
  const parsed = parseAccount(address, account, {
    get: () => undefined,
    release: { line, version: `${line}.0`, featureSet: 0 },
  });
  return parsed === undefined ? undefined : wireText(parsed);
}

export interface Parsed {
  readonly type: string;
  readonly info?: unknown;
}

export function account(owner: string, data: Buffer, address = ADDRESS, line: AgaveLine = '4.2'): Parsed | undefined {
  const shown = accountText(owner, data, address, line);
  return shown === undefined ? undefined : (JSON.parse(shown) as { readonly parsed: Parsed }).parsed;
}

/** An instruction whose accounts are `key(1)`, `key(2)` and so on. */
export function instruction(program: string, data: Buffer, accounts: number): Parsed | undefined {
  const keys = [program, ...Array.from({ length: accounts }, (_, index) => key(index + 1))];
  const indexes = Uint8Array.from({ length: accounts }, (_, index) => index + 1);
  const shown = wireText(
    parseInstruction({ programIdIndex: 0, accounts: indexes, data }, keys, { stackHeight: 1, line: '4.2' }),
  );
  return (JSON.parse(shown) as { readonly parsed?: Parsed }).parsed;
}
