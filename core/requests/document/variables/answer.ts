// An answer as assertions and captures see it: parsed, addressed by path, a batch's answers by id.
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../../solana/json/json';
import type { TextIntegers } from '../../../solana/json/numbers';
import type { Comparison, PathStep } from '../model';
import type { Found } from '../../../service/response/stored';

/** The right side of a condition. */
export interface ExpectedValue {
  /** With every variable filled in; absent for operators without a value. */
  readonly value: JsonValue | undefined;
  readonly text: TextIntegers;
}

/** The values of a body that lies in a file. They are fetched before they are looked up. */
export interface StoredValues {
  /** Reads the value at a path of the body. */
  fetch(steps: readonly PathStep[]): Promise<Found | undefined>;
  /** The value that `fetch` found at a path. */
  known(steps: readonly PathStep[]): Found | undefined;
  /** Whether an operator holds for a value that `fetch` found too large to hold; its negation is not looked at. */
  holds(comparison: Comparison, steps: readonly PathStep[], expected: ExpectedValue): Promise<boolean>;
  /** Whether `test` holds for an element of the list at a path; undefined if there is no list. */
  some(steps: readonly PathStep[], test: (item: JsonValue) => boolean): Promise<boolean | undefined>;
}

/** The outcome of one request, ready to be asked. */
export interface RequestAnswer {
  readonly httpStatus?: number;
  readonly durationMs: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The JSON-RPC body with exact digits; a unary gRPC message is its `result`. Absent: no body, or no JSON. */
  readonly body?: JsonValue;
  /** The body if it is in a file; `body` is then absent. */
  readonly large?: StoredValues;
  /** The messages of a stream. */
  readonly messages?: readonly JsonValue[];
  /** True when an array was sent: the first step of a path is then an id. */
  readonly isBatch: boolean;
  /** Of `@foreach`: the answers of its rows; the answer itself is then that of the last row. */
  readonly rows?: readonly (RequestAnswer | undefined)[];
  /** The index of a batch by id token; made on first use, so that a chain over a long batch stays linear. */
  readonly byId: () => ReadonlyMap<string, JsonValue>;
}

export function answerOf(parts: Omit<RequestAnswer, 'byId'>): RequestAnswer {
  let index: Map<string, JsonValue> | undefined;
  const byId = (): ReadonlyMap<string, JsonValue> => (index ??= indexBatch(parts.body));
  return { ...parts, byId };
}

function indexBatch(body: JsonValue | undefined): Map<string, JsonValue> {
  const index = new Map<string, JsonValue>();
  if (!isJsonArray(body)) return index;
  for (const item of body) {
    const id = member(item, 'id');
    if (id !== undefined && !index.has(printJson(id))) index.set(printJson(id), item);
  }
  return index;
}

/** The value at a path; `undefined` if it does not exist. `length` is the number of items of an array. */
export function lookUp(root: JsonValue | undefined, steps: readonly PathStep[]): JsonValue | undefined {
  let value = root;
  for (const step of steps) {
    if (isJsonArray(value)) {
      if (step === 'length') value = value.length;
      else value = typeof step === 'number' ? value.at(step) : undefined;
    } else {
      value = typeof step === 'string' ? member(value, step) : undefined;
    }
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * The value at a path of an answer. `status`, `duration` (ms), `headers` and `messages` are of the exchange, every
 * other path begins at the response; `response.body.$.` in front, as REST Client writes it, means the same.
 */
export function lookUpAnswer(answer: RequestAnswer, path: readonly PathStep[]): JsonValue | undefined {
  const steps = withoutBodyPrefix(path);
  const [first, ...rest] = steps;
  if (first === 'rows' && answer.rows !== undefined) {
    const [index, ...inRow] = rest;
    if (index === 'length' && inRow.length === 0) return answer.rows.length;
    const row = typeof index === 'number' ? answer.rows.at(index) : undefined;
    return row === undefined ? undefined : lookUpAnswer(row, inRow);
  }
  switch (first) {
    case 'status':
      return rest.length === 0 ? answer.httpStatus : undefined;
    case 'duration':
      return rest.length === 0 ? answer.durationMs : undefined;
    case 'headers':
      return lookUpHeader(answer, rest);
    case 'messages':
      return answer.messages === undefined ? undefined : lookUp(answer.messages, rest);
    default:
      if (answer.large !== undefined) {
        const found = answer.large.known(steps);
        return found?.kind === 'value' ? found.value : undefined;
      }
      if (answer.isBatch && isJsonArray(answer.body) && first !== undefined && first !== 'length') {
        return lookUp(answer.byId().get(printJson(first)), rest);
      }
      return lookUp(answer.body, steps);
  }
}

/** The body path of an answer's path; undefined if that refers to something outside the body. */
export function bodyPath(path: readonly PathStep[]): readonly PathStep[] | undefined {
  const steps = withoutBodyPrefix(path);
  return BESIDE.has(steps[0]) ? undefined : steps;
}

/** Roots of a path that are outside the body. */
export const BESIDE: ReadonlySet<PathStep | undefined> = new Set(['status', 'duration', 'headers', 'messages']);

function withoutBodyPrefix(path: readonly PathStep[]): readonly PathStep[] {
  const [first, second, third] = path;
  return first === 'response' && second === 'body' && third === '$' ? path.slice(3) : path;
}

function lookUpHeader(answer: RequestAnswer, steps: readonly PathStep[]): JsonValue | undefined {
  const [name, ...rest] = steps;
  if (typeof name !== 'string' || rest.length > 0) return undefined;
  const values = answer.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** A JSON-RPC error in the body: its own, or for a batch the first one among the answers. */
export function errorOfAnswer(answer: RequestAnswer): JsonValue | undefined {
  const items = answer.isBatch && isJsonArray(answer.body) ? answer.body : [answer.body];
  for (const item of items) {
    const error = member(item, 'error');
    if (isJsonObject(error)) return error;
  }
  return undefined;
}
