// A response's body that is held as text: parsed when its value is first asked for, once for all who read it.
import { parseJson, type JsonValue } from '../values/json/json';

export class TextBody {
  readonly kind = 'text';
  #parsed: { readonly value: JsonValue | undefined } | undefined;

  /** `parse` throws where the text is no JSON. */
  constructor(
    readonly text: string,
    private readonly parse: (text: string) => JsonValue = parseJson,
  ) {}

  /** The body with exact digits; undefined where it is no JSON. */
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
