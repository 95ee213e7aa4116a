// A case for replay: one transaction with the accounts that it needs, when it ran, and what came of it. Types alone.
import type { JsonValue } from '../json/json';
import type { ChainAccount } from '../chain/accountJson';

/** By address, base58. */
export type ReplayAccounts = ReadonlyMap<string, ChainAccount>;

export interface ReplayCase {
  /** Base58. */
  readonly signature: string;
  /** The serialised transaction, signatures included. */
  readonly wire: Uint8Array;
  readonly slot: number;
  /** Unix seconds: what the clock is set to. */
  readonly blockTime: number;
  /** Whose time that is, in words. Absent where a user gave it, and in folders of older versions. */
  readonly clock?: string | undefined;
  /** Programs with their code, and lookup tables, among them. */
  readonly accounts: ReplayAccounts;
  readonly expected: ExpectedOutcome;
  /** Sentences that say why a replay may differ. */
  readonly notes: readonly string[];
  /** The user's replacements; `accounts`, `slot` and `blockTime` contain them already. */
  readonly overrides?: readonly ReplayOverride[];
}

export const ACCOUNT_FIELDS = ['lamports', 'owner', 'data'] as const;
export type AccountField = (typeof ACCOUNT_FIELDS)[number];

/** `file`: its name. `address`: base58. */
export type ReplayOverride =
  | { readonly kind: 'program' | 'account'; readonly address: string; readonly file: string }
  | { readonly kind: 'field'; readonly address: string; readonly field: AccountField; readonly value: string }
  | { readonly kind: 'clock'; readonly unixTime: number }
  | { readonly kind: 'slot'; readonly slot: number };

/** A step of preparing a replay. `changes`: looks up the last change of account `at` of `of`. */
export type ReplayStep =
  | { readonly kind: 'transaction' | 'ledger' }
  | { readonly kind: 'accounts' | 'programs'; readonly count: number }
  | { readonly kind: 'changes'; readonly at: number; readonly of: number };

/** The outcome of a transaction. */
export interface ReplayOutcome {
  /** As nodes write it: null, a name, or a name with its content. */
  readonly error: JsonValue;
  readonly computeUnits?: bigint;
  readonly logs: readonly string[];
  readonly lamports: readonly BalanceShift[];
  readonly tokens: readonly TokenShift[];
}

/** The outcome that a replay is compared with; absent members are not compared. */
export type ExpectedOutcome = Partial<ReplayOutcome>;

/** Lamports after a transaction less those before; never 0. */
export interface BalanceShift {
  readonly address: string;
  readonly change: bigint;
}

/** Raw units of a token account after a transaction less those before; never 0. */
export interface TokenShift extends BalanceShift {
  readonly mint: string;
}
