// Transactions by signature and by address, newest last, within a bound: the oldest go first.
import { weightOf } from '../engine/record';
import type { TransactionRecord } from '../types';

/** Transactions kept, in whole blocks, and about the bytes they take: some 19,000 transfers, fewer of what logs a lot. */
const RECORDS_KEPT = 100_000;
const BYTES_KEPT = 48 * 1024 * 1024;

/** A list that loses its oldest entries cheaply. */
class Queue {
  /** `undefined` is what was dropped: thousands of addresses may each hold a few that are gone. */
  #items: (TransactionRecord | undefined)[] = [];
  #start = 0;

  push(record: TransactionRecord): void {
    this.#items.push(record);
  }

  get length(): number {
    return this.#items.length - this.#start;
  }

  get oldest(): TransactionRecord | undefined {
    return this.#items[this.#start];
  }

  dropNewest(): void {
    this.#items.pop();
  }

  dropOldest(): void {
    this.#items[this.#start++] = undefined;
    if (this.#start < 64 || this.#start * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#start);
    this.#start = 0;
  }

  *newestFirst(): Iterable<TransactionRecord> {
    for (let i = this.#items.length - 1; i >= this.#start; i--) {
      const record = this.#items[i];
      if (record !== undefined) yield record;
    }
  }
}

export class History {
  readonly #all = new Queue();
  readonly #bySignature = new Map<string, TransactionRecord>();
  readonly #byAddress = new Map<string, Queue>();
  /** The heights of transactions that may not come again, oldest first; longer than the records where those are many. */
  readonly #heightOf = new Map<string, number>();
  #bytes = 0;
  /** Votes among the records: they are as many as blocks, and do not count. */
  #votes = 0;

  constructor(
    private readonly kept = RECORDS_KEPT,
    private readonly bytesKept = BYTES_KEPT,
  ) {}

  add(record: TransactionRecord): void {
    this.#all.push(record);
    if (record.isVote === true) this.#votes++;
    this.#bytes += weightOf(record);
    this.#bySignature.set(record.signature, record);
    this.#heightOf.set(record.signature, record.height);
    for (const address of record.accountKeys) {
      const queue = this.#byAddress.get(address);
      if (queue !== undefined) queue.push(record);
      else {
        const fresh = new Queue();
        fresh.push(record);
        this.#byAddress.set(address, fresh);
      }
    }
  }

  find(signature: string): TransactionRecord | undefined {
    return this.#bySignature.get(signature);
  }

  /** The height at which a transaction landed, even if the transaction is no longer kept. */
  landedAt(signature: string): number | undefined {
    return this.#heightOf.get(signature);
  }

  /** Forgets what landed below a height. */
  forgetLanded(below: number): void {
    for (const [signature, height] of this.#heightOf) {
      if (height >= below) return;
      this.#heightOf.delete(signature);
    }
  }

  /** Every kept transaction, newest first. */
  newestFirst(): Iterable<TransactionRecord> {
    return this.#all.newestFirst();
  }

  /** Every kept transaction that names the address, newest first. */
  forAddress(address: string): Iterable<TransactionRecord> {
    return this.#byAddress.get(address)?.newestFirst() ?? [];
  }

  /**
   * Drops records below `firstHeight`, and whole oldest blocks above the bound, but none from `needed` on. Returns the first
   * height that is still whole: blocks below it may be dropped.
   */
  prune(firstHeight: number, needed: number): number {
    let first = firstHeight;
    for (let oldest = this.#all.oldest; oldest !== undefined; oldest = this.#all.oldest) {
      const fits = this.#all.length - this.#votes <= this.kept && this.#bytes <= this.bytesKept;
      if (oldest.height >= first && (fits || oldest.height >= needed)) break;
      first = Math.max(first, oldest.height + 1);
      this.#dropOldest();
    }
    return first;
  }

  /** Drops the newest block's records, all of them. */
  dropNewest(records: readonly TransactionRecord[]): void {
    for (const record of [...records].reverse()) {
      this.#all.dropNewest();
      this.#heightOf.delete(record.signature);
      this.#forget(record, (queue) => queue.dropNewest());
    }
  }

  #dropOldest(): void {
    const record = this.#all.oldest;
    if (record === undefined) return;
    this.#all.dropOldest();
    this.#forget(record, (queue) => queue.dropOldest());
  }

  #forget(record: TransactionRecord, drop: (queue: Queue) => void): void {
    if (record.isVote === true) this.#votes--;
    this.#bytes -= weightOf(record);
    this.#bySignature.delete(record.signature);
    for (const address of record.accountKeys) {
      const queue = this.#byAddress.get(address);
      if (queue !== undefined) drop(queue);
      if (queue?.length === 0) this.#byAddress.delete(address);
    }
  }
}
