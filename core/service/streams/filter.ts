// The filter of a stream: comparisons of fields with `&&`, `||`, `!` and parentheses, or a text to find. Parsed once,
// evaluated for every message. Never throws; a syntax error has a position and a message.
import type { FieldType, FieldValue, Shape } from './shape';

/** Whether a message passes. */
export type Passes = (bytes: Uint8Array, start: number, end: number) => boolean;

export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly passes: Passes }
  /** Offsets in UTF-16 units. */
  | { readonly kind: 'bad'; readonly message: string; readonly start: number; readonly end: number };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '~';

interface Token {
  readonly kind: 'operator' | 'and' | 'or' | 'not' | 'open' | 'close' | 'word' | 'quoted' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

class Unreadable extends Error {
  constructor(
    message: string,
    readonly token: Token,
  ) {
    super(message);
  }
}

const TOKENS = /\s*(?:(==|!=|<=|>=|<|>|~)|(&&)|(\|\|)|(!)|(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s"&|!<>=~()]+|.))/y;
const KINDS = ['operator', 'and', 'or', 'not', 'open', 'close', 'quoted', 'word'] as const;
/** Nobody types a longer one, and the parser recurses on each parenthesis. */
const MAX_LENGTH = 2_000;

/** Parses a filter against the fields of a stream's messages. */
export function readFilter(text: string, shape: Shape): Filter {
  if (text.trim() === '') return { kind: 'all' };
  if (text.length > MAX_LENGTH)
    return { kind: 'bad', message: 'The filter is too long.', start: MAX_LENGTH, end: text.length };
  const tokens = tokensOf(text);
  // Words without an operator are a literal text.
  if (!tokens.some(({ kind }) => kind === 'operator' || kind === 'and' || kind === 'or' || kind === 'not'))
    if (tokens.every(({ kind }) => kind !== 'quoted')) return { kind: 'filter', passes: shape.finds(text.trim()) };
  try {
    return { kind: 'filter', passes: new Reader(tokens, shape).whole() };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { start, end } = error.token;
    return { kind: 'bad', message: error.message, start, end };
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match !== null; match = TOKENS.exec(text)) {
    const group = match.findIndex((part, index) => index > 0 && part !== undefined);
    const kind = KINDS[group - 1] ?? 'word';
    const found = match[group] ?? '';
    const end = TOKENS.lastIndex;
    const length = kind === 'quoted' ? found.length + 2 : found.length;
    tokens.push({ kind, text: kind === 'quoted' ? found.replace(/\\(.)/g, '$1') : found, start: end - length, end });
  }
  return [...tokens, { kind: 'end', text: '', start: text.length, end: text.length }];
}

class Reader {
  #at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly shape: Shape,
  ) {}

  whole(): Passes {
    const passes = this.#either();
    if (this.#here.kind !== 'end') throw new Unreadable('Expected && or || here.', this.#here);
    return passes;
  }

  #either(): Passes {
    let left = this.#both();
    while (this.#take('or')) {
      const [first, second] = [left, this.#both()];
      left = (bytes, start, end) => first(bytes, start, end) || second(bytes, start, end);
    }
    return left;
  }

  #both(): Passes {
    let left = this.#one();
    while (this.#take('and')) {
      const [first, second] = [left, this.#one()];
      left = (bytes, start, end) => first(bytes, start, end) && second(bytes, start, end);
    }
    return left;
  }

  #one(): Passes {
    if (this.#take('not')) {
      const inner = this.#one();
      return (bytes, start, end) => !inner(bytes, start, end);
    }
    if (this.#take('open')) {
      const inner = this.#either();
      if (!this.#take('close')) throw new Unreadable('Expected ) here.', this.#here);
      return inner;
    }
    const token = this.#next();
    if (this.#here.kind === 'operator' && token.kind === 'word') return this.#comparison(token, this.#next());
    return this.shape.finds(token.text);
  }

  #comparison(name: Token, { text }: Token): Passes {
    const operator = text as Operator;
    const type = this.shape.fields.get(name.text);
    const known = [...this.shape.fields.keys()].join(', ');
    if (type === undefined) throw new Unreadable(`There is no field ${name.text}. Fields: ${known}.`, name);
    const wanted = this.#next();
    const { value } = this.shape;
    const field = name.text;
    if (operator === '~') {
      const part = wanted.text.toLowerCase();
      return (bytes, start, end) =>
        String(value(field, bytes, start, end) ?? '')
          .toLowerCase()
          .includes(part);
    }
    const right = operand(wanted, type, field);
    const holds = HOLDS[operator];
    return (bytes, start, end) => {
      const left = value(field, bytes, start, end);
      return left !== undefined && holds(left, right);
    };
  }

  get #here(): Token {
    return this.tokens[this.#at] ?? { kind: 'end', text: '', start: 0, end: 0 };
  }

  /** A word or quoted text, required here. */
  #next(): Token {
    const token = this.#here;
    if (token.kind === 'end') throw new Unreadable('Something is missing at the end.', token);
    if (token.kind !== 'word' && token.kind !== 'quoted' && token.kind !== 'operator')
      throw new Unreadable('Expected a field or a value here.', token);
    this.#at++;
    return token;
  }

  #take(kind: Token['kind']): boolean {
    if (this.#here.kind !== kind) return false;
    this.#at++;
    return true;
  }
}

/** The right-hand side of a comparison, of the field's type. */
function operand(token: Token, type: FieldType, field: string): FieldValue {
  switch (type) {
    case 'text':
      return token.text;
    case 'boolean':
      if (token.text === 'true' || token.text === 'false') return token.text === 'true';
      throw new Unreadable(`${field} is true or false.`, token);
    case 'number': {
      const digits = token.text.replaceAll('_', '');
      if (!/^-?\d{1,20}$/.test(digits)) throw new Unreadable(`${field} is a whole number.`, token);
      const exact = BigInt(digits);
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    }
  }
}

/** Compares a number and a bigint exactly, by value. */
const isSame = (left: FieldValue, right: FieldValue): boolean => left <= right && left >= right;

const HOLDS: Readonly<Record<Exclude<Operator, '~'>, (left: FieldValue, right: FieldValue) => boolean>> = {
  '==': isSame,
  '!=': (left, right) => !isSame(left, right),
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};
