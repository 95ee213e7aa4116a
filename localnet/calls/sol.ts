// JSON-RPC over HTTP, at POST /sol and where no key is asked for. Checks who asks and what the plan allows, makes the
// calls in order, counts them.
import type { IncomingMessage } from 'node:http';
import {
  identify,
  refusalHeaders,
  rpcPayers,
  suspended,
  wrongKeyType,
  type Payer,
  type AccessRefusal,
  type RpcPayers,
} from '../keys/access';
import type { AllowanceCost, RateState } from '../keys/allowance';
import { TIMED_OUT } from '../rpc/failure';
import type { RpcOutcome } from '../api';
import { pacer } from '../slices';
import { routeOf } from '../faults/congestion';
import { replacementOf, type Routed } from '../faults/deliver';
import { KINDS_AT, WRONG_ID } from '../faults/kinds';
import type { FaultAt } from '../faults/rules';
import { methodNotAllowed, type HttpReply } from '../http/answer';
import { isJsonContent, type RequestBody } from '../http/body';
import type { ServiceContext } from './context';
import { errorReply, idOfBody, outcomeBody, parseBody, type BodyElement, type ParsedBody } from '../http/envelope';
import type { Query } from '../guard/target';

/** Bytes of a request's body. The largest honest one, a batch of sends on the largest plan, is far below. */
export const MAX_BODY = 4 * 1024 * 1024;
/** The clock is looked at after every call of a batch. */
const CALL_WEIGHT = 64;
/** UTF-16 units of a batch's answer that are written together. */
const WRITTEN_AT_ONCE = 32 * 1024;
const SEND = 'sendTransaction';

export async function routeSol(
  context: ServiceContext,
  request: IncomingMessage,
  query: Query,
): Promise<Routed | undefined> {
  if (request.method !== 'POST') return { answer: methodNotAllowed('POST') };
  const presented = { authorization: request.headers.authorization, query, connection: request.socket };
  const identified = identify(context.keyring, presented, context.now());
  const access = identified.ok ? rpcPayers(identified.value) : identified;
  const body = await context.bodies.read(request, MAX_BODY);
  if (body.kind === 'gone') return undefined;
  if (!access.ok) return { answer: refuse(context, access.refusal, body) };
  return answerRequest(context, access.value, request, body);
}

/** The answer to a body of calls that these pay for. */
export function answerRequest(
  context: ServiceContext,
  payers: RpcPayers,
  request: IncomingMessage,
  body: Exclude<RequestBody, { readonly kind: 'gone' }>,
): Routed | Promise<Routed> {
  if (!isJsonContent(request)) return turnAway(context, payers, 415, 'Content-Type must be application/json');
  if (body.kind === 'refused') return turnAway(context, payers, body.status, body.message);
  return answerBody(context, payers, parseBody(body.text));
}

function answerBody(context: ServiceContext, payers: RpcPayers, body: ParsedBody): Routed | Promise<Routed> {
  const bills = billsOf(payers, body.envelopes);
  if (bills === undefined) {
    return { answer: refuse(context, { ...wrongKeyType(payers.first, 'rpc', 'this method') }, body) };
  }
  const charged = charge(context, bills, body);
  if (!charged.ok) return { answer: charged.answer };
  const fault = context.faults.isEmpty ? undefined : faultOf(context, bills, body);
  const replacement = replacementOf(fault);
  if (replacement !== undefined) {
    count(context, payers, body.envelopes, replacement.status >= 400);
    return { answer: replacement, fault };
  }
  const calls: PaidCalls = { context, payers, body, fault };
  const { headers } = charged;
  const nothing: Routed = { answer: { status: 204, headers, body: '' }, fault };
  if (body.batch) {
    const chunks = batchChunks(calls);
    if (body.envelopes.some((envelope) => envelope.id !== undefined))
      return { answer: { status: 200, headers, body: chunks }, fault };
    return allOf(chunks).then(() => nothing);
  }
  const [envelope] = body.envelopes;
  if (envelope === undefined) return nothing;
  const routed = ({ status, text }: OneAnswer): Routed =>
    text === undefined ? nothing : { answer: { status, headers, body: text }, fault };
  const one = answerOne(calls, envelope);
  return one instanceof Promise ? one.then(routed) : routed(one);
}

async function allOf(chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) void chunk;
}

function faultOf(
  context: ServiceContext,
  bills: ReadonlyMap<Payer, AllowanceCost>,
  { envelopes }: ParsedBody,
): FaultAt<'call'> | undefined {
  const methods = envelopes.flatMap((envelope) => (envelope.kind === 'call' ? [envelope.method] : []));
  const keyIds = [...bills.keys()].map((key) => key.keyId);
  return context.faults.strike('http', { methods, keyIds }, KINDS_AT.call);
}

/** The cost for each key; `undefined` if the presented keys do not open one of the methods. */
function billsOf(payers: RpcPayers, envelopes: readonly BodyElement[]): Map<Payer, AllowanceCost> | undefined {
  const bills = new Map<Payer, AllowanceCost>();
  for (const envelope of envelopes) {
    const payer = envelope.kind === 'call' ? payers.payerOf(envelope.method) : payers.first;
    if (payer === undefined) return undefined;
    const send = envelope.kind === 'call' && envelope.method === SEND ? 1 : 0;
    const { requests, sends } = bills.get(payer) ?? { requests: 0, sends: 0 };
    bills.set(payer, { requests: requests + 1, sends: sends + send });
  }
  return bills;
}

