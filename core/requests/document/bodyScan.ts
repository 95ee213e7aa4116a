// The tokens of a JSONC body, one after the other: its end, its first syntax error, its comments, trailing commas and
// bare variables. An explicit stack instead of recursion: no depth of nesting exhausts it.
import type { Problem, Span } from './model';
import { ReferenceEnds } from './variables/reference';

export interface Scan {
  /** After the last bracket, or after the last token where the body is not closed. */
  readonly end: number;
  readonly closed: boolean;
  readonly syntaxError?: Problem;
  /** One for each of `foreign`. */
  readonly misplaced: readonly Problem[];
  readonly hints: readonly Problem[];
  readonly bare: readonly Span[];
  /** Each "#" that begins a comment between the brackets, and "??" and ">>" at the beginning of a line. */
  readonly foreign: readonly Span[];
  /** Comments and trailing commas. */
  readonly droppable: readonly Span[];
  readonly tooDeep: boolean;
}

/** The next token that is allowed. `…OrEnd` also allows the closing bracket. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

const FOREIGN: Readonly<Record<string, string>> = {
  '#': 'Inside a body a comment begins with //, not with "#"',
  '?': 'An assertion ("??") goes after the body, not inside it',
  '>': 'The line that saves the response (">>") goes after the body, not inside it',
};

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORD_END = /[\s,:[\]{}"]|\/[/*]|$/g;
const ESCAPE = /\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/;

/** Reads from the bracket at `start`. With `lookAhead` a line foreign to JSON is skipped where the body closes after it. */
export function scanBody(text: string, start: number, maxDepth: number, lookAhead: boolean): Scan {
  return new Scanner(text, start, maxDepth, lookAhead).run();
}

class Scanner {
  #at: number;
  #lastEnd: number;
  #expected: Expected = 'value';
  readonly #stack: ('{' | '[')[] = [];
  readonly #openCount = { '{': 0, '[': 0 };
  readonly #references: ReferenceEnds;
  #syntaxError: Problem | undefined;
  readonly #hints: Problem[] = [];
  readonly #bare: Span[] = [];
  readonly #droppable: Span[] = [];
  readonly #foreign: Problem[] = [];
  #comma: Span | undefined;
  #tooDeep = false;
  /** The first foreign line, and where the body ended if nothing after that line closes it. */
  #broken: { readonly start: number; readonly end: number } | undefined;

  constructor(
    private readonly text: string,
    start: number,
    private readonly maxDepth: number,
    private readonly lookAhead: boolean,
  ) {
    this.#at = start;
    this.#lastEnd = start;
    this.#references = new ReferenceEnds(text);
  }

  run(): Scan {
    while (this.#at < this.text.length) {
      if (!this.#skipBlank()) break;
      if (this.#foreignText()) {
        if (!this.lookAhead) break;
        continue;
      }
      this.#token();
      this.#lastEnd = this.#at;
      if (this.#stack.length === 0) return this.#result(this.#at, true);
    }
    const [first] = this.#foreign;
    const place = this.#broken?.start ?? first?.span.start;
    // Text after the end of a body is not a fault of the body.
    if (place !== undefined && (this.#syntaxError?.span.start ?? Infinity) > place) {
      this.#syntaxError = undefined;
      const message = this.#broken === undefined ? first?.message : 'The body is not closed in front of this line';
      this.#fail(message ?? '', place, place + (this.text[place] === '#' ? 1 : 2));
    } else this.#fail('The body is not closed', this.#lastEnd, this.#lastEnd);
    const commentEnd = first === undefined ? 0 : this.#endOfLine(first.span.start);
    return this.#result(this.#broken?.end ?? Math.max(this.#lastEnd, commentEnd), false);
  }

  #result(end: number, closed: boolean): Scan {
    const syntaxError = this.#syntaxError;
    const tooDeep = this.#tooDeep;
    const isInside = (span: Span): boolean => span.end <= end;
    const misplaced = closed ? this.#foreign : [];
    return {
      end,
      closed,
      tooDeep,
      hints: this.#hints.filter((hint) => isInside(hint.span)),
      bare: this.#bare.filter(isInside),
      foreign: misplaced.map(({ span }) => span),
      misplaced,
      // A trailing comma is known only at the bracket after it, perhaps after a comment.
      droppable: this.#droppable.filter(isInside).sort((a, b) => a.start - b.start),
      ...(syntaxError === undefined ? {} : { syntaxError }),
    };
  }

  /** Skips white space and comments; false at the end of the text. */
  #skipBlank(): boolean {
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (code === 0x20 || code === 0x0a || code === 0x09) {
        this.#at++;
      } else if (code === 0x2f && this.text[this.#at + 1] === '/') {
        this.#drop(this.#endOfLine());
      } else if (code === 0x2f && this.text[this.#at + 1] === '*') {
        const close = this.text.indexOf('*/', this.#at + 2);
        if (close < 0) {
          this.#fail('The comment is not closed', this.#at, this.#at + 2);
          this.#drop(this.text.length);
        } else this.#drop(close + 2);
      } else return !Number.isNaN(code);
    }
  }

  #drop(end: number): void {
    this.#droppable.push({ start: this.#at, end });
    this.#at = end;
  }

  #endOfLine(at = this.#at): number {
    const end = this.text.indexOf('\n', at);
    return end < 0 ? this.text.length : end;
  }

  /** A comment with "#", and lines that begin with "??" or ">>": JSON cannot hold them. */
  #foreignText(): boolean {
    const char = this.text.charAt(this.#at);
    const next = this.text.charAt(this.#at + 1);
    if (char !== '#' && !((char === '?' || char === '>') && next === char)) return false;
    const isLine = this.#atLineStart();
    if (!isLine && !(char === '#' && this.#mayComment(next))) return false;
    const span = { start: this.#at, end: this.#at + (char === '#' ? 1 : 2) };
    this.#foreign.push({ code: 'json-syntax', severity: 'error', message: FOREIGN[char] ?? '', span });
    if (isLine) this.#broken ??= { start: span.start, end: this.#lastEnd };
    if (this.lookAhead) this.#at = this.#endOfLine();
    return true;
  }

  /** Behind other text a "#" may be a value without quotes (`#fff`). */
  #mayComment(next: string): boolean {
    return this.#expected === 'valueOrEnd' ? /[\s#]/.test(next) : !/^(?:value|colon)$/.test(this.#expected);
  }

  #atLineStart(): boolean {
    let at = this.#at - 1;
    while (at >= 0 && (this.text[at] === ' ' || this.text[at] === '\t')) at--;
    return at < 0 || this.text[at] === '\n';
  }

  #token(): void {
    const char = this.text.charAt(this.#at);
    switch (char) {
      case '{':
      case '[':
        this.#open(char);
        return;
      case '}':
      case ']':
        this.#close(char);
        return;
      case ',':
        this.#take(this.#expected === 'commaOrEnd', this.#stack.at(-1) === '{' ? 'keyOrEnd' : 'valueOrEnd');
        this.#comma = { start: this.#at - 1, end: this.#at };
        return;
      case ':':
        this.#take(this.#expected === 'colon', 'value');
        break;
      case '"':
        this.#string();
        break;
      default:
        this.#word();
    }
    this.#comma = undefined;
  }

  #take(allowed: boolean, next: Expected): void {
    if (!allowed) this.#fail(`"${this.text.charAt(this.#at)}" is not allowed here`, this.#at, this.#at + 1);
    this.#at++;
    this.#expected = next;
  }

  #open(char: '{' | '['): void {
    const isValue = this.#expected === 'value' || this.#expected === 'valueOrEnd';
    const end = char === '{' && isValue && this.#stack.length > 0 ? this.#references.endAt(this.#at) : undefined;
    this.#comma = undefined;
    if (end !== undefined) {
      const span = { start: this.#at, end };
      this.#at = end;
      this.#bare.push(span);
      this.#hints.push({
        code: 'bare-variable',
        severity: 'hint',
        message: 'A variable in a body is written in quotes; alone in a string it keeps its type.',
        span,
      });
      this.#expected = 'commaOrEnd';
      return;
    }
    this.#take(isValue, char === '{' ? 'keyOrEnd' : 'valueOrEnd');
    this.#stack.push(char);
    this.#openCount[char]++;
    if (this.#stack.length > this.maxDepth) {
      this.#tooDeep = true;
      this.#fail(`Nested deeper than ${this.maxDepth} levels`, this.#at - 1, this.#at);
    }
  }

