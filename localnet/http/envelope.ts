// JSON-RPC 2.0 envelopes: reads requests out of a body, writes answers around results. Ids leave digit for digit.
import {
  JsonSyntaxError,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  member,
  parseJson,
  printJson,
  type JsonValue,
} from '../../core/solana/json/json';
import type { RpcError, RpcOutcome, WireJson } from '../api';
import { nestsTooDeep } from '../guard/depth';
import { smallText, wireChunks, wireText } from '../wireJson';

/** One element of a body: a call, or anything found where a call should be. `id` is JSON text. */
export type BodyElement =
  | {
      readonly kind: 'call';
      /** `undefined` for a notification, which gets no answer. */
      readonly id: string | undefined;
      readonly method: string;
      readonly params: JsonValue | undefined;
    }
  | { readonly kind: 'invalid'; readonly id: string; readonly error: RpcError };

export interface ParsedBody {
  readonly batch: boolean;
  readonly envelopes: readonly BodyElement[];
}

const invalid = (message: string, id = 'null'): BodyElement => ({
  kind: 'invalid',
  id,
  error: { code: -32600, message },
});
const single = (envelope: BodyElement): ParsedBody => ({ batch: false, envelopes: [envelope] });
const unreadable = (message: string): ParsedBody =>
  single({ kind: 'invalid', id: 'null', error: { code: -32700, message: `Parse error: ${message}` } });

/** Never throws: a body that is not JSON becomes one envelope with -32700. */
export function parseBody(text: string): ParsedBody {
  if (nestsTooDeep(text)) return unreadable('nested too deep');
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return unreadable(`${error.message} at ${error.offset}`);
    throw error;
  }
  if (!isJsonArray(value)) return single(envelopeOf(value));
  if (value.length === 0) return single(invalid('Invalid request: an empty batch'));
  return { batch: true, envelopes: value.map(envelopeOf) };
}

/** Reads one request; anything else becomes an envelope with -32600. */
export function envelopeOf(value: JsonValue): BodyElement {
  if (!isJsonObject(value)) return invalid('Invalid request: not an object');
  const given = member(value, 'id');
  if (given !== undefined && given !== null && !isIdValue(given)) {
    return invalid('Invalid request: the id must be a string or a number');
  }
  const id = given === undefined ? undefined : printJson(given);
  if (member(value, 'jsonrpc') !== '2.0') return invalid('Invalid request: "jsonrpc" must be "2.0"', id);
  const method = member(value, 'method');
  if (typeof method !== 'string') return invalid('Invalid request: "method" must be a string', id);
  const params = member(value, 'params') ?? undefined;
  if (params !== undefined && !isJsonArray(params) && !isJsonObject(params)) {
    return invalid('Invalid request: "params" must be an array', id);
  }
  return { kind: 'call', id, method, params };
}

function isIdValue(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || value instanceof JsonNumber;
}

/** The id that an error about the whole body answers to: a single request's own, else null. */
export function idOfBody(body: ParsedBody): string {
  return body.batch ? 'null' : (body.envelopes[0]?.id ?? 'null');
}

export function errorReply(id: string, error: RpcError): string {
  return `{"jsonrpc":"2.0","error":${wireText({ code: error.code, message: error.message, data: error.data })},"id":${id}}`;
}

/** The text of one answer: whole where it is small, else in chunks. */
export function outcomeBody(id: string, outcome: RpcOutcome): string | Iterable<string> {
  if (!outcome.ok) return errorReply(id, outcome.error);
  const small = smallText(outcome.result);
  return small === undefined ? resultChunks(id, outcome.result) : `{"jsonrpc":"2.0","result":${small},"id":${id}}`;
}

function* resultChunks(id: string, result: WireJson): Generator<string, void, void> {
  let held = '{"jsonrpc":"2.0","result":';
  for (const chunk of wireChunks(result)) {
    if (held.length > 1024) yield held;
    held = held.length > 1024 ? chunk : held + chunk;
  }
  yield `${held},"id":${id}}`;
}
