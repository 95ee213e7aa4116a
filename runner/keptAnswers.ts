// The last answer of each named request across runs, with its inputs: a reference reads it instead of sending the request
// again. Bounded in number and size; a larger answer, or one of an earlier process, is read from `stored`.
import { answerOf, errorOfAnswer, type RequestAnswer } from '../core/requests/document/variables/answer';
import { isJsonArray, parseJson, printJson, type JsonValue } from '../core/solana/json/json';
import { abortable } from './wait';
import type { RequestReport } from '../core/requests/run/model';
import type { Provenance, RequestKey } from '../core/requests/run/assertions/subject';

/** Most remembered requests; the oldest entry is dropped first. */
const MAX_KEPT = 1_000;
/** The largest answer held in memory, and all of them. UTF-16 units of JSON. */
const MAX_UNITS = 500_000;
const MAX_ALL_UNITS = 20_000_000;

/** The outcome of a request's last send. */
export interface KeptAnswer extends Provenance {
  /** When it was kept. Unix milliseconds. */
  readonly at: number;
  /** `failed`: it was refused. `lost`: without an answer, so it may have been executed. */
  readonly state: 'answered' | 'failed' | 'lost';
  /** The answer; undefined if it is no longer available. */
  load(): Promise<RequestAnswer | undefined>;
}

export interface KeptAnswersOptions {
  /** Takes the keys out of a text. */
  readonly redact: (text: string) => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The last answer that was stored elsewhere. */
  readonly stored?: (key: RequestKey) => Promise<KeptAnswer | undefined>;
}

export class KeptAnswers {
  readonly #kept = new Map<string, { readonly answer: KeptAnswer; readonly units: number }>();
  /** Requests that are being sent, by key; resolves when they are done. */
  readonly #running = new Map<string, Set<Promise<void>>>();
  /** Requests that have nothing in storage either. */
  readonly #absent = new Set<string>();
  #units = 0;

  constructor(private readonly options: KeptAnswersOptions) {}

  /** Entries kept by this object. */
  recent(key: RequestKey): KeptAnswer | undefined {
    return this.#kept.get(nameOf(key))?.answer;
  }

  /** Undefined if the request has not run. */
  async last(key: RequestKey): Promise<KeptAnswer | undefined> {
    const recent = this.recent(key);
    const name = nameOf(key);
    if (recent !== undefined || this.#absent.has(name)) return recent;
    const stored = await this.options.stored?.(key);
    // An entry kept meanwhile is newer.
    if (stored === undefined) this.#absent.add(name);
    else if (!this.#kept.has(name)) this.#kept.set(name, { answer: stored, units: 0 });
    return this.recent(key) ?? stored;
  }

  /** Resolves when no run sends the request any more; throws Cancelled. */
  async settled(key: RequestKey, signal: AbortSignal): Promise<void> {
    const running = this.#running.get(nameOf(key));
    if (running !== undefined) await abortable(Promise.all(running), signal);
  }

  /** A run sends the request until the returned function is called. */
  begin(key: RequestKey): () => void {
    const name = nameOf(key);
    const running = this.#running.get(name) ?? new Set();
    this.#running.set(name, running);
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    running.add(done);
    return () => {
      running.delete(done);
      if (running.size === 0) this.#running.delete(name);
      end();
    };
  }

  keep(key: RequestKey, report: RequestReport, provenance: Provenance): void {
    const name = nameOf(key);
    const { answer, units = 0 } = answerFrom(report, this.options.redact) ?? {};
    const kept: KeptAnswer = {
      ...provenance,
      at: this.options.now(),
      state: stateOf(report),
      load: async () => {
        if (answer !== undefined) return answer;
        const stored = await this.options.stored?.(key);
        return stored?.id === provenance.id ? stored.load() : undefined;
      },
    };
    this.#forget(name);
    this.#kept.set(name, { answer: kept, units });
    this.#units += units;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && this.#units <= MAX_ALL_UNITS) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#units -= this.#kept.get(name)?.units ?? 0;
    this.#kept.delete(name);
  }
}

/** The value with keys redacted, and its length as JSON; undefined if too large. A value without keys is returned as is. */
function withoutKeys(
  value: JsonValue | undefined,
  redact: (text: string) => string,
): { readonly value: JsonValue; readonly units: number } | undefined {
  const text = value === undefined ? '' : printJson(value);
  if (value === undefined || text.length > MAX_UNITS) return undefined;
  const plain = redact(text);
  return { value: plain === text ? value : parseJson(plain), units: text.length };
}

/** A report's redacted answer and its length as JSON; undefined if it has no answer or a too large one. */
export function answerFrom(
  { transport, request, response, messages, httpStatus, durationMs }: RequestReport,
  redact: (text: string) => string,
): { readonly answer: RequestAnswer; readonly units: number } | undefined {
  const result = transport === 'GRPC' && response !== undefined ? { result: response } : response;
  const body = withoutKeys(result, redact);
  const kept = withoutKeys(messages, redact);
  if (body === undefined && kept === undefined) return undefined;
  const answer = answerOf({
    ...(httpStatus !== undefined && { httpStatus }),
    durationMs,
    headers: [],
    ...(body !== undefined && { body: body.value }),
    ...(isJsonArray(kept?.value) && { messages: kept.value }),
    isBatch: isJsonArray(request),
  });
  return { answer, units: (body?.units ?? 0) + (kept?.units ?? 0) };
}

const REFUSED_STATUS = 400;

/** Errors after which nobody knows whether the request was carried out. */
const UNSURE: ReadonlySet<string> = new Set(['ambiguous', 'cancelled']);

export function stateOf(report: RequestReport): KeptAnswer['state'] {
  const { error, response, messages, large, httpStatus = 200, request } = report;
  const came = response !== undefined || messages !== undefined || large !== undefined;
  if (!came) return error !== undefined && request !== null && UNSURE.has(error.kind) ? 'lost' : 'failed';
  // An expected refusal is an answer; so is a response that merely could not be saved.
  if (error === undefined) return 'answered';
  if (httpStatus >= REFUSED_STATUS) return 'failed';
  return isRefusal(report) ? 'failed' : 'answered';
}

/** Whether the response is an error; for a batch, whether all of it is. */
function isRefusal({ response, request, messages }: RequestReport): boolean {
  if (response === undefined) return messages?.length === 0;
  const items = isJsonArray(request) && isJsonArray(response) ? response : [response];
  return items.every(
    (body) => errorOfAnswer(answerOf({ body, durationMs: 0, headers: [], isBatch: false })) !== undefined,
  );
}

const nameOf = ({ file, name, endpoint }: RequestKey): string => `${file}\n${name}\n${endpoint}`;
