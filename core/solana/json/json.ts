// JSON that keeps every digit. JSON.parse rounds integers above 2^53 and re-prints 1.0 as 1; nothing here does (I11).
// A number is a plain `number` only where its token is a safe integer in its shortest form; any other is a JsonNumber.

/** A number token verbatim: u64 above 2^53, a fraction, an exponent, "-0". */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** The nearest double; for display and for comparing fractions only. */
  toNumber(): number {
    return Number(this.text);
  }

  /** The exact integer, or `undefined` for a token with a fraction or an exponent. */
  toBigInt(): bigint | undefined {
    return /^-?\d+$/.test(this.text) ? BigInt(this.text) : undefined;
  }
}

export type JsonValue = null | boolean | string | number | JsonNumber | readonly JsonValue[] | JsonObject;

/** Own properties only: read with `member`, never with a bare index, so that `__proto__` and `constructor` are plain data. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Where the text stops being JSON, in UTF-16 units. */
export class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
    this.name = 'JsonSyntaxError';
  }
}

/** The text may be JSON, but is nested deeper than MAX_DEPTH. */
export class JsonDepthError extends JsonSyntaxError {}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value's own member, or `undefined`. */
export function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An enum's variant as nodes write it: its name alone, or as the key of its content; `undefined` for anything else. */
export function variantName(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return isJsonObject(value) ? Object.keys(value)[0] : undefined;
}

