// One WebSocket connection: reads its calls, keeps its subscriptions, writes its notifications. Bounded in messages,
// subscriptions; the writer bounds what waits to be sent.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { integerOf, isJsonArray, type JsonValue } from '../../core/solana/json/json';
import type { RpcError, RpcOutcome, WireJson } from '../api';
import { KINDS_AT, WRONG_ID, type FaultKind } from '../faults/kinds';
import type { Fault, FaultAt } from '../faults/rules';
import type { ServiceContext } from '../calls/context';
import { errorReply, outcomeBody, parseBody, type BodyElement } from '../http/envelope';
import { wireText } from '../wireJson';
import { takeRequest, suspended, type Payer } from '../keys/access';
import { versionsOf } from '../node/open';
import { RpcFailure } from '../rpc/failure';
import { positional } from '../rpc/format/params';
import type { Feed, FeedSubscription } from './feed';
import { PUBSUB, type ReadTopic } from './topics';
import { Writer } from './writer';

/** Subscriptions of one connection. */
const MAX_SUBSCRIPTIONS = 1_000;
const UNSUPPORTED_DATA = 1003;
/** A notification of some clients that keeps the connection alive: no answer, no cost. */
const KEEP_ALIVE = 'ping';

/** An answer as text, and the fault that strikes it. */
interface Answered {
  readonly text: string;
  readonly fault: FaultAt<'answer'> | undefined;
}

interface Connection {
  readonly socket: WebSocket;
  /** Carries the socket. */
  readonly stream: Duplex;
  /** Whose key opened it. */
  readonly key: Payer;
  readonly feed: Feed;
  /** Bytes that wait to be sent on all connections together. */
  readonly waiting: () => number;
}

/** Serves the connection until it closes. */
export function serveConnection(context: ServiceContext, { socket, stream, key, feed, waiting }: Connection): void {
  const subscriptions = new Map<number, FeedSubscription>();
  const writer = new Writer(socket, stream, waiting);
  const faultOf = <Kind extends FaultKind>(method: string, kinds: ReadonlySet<Kind>): Fault<Kind> | undefined =>
    context.faults.strike('ws', { methods: [method], keyIds: [key.keyId] }, kinds);

  const notify = (method: string, id: number, result: WireJson): void => {
    const text = `{"jsonrpc":"2.0","method":"${method}","params":${wireText({ result, subscription: id })}}`;
    writer.send(text, faultOf(method, KINDS_AT.notification));
  };

  const subscribe = (read: ReadTopic, params: JsonValue | undefined): FeedSubscription => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcFailure(-32603, `A connection holds at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    }
    const topic = read(params, feed.release.line);
    const subscription = feed.add(topic, (result, last) => {
      if (last) subscriptions.delete(subscription.id);
      notify(`${topic.kind}Notification`, subscription.id, result);
    });
    subscriptions.set(subscription.id, subscription);
    return subscription;
  };

  const unsubscribe = (params: JsonValue | undefined): WireJson => {
    const id = Number(integerOf(isJsonArray(params) ? params[0] : undefined) ?? -1);
    const subscription = subscriptions.get(id);
    if (subscription === undefined) throw new RpcFailure(-32602, 'Invalid subscription id.');
    subscriptions.delete(id);
    feed.remove(subscription);
    return true;
  };

  /** Makes one call; what it started may have to catch up after its answer has gone out. */
  const run = (method: string, params: JsonValue | undefined): { outcome: RpcOutcome; started?: FeedSubscription } => {
    const refusal = refusalOf(context, key);
    if (refusal !== undefined) return { outcome: { ok: false, error: refusal } };
    try {
      const call = PUBSUB.get(method);
      switch (call?.kind) {
        case undefined:
          throw new RpcFailure(-32601, 'Method not found');
        case 'version':
          positional(params, 0, 0);
          return { outcome: { ok: true, result: versionsOf(feed.release) } };
        case 'unsubscribe':
          return { outcome: { ok: true, result: unsubscribe(params) } };
        case 'subscribe': {
          const started = subscribe(call.read, params);
          return { outcome: { ok: true, result: started.id }, started };
        }
      }
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return { outcome: { ok: false, error: error.toJson() } };
    }
  };

  const answer = (envelope: BodyElement, started: FeedSubscription[]): Answered | undefined => {
    if (envelope.kind === 'invalid') {
      context.meter.record(key.keyId, undefined, true);
      return { text: errorReply(envelope.id, envelope.error), fault: undefined };
    }
    if (envelope.method === KEEP_ALIVE && envelope.id === undefined) return undefined;
    const { outcome, started: begun } = run(envelope.method, envelope.params);
    context.meter.record(key.keyId, envelope.method, !outcome.ok);
    if (begun !== undefined) started.push(begun);
    if (envelope.id === undefined) return undefined;
    const fault = faultOf(envelope.method, KINDS_AT.answer);
    const id = fault?.kind === 'wrongid' ? WRONG_ID : envelope.id;
    const body = outcomeBody(id, outcome);
    return { text: typeof body === 'string' ? body : [...body].join(''), fault };
  };

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      socket.close(UNSUPPORTED_DATA, 'Messages are text');
      return;
    }
    const body = parseBody(data.toString('utf8'));
    const started: FeedSubscription[] = [];
    const answers = body.envelopes.flatMap((envelope) => answer(envelope, started) ?? []);
    if (answers.length > 0) {
      const texts = answers.map(({ text }) => text);
      // A batch is one message: what strikes one of its answers strikes it.
      const fault = answers.find((one) => one.fault !== undefined)?.fault;
      writer.send(body.batch ? `[${texts.join(',')}]` : texts.join(''), fault);
    }
    for (const subscription of started) void feed.catchUp(subscription);
  });
  socket.on('close', () => {
    for (const subscription of subscriptions.values()) feed.remove(subscription);
    subscriptions.clear();
  });
  // A broken frame or a reset: 'close' follows, and there is nobody left to notify.
  socket.on('error', () => socket.terminate());
}

/** Takes one request from the key's plan; the error when it may not be taken. */
function refusalOf({ keyring, now }: ServiceContext, key: Payer): RpcError | undefined {
  const refused = takeRequest(keyring, key, now());
  if (refused === undefined) return undefined;
  return refused.kind === 'limited'
    ? { code: 429, message: refused.message }
    : { code: 403, message: suspended(key, refused.retryAfterSeconds).message };
}
