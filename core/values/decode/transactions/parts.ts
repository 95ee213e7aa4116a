// A transaction in the one form all of its sources are read into: wire bytes, JSON of a node, Yellowstone messages.
import type { JsonValue } from '../../json/json';
import type { TransactionConfig } from '../../solana/transactionTypes';

export interface TransactionParts {
  readonly version: 'legacy' | number;
  /** Version 1 only; absent where only the accounts of a transaction are known. */
  readonly config?: TransactionConfig;
  /** Base58; unsigned places are left out. */
  readonly signatures: readonly string[];
  readonly blockhash?: string;
  /** Static accounts, then what the lookup tables add: writable first. */
  readonly accounts: readonly PartAccount[];
  readonly instructions: readonly PartInstruction[];
  readonly slot?: bigint;
  readonly blockTime?: bigint;
  /** Absent where the transaction has not run, or nobody said what happened. */
  readonly meta?: PartMeta;
}

export interface PartAccount {
  readonly address: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly table?: string;
}

export type PartInstruction =
  | {
      readonly kind: 'raw';
      /** Indexes into the accounts. */
      readonly program: number;
      readonly accounts: readonly number[];
      readonly data: Uint8Array;
      /** 1 for an outer instruction; absent where the node did not say. */
      readonly height?: number;
    }
  /** What a node read itself (`jsonParsed`): no bytes are left. */
  | {
      readonly kind: 'parsed';
      readonly program: string;
      readonly name?: string;
      readonly info: JsonValue | undefined;
      readonly height?: number;
    };

export interface PartMeta {
  readonly error?: TransactionError;
  readonly fee?: bigint;
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
  readonly tokensBefore: readonly TokenHolding[];
  readonly tokensAfter: readonly TokenHolding[];
  readonly inner: readonly { readonly index: number; readonly instructions: readonly PartInstruction[] }[];
  readonly logs: readonly string[];
  readonly computeUnits?: bigint;
  readonly returnData?: { readonly program: string; readonly data: Uint8Array };
}

export interface TokenHolding {
  readonly account: number;
  readonly mint: string;
  readonly owner?: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/** An error by the node's name for it; `instruction` and `cause` where it is an instruction's. */
export interface TransactionError {
  readonly name: string;
  readonly instruction?: number;
  /** `Custom`, or the runtime's name. */
  readonly cause?: string;
  readonly custom?: number;
  /** The account that the error names. */
  readonly account?: number;
}

/** More accounts, instructions or log lines than these are not read: no block holds as many. */
export const MAX_PARTS = 4_096;
