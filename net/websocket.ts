// JSON-RPC over one WebSocket: a question with its answer, or a subscription from its confirmation to its end. Knows no
// keys; a subscription does not outlive its connection, and is never opened again by itself.
import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { failed, ok, type Result, type ServiceError } from '../core/errors';
import type { PreparedRequest } from '../core/run/model';
import { isJsonObject, member, parseJson, printJson, type JsonValue } from '../core/values/json';
import { whenAborted } from './aborts';
import { judge } from './answer';
import type { NetClock, Subscription } from './api';
import { closeError } from './closing';
import { EnvelopeScanner } from './envelope';
import { CANCELLED, failureOf, timedOut } from './failures';
import { BoundedQueue } from './queue';
import type { Redactor } from './redactor';

/** After this long without a word from the service it is asked whether it is there; after twice that it is not. ms */
const HEARTBEAT_MS = 20_000;
/** How long the service may take to close, in milliseconds. */
const CLOSE_MS = 1_000;

export interface Talk {
  readonly socket: WebSocket;
  readonly host: string;
  readonly redactor: Redactor;
  readonly clock: NetClock;
  readonly request: PreparedRequest;
  /** Milliseconds left for the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends the request and gives the text of its answer; the error of a JSON-RPC error stands beside it. */
export async function question(talk: Talk): Promise<Result<{ readonly text: string; readonly error?: ServiceError }>> {
  const line = new Line(talk);
  const answered = await line.answer();
  await line.close();
  return answered;
}

/** Subscribes. What comes before the confirmation is kept, as what comes after it is. */
export async function subscribe(talk: Talk): Promise<Result<Subscription>> {
  const line = new Line(talk);
  const answered = await line.answer();
  const error = answered.ok ? answered.value.error : answered.error;
  const id = answered.ok ? member(parseJson(answered.value.text), 'result') : undefined;
  if (error === undefined && id !== undefined) {
    line.confirm(printJson(id));
    return ok(line);
  }
  await line.close();
  return failed(error ?? unreadable(talk.host));
}

const unreadable = (host: string): ServiceError => ({
  kind: 'protocol',
  message: `${host} sent a message that is no JSON-RPC.`,
  hint: 'Check that the URL is a JSON-RPC WebSocket.',
});

const lost = (host: string): ServiceError => ({
  kind: 'network',
  message: `${host} closed the connection before it answered.`,
  hint: 'Try again.',
});

const silent = (host: string): ServiceError => ({
  kind: 'network',
  message: `${host} stopped answering; the connection is given up.`,
  hint: 'Open the stream again; what came in between is lost.',
});

class Line implements Subscription {
  private readonly queue = new BoundedQueue<{ readonly id: string; readonly result: JsonValue }>();
  private readonly forget: () => void;
  private readonly beating = new AbortController();
  private onAnswer: ((text: string) => void) | undefined;
  private wake = (): void => undefined;
  /** The subscription's id as its token; 0 is one like any other. */
  private subscription: string | undefined;
  private isEnded = false;
  private isHeard = true;
  private ending: ServiceError | undefined;

  constructor(private readonly talk: Talk) {
    const { socket, host, signal, redactor } = talk;
    socket.on('message', (data: Buffer, isBinary: boolean) => this.take(data, isBinary));
    socket.on('pong', () => (this.isHeard = true));
    socket.on('ping', () => (this.isHeard = true));
    socket.on('error', (error) => this.end(failureOf(error, host)));
    socket.on('close', (code, reason) => this.end(closeError(code, redactor.text(reason.toString('utf8')), host)));
    this.forget = whenAborted(signal, () => this.end(CANCELLED));
    if (socket.readyState === socket.OPEN) void this.beat();
    else this.end(lost(host));
  }

  get dropped(): number {
    return this.queue.dropped;
  }

  get error(): ServiceError | undefined {
    return this.ending;
  }

