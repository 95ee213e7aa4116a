// What named requests answered when they last ran, for the editor's completion and hover: in memory only, bounded in
// number and size, without keys.
import type { AnswersPort } from '../core/language/answers';
import { answerOf, type Answer } from '../core/run/answer';
import type { RequestReport } from '../core/run/model';
import { isJsonArray, parseJson, printJson, type JsonValue } from '../core/values/json';

/** Named requests whose answers are kept, the latest ones; and the largest answer that is kept, in UTF-16 units. */
const MAX_KEPT = 200;
const MAX_UNITS = 500_000;

export class LastAnswers implements AnswersPort {
  readonly #kept = new Map<string, Answer>();

  /** `redact` takes the keys out of a text. */
  constructor(private readonly redact: (text: string) => string) {}

  lastAnswer(uri: string, name: string): Answer | undefined {
    return this.#kept.get(keyOf(uri, name));
  }

  /** Keeps what a request came to; an answer that is too large makes the last one unknown. */
  keep({ file, name, transport, request, response, messages, httpStatus, durationMs }: RequestReport): void {
    if (name === null || (response === undefined && messages === undefined)) return;
    const key = keyOf(file, name);
    this.#kept.delete(key);
    const body = this.#plain(transport === 'GRPC' && response !== undefined ? { result: response } : response);
    const kept = this.#plain(messages);
    if (body === undefined && kept === undefined) return;
    this.#kept.set(
      key,
      answerOf({
        ...(httpStatus !== undefined && { httpStatus }),
        durationMs,
        headers: [],
        ...(body !== undefined && { body }),
        ...(isJsonArray(kept) && { messages: kept }),
        isBatch: isJsonArray(request),
      }),
    );
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The value without keys; undefined where it is too large. */
  #plain(value: JsonValue | undefined): JsonValue | undefined {
    if (value === undefined) return undefined;
    const text = printJson(value);
    return text.length > MAX_UNITS ? undefined : parseJson(this.redact(text));
  }
}

const keyOf = (uri: string, name: string): string => `${uri}\n${name}`;
