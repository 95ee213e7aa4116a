// A response body held as text: parsed once, when its value is first read.
import { parseJson, type JsonValue } from '../values/json/json';

export class TextBody {
  readonly kind = 'text';
  #parsed: { readonly value: JsonValue | undefined } | undefined;

  /** `parse` throws on invalid JSON. */
  constructor(
    readonly text: string,
    private readonly parse: (text: string) => JsonValue = parseJson,
  ) {}

  /** The body with exact digits; undefined if it is not JSON. */
  get value(): JsonValue | undefined {
    this.#parsed ??= { value: this.#read() };
    return this.#parsed.value;
  }

  #read(): JsonValue | undefined {
    try {
      return this.parse(this.text);
    } catch {
      return undefined;
    }
  }
}
