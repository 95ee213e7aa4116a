// The two verbs over WebSocket: a connection for each question and each subscription, with its keys, its pace and, while
// the service has too much to do, further tries to connect. Nothing is asked twice on a connection that broke.
import { TextBody } from '../../core/response/textBody';
import { failed, ok, type Result, type ServiceError } from '../../core/errors';
import type { Exchange, PreparedRequest } from '../../core/run/model';
import type { KeyPort, NetClock, OpenOptions, RawOptions, RawStream, Subscription, Target } from '../api';
import { authorize, keysFor, secretsOf } from '../auth/auth';
import type { AttachedKey } from '../api';
import type { Connect } from '../connect/connect';
import { dial } from './dial';
import { CANCELLED, failureOf } from '../failures';
import { handleOf } from '../streams/handle';
import { credentialsOf } from '../target/headers';
import type { Cost } from '../rate';
import { Redactor } from '../secrets/redactor';
import { retryDelay } from '../retry';
import type { KeyWatch } from '../api';
import { shownHost } from '../target/target';
import type { Talk } from './line';
import { question, subscribe, subscribeRaw } from './websocket';

/** The status of an upgrade that was taken (RFC 9110, 101). */
const SWITCHED = 101;
const ONE: Cost = { requests: 1, sends: 0 };

export interface WebSocketParts {
  readonly keys: KeyPort;
  readonly connect: Connect;
  readonly clock: NetClock;
  readonly suspensions: KeyWatch;
  /** 0 <= n < 1. */
  readonly random: () => number;
  /** Waits, as it must, for the plan's limit. */
  readonly pace: (target: Target, attached: readonly AttachedKey[], cost: Cost, call: OpenOptions) => Promise<void>;
}

export class WebSockets {
  readonly #lines = new Set<Subscription | RawStream>();

  constructor(private readonly parts: WebSocketParts) {}

  /** One question. An answer that is an error is an Exchange with `error`. */
  async call(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Exchange>> {
    const { clock } = this.parts;
    const since = clock.now();
    const talk = await this.#connected(target, request, call);
    const answered = talk.ok ? await question(talk.value) : talk;
    if (!answered.ok) return answered;
    const { text, error } = answered.value;
    return ok({
      httpStatus: SWITCHED,
      headers: [],
      body: new TextBody(text),
      bytes: Buffer.byteLength(text, 'utf8'),
      durationMs: clock.now() - since,
      ...(error === undefined ? {} : { error }),
    });
  }

  async open(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Subscription>> {
    const talk = await this.#connected(target, request, call);
    const opened = talk.ok ? await subscribe(talk.value) : talk;
    if (!opened.ok) return opened;
    const { value: line } = opened;
    this.#lines.add(line);
    return ok({
      messages: () => line.messages(),
      get dropped() {
        return line.dropped;
      },
      get error() {
        return line.error;
      },
      close: () => {
        this.#lines.delete(line);
        return line.close();
      },
    });
  }

  /** The same, with notifications handed on as they come. */
  async openRaw(target: Target, request: PreparedRequest, call: RawOptions): Promise<Result<RawStream>> {
    const talk = await this.#connected(target, request, call);
    const opened = talk.ok ? await subscribeRaw(talk.value, call) : talk;
    if (!opened.ok) return opened;
    const { value: line } = opened;
    this.#lines.add(line);
    void line.ended.then(() => this.#lines.delete(line));
    return ok(handleOf(line));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.close()));
    this.#lines.clear();
  }

  /** A connection with what is to be said over it. */
  async #connected(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Talk>> {
    const { clock, random } = this.parts;
    if (request.isBatch) return failed(BATCH);
    try {
      for (let tries = 1; ; tries++) {
        const talk = await this.#connectOnce(target, request, call);
        const wait = talk.ok ? undefined : waitAfter(talk.error, tries, random);
        if (wait === undefined) return talk;
        call.onWait?.('retry', wait);
        await clock.sleep(wait, call.signal);
      }
    } catch (error) {
      return failed(call.signal.aborted ? CANCELLED : failureOf(error, shownHost(target.url)));
    }
  }

  async #connectOnce(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Talk>> {
    const { keys, connect, clock, pace, suspensions } = this.parts;
    const attached = await keysFor(target, keys, request.keyLabel, call.signal, suspensions);
    if (!attached.ok) return attached;
    const authorized = authorize(target, attached.value);
    if (!authorized.ok) return authorized;
    await pace(target, attached.value, ONE, call);
    const redactor = new Redactor([...secretsOf(attached.value), ...credentialsOf(request.headers)]);
    const since = clock.now();
    const { url } = target;
    const { headers, timeoutMs } = request;
    const { signal } = call;
    const dialed = await dial({
      url,
      authorized: authorized.value,
      headers,
      redactor,
      connect,
      clock,
      timeoutMs,
      signal,
    });
    const note = (error: ServiceError): void => suspensions.note(target, attached.value, error);
    if (!dialed.ok) {
      note(dialed.error);
      return dialed;
    }
    const left = Math.max(1, timeoutMs - (clock.now() - since));
    return ok({ ...dialed.value, host: shownHost(url), redactor, clock, request, timeoutMs: left, signal, note });
  }
}

const BATCH: ServiceError = {
  kind: 'invalidRequest',
  message: 'A batch cannot be sent over a WebSocket.',
  hint: 'Send it with POST.',
};

/** Milliseconds until the next try; undefined: give up. Only a refusal for now is worth another. */
function waitAfter(error: ServiceError, tries: number, random: () => number): number | undefined {
  if (error.kind !== 'rateLimited' && error.kind !== 'network') return undefined;
  const afterMs = error.kind === 'rateLimited' ? error.retryAfterMs : undefined;
  return error.httpStatus === undefined ? undefined : retryDelay(error.httpStatus, tries, afterMs, random);
}
