// Judges a response: by the HTTP status first, then by the JSON-RPC envelope. Every failure is a ServiceError whose
// message contains no URL, no key and only a bounded excerpt of foreign text.
import { withoutTrailing } from '../../core/solana/common/ends';
import type { KeyType, ServiceError } from '../../core/service/errors';
import { harmless } from '../../core/service/redaction/redact';
import { nextStep, RPC_ERRORS } from '../../core/service/rpcErrors';
import { isJsonObject, jsonOf, member, type JsonObject, type JsonValue } from '../../core/solana/json/json';
import type { AnswerEnvelope, EnvelopeEntry } from './envelope';
import { retryAfterMs } from '../retry';

/** The answer to judge; text and headers are already redacted. */
export interface RawAnswer {
  readonly httpStatus: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Undefined if the request was not JSON-RPC. */
  readonly envelope?: AnswerEnvelope | undefined;
  /** The body, or its start. */
  readonly text: string;
  readonly host: string;
  readonly unixMs: number;
}

/** The error of an answer, if it is one. `ids` are the tokens sent, in order. */
export function judgeAnswer(answer: RawAnswer, ids: readonly string[], isBatch: boolean): ServiceError | undefined {
  const { httpStatus } = answer;
  if (httpStatus < 200 || httpStatus > 299) return judgeStatus(answer);
  return answer.envelope === undefined ? undefined : judgeEnvelope(answer.envelope, answer, ids, isBatch);
}

function judgeStatus(answer: RawAnswer): ServiceError {
  const { httpStatus, host } = answer;
  const said = spoken(answer.text);
  const quoted = quotedTail(said);
  if (httpStatus >= 300 && httpStatus < 400)
    return {
      kind: 'protocol',
      httpStatus,
      message: `${host} answered with a redirect (HTTP ${httpStatus}), which is never followed.`,
      hint: 'Write the final URL into the endpoint, if you trust it.',
    };
  if (httpStatus === 401)
    return {
      kind: 'keyRejected',
      httpStatus,
      message: `${host} does not accept the key${quoted}.`,
      hint: 'Check the key in the dashboard; a rotated key stops working at once.',
    };
  if (httpStatus === 403) return judgeForbidden(answer, said);
  if (httpStatus === 429) {
    const wait = waitOf(answer);
    return {
      kind: 'rateLimited',
      httpStatus,
      ...wait,
      message: `${host} refuses more requests for now (HTTP 429)${quoted}.`,
      hint: 'Wait, then send fewer per second; the plan sets the limit.',
    };
  }
  const rpc = errorObject(answer.text);
  if (httpStatus < 500 && rpc !== undefined) return rpcError(rpc, httpStatus);
  if (httpStatus >= 500)
    return {
      kind: 'network',
      httpStatus,
      message: `${host} cannot serve the request (HTTP ${httpStatus})${quoted}.`,
      hint: 'Try again in a moment.',
    };
  return {
    kind: 'protocol',
    httpStatus,
    message: `${host} refused the request (HTTP ${httpStatus})${quoted}.`,
    hint: STATUS_HINTS[httpStatus] ?? 'Check the URL of the endpoint.',
  };
}

const STATUS_HINTS: Readonly<Record<number, string>> = {
  404: 'Check the path of the URL: the hosted service serves JSON-RPC under /sol and usage under /v1/usage.',
  405: 'Check the URL: it does not take this kind of request.',
  413: 'Send a smaller body.',
  415: 'Let the request carry Content-Type: application/json.',
};

/** 403 is a wrong key type (docs/local-service.md, "Keys") unless its words say that the key is suspended. */
function judgeForbidden(answer: RawAnswer, said: string | undefined): ServiceError {
  const { httpStatus, host } = answer;
  if (said !== undefined && /suspend/i.test(said)) {
    const wait = waitOf(answer);
    const until = wait.retryAfterMs === undefined ? '' : ` for another ${seconds(wait.retryAfterMs)}`;
    return {
      kind: 'suspended',
      httpStatus,
      ...wait,
      message: `${host} has suspended the key${until}.`,
      hint: 'Send nothing until then; bursts far above the plan lead to this.',
    };
  }
  const needs = said === undefined ? undefined : neededType(said);
  const why = needs === undefined ? quotedTail(said) : `: it needs ${NAMES[needs]} key`;
  return {
    kind: 'wrongKeyType',
    httpStatus,
    ...(needs === undefined ? {} : { needs }),
    message: `${host} does not accept this type of key here${why}.`,
    hint: 'Choose a key of the right type, or store one for this endpoint.',
  };
}

const NAMES: Readonly<Record<KeyType, string>> = { rpc: 'an RPC', grpc: 'a gRPC', swqos: 'a SWQoS' };

/** "needs a gRPC key", "an RPC key is required": the type asked for, in the words services use. */
const NEEDED = [
  /\b(?:needs?|requires?|must be|use|uses|expects?|only accepts?)\b\W*(?:(?:an?|the)\W*)?(swqos|grpc|rpc)\b/i,
  /\b(swqos|grpc|rpc)(?: api)?(?: key)? (?:is )?(?:required|expected|needed)\b/i,
];
const TYPES: readonly KeyType[] = ['rpc', 'grpc', 'swqos'];

function neededType(said: string): KeyType | undefined {
  const word = NEEDED.map((pattern) => pattern.exec(said)?.[1]?.toLowerCase()).find((found) => found !== undefined);
  return TYPES.find((type) => type === word);
}

