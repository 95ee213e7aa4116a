// The one module that is loaded when something is first sent, as dist/net.js: it alone leads to undici, ws and HTTP/2. Puts
// together keys, pace, retries and the wire behind the two verbs.
import { withoutTrailing } from '../core/solana/common/ends';
import { failed, ok, type Result, type ServiceError } from '../core/service/errors';
import { PLANS } from '../core/service/profiles/planLimits';
import type { Exchange, PreparedRequest } from '../core/requests/run/model';
import type { AttachedKey, CallOptions, Net, NetOptions, OpenOptions, SendTarget } from './api';
import { repeated, type Again } from './auth/attempts';
import { authorize, explained, keysFor, attachedSecrets } from './auth/auth';
import { INLINE_BYTES, MAX_FILE_BYTES, MAX_MEMORY_BYTES } from './http/body';
import { systemClock } from './clock';
import { createConnect } from './connect/connect';
import { credentialsOf, type HeaderPairs } from './target/headers';
import type { ExchangeOutcome, OutgoingRequest } from './http/httpExchange';
import { GrpcCalls } from './grpc/calls';
import { HttpClient } from './http/httpClient';
import { Pacer, type PlanCost } from './rate';
import { Redactor } from './secrets/redactor';
import { retryAfterMs } from './retry';
import { planCost, sentCall, type SentCall } from './sends';
import { WebSockets } from './websocket/sockets';
import { Suspensions } from './auth/suspensions';
import { shownRequest } from './auth/shownRequest';
import { shownHost } from './target/target';
import { createTrust } from './connect/trust';

export { createLocalAdmin } from './http/localAdmin';
// Code that shows gRPC messages gets their descriptors from here, where they are loaded anyway.
export { bytesOfUpdate, textOfUpdate } from './grpc/updateText';

/** Time for a question to the REST interface, in milliseconds. */
const GET_MS = 30_000;

/** A request, apart from its keys and attempts. */
interface Question {
  /** Undefined: a GET. */
  readonly body?: string;
  readonly headers: HeaderPairs;
  readonly ids?: readonly string[];
  readonly isBatch: boolean;
  readonly cost: PlanCost;
  readonly timeoutMs: number;
  readonly keyLabel?: string;
  /** The transaction or the bundle that it sends. */
  readonly sent?: () => SentCall;
}

/** The transports. Keeps sockets until `close`. */
export function createNet(options: NetOptions): Net {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const settings = options.connect ?? {};
  const trust = createTrust(settings.extraCa);
  const connect = createConnect(settings, trust);
  const http = new HttpClient(connect, clock);
  const pacer = new Pacer(clock);
  const suspensions = options.suspensions ?? new Suspensions(clock);
  const access = { keys: options.keys, suspensions };

  /** Waits, as it must, for the plan's limit; a send counts for the SWQoS key alone, which pays for it. */
  const pace = async (
    target: SendTarget,
    attached: readonly AttachedKey[],
    cost: PlanCost,
    call: OpenOptions,
  ): Promise<void> => {
    const { plan, name: profile } = target.profile.profile;
    const left = (): void => options.onTraffic?.({ profile, origin: target.origin, sent: cost.requests, throttled: 0 });
    if (plan === undefined || options.respectPlan?.() === false) {
      left();
      return;
    }
    const key = attached[0]?.lease;
    const parts = [target.origin, key === undefined ? '' : target.keyType, key?.keyId ?? key?.label ?? ''];
    const paced = { name: JSON.stringify(parts), limits: PLANS[plan] };
    await pacer.take(paced, cost, call.signal, (ms) => call.onWait?.('rateLimit', ms));
    left();
  };

  const countThrottled = (target: SendTarget, result: Result<Exchange>): void => {
    const error = errorIn(result);
    if (error?.kind === 'rateLimited')
      options.onTraffic?.({ profile: target.profile.profile.name, origin: target.origin, sent: 0, throttled: 1 });
  };

  const once = async (target: SendTarget, question: Question, call: CallOptions): Promise<ExchangeOutcome> => {
    const attached = await keysFor(access, target, question.keyLabel, call.signal);
    if (!attached.ok) return { result: attached, written: false };
    const out = outgoing(target, question, attached.value, call);
    if (!out.ok) return { result: out, written: false };
    await pace(target, attached.value, question.cost, call);
    const { result, written } = await http.exchange(out.value, call.signal);
    countThrottled(target, result);
    suspensions.note(target, attached.value, errorIn(result));
    return { result: explain(target, attached.value, result), written };
  };

  const ask = (target: SendTarget, question: Question, call: CallOptions): Promise<Result<Exchange>> =>
    repeated({ clock, random }, target, call, async () => {
      // Keys are requested for each attempt: one rotated in between is not used again.
      const { result, written } = await once(target, question, call);
      if (question.cost.sends > 0) return { result: afterSend(result, written, question.sent) };
      return { result, again: result.ok ? againAfter(result.value, clock.unixMs()) : undefined };
    });

  const parts = { ...access, connect, clock, random, pace };
  const sockets = new WebSockets(parts);
  const { grpcClient: client } = options;
  const grpc = new GrpcCalls({ ...parts, settings, trust, ...(client === undefined ? {} : { client }) });

  return {
    call: async (target, request, call) => {
      if (request.transport !== 'GRPC' && request.transport !== 'WS') return ask(target, questionOf(request), call);
      const result = await (request.transport === 'GRPC' ? grpc : sockets).call(target, request, call);
      countThrottled(target, result);
      return result;
    },
    open: (target, request, open) => (request.transport === 'GRPC' ? grpc : sockets).open(target, request, open),
    openRaw: (target, request, raw) => (request.transport === 'GRPC' ? grpc : sockets).openRaw(target, request, raw),
    get: (target, path, call) =>
      ask(
        { ...target, url: below(target.url, path) },
        { headers: [], isBatch: false, cost: { requests: 1, sends: 0 }, timeoutMs: GET_MS },
        call,
      ),
    close: async () => {
      await Promise.all([sockets.close(), grpc.close(), http.close()]);
    },
  };
}

