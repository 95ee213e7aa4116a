// Reads wire bytes in order and refuses what they do not hold: nothing malformed may reach the engine.

/** Why bytes are no transaction, in a few words. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export class StrictReader {
  offset = 0;

  /** `texts`: what is said of bytes that end too soon or too late, where a format has texts for both. */
  constructor(
    private readonly data: Uint8Array,
    private readonly texts?: { readonly tooShort: string; readonly tooLong: string },
  ) {}

  byte(what: string): number {
    const value = this.data[this.offset];
    if (value === undefined) throw this.#tooShort(what);
    this.offset++;
    return value;
  }

  bytes(length: number, what: string): Uint8Array {
    const end = this.offset + length;
    if (end > this.data.length) throw this.#tooShort(what);
    const value = this.data.subarray(this.offset, end);
    this.offset = end;
    return value;
  }

  /** A length of one to three bytes, seven bits each, in its shortest form only. */
  compact(what: string): number {
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const byte = this.byte(what);
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        if (i > 0 && byte === 0) throw new WireError(`the ${what} is not in its shortest form`);
        if (value > 0xffff) throw new WireError(`the ${what} is above 65535`);
        return value;
      }
    }
    throw new WireError(`the ${what} is longer than three bytes`);
  }

  /** Two bytes, little-endian. */
  u16(what: string): number {
    return this.byte(what) + this.byte(what) * 0x100;
  }

  /** Four bytes, little-endian. */
  u32(what: string): number {
    return this.u16(what) + this.u16(what) * 0x1_0000;
  }

  /** Eight bytes, little-endian. */
  u64(what: string): bigint {
    return BigInt(this.u32(what)) + (BigInt(this.u32(what)) << 32n);
  }

  end(): void {
    const rest = this.data.length - this.offset;
    if (rest > 0) throw new WireError(this.texts?.tooLong ?? `${rest} bytes after the end`);
  }

  #tooShort(what: string): WireError {
    return new WireError(this.texts?.tooShort ?? `the bytes end inside the ${what}`);
  }
}
