// Assembles a message from the pieces it arrives in. Memory grows with the bytes received, never with the length announced.

/** Bytes of memory kept between messages, so that the usual message needs no allocation. */
const KEPT = 64 * 1024;

export class PartialMessage {
  /** Bytes received so far. */
  held = 0;
  #memory: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  /** `kept` bytes of memory stay allocated between messages; 0 where there may be many idle readers. */
  constructor(private readonly kept = KEPT) {}

  /** Starts with the bytes received; what follows them is undefined. */
  get bytes(): Buffer {
    return this.#memory;
  }

  /** Bytes of memory in use. */
  get allocated(): number {
    return this.#memory.length;
  }

  /** Adds `count` bytes; the message has `needed` bytes, as far as is known by now. */
  add(chunk: Buffer, from: number, count: number, needed: number): void {
    const held = this.held + count;
    if (held > this.#memory.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.kept, Math.min(needed, 2 * held), held));
      this.#memory.copy(grown, 0, 0, this.held);
      this.#memory = grown;
    }
    chunk.copy(this.#memory, this.held, from, from + count);
    this.held = held;
  }

  /** Ends the message: its bytes, valid until the next `add`. */
  take(): Buffer {
    const whole = this.#memory.subarray(0, this.held);
    this.clear();
    return whole;
  }

  /** Forgets what was received. */
  clear(): void {
    this.held = 0;
    if (this.#memory.length > this.kept) this.#memory = Buffer.alloc(0);
  }
}
