// One WebSocket until its end: requests and answers, keep-alive, the close. Its users interpret all other messages. Knows
// no keys.
import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { failed, ok, tooDeep, type Result, type ServiceError } from '../../core/service/errors';
import { TextBody } from '../../core/service/response/textBody';
import type { PreparedRequest } from '../../core/requests/run/model';
import { jsonOf, member } from '../../core/solana/json/json';
import { whenAborted } from '../aborts';
import { judgeAnswer } from '../http/answer';
import type { NetClock } from '../api';
import { closeError } from './closing';
import { EnvelopeScanner } from '../http/envelope';
import { CANCELLED, failureOf, timedOut } from '../failures';
import type { Redactor } from '../secrets/redactor';
import type { TextGate } from './textGate';

/** A service silent for this long is sent a ping; after twice as long the connection is lost. ms */
const HEARTBEAT_MS = 20_000;
/** How long the service may take to close, in milliseconds. */
const CLOSE_MS = 1_000;

export interface WebSocketLink {
  readonly socket: WebSocket;
  /** Delivers texts around `socket`, which still emits binary and fragmented messages. */
  readonly gate: TextGate;
  readonly host: string;
  readonly redactor: Redactor;
  readonly clock: NetClock;
  readonly request: PreparedRequest;
  /** Milliseconds left for the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Records an error of the service and interprets it with regard to the sent keys. */
  readonly explain: (error: ServiceError) => ServiceError;
}

type Answered = Result<{ readonly text: string; readonly error?: ServiceError }>;

/** Of a message that is not an object of JSON; `text` is the message unless it is binary. */
export function unreadableText(host: string, text?: string): ServiceError {
  if (text !== undefined && new TextBody(text).isTooDeep) return tooDeep(`A message of ${host}`);
  return {
    kind: 'protocol',
    message: `${host} sent a message that is not JSON-RPC.`,
    hint: 'Check that the URL is a JSON-RPC WebSocket.',
  };
}

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

export abstract class WebSocketConnection {
  readonly ended: Promise<void>;
  protected onAnswer: ((text: string) => void) | undefined;
  protected wake = (): void => undefined;
  /** The subscriptions' id tokens, with the unsubscribe method of each; 0 is a valid id. */
  protected readonly subscriptions = new Map<string, string>();
  protected isEnded = false;
  readonly #forget: () => void;
  readonly #beating = new AbortController();
  #settleEnd = (): void => undefined;
  #isHeard = true;
  #ending: ServiceError | undefined;

  constructor(protected readonly link: WebSocketLink) {
    const { socket, host, signal, redactor } = link;
    this.ended = new Promise((resolve) => (this.#settleEnd = resolve));
    const take = (bytes: Buffer, start: number, end: number, isBinary: boolean): void => {
      if (this.isEnded) return;
      this.#isHeard = true;
      this.take(bytes, start, end, isBinary);
    };
    link.gate.onText = (bytes, start, end) => take(bytes, start, end, false);
    socket.on('message', (data: Buffer, isBinary: boolean) => take(data, 0, data.length, isBinary));
    socket.on('pong', () => (this.#isHeard = true));
    socket.on('ping', () => (this.#isHeard = true));
    socket.on('error', (error) => this.end(failureOf(error, host)));
    socket.on('close', (code, reason) => this.end(closeError(code, redactor.text(reason.toString('utf8')), host)));
    this.#forget = whenAborted(signal, () => this.end(CANCELLED));
    if (socket.readyState === socket.OPEN) void this.#beat();
    else this.end(lost(host));
  }

  /** A raw message, in place; called while the connection is open. */
  protected abstract take(bytes: Buffer, start: number, end: number, isBinary: boolean): void;

  get error(): ServiceError | undefined {
    return this.#ending;
  }

  /** Sends a request; returns the answer's text and its error, if any. One at a time. */
  ask(request: PreparedRequest = this.link.request): Promise<Answered> {
    const { socket, host, timeoutMs, clock } = this.link;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(timedOut(host, request.timeoutMs)), timeoutMs);
      const settle = (text: string | undefined): void => {
        clearTimeout(timer);
        this.onAnswer = undefined;
        this.wake = (): void => undefined;
        if (text === undefined) resolve(failed(this.link.explain(this.#ending ?? lost(host))));
        else {
          const error = errorIn(text, request.ids, host, clock.unixMs());
          resolve(ok({ text, ...(error === undefined ? {} : { error: this.link.explain(error) }) }));
        }
      };
      this.onAnswer = settle;
      this.wake = () => settle(undefined);
      if (this.isEnded) settle(undefined);
      else socket.send(request.body);
    });
  }

  /** Records a confirmed subscription for `close` to end. */
  confirm(id: string, { method }: PreparedRequest): void {
    this.subscriptions.set(id, method.replace(/Subscribe$/, 'Unsubscribe'));
  }

  /** Unsubscribes and closes; resolves when the service has closed too, or after a time limit. */
  async close(): Promise<void> {
    const { socket } = this.link;
    const wasEnded = this.isEnded;
    this.#stop();
    if (!wasEnded && socket.readyState === socket.OPEN) {
      for (const [id, method] of this.subscriptions)
        socket.send(`{"jsonrpc":"2.0","id":"unsubscribe","method":"${method}","params":[${id}]}`);
      const closed = once(socket, 'close').catch(() => undefined);
      socket.resume();
      socket.close(1000);
      const late = setTimeout(() => socket.terminate(), CLOSE_MS);
      await closed;
      clearTimeout(late);
    } else socket.terminate();
  }

  protected end(error: ServiceError | undefined): void {
    if (this.isEnded) return;
    this.#ending = error;
    this.#stop();
    if (error !== undefined) this.link.socket.terminate();
    this.wake();
  }

  async #beat(): Promise<void> {
    const { clock, socket, host } = this.link;
    try {
      for (;;) {
        await clock.sleep(HEARTBEAT_MS, this.#beating.signal);
        // A paused connection reads no pongs.
        if (!this.#isHeard && !socket.isPaused) this.end(silent(host));
        if (this.isEnded) return;
        this.#isHeard = false;
        socket.ping();
      }
    } catch {
      // The connection has ended, and the wait with it.
    }
  }

  #stop(): void {
    this.isEnded = true;
    this.#forget();
    this.#beating.abort();
    this.#settleEnd();
  }
}

/** Over a WebSocket a refusal has no HTTP status: the service puts it into the error's code. */
const STATUS_CODES = new Set([401, 403, 429]);

function errorIn(text: string, ids: readonly string[], host: string, unixMs: number): ServiceError | undefined {
  const scanner = new EnvelopeScanner(1);
  scanner.push(Buffer.from(text, 'utf8'));
  const code = member(member(jsonOf(text), 'error'), 'code');
  const httpStatus = typeof code === 'number' && STATUS_CODES.has(code) ? code : 200;
  return judgeAnswer({ httpStatus, headers: [], envelope: scanner.end(), text, host, unixMs }, ids, false);
}
