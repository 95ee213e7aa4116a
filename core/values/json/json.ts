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
/**
 * Where this finds nothing no number needs more than a plain `number`: then the platform's parser gives the same value,
 * faster. A number begins the text or follows a separator; the digits of a key in quotes do neither.
 */
const NEEDS_TOKENS = new RegExp(String.raw`(?:^|[\s[:,-])(?:\d{${PLAIN_DIGITS + 1}}|\d{1,${PLAIN_DIGITS}}[.eE])|-0`);

/** Parses strict JSON (RFC 8259). Throws JsonSyntaxError. A repeated key keeps its last value, as nodes do. */
export function parseJson(text: string): JsonValue {
  if (!NEEDS_TOKENS.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Fall through: the reader below finds the place.
    }
  }
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** Nesting above this is refused: a text from outside must not overflow the stack. */
const MAX_DEPTH = 512;

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) this.#fail(`Nested deeper than ${MAX_DEPTH} levels`);
    this.#space();
    const char = this.text[this.#at];
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

/** Prints JSON with every digit as it was read; `indent` spaces per level, 0 for one line. A bigint prints as an integer. */
export function printJson(value: JsonValue | bigint, indent = 0): string {
  return print(value, indent === 0 ? '' : '\n', ' '.repeat(indent));
}

function print(value: JsonValue | bigint, newline: string, step: string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = newline + step;
  if (isJsonArray(value)) {
    if (value.length === 0) return '[]';
    return `[${inner}${value.map((item) => print(item, inner, step)).join(`,${inner}`)}${newline}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const colon = newline === '' ? ':' : ': ';
  const lines = members.map(([key, item]) => JSON.stringify(key) + colon + print(item, inner, step));
  return `{${inner}${lines.join(`,${inner}`)}${newline}}`;
}
