// Writes bytes in little-endian order, one value after another; the counterpart of ByteReader.

export class ByteWriter {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  u8(value: number): this {
    this.#bytes.push(value & 0xff);
    return this;
  }

  u16(value: number): this {
    return this.u8(value).u8(value >>> 8);
  }

  u32(value: number): this {
    return this.u16(value).u16(value >>> 16);
  }

  u64(value: bigint): this {
    return this.integer(value, 8);
  }

  /** The low bytes of an integer, two's complement where it is negative. */
  integer(value: bigint, bytes: number): this {
    for (let place = 0; place < bytes; place++) this.u8(Number((value >> BigInt(8 * place)) & 0xffn));
    return this;
  }

  /** Solana's compact-u16: seven bits a byte, low bits first. `value`: at most 65535. */
  compactU16(value: number): this {
    let left = value;
    for (; left > 0x7f; left >>= 7) this.u8((left & 0x7f) | 0x80);
    return this.u8(left);
  }

  bytes(bytes: Uint8Array | readonly number[]): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
