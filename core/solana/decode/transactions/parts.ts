// A transaction in the one form all of its sources are read into: wire bytes, JSON of a node, Yellowstone messages.
import type { JsonValue } from '../../json/json';
import type { TransactionConfig } from '../../wire/transactionTypes';

export interface TransactionParts {
  readonly version: 'legacy' | number;
  /** Version 1 only; absent where only the accounts of a transaction are known. */
  readonly config?: TransactionConfig;
  /** Base58; unsigned places are left out. */
  readonly signatures: readonly string[];
  readonly blockhash?: string;
  /** Static accounts, then those of lookup tables: writable first. */
  readonly accounts: readonly PartAccount[];
  readonly instructions: readonly PartInstruction[];
  readonly slot?: bigint;
  readonly blockTime?: bigint;
  /** Absent if the transaction has not run, or its outcome is unknown. */
  readonly meta?: PartMeta;
}

export interface PartAccount {
  readonly address: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly table?: string;
}

/** The addresses lookup tables gave, base58; only who ran the transaction knows them. */
export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

export interface AccountLists {
  readonly keys: readonly (string | undefined)[];
  readonly signers: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** The table of each address from one: tables in their order, each of them in the order of its indexes. */
  readonly tables: Readonly<Record<'writable' | 'readonly', readonly (string | undefined)[]>>;
}

/** The accounts of a message: its own, then those of lookup tables. */
export function partAccounts(lists: AccountLists, loaded: LoadedAddresses): readonly PartAccount[] {
  const { keys, signers, readonlySigned, readonlyUnsigned, tables } = lists;
  const fixed = keys.map((address, index): PartAccount => {
    const isSigner = index < signers;
    const end = isSigner ? signers - readonlySigned : keys.length - readonlyUnsigned;
    return { address, isSigner, isWritable: index < end };
  });
  const added = (side: 'writable' | 'readonly'): readonly PartAccount[] =>
    tables[side].map((table, at) => ({
      address: loaded[side][at],
      isSigner: false,
      isWritable: side === 'writable',
      ...(table !== undefined && { table }),
    }));
  return [...fixed, ...added('writable'), ...added('readonly')];
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
  /** Parsed by the node (`jsonParsed`), without bytes. */
  | {
      readonly kind: 'parsed';
      readonly program: string;
      readonly name?: string;
      readonly info: JsonValue | undefined;
      readonly height?: number;
    };

export interface PartMeta {
  readonly error?: NamedError;
  readonly fee?: bigint;
  /** Lamports of each account; undefined if missing or not a number. */
  readonly before: readonly (bigint | undefined)[];
  readonly after: readonly (bigint | undefined)[];
  /** Absent where nobody said all of them. */
  readonly tokensBefore?: readonly TokenHolding[];
  readonly tokensAfter?: readonly TokenHolding[];
  /** Absent if unknown; an empty list if the transaction has no inner instructions. */
  readonly inner?: readonly { readonly index: number; readonly instructions: readonly PartInstruction[] }[];
  readonly logs: readonly string[];
  /** Lines of the log that were not read. */
  readonly unreadLines?: number;
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
export interface NamedError {
  readonly name: string;
  readonly instruction?: number;
  /** `Custom`, or the runtime's name. */
  readonly cause?: string;
  readonly custom?: number;
  /** The account that the error names. */
  readonly account?: number;
}

/** Most accounts or instructions read: no block contains as many. */
export const MAX_PARTS = 4_096;

/** More lines of a log are counted: at 100 compute units each, a transaction cannot pay for as many. */
export const MAX_LOG_LINES = 16_384;
