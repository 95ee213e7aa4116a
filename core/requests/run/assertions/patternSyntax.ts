// The syntax of patterns: text to a tree. The engine is pattern.ts.

export type PatternNode =
  | { readonly kind: 'empty' }
  /** One UTF-16 unit. */
  | { readonly kind: 'set'; readonly accepts: (code: number) => boolean }
  /** A position between two units; -1 is either end of the text. */
  | { readonly kind: 'assert'; readonly holds: (before: number, after: number) => boolean }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'either'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly min: number; readonly max: number };

export type ParsedPattern =
  | { readonly ok: true; readonly node: PatternNode }
  | { readonly ok: false; readonly reason: string };

type Accepts = (code: number) => boolean;

const between =
  (low: number, high: number): Accepts =>
  (code) =>
    code >= low && code <= high;
const not =
  (accepts: Accepts): Accepts =>
  (code) =>
    !accepts(code);

const digit = between(48, 57);
const word: Accepts = (code) => digit(code) || between(65, 90)(code) || between(97, 122)(code) || code === 95;
const space: Accepts = (code) =>
  between(9, 13)(code) || code === 32 || code === 0xa0 || code === 0xfeff || between(0x2028, 0x2029)(code);
const lineEnd: Accepts = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

const CLASSES: Readonly<Record<string, Accepts>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };
const atBoundary = (before: number, after: number): boolean => word(before) !== word(after);

class PatternError extends Error {}

/** Parses a pattern. Never throws. */
export function parsePattern(source: string): ParsedPattern {
  try {
    const parser = new Parser(source);
    return { ok: true, node: parser.whole() };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}

class Parser {
  #at = 0;

  constructor(private readonly source: string) {}

  whole(): PatternNode {
    const node = this.#either();
    if (this.#at < this.source.length) throw new PatternError('")" without "("');
    return node;
  }

  #either(): PatternNode {
    const items = [this.#sequence()];
    while (this.#take('|')) items.push(this.#sequence());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'either', items };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.source.length && this.#peek() !== '|' && this.#peek() !== ')') items.push(this.#repeated());
    return { kind: 'sequence', items };
  }

  #repeated(): PatternNode {
    const item = this.#atom();
    const counts = this.#quantifier();
    if (counts === undefined) return item;
    if (item.kind === 'assert') throw new PatternError('Nothing to repeat');
    // A lazy quantifier finds another match, never another answer to "is there one".
    this.#take('?');
    if (this.#quantifier() !== undefined) throw new PatternError('Nothing to repeat');
    return { kind: 'repeat', item, min: counts[0], max: counts[1] };
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    const counted = /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(this.source.slice(this.#at, this.#at + 14));
    if (counted === null) return undefined;
    this.#at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === '' ? Infinity : Number(counted[3]);
    if (max < min) throw new PatternError('The numbers of a repeat are out of order');
    return [min, max];
  }

  #atom(): PatternNode {
    const char = this.#next();
    switch (char) {
      case '.':
        return { kind: 'set', accepts: not(lineEnd) };
      case '^':
        return { kind: 'assert', holds: (before) => before < 0 };
      case '$':
        return { kind: 'assert', holds: (_, after) => after < 0 };
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', accepts: this.#characterClass() };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new PatternError('Nothing to repeat');
      default:
        return { kind: 'set', accepts: (code) => code === char.charCodeAt(0) };
    }
  }

  #group(): PatternNode {
    if (this.#take('?')) {
      const named = /^<[A-Za-z_$][\w$]*>/.exec(this.source.slice(this.#at));
      if (named !== null) this.#at += named[0].length;
      else if (!this.#take(':')) throw new PatternError('Look-around is not available in patterns');
    }
    const node = this.#either();
    if (!this.#take(')')) throw new PatternError('"(" is not closed');
    return node;
  }

  #escape(): PatternNode {
    const char = this.#next('A pattern cannot end with "\\"');
    if (char === 'b') return { kind: 'assert', holds: atBoundary };
    if (char === 'B') return { kind: 'assert', holds: (before, after) => !atBoundary(before, after) };
    if (/[1-9k]/.test(char)) throw new PatternError('Back-references are not available in patterns');
    return { kind: 'set', accepts: this.#escaped(char) };
  }

  /** The characters that `\char` matches, inside and outside brackets. */
  #escaped(char: string): Accepts {
    const known = Object.hasOwn(CLASSES, char) ? CLASSES[char] : undefined;
    if (known !== undefined) return known;
    const code = this.#escapedCode(char);
    return (other) => other === code;
  }

  #escapedCode(char: string): number {
    if (Object.hasOwn(CONTROLS, char)) return CONTROLS[char] ?? 0;
    if (char === 'x' || char === 'u') {
      const digits = char === 'x' ? 2 : 4;
      const hex = this.source.slice(this.#at, this.#at + digits);
      if (hex.length !== digits || !/^[0-9A-Fa-f]+$/.test(hex)) throw new PatternError(`Invalid escape "\\${char}"`);
      this.#at += digits;
      return Number.parseInt(hex, 16);
    }
    if (/[A-Za-z]/.test(char)) throw new PatternError(`Unknown escape "\\${char}"`);
    return char.charCodeAt(0);
  }

  #characterClass(): Accepts {
    const negated = this.#take('^');
    const members: Accepts[] = [];
    for (;;) {
      const char = this.#next('"[" is not closed');
      if (char === ']') break;
      const low = this.#classMember(char);
      const isRange = this.#peek() === '-' && this.source[this.#at + 1] !== ']' && this.#at + 1 < this.source.length;
      if (typeof low !== 'number' || !isRange) {
        members.push(typeof low === 'number' ? between(low, low) : low);
        continue;
      }
      this.#at++;
      const high = this.#classMember(this.#next());
      if (typeof high !== 'number' || high < low) throw new PatternError('A range of characters is out of order');
      members.push(between(low, high));
    }
    const some: Accepts = (code) => members.some((accepts) => accepts(code));
    return negated ? not(some) : some;
  }

  #classMember(char: string): number | Accepts {
    if (char !== '\\') return char.charCodeAt(0);
    const escaped = this.#next('"[" is not closed');
    if (escaped === 'b') return 8;
    return Object.hasOwn(CLASSES, escaped) ? this.#escaped(escaped) : this.#escapedCode(escaped);
  }

  #peek(): string | undefined {
    return this.source[this.#at];
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #next(atEnd = 'The pattern ends too early'): string {
    const char = this.source[this.#at];
    if (char === undefined) throw new PatternError(atEnd);
    this.#at++;
    return char;
  }
}
