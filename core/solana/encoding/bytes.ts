// A reader over bytes that never throws: after a read beyond the end it stays failed and gives zeros.

const NOTHING = new Uint8Array(0);

export class ByteReader {
  /** Where the next read begins. */
  at = 0;
  /** Offset of the first read that failed for lack of bytes; `undefined` if none has. */
  endedAt: number | undefined;

  constructor(readonly bytes: Uint8Array) {}

  get failed(): boolean {
    return this.endedAt !== undefined;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.#has(1) ? (this.bytes[this.at++] ?? 0) : 0;
  }

  u16(): number {
    return this.u8() + this.u8() * 0x100;
  }

  u32(): number {
    return this.u16() + this.u16() * 0x10000;
  }

  u64(): bigint {
    const low = this.u32();
    return BigInt(low) + (BigInt(this.u32()) << 32n);
  }

  /** An unsigned integer of so many bytes, low bytes first. */
  integer(bytes: number): bigint {
    if (bytes === 8) return this.u64();
    let value = 0n;
    for (let place = 0; place < bytes; place++) value += BigInt(this.u8()) << BigInt(8 * place);
    return value;
  }

  /** A view of the next bytes, not a copy. */
  take(count: number): Uint8Array {
    if (!this.#has(count)) return NOTHING;
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Solana's compact-u16: seven bits a byte, three bytes at most, shortest form only. */
  compactU16(): number {
    let value = 0;
    for (let place = 0; place < 3; place++) {
      const start = this.at;
      const byte = this.u8();
      value |= (byte & 0x7f) << (7 * place);
      if (byte < 0x80) {
        const padded = place > 0 && byte === 0;
        if (padded || value > 0xffff) this.#fail(start);
        return value;
      }
    }
    this.#fail(this.at);
    return 0;
  }

  #has(count: number): boolean {
    if (this.endedAt === undefined && count <= this.left) return true;
    this.#fail(this.at);
    return false;
  }

  #fail(at: number): void {
    this.endedAt ??= at;
  }
}

/** The same bytes, to read and write numbers in. */
export const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);
