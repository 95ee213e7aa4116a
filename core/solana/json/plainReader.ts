// Reads plain JSON in place, token by token: strings without escapes, unsigned integers that a double holds exactly,
// words. Makes no values of containers. Answers false or undefined for anything else, and is then nowhere in particular.
import { PLAIN_DIGITS } from './json';

export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const COMMA = 0x2c;
export const COLON = 0x3a;

/** String content without escapes and control characters. */
const PLAIN = /^[^\\\u0000-\u001f]*$/;
const QUOTE = 0x22;
const ZERO = 0x30;

export class PlainReader {
  constructor(
    readonly text: string,
    public at = 0,
  ) {}

  /** Moves past white space. */
  space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d)) return;
      this.at++;
    }
  }

  /** Takes a bracket, a comma or a colon, given by its code, and the white space around it. */
  take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) {
      this.space();
      if (this.text.charCodeAt(this.at) !== code) return false;
    }
    this.at++;
    this.space();
    return true;
  }

  /**
   * Takes a token as it is written: `true`, or a string with its quotes. Most words are not the one that is there, which
   * their second character shows at a tenth of the cost of `startsWith`.
   */
  takeWord(word: string): boolean {
    if (this.text.charCodeAt(this.at + 1) !== word.charCodeAt(1) || !this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** Whether a string begins here. */
  get isAtString(): boolean {
    return this.text.charCodeAt(this.at) === QUOTE;
  }

  /** The raw text between two quotes, anything but quotes included: for callers that compare it with known values. */
  quoted(): string | undefined {
    if (!this.isAtString) return undefined;
    const end = this.text.indexOf('"', this.at + 1);
    if (end < 0) return undefined;
    const start = this.at + 1;
    this.at = end + 1;
    return this.text.slice(start, end);
  }

  /** A string without an escape. */
  string(): string | undefined {
    const text = this.quoted();
    return text !== undefined && PLAIN.test(text) ? text : undefined;
  }

  /** An unsigned integer. The caller refuses what follows its digits, such as a fraction. */
  integer(): number | undefined {
    const start = this.at;
    let value = 0;
    for (;;) {
      const digit = this.text.charCodeAt(this.at) - ZERO;
      // At the end of the text `digit` is NaN, and fails both comparisons.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      this.at++;
    }
    const count = this.at - start;
    if (count === 0 || count > PLAIN_DIGITS) return undefined;
    return count > 1 && this.text.charCodeAt(start) === ZERO ? undefined : value;
  }
}
