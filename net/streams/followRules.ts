// Decides what follows the end of a stream. Pure: a table of errors and the reaction to each.
import type { ServiceError, ServiceErrorKind } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import { isJsonObject, parseJson, printJson } from '../../core/solana/json/json';

/** How often a shorter replay was requested, and the reason of the gap. */
export interface Replay {
  readonly tries: number;
  readonly reason: string;
}

export type Next =
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'keyRotated'; readonly reason: string }
  /** The service no longer has the requested slots. */
  | { readonly kind: 'replayLess'; readonly replay: Replay }
  | {
      readonly kind: 'again';
      readonly error: ServiceError;
      readonly reason: string;
      readonly isLagged: boolean;
      /** Milliseconds that the service asked for. */
      readonly afterMs?: number;
    };

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Milliseconds until the next try: doubling, with full jitter. `random` is 0 <= n < 1. */
export const backoff = (attempt: number, random: () => number): number =>
  Math.floor(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)));

/** Failures of the way, of the service or of the moment: the stream is opened again. */
const PASSING: ReadonlySet<ServiceErrorKind> = new Set([
  'network',
  'timeout',
  'rateLimited',
  'protocol',
  'tls',
  'suspended',
]);
/** gRPC statuses of the same kind: CANCELLED, UNKNOWN, ABORTED, INTERNAL, DATA_LOSS. */
const PASSING_CODES = new Set([1, 2, 10, 13, 15]);
const OUT_OF_RANGE = 11;
const INTERNAL = 13;

/** Whether the service no longer has the first slot of a requested replay. */
export const isReplayRefused = (error: ServiceError): boolean =>
  error.kind === 'rpc' &&
  (error.code === OUT_OF_RANGE || (error.code === INTERNAL && /from_slot|replay/.test(error.message)));

export interface Before {
  /** It was open once: then most failures are temporary. */
  readonly wasLive: boolean;
  readonly replay: Replay;
  readonly waitsForKey: boolean;
}

/** The reaction to the end of a connection, or to a failed attempt to open one. */
export function judgeEnd(
  error: ServiceError | undefined,
  { transport }: PreparedRequest,
  { wasLive, replay, waitsForKey }: Before,
): Next {
  if (error === undefined) return { kind: 'ended' };
  if (!wasLive) return { kind: 'refused', error };
  const isGrpc = transport === 'GRPC';
  if (error.kind === 'rpc' && isGrpc) {
    if (isReplayRefused(error)) {
      if (replay.tries >= 2) return { kind: 'refused', error };
      const reason = 'The service no longer keeps what was missed.';
      return { kind: 'replayLess', replay: { tries: replay.tries + 1, reason } };
    }
    if (!PASSING_CODES.has(error.code)) return { kind: 'refused', error };
    const isLagged = error.code === INTERNAL && /\blag/i.test(error.message);
    const reason = isLagged ? 'The service ended the stream: it was read too slowly.' : error.message;
    return { kind: 'again', error, reason, isLagged };
  }
  if (error.kind === 'keyRejected' || error.kind === 'noKey')
    return waitsForKey ? { kind: 'keyRotated', reason: 'The key was replaced.' } : { kind: 'refused', error };
  if (!PASSING.has(error.kind)) return { kind: 'refused', error };
  const afterMs = error.kind === 'rateLimited' || error.kind === 'suspended' ? error.retryAfterMs : undefined;
  return {
    kind: 'again',
    error,
    reason: error.message,
    isLagged: /\btoo slow|\blag/i.test(error.message),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}

/** The request, from this slot on. */
export function withFromSlot(request: PreparedRequest, slot: number): PreparedRequest {
  const body = parseJson(request.body);
  if (!isJsonObject(body)) return request;
  const kept = Object.entries(body).filter(([name]) => name !== 'from_slot' && name !== 'fromSlot');
  return { ...request, body: printJson(Object.fromEntries([...kept, ['from_slot', String(slot)]])) };
}
