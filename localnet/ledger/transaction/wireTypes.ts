// A transaction as it was read off the wire. Types only.

/** An instruction with its program and accounts as indexes into the transaction's account keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface LookupTableUse {
  readonly table: string;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

export interface DecodedMessage {
  readonly version: 'legacy' | 0 | 1;
  readonly numRequiredSignatures: number;
  readonly numReadonlySigned: number;
  readonly numReadonlyUnsigned: number;
  /** The keys inside the message, base58; looked-up keys follow them in every index. */
  readonly staticKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  /** Empty but in version 0. */
  readonly lookups: readonly LookupTableUse[];
  /** Version 1 only. */
  readonly config?: MessageConfig;
}

/** The limits and fee that a version 1 message requests. Unset: no fee, 0 compute units, 0 bytes of loaded data, 32 KiB of heap. */
export interface MessageConfig {
  /** Lamports in total. */
  readonly priorityFee?: bigint;
  readonly computeUnitLimit?: number;
  readonly loadedAccountsDataSizeLimit?: number;
  readonly heapSize?: number;
}

export interface StrictTransaction {
  /** Raw signatures of 64 bytes; the first one names the transaction. */
  readonly signatures: readonly Uint8Array[];
  readonly message: DecodedMessage;
  /** Where the message starts in the wire bytes. */
  readonly messageOffset: number;
  /** Where it ends: what is signed lies between the two. */
  readonly messageEnd: number;
}

/** A transaction as it was sent, and decoded. */
export interface SentTransaction {
  readonly wire: Uint8Array;
  readonly transaction: StrictTransaction;
}