/** The exact integer of a JSON number; `undefined` for fractions, exponents and other values. */
export function integerOf(value: JsonValue | undefined): bigint | undefined {
  // A plain number that is not a safe integer is not from this parser and is not exact.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return value instanceof JsonNumber ? value.toBigInt() : undefined;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A plain `number` is exact for any integer of up to this many digits. */
export const PLAIN_DIGITS = 15;
/** Behind the first digit of a number: more digits than those, or a fraction or an exponent. Never goes back in the text. */
const beyondPlain = (digits: number): string =>
  digits === PLAIN_DIGITS ? String.raw`[\d.eE]` : String.raw`(?:[.eE]|\d${beyondPlain(digits + 1)})`;
/**
 * Where this finds nothing no number behind a separator needs more than a plain `number`: then the platform's parser gives
 * the same value, faster. The digits of a key in quotes follow no separator.
 */
const NEEDS_TOKENS = new RegExp(String.raw`[\s[:,-](?:\d${beyondPlain(1)}|(?<=-)0)`);
const IS_NUMBER = /^\d/;

/**
 * Containers inside each other, the outermost included. A text with more is refused wherever it is from, so that no walk
 * over a value can exhaust the stack.
 */
export const MAX_DEPTH = 512;

/**
 * Parses strict JSON (RFC 8259). Throws JsonSyntaxError, of a text nested too deep JsonDepthError. A repeated key keeps
 * its last value, as nodes do.
 */
export function parseJson(text: string): JsonValue {
  if (!NEEDS_TOKENS.test(text) && !IS_NUMBER.test(text)) {
    try {
      const value = JSON.parse(text) as JsonValue;
      // Each level takes two brackets.
      if (text.length <= 2 * MAX_DEPTH || !isDeeper(value, MAX_DEPTH)) return value;
    } catch {
      // Fall through: the reader below finds the place.
    }
  }
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** Whether a value has more than so many containers inside each other. */
export const isDeeper = (value: JsonValue, levels: number): boolean => isContainer(value) && hasDeeper(value, levels);

/** Also of a JsonNumber, which has no members. */
const isContainer = (value: JsonValue | undefined): value is readonly JsonValue[] | JsonObject =>
  typeof value === 'object' && value !== null;

/** Of a container. Walks over every value of an answer, so nothing is called for a leaf. */
function hasDeeper(container: readonly JsonValue[] | JsonObject, levels: number): boolean {
  if (levels === 0) return !(container instanceof JsonNumber);
  if (isJsonArray(container)) {
    for (const item of container) if (isContainer(item) && hasDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const key in container) {
    const item = container[key];
    if (isContainer(item) && hasDeeper(item, levels - 1)) return true;
  }
  return false;
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): JsonValue {
    this.#space();
    const char = this.text[this.#at];
    if (depth === MAX_DEPTH && (char === '{' || char === '['))
      throw new JsonDepthError(`Nested deeper than ${MAX_DEPTH} levels`, this.#at);
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    if (char === '"') return this.#string();
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    if (this.#word('null')) return null;
    return this.#number();
  }

  end(): void {
    this.#space();
    if (this.#at < this.text.length) this.#fail('Text after the end of the JSON value');
  }

  #object(depth: number): JsonObject {
    const members: Record<string, JsonValue> = {};
    this.#at++;
    this.#space();
    if (this.#take('}')) return members;
    do {
      this.#space();
      if (this.text[this.#at] !== '"') this.#fail('Expected a member name in double quotes');
      const key = this.#string();
      this.#space();
      if (!this.#take(':')) this.#fail('Expected ":"');
      const value = this.value(depth + 1);
      // An assignment to `__proto__` would set the prototype instead of a member.
      Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
      this.#space();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('Expected "," or "}"');
    return members;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#at++;
    this.#space();
    if (this.#take(']')) return items;
    do {
      items.push(this.value(depth + 1));
      this.#space();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('Expected "," or "]"');
    return items;
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code < 0x20) this.#fail('String is not closed', start);
      this.#at++;
      if (code === 0x5c) this.#at++;
      else if (code === 0x22) break;
    }
    try {
      return JSON.parse(this.text.slice(start, this.#at)) as string;
    } catch {
      return this.#fail('Invalid escape in a string', start);
    }
  }

  #number(): number | JsonNumber {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.text)?.[0];
    if (token === undefined) return this.#fail('Expected a JSON value');
    this.#at += token.length;
    return numberOf(token);
  }

  #word(word: string): boolean {
    if (!this.text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #take(char: string): boolean {
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #fail(message: string, at = this.#at): never {
    throw new JsonSyntaxError(message, at);
  }
}

/** The value, or undefined if the text is not JSON. */
export function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The value of one number token of JSON. */
export function numberOf(token: string): number | JsonNumber {
  const value = Number(token);
  return Number.isSafeInteger(value) && String(value) === token ? value : new JsonNumber(token);
}

/** Values that are assembled here, such as a report around an answer, are deeper than what was read. */
const MAX_PRINTED_DEPTH = 2 * MAX_DEPTH;
/** Levels with lines for themselves. What is deeper shares a line: its indentation would grow with the square. */
export const INDENTED_LEVELS = 32;

/**
 * Prints JSON with every digit as it was read; `indent` spaces per level down to INDENTED_LEVELS, 0 for one line. A bigint
 * prints as an integer. Throws RangeError for a value that no text from outside can have become.
 */
export function printJson(value: JsonValue | bigint, indent = 0): string {
  return print(value, 0, indent === 0 ? '' : '\n', ' '.repeat(indent));
}

function print(value: JsonValue | bigint, depth: number, newline: string, step: string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (depth === MAX_PRINTED_DEPTH) throw new RangeError(`Nested deeper than ${MAX_PRINTED_DEPTH} levels`);
  if (depth === INDENTED_LEVELS && newline !== '') return print(value, depth, '', '');
  const inner = newline + step;
  if (isJsonArray(value)) {
    if (value.length === 0) return '[]';
    return `[${inner}${value.map((item) => print(item, depth + 1, inner, step)).join(`,${inner}`)}${newline}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const colon = newline === '' ? ':' : ': ';
  const lines = members.map(([key, item]) => JSON.stringify(key) + colon + print(item, depth + 1, inner, step));
  return `{${inner}${lines.join(`,${inner}`)}${newline}}`;
}

/** The end of the string that begins at `start`, behind its quote; that of the text where it is not closed. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
