// Token accounts and mints of both token programs as plain values, and the balances a transaction record shows.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { AccountView } from './accounts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAMS } from './addresses';
import type { AccountState, TokenBalanceRecord } from '../types';
import { viewOf } from '../../../core/solana/encoding/bytes';

export const TOKEN_ACCOUNT_BYTES = 165;
export const MINT_BYTES = 82;
const MULTISIG_BYTES = 355;
/** Where an extended (Token-2022) account says what it is. */
const TYPE_AT = 165;
const TYPE_MINT = 1;
const TYPE_ACCOUNT = 2;

export type TokenAccountStatus = 'uninitialized' | 'initialized' | 'frozen';
const STATUS: readonly TokenAccountStatus[] = ['uninitialized', 'initialized', 'frozen'];

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate: string | undefined;
  readonly delegatedAmount: bigint;
  readonly state: TokenAccountStatus;
  /** Lamports kept back for rent; set on wrapped SOL only. */
  readonly rentReserve: bigint | undefined;
  readonly closeAuthority: string | undefined;
}

export interface Mint {
  readonly mintAuthority: string | undefined;
  readonly supply: bigint;
  readonly decimals: number;
  readonly isInitialized: boolean;
  readonly freezeAuthority: string | undefined;
}

/** The kind of a token program's account, by its size and type byte. */
export function tokenKind(account: AccountState): 'account' | 'mint' | 'multisig' | undefined {
  if (!TOKEN_PROGRAMS.has(account.owner)) return undefined;
  const { length } = account.data;
  if (length === TOKEN_ACCOUNT_BYTES) return 'account';
  if (length === MINT_BYTES) return 'mint';
  if (length === MULTISIG_BYTES) return 'multisig';
  if (account.owner !== TOKEN_2022_PROGRAM || length <= TYPE_AT) return undefined;
  if (account.data[TYPE_AT] === TYPE_ACCOUNT) return 'account';
  return account.data[TYPE_AT] === TYPE_MINT ? 'mint' : undefined;
}

/** The token account, also an uninitialized one; `undefined` if it is not a token account. */
export function readTokenAccount(account: AccountState): TokenAccount | undefined {
  if (tokenKind(account) !== 'account') return undefined;
  const { data } = account;
  const view = viewOf(data);
  const state = STATUS[data[108] ?? 3];
  if (state === undefined) return undefined;
  return {
    mint: encodeBase58(data.subarray(0, 32)),
    owner: encodeBase58(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    delegate: optionalKey(data, 72),
    state,
    rentReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : undefined,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalKey(data, 129),
  };
}

/** The mint, also an uninitialized one; `undefined` if the account is not a mint. */
export function readMint(account: AccountState): Mint | undefined {
  if (tokenKind(account) !== 'mint') return undefined;
  const { data } = account;
  return {
    mintAuthority: optionalKey(data, 0),
    supply: viewOf(data).getBigUint64(36, true),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKey(data, 46),
  };
}

const INTEREST_BEARING = 10;
const SCALED_AMOUNT = 25;
/** A year of 365.24 days, as the program counts it. */
const SECONDS_PER_YEAR = 60 * 60 * 24 * 365.24;
const BASIS_POINTS = 10_000;

/**
 * By what a mint's amounts are multiplied where people see them: the interest it has borne until `now` (Unix seconds), or
 * the multiplier that holds then. `undefined` for a mint whose amounts are shown as they are.
 */
export function mintScale(data: Uint8Array, now: () => bigint): number | undefined {
  const interest = extensionOf(data, INTEREST_BEARING, 52);
  if (interest !== undefined) {
    const [start, changed] = [interest.getBigInt64(32, true), interest.getBigInt64(42, true)];
    const grown = (rate: number, seconds: bigint): number =>
      Math.exp((rate * Number(seconds)) / SECONDS_PER_YEAR / BASIS_POINTS);
    return grown(interest.getInt16(40, true), changed - start) * grown(interest.getInt16(50, true), now() - changed);
  }
  const scaled = extensionOf(data, SCALED_AMOUNT, 56);
  if (scaled === undefined) return undefined;
  return now() >= scaled.getBigInt64(40, true) ? scaled.getFloat64(48, true) : scaled.getFloat64(32, true);
}

/** The bytes of an extension of a mint, when it has it and they are `length` or more. */
function extensionOf(data: Uint8Array, wanted: number, length: number): DataView | undefined {
  const view = viewOf(data);
  for (let at = TYPE_AT + 1; at + 4 <= data.length; at += 4 + view.getUint16(at + 2, true)) {
    const [type, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (type === 0) return undefined;
    if (type === wanted && size >= length && at + 4 + size <= data.length)
      return new DataView(data.buffer, data.byteOffset + at + 4, size);
  }
  return undefined;
}

const NO_BALANCES: readonly TokenBalanceRecord[] = [];

/** The holdings of a transaction's token accounts, as they are now; none when no token program takes part. */
export function tokenBalances(
  keys: readonly string[],
  accounts: Pick<AccountView, 'get'>,
): readonly TokenBalanceRecord[] {
  if (!keys.some((key) => TOKEN_PROGRAMS.has(key))) return NO_BALANCES;
  const balances: TokenBalanceRecord[] = [];
  keys.forEach((key, accountIndex) => {
    const account = accounts.get(key);
    const token = account === undefined ? undefined : readTokenAccount(account);
    if (account === undefined || token === undefined || token.state === 'uninitialized') return;
    const mintAccount = accounts.get(token.mint);
    const mint = mintAccount === undefined ? undefined : readMint(mintAccount);
    if (mint === undefined) return;
    balances.push({
      accountIndex,
      mint: token.mint,
      owner: token.owner,
      programId: account.owner,
      amount: token.amount,
      decimals: mint.decimals,
    });
  });
  return balances;
}

/** A key behind a 4-byte tag of 0 or 1. */
function optionalKey(data: Uint8Array, at: number): string | undefined {
  return viewOf(data).getUint32(at, true) === 1 ? encodeBase58(data.subarray(at + 4, at + 36)) : undefined;
}