function explain(target: SendTarget, attached: readonly AttachedKey[], result: Result<Exchange>): Result<Exchange> {
  if (!result.ok) return failed(explained(target, attached, result.error));
  const { error } = result.value;
  return error === undefined ? result : ok({ ...result.value, error: explained(target, attached, error) });
}

const errorIn = (result: Result<Exchange>): ServiceError | undefined => (result.ok ? result.value.error : result.error);

function questionOf(request: PreparedRequest): Question {
  const { body, headers, ids, isBatch, timeoutMs, keyLabel } = request;
  return {
    body,
    headers,
    ids,
    isBatch,
    timeoutMs,
    cost: planCost(request),
    sent: () => sentCall(request),
    ...(keyLabel === undefined ? {} : { keyLabel }),
  };
}

/** The end of a base that was copied as the whole address of the usage interface. */
const USAGE_PATH = '/v1/usage';

/** The base of the REST interface with a path and query appended. */
function below(base: URL, path: string): URL {
  const added = new URL(path, base);
  const url = new URL(base);
  const whole = withoutTrailing(base.pathname, '/');
  url.pathname = (whole.endsWith(USAGE_PATH) ? whole.slice(0, -USAGE_PATH.length) : whole) + added.pathname;
  url.search = [base.search.slice(1), added.search.slice(1)].filter((part) => part !== '').join('&');
  return url;
}

function outgoing(
  target: SendTarget,
  question: Question,
  attached: readonly AttachedKey[],
  call: CallOptions,
): Result<OutgoingRequest> {
  const authorized = authorize(target, attached);
  if (!authorized.ok) return authorized;
  const { body, ids } = question;
  const own = question.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const named = body === undefined || own.some(([name]) => name === 'content-type');
  const { spillFile, onGrow, onBytes } = call;
  const method = body === undefined ? 'GET' : 'POST';
  const headers = [...own, ...(named ? [] : [['content-type', 'application/json'] as const])];
  const redactor = new Redactor([...attachedSecrets(attached), ...credentialsOf(own)]);
  return ok({
    origin: target.origin,
    host: shownHost(target.url),
    method,
    path: authorized.value.path,
    headers: [...headers, ...authorized.value.headers],
    shown: call.wantsSent && shownRequest(target, attached, { method, headers, redact: (text) => redactor.text(text) }),
    body,
    ids,
    isBatch: question.isBatch,
    isSend: question.cost.sends > 0,
    timeoutMs: question.timeoutMs,
    limits: {
      inlineBytes: call.inlineBytes ?? INLINE_BYTES,
      maxBytes: call.maxBytes ?? (spillFile === undefined ? MAX_MEMORY_BYTES : MAX_FILE_BYTES),
      spillFile,
      onGrow,
    },
    onBytes,
    redactor,
  });
}

const againAfter = ({ httpStatus, headers }: Exchange, unixMs: number): Again => ({
  status: httpStatus,
  afterMs: retryAfterMs(headers, unixMs),
});

/** A send is never repeated. If its bytes left and no response gives the outcome, it is reported as ambiguous. */
function afterSend(result: Result<Exchange>, written: boolean, sent: Question['sent']): Result<Exchange> {
  const error = result.ok ? result.value.error : result.error;
  if (error === undefined || !written) return result;
  const { what, signature } = sent?.() ?? { what: 'transaction', signature: undefined };
  const lookUp = signature === undefined ? 'Look up its signature' : `Look up ${signature}`;
  const ambiguous: ServiceError = {
    kind: 'ambiguous',
    ...(signature === undefined ? {} : { signature }),
    message: `The ${what} was sent, but no answer says what became of it: it may have landed.`,
    hint: `${lookUp} before you send again.`,
  };
  // A gateway's 5xx says nothing about the node behind it; 503 is a refusal.
  if (result.ok)
    return error.kind === 'network' && result.value.httpStatus !== 503
      ? ok({ ...result.value, error: ambiguous })
      : result;
  if (error.kind === 'cancelled')
    return failed({
      ...error,
      message: `Cancelled after the ${what} had left: it may land.`,
      ...hintOf(ambiguous),
    });
  return failed(ambiguous);
}

const hintOf = ({ hint }: ServiceError): { readonly hint?: string } => (hint === undefined ? {} : { hint });
