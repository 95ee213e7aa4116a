// The beginning of a message whose rest has not come yet: put together from the pieces that it is cut into. Grows with what
// came, not with what was announced: a length is quickly said.

/** Kept for the next message; one that needs more gets more, for a while. Bytes. */
const USUAL = 64 * 1024;

export class Carry {
  /** How many of the bytes are there. */
  held = 0;
  private memory: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  /** What is there stands at its beginning. */
  get bytes(): Buffer {
    return this.memory;
  }

  /** Takes `count` bytes more; the message has `needed` of them, as far as that is known. */
  hold(chunk: Buffer, from: number, count: number, needed: number): void {
    const held = this.held + count;
    if (held > this.memory.length) {
      const grown = Buffer.allocUnsafe(Math.max(USUAL, Math.min(needed, 2 * held), held));
      this.memory.copy(grown, 0, 0, this.held);
      this.memory = grown;
    }
    chunk.copy(this.memory, this.held, from, from + count);
    this.held = held;
  }

  /** The message is whole: an array of its own each time, whose bytes stay until something is held again. */
  whole(): Buffer {
    const whole = this.memory.subarray(0, this.held);
    this.held = 0;
    if (this.memory.length > USUAL) this.memory = Buffer.alloc(0);
    return whole;
  }
}
