// Recognises one character in any escape that servers and gateways write: JSON and JavaScript, percent-encoding, HTML.
// Works on UTF-8 bytes and reports when it needs more of them. An introducer may be escaped itself, as encoders that run
// one after the other do; the digits of an escape may not: no encoder writes `\u00\u0036\u0031`.

export const BACKSLASH = 0x5c;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const ZERO = 0x30;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const UPPER_X = 0x58;

/** JSON in JSON in JSON doubles backslashes three times. */
const MAX_BACKSLASHES = 8;
/** `%252525` and `&amp;amp;amp;`: encoders that ran one after the other. */
const MAX_NESTED = 3;
/** Zeros before the digits of `&#00043;`. */
const MAX_ZEROS = 6;

/** HTML's names of ASCII characters (HTML Standard, "Named character references"). */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '!': ['excl'],
  '"': ['quot', 'QUOT'],
  '#': ['num'],
  $: ['dollar'],
  '%': ['percnt'],
  '&': ['amp', 'AMP'],
  "'": ['apos'],
  '(': ['lpar'],
  ')': ['rpar'],
  '*': ['ast', 'midast'],
  '+': ['plus'],
  ',': ['comma'],
  '.': ['period'],
  '/': ['sol'],
  ':': ['colon'],
  ';': ['semi'],
  '<': ['lt', 'LT'],
  '=': ['equals'],
  '>': ['gt', 'GT'],
  '?': ['quest'],
  '@': ['commat'],
  '[': ['lsqb', 'lbrack'],
  '\\': ['bsol'],
  ']': ['rsqb', 'rbrack'],
  '^': ['Hat'],
  _: ['lowbar', 'UnderBar'],
  '`': ['grave', 'DiacriticalGrave'],
  '{': ['lcub', 'lbrace'],
  '|': ['verbar', 'vert', 'VerticalLine'],
  '}': ['rcub', 'rbrace'],
};

const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const text = digit.toString(16);
  HEX[text.charCodeAt(0)] = digit;
  HEX[text.toUpperCase().charCodeAt(0)] = digit;
}

/** The value of a hex digit; -1 for any other byte. */
export const hexDigit = (byte: number | undefined): number => HEX[byte ?? 0] ?? -1;

/** Bytes that begin an escape. */
export const isIntroducer = (byte: number | undefined): boolean =>
  byte === BACKSLASH || byte === PERCENT || byte === AMPERSAND;

/** A character with everything its escapes are made of. */
export interface Character {
  readonly code: number;
  readonly utf8: readonly number[];
  readonly utf16: readonly number[];
  /** May follow a backslash unchanged, as in `\/`. */
  readonly isPunctuation: boolean;
  /** ASCII bytes of its digits and names in HTML. */
  readonly decimal: readonly number[];
  readonly hex: readonly number[];
  readonly names: readonly (readonly number[])[];
}

const utf8Of = (text: string): readonly number[] => [...new TextEncoder().encode(text)];

/** Each is made once: patterns share most of them. */
const CHARACTERS = new Map<string, Character>();

export function characterOf(text: string): Character {
  const known = CHARACTERS.get(text) ?? createCharacter(text);
  // For base64, hex and ASCII keys; other characters are not cached.
  if (known.code < 0x80) CHARACTERS.set(text, known);
  return known;
}

