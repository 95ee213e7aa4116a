// GET /v1/usage, /v1/usage/{keyId} and /v1/keys: what was asked with which key. Any active key opens them, and they
// neither cost a request of the plan nor count as usage. The account is the sum over its keys.
import type { IncomingMessage } from 'node:http';
import type { WireJson } from '../api';
import { identify, refusalHeaders } from '../keys/access';
import type { Keyring } from '../keys/keyring';
import { json, methodNotAllowed, restError, type HttpReply } from '../http/answer';
import type { ServiceContext } from '../calls/context';
import { replacementOf, type Routed } from '../faults/deliver';
import { KINDS_AT } from '../faults/kinds';
import type { UsageMeter } from '../keys/meter';
import type { Query } from '../guard/target';

const USAGE = '/v1/usage';
const KEYS = '/v1/keys';

/** `undefined` for other paths. */
export function routeRest(
  context: ServiceContext,
  request: IncomingMessage,
  path: string,
  query: Query,
): Routed | undefined {
  const keyId = path.startsWith(`${USAGE}/`) ? decodeSegment(path.slice(USAGE.length + 1)) : undefined;
  if (path !== USAGE && path !== KEYS && keyId === undefined) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return { answer: methodNotAllowed('GET') };
  const access = identify(context.keyring, { authorization: request.headers.authorization, query }, context.now());
  if (!access.ok) {
    const { status, message } = access.refusal;
    return { answer: restError(status, message, refusalHeaders(access.refusal)) };
  }
  const keyIds = access.value.map((key) => key.keyId);
  const fault = context.faults.strike('rest', { methods: [], keyIds }, KINDS_AT.restCall);
  const answer =
    replacementOf(fault) ?? (path === KEYS ? listKeys(context.keyring) : usageReply(context, query, keyId));
  return { answer, fault };
}

/** The usage of one key, or of all: for the REST API and the dashboard alike. */
export function usageReply(
  context: { readonly keyring: Keyring; readonly meter: UsageMeter; now(): number },
  query: Query,
  keyId: string | undefined,
): HttpReply {
  if (keyId !== undefined && context.keyring.get(keyId) === undefined) return restError(404, 'No key has this id');
  const range = readRange(query, context.now());
  if (typeof range === 'string') return restError(400, range);
  const methods = context.meter.read(range.from, range.to, keyId);
  const summary: Record<string, WireJson> = {
    request_count: methods.reduce((sum, { count }) => sum + count, 0),
    methods: methods.map(({ method, count, errors }) => ({ method, count, errors })),
    from: range.from,
    to: range.to,
  };
  return json(200, keyId === undefined ? summary : { key_id: keyId, ...summary });
}

const DAY_SECONDS = 24 * 60 * 60;

/** The range in Unix seconds, inclusive, that a query asks for, by default the last 24 hours; a string says what is wrong. */
function readRange(query: Query, nowMs: number): { readonly from: number; readonly to: number } | string {
  const now = Math.floor(nowMs / 1000);
  const from = readSeconds(query, 'from', now - DAY_SECONDS);
  if (typeof from === 'string') return from;
  const to = readSeconds(query, 'to', now);
  if (typeof to === 'string') return to;
  return from > to ? `"from" (${from}) lies after "to" (${to})` : { from, to };
}

function readSeconds(query: Query, name: string, fallback: number): number | string {
  const given = query.getAll(name);
  if (given.length === 0) return fallback;
  const seconds = given.length === 1 && /^\d{1,15}$/.test(given[0] ?? '') ? Number(given[0]) : Number.NaN;
  return Number.isSafeInteger(seconds) ? seconds : `"${name}" must be one whole number of Unix seconds`;
}

function listKeys(keyring: Keyring): HttpReply {
  const keys = keyring.list().map((key) => ({
    key_id: key.keyId,
    type: key.type,
    label: key.label,
    plan: key.allowance.plan,
    state: keyring.stateOf(key),
    created_at: Math.floor(key.createdAt / 1000),
    last_used_at: key.lastUsedAt === undefined ? null : Math.floor(key.lastUsedAt / 1000),
  }));
  return json(200, { keys });
}

/** Decodes one path segment; the empty text if it is malformed, which matches no key's id. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
