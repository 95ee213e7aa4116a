// Takes keys out of bytes that come back: a service may echo them. Works on pieces of any size, so that a body streamed
// to a file is cleaned on the way and a key cut in two by a packet is still found.
import { redact, REDACTED, secretSpellings } from '../core/redact';
import type { Secret } from '../core/secret';
import { hasEscapes, openEscape, unescaped } from './escapes';
import { Sieve } from './sieve';

const MARK = Buffer.from(REDACTED);
const NOTHING = Buffer.alloc(0);
const BACKSLASH = 0x5c;

/** What is looked for. */
interface Patterns {
  /** Longest first: the hex of a key may hold a shorter spelling. */
  readonly texts: readonly string[];
  readonly bytes: readonly Buffer[];
  /** 1 at each byte with which a pattern begins. */
  readonly starts: Uint8Array;
  readonly sieve: Sieve;
}

/** Spelled once per lease, not once per request. */
const SPELLED = new WeakMap<Secret, Patterns>();

function patternsOf(texts: readonly string[]): Patterns {
  const sorted = [...texts].sort((a, b) => b.length - a.length);
  const bytes = sorted.map((text) => Buffer.from(text, 'utf8'));
  const starts = new Uint8Array(256);
  for (const pattern of bytes) starts[pattern[0] ?? 0] = 1;
  return { texts: sorted, bytes, starts, sieve: new Sieve(bytes) };
}

function spelled(secret: Secret): Patterns {
  const known = SPELLED.get(secret);
  if (known !== undefined) return known;
  const patterns = patternsOf(secretSpellings(secret.reveal()));
  SPELLED.set(secret, patterns);
  return patterns;
}

export class Redactor {
  private readonly patterns: Patterns;
  /** Bytes that may be the start of a key whose rest has not come yet. */
  private held: Buffer = NOTHING;

  constructor(secrets: readonly Secret[]) {
    const [only] = secrets;
    this.patterns =
      secrets.length === 1 && only !== undefined
        ? spelled(only)
        : patternsOf(secrets.flatMap((secret) => spelled(secret).texts));
  }

  /** A whole text: a header, a message, a small body. */
  text(text: string): string {
    const plain = this.readable(text);
    return this.holds(plain) ? redact(plain, this.patterns.texts) : text;
  }

  /** True where the text repeats a key. Cheaper than making it anew, and hardly ever so. */
  isIn(text: string): boolean {
    return this.holds(text) || this.readable(text) !== text;
  }

  /** The part of the bytes that is settled; the rest waits for the next piece or `end`. */
  push(piece: Buffer): Buffer {
    if (this.patterns.bytes.length === 0) return piece;
    const all = this.held.length === 0 ? piece : Buffer.concat([this.held, piece]);
    // One search for all of them: in most pieces of most answers there is none.
    const isEscaped = all.includes(BACKSLASH);
    const escape = isEscaped ? openEscape(all) : 0;
    const whole = all.subarray(0, all.length - escape);
    const bytes = this.clean(isEscaped ? this.plain(whole) : whole);
    const keep = this.openEnd(bytes);
    if (keep === 0 && escape === 0) {
      this.held = NOTHING;
      return bytes;
    }
    this.held = Buffer.concat([bytes.subarray(bytes.length - keep), all.subarray(all.length - escape)]);
    return bytes.subarray(0, bytes.length - keep);
  }

  end(): Buffer {
    const rest = this.held;
    this.held = NOTHING;
    return rest;
  }

  private holds(text: string): boolean {
    return this.patterns.texts.some((spelling) => text.includes(spelling));
  }

  /** The text without escapes where a key stands under them, else as it is: an answer is not changed for nothing. */
  private readable(text: string): string {
    if (!hasEscapes(text)) return text;
    const plain = unescaped(text);
    return this.holds(plain) ? plain : text;
  }

  /** The same for bytes, whose end may be the start of a key. */
  private plain(bytes: Buffer): Buffer {
    if (!hasEscapes(bytes)) return bytes;
    const plain = Buffer.from(unescaped(bytes.toString('latin1')), 'latin1');
    const isKeyed = this.patterns.bytes.some((pattern) => plain.includes(pattern));
    return isKeyed || this.openEnd(plain) > this.openEnd(bytes) ? plain : bytes;
  }

  private clean(bytes: Buffer): Buffer {
    let current = bytes;
    if (!this.patterns.sieve.mayHold(bytes)) return current;
    for (const pattern of this.patterns.bytes) {
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
    const { bytes: patterns, starts } = this.patterns;
    for (let at = Math.max(0, bytes.length - (patterns[0]?.length ?? 0) + 1); at < bytes.length; at++) {
      // Asked for every byte at the end of every piece: most are told off by their first byte.
      if (starts[bytes[at] ?? 0] !== 1) continue;
      const length = bytes.length - at;
      const opens = (pattern: Buffer): boolean =>
        pattern.length > length && bytes.compare(pattern, 0, length, at) === 0;
      if (patterns.some(opens)) return length;
    }
    return 0;
  }
}
