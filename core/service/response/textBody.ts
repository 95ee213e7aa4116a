// A response body held as text: parsed once, when its value is first read.
import { JsonDepthError, parseJson, type JsonValue } from '../../solana/json/json';

interface Parsed {
  readonly value?: JsonValue;
  readonly isTooDeep?: boolean;
}

export class TextBody {
  readonly kind = 'text';
  #parsed: Parsed | undefined;

  /** `parse` throws on invalid JSON. */
  constructor(
    readonly text: string,
    private readonly parse: (text: string) => JsonValue = parseJson,
  ) {}

  /** The body with exact digits; undefined if it is not JSON or nested too deep. */
  get value(): JsonValue | undefined {
    return this.#read().value;
  }

  /** Whether `value` is undefined because the text is nested deeper than is read. */
  get isTooDeep(): boolean {
    return this.#read().isTooDeep === true;
  }

  #read(): Parsed {
    if (this.#parsed !== undefined) return this.#parsed;
    try {
      this.#parsed = { value: this.parse(this.text) };
    } catch (error) {
      this.#parsed = { isTooDeep: error instanceof JsonDepthError };
    }
    return this.#parsed;
  }
}
