// Reads the fields of accounts and instructions in order. What does not fit makes the whole unparsed, never wrong.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { viewOf } from '../../../core/solana/encoding/bytes';
import type { WireJson } from '../../api';

/** An account or an instruction as `jsonParsed` shows it. */
export interface Parsed {
  readonly type: string;
  /** Left out if there is nothing to show. */
  readonly info?: WireJson;
}

/** Bytes that this parser does not know. */
export class NotParsed extends Error {}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Every read throws NotParsed, or RangeError, where the bytes end before. Integers are little-endian. */
export class Fields {
  #at = 0;
  readonly #view: DataView;

  constructor(private readonly data: Uint8Array) {
    this.#view = viewOf(data);
  }

  /** Bytes that are not read yet. */
  get rest(): number {
    return this.data.length - this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#move(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#move(1));
  }

  bool(): boolean {
    return this.u8() === 1;
  }

  u16(): number {
    return this.#view.getUint16(this.#move(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#move(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#move(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#move(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#move(8), true);
  }

  /** An integer of so many bytes. */
  integer(bytes: 1 | 2 | 4 | 8 | 16, isSigned = false): number | bigint {
    switch (bytes) {
      case 1:
        return this.u8();
      case 2:
        return isSigned ? this.i16() : this.u16();
      case 4:
        return this.u32();
      case 8:
        return isSigned ? this.i64() : this.u64();
      case 16:
        return this.u64() | (this.u64() << 64n);
    }
  }

  f64(): number {
    return this.#view.getFloat64(this.#move(8), true);
  }

  /** An integer of seven bits per byte, the lowest first. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new NotParsed();
  }

  bytes(length: number): Uint8Array {
    const at = this.#move(length);
    return this.data.subarray(at, at + length);
  }

  /** The next bytes, fewer at the end, without stepping over them. */
  peek(length: number): Uint8Array {
    return this.data.subarray(this.#at, this.#at + length);
  }

  base64(length: number): string {
    return Buffer.from(this.bytes(length)).toString('base64');
  }

  key(): string {
    return encodeBase58(this.bytes(32));
  }

  /** A key whose absence is 32 zero bytes. */
  nonZeroKey(): string | null {
    const key = this.bytes(32);
    return isZero(key) ? null : encodeBase58(key);
  }

  /** Bytes in base64 whose absence is zero bytes. */
  nonZeroBase64(length: number): string | null {
    const bytes = this.bytes(length);
    return isZero(bytes) ? null : Buffer.from(bytes).toString('base64');
  }

  /** A value after a tag of one byte; null if the tag is 0. */
  option<T>(read: () => T): T | null {
    const tag = this.u8();
    if (tag > 1) throw new NotParsed();
    return tag === 1 ? read() : null;
  }

  /** A key behind a tag of one byte. */
  optionalKey(): string | null {
    return this.option(() => this.key());
  }

  /** `count` items of at least `leastBytes` each. */
  list<T>(count: number | bigint, leastBytes: number, read: () => T): T[] {
    const length = Number(count);
    if (length * leastBytes > this.rest) throw new NotParsed();
    return Array.from({ length }, read);
  }

  /** A text behind its length of so many bytes; `rest`: everything left. */
  text(length: 4 | 8 | 'rest'): string {
    const bytes = length === 'rest' ? this.rest : this.length(this.integer(length));
    try {
      return strictUtf8.decode(this.bytes(bytes));
    } catch (error) {
      if (error instanceof TypeError) throw new NotParsed();
      throw error;
    }
  }

  /** A number of bytes, all of which are there. */
  length(count: number | bigint): number {
    if (count > this.rest) throw new NotParsed();
    return Number(count);
  }

  /** Steps over `length` bytes; answers where they start. */
  #move(length: number): number {
    const at = this.#at;
    if (at + length > this.data.length) throw new NotParsed();
    this.#at += length;
    return at;
  }
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** `read`'s answer; `undefined` if it cannot parse the bytes. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotParsed || error instanceof RangeError) return undefined;
    throw error;
  }
}