  /** Sends the request; the answer's text, with the error it holds. */
  answer(): Promise<Result<{ readonly text: string; readonly error?: ServiceError }>> {
    const { socket, host, request, timeoutMs, clock } = this.talk;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(timedOut(host, request.timeoutMs)), timeoutMs);
      const settle = (text: string | undefined): void => {
        clearTimeout(timer);
        this.onAnswer = undefined;
        this.wake = (): void => undefined;
        if (text === undefined) resolve(failed(this.ending ?? lost(host)));
        else {
          const error = errorIn(text, request.ids, host, clock.unixMs());
          resolve(ok({ text, ...(error === undefined ? {} : { error }) }));
        }
      };
      this.onAnswer = settle;
      this.wake = () => settle(undefined);
      if (this.isEnded) settle(undefined);
      else socket.send(request.body);
    });
  }

  confirm(id: string): void {
    this.subscription = id;
  }

  async *messages(): AsyncGenerator<JsonValue, void, undefined> {
    for (;;) {
      const next = this.queue.take();
      if (next !== undefined) {
        if (next.id !== this.subscription) continue;
        const isLast = this.isLast(next.result);
        // The service ended it with this message: there is nothing left to unsubscribe, also where the reader stops here.
        if (isLast) this.subscription = undefined;
        yield next.result;
        if (isLast) this.end(undefined);
      } else if (this.isEnded) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Unsubscribes and closes; returns when the service has closed, too, or after a moment. */
  async close(): Promise<void> {
    const { socket, request } = this.talk;
    const wasEnded = this.isEnded;
    this.stop();
    if (!wasEnded && socket.readyState === socket.OPEN) {
      const method = request.method.replace(/Subscribe$/, 'Unsubscribe');
      if (this.subscription !== undefined)
        socket.send(`{"jsonrpc":"2.0","id":"unsubscribe","method":"${method}","params":[${this.subscription}]}`);
      const closed = once(socket, 'close').catch(() => undefined);
      socket.close(1000);
      const late = setTimeout(() => socket.terminate(), CLOSE_MS);
      await closed;
      clearTimeout(late);
    } else socket.terminate();
  }

  private take(data: Buffer, isBinary: boolean): void {
    if (this.isEnded) return;
    this.isHeard = true;
    const text = this.talk.redactor.text(data.toString('utf8'));
    const value = isBinary ? undefined : parsed(text);
    if (!isJsonObject(value)) {
      this.end(unreadable(this.talk.host));
      return;
    }
    const params = member(value, 'params');
    const id = member(params, 'subscription');
    const result = member(params, 'result');
    if (id !== undefined && result !== undefined && member(value, 'method') !== undefined) {
      this.queue.add({ id: printJson(id), result }, data.length);
      // Until the answer is there, `wake` is the end of the wait for it.
      if (this.onAnswer === undefined) this.wake();
    } else if (member(value, 'id') !== undefined) this.onAnswer?.(text);
  }

  /** A signature is told about once; that it was received comes before and is not it (Solana's PubSub). */
  private isLast(result: JsonValue): boolean {
    const { method } = this.talk.request;
    return method === 'signatureSubscribe' && isJsonObject(member(result, 'value'));
  }

  private async beat(): Promise<void> {
    const { clock, socket, host } = this.talk;
    try {
      for (;;) {
        await clock.sleep(HEARTBEAT_MS, this.beating.signal);
        if (!this.isHeard) this.end(silent(host));
        if (this.isEnded) return;
        this.isHeard = false;
        socket.ping();
      }
    } catch {
      // The line has ended, and the wait with it.
    }
  }

  private end(error: ServiceError | undefined): void {
    if (this.isEnded) return;
    this.ending = error;
    this.stop();
    if (error !== undefined) this.talk.socket.terminate();
    this.wake();
  }

  private stop(): void {
    this.isEnded = true;
    this.forget();
    this.beating.abort();
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Over a WebSocket a refusal has no HTTP status: the service puts it into the error's code. */
const STATUS_CODES = new Set([401, 403, 429]);

function errorIn(text: string, ids: readonly string[], host: string, unixMs: number): ServiceError | undefined {
  const scanner = new EnvelopeScanner(1);
  scanner.push(Buffer.from(text, 'utf8'));
  const code = member(member(parsed(text), 'error'), 'code');
  const httpStatus = typeof code === 'number' && STATUS_CODES.has(code) ? code : 200;
  return judge({ httpStatus, headers: [], envelope: scanner.end(), text, host, unixMs }, ids, false);
}