function judgeEnvelope(
  envelope: AnswerEnvelope,
  answer: RawAnswer,
  ids: readonly string[],
  isBatch: boolean,
): ServiceError | undefined {
  const { httpStatus, host } = answer;
  const protocol = (what: string): ServiceError => ({
    kind: 'protocol',
    httpStatus,
    message: `${host} ${what}.`,
    hint: 'Check that the URL is a JSON-RPC endpoint.',
  });
  if (envelope.kind === 'malformed') return protocol('did not answer with a JSON-RPC response');
  const [only] = envelope.entries;
  if (isBatch && envelope.isBatch) return judgeBatch(envelope.entries, ids, protocol);
  // A batch as a whole is refused with one error object.
  if (envelope.isBatch || only === undefined) return protocol('answered with a batch to a single request');
  if (only.error !== undefined && (isBatch || only.id === undefined || only.id === 'null' || sameId(only.id, ids[0])))
    return rpcError(jsonOf(only.error), httpStatus);
  if (isBatch) return protocol('answered a batch with a single response');
  if (!sameId(only.id, ids[0])) return protocol('answered with the id of another request');
  return only.hasResult ? undefined : protocol('answered with neither a result nor an error');
}

/** Requires one answer per request, in any order. Errors of single answers stay in the body, for the batch's reader. */
function judgeBatch(
  entries: readonly EnvelopeEntry[],
  ids: readonly string[],
  protocol: (what: string) => ServiceError,
): ServiceError | undefined {
  const open = new Map<string, number>();
  for (const id of ids) open.set(idKey(id), (open.get(idKey(id)) ?? 0) + 1);
  for (const entry of entries) {
    const key = idKey(entry.id ?? '');
    const left = open.get(key) ?? 0;
    if (left === 0) return protocol('answered with an id that the batch did not ask for, or twice with one');
    open.set(key, left - 1);
    if (!entry.hasResult && entry.error === undefined) return protocol('answered with neither a result nor an error');
  }
  const missing = [...open.values()].reduce((sum, left) => sum + left, 0);
  return missing === 0 ? undefined : protocol(`left ${missing} of ${ids.length} requests of the batch unanswered`);
}

/** Number tokens are compared verbatim; strings by value, since escapes may be written differently. */
function sameId(answered: string | undefined, asked: string | undefined): boolean {
  return answered !== undefined && asked !== undefined && idKey(answered) === idKey(asked);
}

function idKey(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return JSON.stringify(JSON.parse(token));
  } catch {
    return token;
  }
}

/** The JSON-RPC error object in a body that may be anything. */
function errorObject(text: string): JsonObject | undefined {
  const error = text.length > MAX_ERROR_BODY ? undefined : member(jsonOf(text), 'error');
  return isJsonObject(error) && typeof member(error, 'code') === 'number' ? error : undefined;
}

/** Bodies of refusals above this many UTF-16 units are not read for a message. */
const MAX_ERROR_BODY = 64 * 1024;

/** The text of a refusal: `error.message`, `error`, `message` or a short plain text; never markup. */
function spoken(text: string): string | undefined {
  const value = text.length > MAX_ERROR_BODY ? undefined : jsonOf(text);
  const error = member(value, 'error');
  for (const candidate of [member(error, 'message'), error, member(value, 'message'), value]) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return unstopped(excerpt(candidate));
  }
  const isPlain = value === undefined && text.trim() !== '' && text.length <= 500 && !/[<>{]/.test(text);
  return isPlain ? unstopped(excerpt(text)) : undefined;
}

/** A quoted message, as the end of a sentence. */
export const quotedTail = (said: string | undefined): string => (said === undefined || said === '' ? '' : `: ${said}`);

/** Of foreign text no more than this, in UTF-16 units, is repeated. */
const MAX_EXCERPT = 240;

/** Foreign text as one harmless, bounded line. */
export const excerpt = (text: string): string =>
  harmless(
    text
      .slice(0, 4 * MAX_EXCERPT)
      .replace(/\s+/g, ' ')
      .trim(),
    { max: MAX_EXCERPT },
  );

const unstopped = (sentence: string): string => withoutTrailing(sentence, '. ');

/** The ServiceError of a JSON-RPC error object. */
function rpcError(value: JsonValue | undefined, httpStatus: number): ServiceError {
  const given = member(value, 'code');
  const code = typeof given === 'number' ? given : undefined;
  const words = member(value, 'message');
  const text = typeof words === 'string' ? unstopped(excerpt(words)) : '';
  const data = member(value, 'data');
  if (code === undefined)
    return {
      kind: 'protocol',
      httpStatus,
      message: `The service answered with an error without a code${quotedTail(text)}.`,
    };
  const known = RPC_ERRORS.get(code);
  // A message that only repeats the code's name is replaced by its meaning.
  const said = text === '' || text.toLowerCase() === known?.name.toLowerCase() ? known?.meaning : text;
  const hint = nextStep(code, data);
  const name = known === undefined ? `Error ${code}` : `${known.name} (${code})`;
  return {
    kind: 'rpc',
    code,
    httpStatus,
    ...(data === undefined ? {} : { data }),
    message: `${name}${quotedTail(said)}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function waitOf(answer: RawAnswer): { readonly retryAfterMs?: number } {
  const ms = retryAfterMs(answer.headers, answer.unixMs);
  return ms === undefined ? {} : { retryAfterMs: ms };
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
