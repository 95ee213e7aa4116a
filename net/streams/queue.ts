// Queue of unread messages, bounded in number and in bytes. Above either bound the oldest are dropped and counted.

/** Most queued messages. */
const MAX_QUEUED = 10_000;
/** Most bytes that the queued messages may take, as the caller counts them. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

export class BoundedQueue<T> {
  readonly #items: (readonly [value: T, bytes: number] | undefined)[] = [];
  /** Index of the oldest; earlier entries are gone. */
  #first = 0;
  #bytes = 0;
  #lost = 0;

  /** Exact number of dropped messages. */
  get dropped(): number {
    return this.#lost;
  }

  add(value: T, bytes: number): void {
    this.#items.push([value, bytes]);
    this.#bytes += bytes;
    while (this.#items.length - this.#first > MAX_QUEUED || this.#bytes > MAX_QUEUED_BYTES) {
      this.take();
      this.#lost++;
    }
  }

  /** The oldest; undefined if the queue is empty. */
  take(): T | undefined {
    const item = this.#items[this.#first];
    if (item === undefined) return undefined;
    this.#items[this.#first++] = undefined;
    this.#bytes -= item[1];
    // Moving the remaining entries costs no more than taking the others did since the last time.
    if (this.#first * 2 > this.#items.length) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item[0];
  }
}
