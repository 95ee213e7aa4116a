// Serialised transactions and their messages as read: views into the wire bytes, never copies. Types, and the limits of
// each version (SIMD-0385, SIMD-0296).

/** Most bytes of a legacy or version 0 transaction: one network packet. */
export const MAX_LEGACY_BYTES = 1232;
/** Most bytes of a version 1 transaction. */
export const MAX_V1_BYTES = 4096;

/** Most bytes that a node takes of a transaction of this version. */
export const maxTransactionBytes = (version: Message['version']): number =>
  version === 1 ? MAX_V1_BYTES : MAX_LEGACY_BYTES;

export interface Instruction {
  /** Index of the program in the account list. */
  readonly program: number;
  /** Indexes into the account list: static keys first, then those of lookup tables. */
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * The limits that a version 1 message requests; other versions use Compute Budget instructions. Unset values mean: no
 * priority fee, 0 compute units, 0 bytes of loaded account data, a heap of 32,768 bytes.
 */
export interface TransactionConfig {
  /** Lamports in total, not a price per compute unit. */
  readonly priorityFee?: bigint;
  readonly computeUnitLimit?: number;
  /** Bytes. */
  readonly loadedAccountsDataSizeLimit?: number;
  /** Bytes. */
  readonly heapSize?: number;
}

/** A lookup table a version 0 message reads addresses from. */
export interface TableLookup {
  /** The table's address, 32 bytes. */
  readonly table: Uint8Array;
  /** Indexes into the table. */
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

export interface Message {
  readonly version: 'legacy' | 0 | 1;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** 32 bytes each; the first pays the fee, the first `requiredSignatures` sign. */
  readonly accountKeys: readonly Uint8Array[];
  /** 32 bytes: a recent blockhash, or a nonce. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
  /** Empty but in version 0. */
  readonly lookups: readonly TableLookup[];
  /** Version 1 only. */
  readonly config?: TransactionConfig;
}

export interface Transaction {
  /** 64 bytes each, all zero where a signer has not signed yet. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
  /** The signed bytes. */
  readonly messageBytes: Uint8Array;
  /** Bytes of the whole, trailing bytes excluded. */
  readonly size: number;
}

export type WireResult<T> = { readonly ok: true; readonly value: T } | Malformed;

/** `reason`: one sentence without a full stop, for people. */
export interface Malformed {
  readonly ok: false;
  readonly reason: string;
}

export const malformed = (reason: string): Malformed => ({ ok: false, reason });
