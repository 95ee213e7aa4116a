// Reads an instruction's bytes and accounts in order; whatever does not fit makes the instruction unparsed, never wrong.
import { encodeBase58 } from '../../core/values/base58';
import type { WireJson } from '../api';

export interface ParsedInstruction {
  readonly type: string;
  readonly info: { readonly [key: string]: WireJson };
}

/** The instruction is none this parser knows. */
export class NotParsed extends Error {}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export class Cursor {
  private at = 0;
  private readonly view: DataView;

  constructor(
    private readonly data: Uint8Array,
    readonly accounts: readonly string[],
  ) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** The account at a place; throws NotParsed when the instruction names fewer. */
  account(index: number): string {
    const account = this.accounts[index];
    if (account === undefined) throw new NotParsed();
    return account;
  }

  get rest(): number {
    return this.data.length - this.at;
  }

  u8(): number {
    return this.view.getUint8(this.move(1));
  }

  u32(): number {
    return this.view.getUint32(this.move(4), true);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.move(8), true);
  }

  key(): string {
    const at = this.move(32);
    return encodeBase58(this.data.subarray(at, at + 32));
  }

  /** A key behind a tag of one byte. */
  optionalKey(): string | null {
    return this.u8() === 1 ? this.key() : null;
  }

  /** A text behind its length of eight bytes. */
  longText(): string {
    const length = this.u64();
    if (length > BigInt(this.rest)) throw new NotParsed();
    const at = this.move(Number(length));
    return this.decode(this.data.subarray(at, this.at));
  }

  /** Everything left, as text. */
  text(): string {
    const at = this.move(this.rest);
    return this.decode(this.data.subarray(at));
  }

  private decode(bytes: Uint8Array): string {
    try {
      return strictUtf8.decode(bytes);
    } catch {
      throw new NotParsed();
    }
  }

  /** Steps over `length` bytes; answers where they start. */
  private move(length: number): number {
    const at = this.at;
    if (at + length > this.data.length) throw new NotParsed();
    this.at += length;
    return at;
  }
}
