// What came and was not read yet: bounded in number and in bytes. Above either the oldest go, and are counted.

/** Messages that wait at most. */
export const MAX_QUEUED = 10_000;
/** Bytes of them, as they came. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

export class BoundedQueue<T> {
  readonly #items: (readonly [value: T, bytes: number] | undefined)[] = [];
  /** Index of the oldest; what is before it is gone. */
  #first = 0;
  #bytes = 0;
  #lost = 0;

  /** How many were dropped, exactly. */
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

  /** The oldest; undefined where there is none. */
  take(): T | undefined {
    const item = this.#items[this.#first];
    if (item === undefined) return undefined;
    this.#items[this.#first++] = undefined;
    this.#bytes -= item[1];
    // Moving what is left costs as much as was taken since the last time.
    if (this.#first * 2 > this.#items.length) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item[0];
  }
}