  #close(char: '}' | ']'): void {
    const opening = char === '}' ? '{' : '[';
    const atEnd = this.#expected === 'commaOrEnd' || this.#expected === (char === '}' ? 'keyOrEnd' : 'valueOrEnd');
    // Counted, so that a bracket without an opening one does not search the whole stack.
    const depth = this.#openCount[opening] === 0 ? -1 : this.#stack.lastIndexOf(opening);
    const matches = depth >= 0 && depth === this.#stack.length - 1;
    if (matches && atEnd && this.#comma !== undefined) this.#trailingComma(this.#comma);
    this.#comma = undefined;
    this.#take(matches && atEnd, 'commaOrEnd');
    // A bracket also closes the brackets of the other kind inside its own; without an opening one it is skipped.
    if (depth >= 0) for (const open of this.#stack.splice(depth)) this.#openCount[open]--;
  }

  #trailingComma(span: Span): void {
    this.#droppable.push(span);
    this.#hints.push({
      code: 'trailing-comma',
      severity: 'hint',
      message: 'JSON has no comma after the last element; it is left out when the request is sent.',
      span,
    });
  }

  #string(): void {
    const start = this.#at++;
    let isBad = false;
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code === 0x0a) {
        this.#fail('The string is not closed', start, this.#at);
        break;
      }
      this.#at++;
      if (code < 0x20) isBad = true;
      if (code === 0x22) break;
      if (code === 0x5c && this.#at < this.text.length && this.text[this.#at] !== '\n') this.#at++;
    }
    const token = this.text.slice(start, this.#at);
    if (isBad || (token.includes('\\') && ESCAPE.test(token.replaceAll('\\\\', '  '))))
      this.#fail('The string holds a control character or an unknown escape', start, this.#at);
    this.#settle(start, true);
  }

  #word(): void {
    const start = this.#at;
    WORD_END.lastIndex = this.#at + 1;
    this.#at = WORD_END.exec(this.text)?.index ?? this.text.length;
    const word = this.text.slice(start, this.#at);
    if (word !== 'true' && word !== 'false' && word !== 'null' && !NUMBER.test(word))
      this.#fail('This is not a JSON value', start, this.#at);
    this.#settle(start, false);
  }

  /** After a string or another scalar: a key waits for its colon, a value for a comma. */
  #settle(start: number, isString: boolean): void {
    const isKey = this.#expected === 'key' || this.#expected === 'keyOrEnd';
    const isValue = this.#expected === 'value' || this.#expected === 'valueOrEnd';
    if (!isValue && !(isKey && isString))
      this.#fail(
        isKey ? 'A member name in double quotes is due here' : 'A comma or a bracket is due here',
        start,
        this.#at,
      );
    this.#expected = isKey ? 'colon' : 'commaOrEnd';
  }

  #fail(message: string, start: number, end: number): void {
    this.#syntaxError ??= { code: 'json-syntax', severity: 'error', message, span: { start, end } };
  }
}
