// Cheaply rules out that any of several secrets occurs in a text. A hit must be confirmed by an exact search.
import { AMPERSAND, BACKSLASH, PERCENT, characterOf, hexDigit } from './characters';
import type { Spelling } from './spellings';

/** Neighbouring bytes that are looked up together. */
const GRAM = 4;
/** With fewer bytes between two look-ups an exact search is as cheap. */
const MIN_STEP = 8;
/** Bits of an index into the first table: thousands of cells for the few hundred grams of a key. */
const CELL_BITS = 14;
/** Sets the bit that lower-case letters have and capitals have not, in each byte of a gram; digits have it, too. */
const LOWER = 0x20202020;

const HASH = 0x23;
const LOWER_U = 0x75;
const LOWER_X = 0x78;

export class SecretPrefilter {
  readonly #cells = new Uint8Array(1 << CELL_BITS);
  readonly #grams = new Set<number>();
  /**
   * Bytes from look-up to look-up. n - 3 grams begin at neighbouring bytes of a secret of n bytes, so one of them is
   * looked up in every run of as many bytes.
   */
  readonly #step: number;
  /** 1 for bytes and UTF-16 units below 256 that an escape in a secret may stand for. */
  readonly #escaped = new Uint8Array(256);
  /** The first two letters of HTML's names for the characters of a secret. */
  readonly #names = new Set<number>();
  readonly #isAscii: boolean;

  constructor(spellings: readonly Spelling[]) {
    let step = Infinity;
    const encoder = new TextEncoder();
    for (const { text } of spellings) {
      const bytes = encoder.encode(text);
      step = Math.min(step, bytes.length - GRAM + 1);
      for (let at = 0; at + GRAM <= bytes.length; at++) this.#add(gramAt(bytes, at));
      for (const byte of bytes) this.#escaped[byte] = 1;
      for (let at = 0; at < text.length; at++) this.#escaped[Math.min(0xff, text.charCodeAt(at))] = 1;
      for (const char of new Set(text)) this.#addNames(char);
    }
    // Escapes inside escapes: `%252B`, `\u0026#43;`, `\\/`.
    if (spellings.length > 0) this.#escaped[PERCENT] = this.#escaped[AMPERSAND] = 1;
    this.#addNames('&');
    this.#step = step;
    this.#isAscii = spellings.every(({ text }) => /^[\0-\x7f]*$/.test(text));
  }

  /** False: no secret is in the bytes, and no escape that might belong to one. */
  mayHold(bytes: Uint8Array): boolean {
    if (this.#step === Infinity) return false;
    return this.#step < MIN_STEP || this.#mayEscape(bytes) || this.#mayHoldPlain(bytes);
  }

  /** The same for a text; true for any text in which something may be escaped. */
  mayHoldText(text: string): boolean {
    const step = this.#step;
    if (step === Infinity) return false;
    if (step < MIN_STEP || !this.#isAscii) return true;
    if (text.includes('\\') || text.includes('%') || text.includes('&')) return true;
    for (let at = 0; at + GRAM <= text.length; at += step) {
      if (!this.#has(gramIn(text, at))) continue;
      if (this.#has(gramIn(text, at - GRAM)) || this.#has(gramIn(text, at + GRAM))) return true;
    }
    return false;
  }

  /** A secret of eleven bytes or more holds the gram before or the gram behind, too: numbers hit by chance. */
  #mayHoldPlain(bytes: Uint8Array): boolean {
    for (let at = 0; at + GRAM <= bytes.length; at += this.#step) {
      if (!this.#has(gramAt(bytes, at))) continue;
      if (this.#has(gramAt(bytes, at - GRAM)) || this.#has(gramAt(bytes, at + GRAM))) return true;
    }
    return false;
  }

  #has(gram: number): boolean {
    return this.#knows(gram) || this.#knows(gram | LOWER);
  }

  #knows(gram: number): boolean {
    return this.#cells[cellOf(gram)] === 1 && this.#grams.has(gram);
  }

  #add(gram: number): void {
    this.#grams.add(gram);
    this.#cells[cellOf(gram)] = 1;
  }

  #addNames(char: string): void {
    for (const [first = 0, second = 0] of characterOf(char).names) this.#names.add(first | (second << 8));
  }

  /** True if an escape may stand for a character of a secret, or is cut off by the end. */
  #mayEscape(bytes: Uint8Array): boolean {
    return this.#mayBackslash(bytes) || this.#mayPercent(bytes) || this.#mayRefer(bytes);
  }

  #mayBackslash(bytes: Uint8Array): boolean {
    const escaped = this.#escaped;
    let at = bytes.indexOf(BACKSLASH);
    if (at < 0) return false;
    for (; at < bytes.length; at++) {
      if (bytes[at] !== BACKSLASH) continue;
      const letter = bytes[++at];
      if (letter === undefined) return true;
      if (letter === LOWER_U) {
        if (at + 4 >= bytes.length || escaped[Math.min(0xff, hexAt(bytes, at + 1, 4))] === 1) return true;
      } else if (letter === LOWER_X) {
        if (at + 2 >= bytes.length || escaped[hexAt(bytes, at + 1, 2)] === 1) return true;
      } else if (letter === BACKSLASH) {
        // Not skipped with the first: the second may be the one that escapes what follows.
        if (escaped[BACKSLASH] === 1) return true;
        at--;
      } else if (escaped[letter] === 1 && !isAlphanumeric(letter)) return true;
    }
    return false;
  }

  #mayPercent(bytes: Uint8Array): boolean {
    for (let at = bytes.indexOf(PERCENT); at >= 0; at = bytes.indexOf(PERCENT, at + 1)) {
      if (at + 2 >= bytes.length || this.#escaped[hexAt(bytes, at + 1, 2)] === 1) return true;
    }
    return false;
  }

  #mayRefer(bytes: Uint8Array): boolean {
    for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) {
      const next = bytes[at + 1];
      if (next === undefined || next === HASH || this.#names.has(next | ((bytes[at + 2] ?? 0) << 8))) return true;
      if (at + 2 >= bytes.length && isAlphanumeric(next)) return true;
    }
    return false;
  }
}

const gramAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);

/** The same of a text's UTF-16 units. */
const gramIn = (text: string, at: number): number =>
  text.charCodeAt(at) |
  (text.charCodeAt(at + 1) << 8) |
  (text.charCodeAt(at + 2) << 16) |
  (text.charCodeAt(at + 3) << 24);

/** Multiplied by the golden ratio's bits, of which the highest are the most mixed. */
const cellOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - CELL_BITS);

/** A number in hex; 0 if it has an invalid digit. */
function hexAt(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let digit = 0; digit < digits; digit++) {
    const next = hexDigit(bytes[at + digit]);
    if (next < 0) return 0;
    value = value * 16 + next;
  }
  return value;
}

const isAlphanumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
