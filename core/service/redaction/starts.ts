// Quickly rules out most offsets as the start of a secret, by two bytes or by the character of an escape. A hit must be
// confirmed; a miss is final.
import { AMPERSAND, BACKSLASH, PERCENT, hexDigit, isIntroducer, type Character } from './characters';

const HASH = 0x23;
const LOWER_A = 0x61;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
/** Of the table of pairs; a power of two. Pairs may share a place. */
const PAIRS = 4096;

const pairOf = (first: number, second: number): number => ((first << 5) ^ second) & (PAIRS - 1);

export class StartTable {
  /** 1 for the bytes with which a secret may begin, escaped or not. */
  readonly first = new Uint8Array(256);
  /** 1 for the first two bytes of a secret whose first character is not escaped. */
  readonly #pairs = new Uint8Array(PAIRS);
  /** 1 for the codes of first characters, for their UTF-8 bytes and UTF-16 units; 255 stands for all above. */
  readonly #escaped = new Uint8Array(256);
  /** 1 for the first letters of their names in HTML. */
  readonly #names = new Uint8Array(256);

  /** `texts`: what may be at each place of each text that is searched for. */
  constructor(texts: readonly (readonly (readonly Character[])[])[]) {
    for (const [first = [], second = []] of texts) for (const char of first) this.#add(char, second);
    // Escapes inside escapes: `%252b`, `\u0026#43;`, `&amp;#43;`.
    this.#escaped[PERCENT] = this.#escaped[AMPERSAND] = this.#names[LOWER_A] = 1;
    for (const introducer of [BACKSLASH, PERCENT, AMPERSAND]) this.first[introducer] = 1;
  }

  /** `at`: below `length`, at one of the `first`. */
  mayBegin(bytes: Uint8Array, length: number, at: number): boolean {
    const byte = bytes[at] ?? 0;
    if (at + 1 >= length || this.#pairs[pairOf(byte, bytes[at + 1] ?? 0)] === 1) return true;
    return isIntroducer(byte) && this.#mayBeginEscaped(bytes, length, at, byte);
  }

  #add({ utf8, utf16, code, names }: Character, second: readonly Character[]): void {
    const [byte = 0, next] = utf8;
    this.first[byte] = 1;
    const followers = next === undefined ? second.map((char) => char.utf8[0] ?? 0) : [next];
    for (const follower of [...followers, BACKSLASH, PERCENT, AMPERSAND]) this.#pairs[pairOf(byte, follower)] = 1;
    for (const value of [code, ...utf8, ...utf16]) this.#escaped[Math.min(0xff, value)] = 1;
    for (const name of names) this.#names[name[0] ?? 0] = 1;
  }

  #mayBeginEscaped(bytes: Uint8Array, length: number, at: number, byte: number): boolean {
    if (byte === PERCENT) return this.#mayStandFor(bytes, length, at + 1, 2);
    if (byte === AMPERSAND) {
      const next = bytes[at + 1] ?? 0;
      return next === HASH || this.#names[next] === 1;
    }
    let letterAt = at + 1;
    while (letterAt < length && bytes[letterAt] === BACKSLASH) letterAt++;
    if (letterAt >= length) return true;
    const letter = bytes[letterAt] ?? 0;
    if (letter === LOWER_U) return this.#mayStandFor(bytes, length, letterAt + 1, 4);
    if (letter === LOWER_X) return this.#mayStandFor(bytes, length, letterAt + 1, 2);
    return this.#escaped[letter] === 1 || this.#escaped[BACKSLASH] === 1;
  }

  #mayStandFor(bytes: Uint8Array, length: number, at: number, digits: number): boolean {
    if (at + digits > length) return true;
    let value = 0;
    for (let digit = at; digit < at + digits; digit++) {
      const next = hexDigit(bytes[digit]);
      if (next < 0) return false;
      value = value * 16 + next;
    }
    return this.#escaped[Math.min(0xff, value)] === 1;
  }
}
