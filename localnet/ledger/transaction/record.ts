// A transaction in a block as the history keeps it: small once its block is confirmed, when fewer ask for it.
import type { TransactionRecord } from '../types';
import { decodeStrictly } from './wire';
import type { StrictTransaction } from './wireTypes';

/** Approximate size of a record without the parts that are counted one by one. */
const RECORD_BYTES = 2_000;
const KEY_BYTES = 100;
const INNER_BYTES = 300;

/** A transaction that may let go of what its bytes say too, once fewer ask for it. */
export interface SettlingRecord extends TransactionRecord {
  settle(): void;
}

export class LandedTransaction implements SettlingRecord {
  readonly signature: string;
  readonly slot: number;
  readonly height: number;
  readonly index: number;
  readonly blockTime: number;
  readonly wire: Uint8Array;
  readonly accountKeys: readonly string[];
  readonly memo: string | null;
  readonly meta: TransactionRecord['meta'];
  #decoded: StrictTransaction | undefined;

  constructor(record: TransactionRecord) {
    this.signature = record.signature;
    this.slot = record.slot;
    this.height = record.height;
    this.index = record.index;
    this.blockTime = record.blockTime;
    this.wire = record.wire;
    this.accountKeys = record.accountKeys;
    this.memo = record.memo;
    this.meta = record.meta;
    this.#decoded = record.transaction;
  }

  get transaction(): StrictTransaction {
    return this.#decoded ?? decodeStrictly(this.wire);
  }

  /** Lets go of what the wire bytes say too. */
  settle(): void {
    this.#decoded = undefined;
  }
}

/** About how many bytes of memory a record takes. */
export function weightOf(record: TransactionRecord): number {
  // The node's own vote goes with its block.
  if (record.isVote === true) return 0;
  const { wire, accountKeys, meta } = record;
  const logs = meta.logMessages.reduce((sum, line) => sum + line.length, 0);
  const inner = meta.innerInstructions.reduce((sum, { instructions }) => sum + instructions.length, 0);
  return RECORD_BYTES + wire.length + accountKeys.length * KEY_BYTES + logs + inner * INNER_BYTES;
}