function createCharacter(text: string): Character {
  const code = text.codePointAt(0) ?? 0;
  return {
    code,
    utf8: utf8Of(text),
    utf16: Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    isPunctuation: /^[!-/:-@[-`{-~]$/.test(text),
    decimal: utf8Of(String(code)),
    hex: utf8Of(code.toString(16)),
    names: (NAMES[text] ?? []).map(utf8Of),
  };
}

/** Reads escapes at offsets of `bytes`, as far as `length`. Set both before use. */
export class EscapeReader {
  bytes: Uint8Array = new Uint8Array();
  length = 0;
  /** Set when a reading ran into the end: with more bytes it might succeed. Cleared by the caller. */
  isOpen = false;

  /** Adds to `ends` each offset at which a spelling of `char` that begins at `at` may end. */
  read(char: Character, at: number, ends: number[]): void {
    this.#bytewise(char, at, ends);
    if (at >= this.length) return;
    const byte = this.bytes[at];
    if (byte === BACKSLASH) this.#backslashed(char, at, ends);
    const reference = this.#introduced(at, AMPERSAND);
    if (reference >= 0) this.#reference(char, reference, ends);
  }

  /** Each UTF-8 byte as it is or percent-encoded. */
  #bytewise({ utf8 }: Character, at: number, ends: number[]): void {
    let starts = [at];
    for (const byte of utf8) {
      const next: number[] = [];
      for (const start of starts) {
        if (this.#is(start, byte)) add(next, start + 1);
        this.#percent(byte, start, next);
      }
      if (next.length === 0) return;
      starts = next;
    }
    for (const end of starts) add(ends, end);
  }

  #percent(byte: number, at: number, ends: number[]): void {
    let digits = this.#introduced(at, PERCENT);
    if (digits < 0) return;
    for (let nested = 0; nested <= MAX_NESTED; nested++) {
      if (this.#hex(digits, byte, 2)) add(ends, digits + 2);
      if (!this.#hex(digits, PERCENT, 2)) return;
      digits += 2;
    }
  }

  /** `\u002b`, `\x2b`, `\/`, with as many backslashes as nested strings need. */
  #backslashed(char: Character, at: number, ends: number[]): void {
    const behind = this.#backslashes(at);
    if (char.code === BACKSLASH) for (let end = at + 2; end <= behind; end++) add(ends, end);
    if (behind < 0) return;
    if (char.isPunctuation && this.#is(behind, char.code)) add(ends, behind + 1);
    if (char.code < 0x100 && this.#is(behind, LOWER_X) && this.#hex(behind + 1, char.code, 2)) add(ends, behind + 3);
    let end = at;
    for (const unit of char.utf16) {
      const letter = this.#backslashes(end);
      if (letter < 0 || !this.#is(letter, LOWER_U) || !this.#hex(letter + 1, unit, 4)) return;
      end = letter + 5;
    }
    add(ends, end);
  }

  /** `&#43;`, `&#x2B;`, `&plus;`; the semicolon may be missing. `at`: behind the ampersand. */
  #reference(char: Character, at: number, ends: number[]): void {
    for (let nested = 0; nested <= MAX_NESTED; nested++) {
      for (const name of char.names) this.#terminated(name, at, ends);
      if (this.#is(at, HASH)) {
        this.#terminated(char.decimal, this.#afterZeros(at + 1), ends);
        if (this.#is(at + 1, LOWER_X) || this.#is(at + 1, UPPER_X))
          this.#terminated(char.hex, this.#afterZeros(at + 2), ends);
      }
      for (const byte of AMP) if (!this.#is(at++, byte)) return;
    }
  }

  /** `text`, letters of hex digits in either case where it is a number, and its semicolon. */
  #terminated(text: readonly number[], at: number, ends: number[]): void {
    let end = at;
    for (const byte of text) {
      if (!this.#is(end, byte) && !this.#isUpper(end, byte)) return;
      end++;
    }
    add(ends, end);
    if (this.#is(end, SEMICOLON)) add(ends, end + 1);
  }

  /** The other case of a hex digit. HTML's names are matched no more strictly than that. */
  #isUpper(at: number, byte: number): boolean {
    const digit = hexDigit(byte);
    return digit > 9 && at < this.length && hexDigit(this.bytes[at]) === digit;
  }

  #afterZeros(at: number): number {
    let end = at;
    while (end - at < MAX_ZEROS && this.#is(end, ZERO)) end++;
    return end;
  }

  /** The offset behind `byte`, an introducer, as it is or written as `\u00XX`; -1 if it is not there. */
  #introduced(at: number, byte: number): number {
    if (this.#is(at, byte)) return at + 1;
    if (this.bytes[at] !== BACKSLASH || at >= this.length) return -1;
    const letter = this.#backslashes(at);
    return letter >= 0 && this.#is(letter, LOWER_U) && this.#hex(letter + 1, byte, 4) ? letter + 5 : -1;
  }

  /** The offset behind a run of backslashes that is long enough, and not too long; -1 else. */
  #backslashes(at: number): number {
    let end = at;
    while (end - at <= MAX_BACKSLASHES && this.#is(end, BACKSLASH)) end++;
    return end === at || end - at > MAX_BACKSLASHES ? -1 : end;
  }

  #hex(at: number, value: number, digits: number): boolean {
    for (let digit = 0; digit < digits; digit++) {
      const offset = at + digit;
      if (offset >= this.length) {
        this.isOpen = true;
        return false;
      }
      if (hexDigit(this.bytes[offset]) !== ((value >> (4 * (digits - 1 - digit))) & 15)) return false;
    }
    return true;
  }

  #is(at: number, byte: number): boolean {
    if (at < this.length) return this.bytes[at] === byte;
    this.isOpen = true;
    return false;
  }
}

const AMP = utf8Of('amp;');

function add(ends: number[], end: number): void {
  if (!ends.includes(end)) ends.push(end);
}