type Charged =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly answer: HttpReply };

/** Takes the cost from every key that pays, or nothing from any. */
function charge(context: ServiceContext, bills: Map<Payer, AllowanceCost>, body: ParsedBody): Charged {
  const now = context.now();
  for (const [key, cost] of bills) {
    const verdict = key.allowance.ask(cost, now);
    if (verdict.kind === 'granted') continue;
    if (verdict.kind === 'suspended') {
      return { ok: false, answer: refuse(context, suspended(key, verdict.retryAfterSeconds), body) };
    }
    for (const envelope of body.envelopes) context.meter.record(key.keyId, methodOf(envelope), true);
    const headers = { 'retry-after': String(verdict.retryAfterSeconds), ...rateHeaders(verdict.rate) };
    return {
      ok: false,
      answer: { status: 429, headers, body: errorReply(idOfBody(body), { code: 429, message: verdict.message }) },
    };
  }
  const rates: RateState[] = [];
  for (const [key, cost] of bills) {
    const rate = key.allowance.spend(cost, now);
    if (rate !== undefined) rates.push(rate);
    context.keyring.used(key.keyId);
  }
  const tightest = rates.sort((a, b) => a.remaining - b.remaining)[0];
  return { ok: true, headers: tightest === undefined ? {} : rateHeaders(tightest) };
}

/** The calls of a body, with the keys that paid for them and the fault that strikes their answers. */
interface PaidCalls {
  readonly context: ServiceContext;
  readonly payers: RpcPayers;
  readonly body: ParsedBody;
  readonly fault: FaultAt<'call'> | undefined;
}

async function* batchChunks(calls: PaidCalls): AsyncGenerator<string, void, void> {
  const pause = pacer();
  let text = '[';
  let before = '';
  for (const envelope of calls.body.envelopes) {
    const turn = pause(CALL_WEIGHT);
    if (turn !== undefined) await turn;
    const one = answerOne(calls, envelope);
    const { text: answer } = one instanceof Promise ? await one : one;
    if (answer === undefined) continue;
    text += before;
    before = ',';
    // Small answers leave together, large ones piece by piece.
    for (const chunk of typeof answer === 'string' ? [answer] : answer) {
      text += chunk;
      if (text.length < WRITTEN_AT_ONCE) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

/** The outcome of one call: the HTTP status of it alone, and no text for a notification, which gets no answer. */
interface OneAnswer {
  readonly status: number;
  readonly text: string | Iterable<string> | undefined;
}

/** Makes one call and counts it; at once where the call waits for nothing. */
function answerOne(calls: PaidCalls, envelope: BodyElement): OneAnswer | Promise<OneAnswer> {
  const { context, payers, fault } = calls;
  if (envelope.kind === 'invalid') {
    count(context, payers, [envelope], true);
    return { status: 200, text: errorReply(envelope.id, envelope.error) };
  }
  const payer = payers.payerOf(envelope.method);
  const staked = payer?.type === 'swqos';
  const route = envelope.method === SEND ? routeOf(context.faults, payer, staked) : undefined;
  const made = context.engine.call(envelope.method, envelope.params, {
    staked,
    ...(route === undefined ? {} : { route }),
  });
  const ended = (outcome: RpcOutcome): OneAnswer => {
    count(context, payers, [envelope], !outcome.ok);
    const status = !outcome.ok && outcome.error.code === TIMED_OUT ? TIMED_OUT : 200;
    if (envelope.id === undefined) return { status, text: undefined };
    return { status, text: outcomeBody(fault?.kind === 'wrongid' ? WRONG_ID : envelope.id, outcome) };
  };
  return made instanceof Promise ? made.then(ended) : ended(made);
}

function methodOf(envelope: BodyElement): string | undefined {
  return envelope.kind === 'call' ? envelope.method : undefined;
}

function count(context: ServiceContext, payers: RpcPayers, envelopes: readonly BodyElement[], failed: boolean): void {
  for (const envelope of envelopes) {
    const method = methodOf(envelope);
    const payer = method === undefined ? payers.first : (payers.payerOf(method) ?? payers.first);
    context.meter.record(payer.keyId, method, failed);
  }
}

/** 415, 413, 503: the request came from a good key and could not be read. */
function turnAway(context: ServiceContext, payers: RpcPayers, status: number, message: string): Routed {
  context.meter.record(payers.first.keyId, undefined, true);
  return { answer: { status, body: errorReply('null', { code: status, message }) } };
}

/** 401 and 403, with the request's own id where one can be read. */
function refuse(context: ServiceContext, refusal: AccessRefusal, body: RequestBody | ParsedBody): HttpReply {
  const parsed = 'envelopes' in body ? body : body.kind === 'text' ? parseBody(body.text) : undefined;
  if (refusal.key !== undefined) {
    for (const envelope of parsed?.envelopes ?? []) context.meter.record(refusal.key.keyId, methodOf(envelope), true);
  }
  return {
    status: refusal.status,
    headers: refusalHeaders(refusal),
    body: errorReply(parsed === undefined ? 'null' : idOfBody(parsed), {
      code: refusal.status,
      message: refusal.message,
    }),
  };
}

function rateHeaders(rate: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.resetSeconds),
  };
}
