// The explanation of one transaction: its outcome, its cost, its accounts, its calls, its balance changes. Types only.
// An unknown number is absent, never 0.
import type {
  DecodedEvent,
  DecodedInstruction,
  DecodedTransaction,
  TransactionAccount,
  TransactionFailure,
} from '../decode/decoded';
import type { WrittenAccount } from './written';

export interface Explanation extends Pick<
  DecodedTransaction,
  'version' | 'config' | 'signature' | 'feePayer' | 'blockhash' | 'slot' | 'blockTime'
> {
  readonly outcome: TransactionOutcome;
  /** The serialised transaction, where it is known. */
  readonly wire?: Uint8Array;
  /** For which the blockhash is still good; 0: none, or the node does not know it. Absent where nobody asked. */
  readonly blocksLeft?: number;
  readonly size?: TransactionSize;
  /** Absent where the serialised bytes are not known. */
  readonly signatures?: readonly SignatureCheck[];
  readonly fee: FeeParts;
  readonly limits: ComputeLimits;
  readonly accounts: readonly ExplainedAccount[];
  readonly calls: readonly ExplainedCall[];
  readonly balances: readonly OwnerBalances[];
  /** Accounts that it writes, before and after: of a simulation that was asked for them. */
  readonly written?: readonly WrittenAccount[];
  readonly notes: readonly string[];
}

/** A detail of an error: an account, a line of the program's source, one of the two values compared. */
export interface Clue {
  /** `line`: of the program's source. */
  readonly name: 'account' | 'line' | 'left' | 'right';
  /** Fit to be shown. */
  readonly text: string;
}

export type TransactionOutcome =
  | { readonly kind: 'succeeded' }
  /**
   * `at`: the path of the innermost call that failed, as far as it is known. `clues`: what the error is about. `isUnpaid`: it
   * did not run and paid nothing.
   */
  | {
      readonly kind: 'failed';
      readonly failure: TransactionFailure;
      readonly at?: readonly number[];
      readonly clues: readonly Clue[];
      readonly isUnpaid?: true;
    }
  | { readonly kind: 'notExecuted' };

export interface SignatureCheck {
  /** Base58. */
  readonly signer: string;
  readonly state: 'valid' | 'invalid' | 'missing';
}

/** Bytes as serialised, and how many a transaction of its version may have. */
export interface TransactionSize {
  readonly bytes: number;
  readonly of: number;
}

/** Lamports. */
export interface FeeParts {
  readonly total?: bigint;
  /** For the signatures, those that precompiles verify among them. Absent where less was paid: the cluster has its own price. */
  readonly base?: bigint;
  readonly priority?: bigint;
  /** Transfers to the tip accounts of block engines, in addition to the fee. */
  readonly tip?: bigint;
}

/** Limits that were requested from the runtime, and how much of them was used. */
export interface ComputeLimits {
  readonly computeUnits: Limit;
  /** Bytes of accounts. */
  readonly loadedAccountsData: Limit;
  /** Bytes. */
  readonly heap: Limit;
  /** Compute units that were used and are no call's: those left when a program crashed, which it forfeits. */
  readonly unitsOutsideCalls?: bigint;
  /** Per compute unit, in micro-lamports. Not in version 1. */
  readonly microLamports?: bigint;
}

export interface Limit {
  /** Absent where the transaction leaves it to the runtime. */
  readonly asked?: bigint;
  /** The runtime's default; present if no limit is requested and a price per unit makes it matter. */
  readonly byDefault?: bigint;
  readonly used?: bigint;
}

/** An account that the transaction names. */
export interface ExplainedAccount extends TransactionAccount {
  /** Of a token account whose amount or owner changed. */
  readonly tokens?: TokenBalance;
  /** Of a token account that changed hands. Base58. */
  readonly owners?: { readonly from: string; readonly to: string };
}

/** One call of a program, made by an instruction of the transaction or by another program. */
export interface ExplainedCall extends Omit<DecodedInstruction, 'inner'> {
  /** Compute units, where the logs say them, or the runtime has a fixed price. */
  readonly units?: CallUnits;
  /** Its own lines of the logs, without those of the calls it made. */
  readonly logs: readonly string[];
  readonly events: readonly DecodedEvent[];
  readonly returned?: Uint8Array;
  /** Its last words, where it failed. */
  readonly failure?: string;
  /** It comes after the instruction that failed, or nothing ran. */
  readonly isSkipped?: true;
  /** The log ends here: what follows has none. The node cut it, or `unreadLines` were not read. */
  readonly isCut?: true;
  readonly unreadLines?: number;
  readonly calls: readonly ExplainedCall[];
}

export interface CallUnits {
  /** With the calls it made. */
  readonly total: bigint;
  /** Without them; absent where one of them does not say what it used, or they say more than the whole. */
  readonly own?: bigint;
}

/** An owner's balances before and after: lamports of its address, tokens of all of its accounts. */
export interface OwnerBalances {
  /** Base58. */
  readonly owner: string;
  readonly lamports?: BeforeAfter;
  readonly tokens: readonly TokenBalance[];
}

export interface TokenBalance extends BeforeAfter {
  readonly mint: string;
  readonly decimals: number;
}

/** Raw units. */
export interface BeforeAfter {
  readonly before: bigint;
  readonly after: bigint;
}
