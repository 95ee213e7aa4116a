// Takes keys out of bytes that come back: a service may echo them. Works on pieces of any size, so that a body streamed
// to a file is cleaned on the way and a key cut in two by a packet is still found.
import { redact, REDACTED, secretSpellings } from '../core/redact';
import type { Secret } from '../core/secret';

const MARK = Buffer.from(REDACTED);

/** Spelled once per lease, not once per request. */
const SPELLED = new WeakMap<Secret, readonly string[]>();

function spellings(secret: Secret): readonly string[] {
  const known = SPELLED.get(secret);
  if (known !== undefined) return known;
  const texts = secretSpellings(secret.reveal());
  SPELLED.set(secret, texts);
  return texts;
}

export class Redactor {
  private readonly texts: readonly string[];
  private readonly patterns: readonly Buffer[];
  private readonly longest: number;
  /** 1 at each byte with which a pattern begins. */
  private readonly starts = new Uint8Array(256);
  /** Bytes that may be the start of a key whose rest has not come yet. */
  private held: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly Secret[]) {
    // Longest first: the hex of a key may hold a shorter spelling.
    this.texts = secrets.flatMap(spellings).sort((a, b) => b.length - a.length);
    this.patterns = this.texts.map((text) => Buffer.from(text, 'utf8'));
    this.longest = this.patterns[0]?.length ?? 0;
    for (const pattern of this.patterns) this.starts[pattern[0] ?? 0] = 1;
  }

  /** A short text: a header, a message. */
  text(text: string): string {
    return redact(text, this.texts);
  }

  /** The part of the bytes that is settled; the rest waits for the next piece or `end`. */
  push(piece: Buffer): Buffer {
    if (this.patterns.length === 0) return piece;
    const bytes = this.clean(this.held.length === 0 ? piece : Buffer.concat([this.held, piece]));
    const keep = this.openEnd(bytes);
    this.held = Buffer.from(bytes.subarray(bytes.length - keep));
    return bytes.subarray(0, bytes.length - keep);
  }

  end(): Buffer {
    const rest = this.held;
    this.held = Buffer.alloc(0);
    return rest;
  }

  private clean(bytes: Buffer): Buffer {
    let current = bytes;
    for (const pattern of this.patterns) {
      let at = current.indexOf(pattern);
      if (at === -1) continue;
      const parts: Buffer[] = [];
      let from = 0;
      for (; at !== -1; at = current.indexOf(pattern, from)) {
        parts.push(current.subarray(from, at), MARK);
        from = at + pattern.length;
      }
      parts.push(current.subarray(from));
      current = Buffer.concat(parts);
    }
    return current;
  }

  /** Length of the longest end of `bytes` with which a pattern begins. */
  private openEnd(bytes: Buffer): number {
    for (let at = Math.max(0, bytes.length - this.longest + 1); at < bytes.length; at++) {
      // Asked for every byte at the end of every piece: most are told off by their first byte.
      if (this.starts[bytes[at] ?? 0] !== 1) continue;
      const length = bytes.length - at;
      const opens = (pattern: Buffer): boolean =>
        pattern.length > length && bytes.compare(pattern, 0, length, at) === 0;
      if (this.patterns.some(opens)) return length;
    }
    return 0;
  }
}
