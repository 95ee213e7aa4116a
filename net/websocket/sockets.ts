// The two verbs over WebSocket: a connection for each request and each subscription, with its keys, pace and, while the
// service is overloaded, further attempts to connect. A request is never repeated after its connection broke.
import { TextBody } from '../../core/service/response/textBody';
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import type { Exchange, PreparedRequest } from '../../core/requests/run/model';
import { jsonOf, member, printJson, type JsonValue } from '../../core/solana/json/json';
import type {
  AttachedKey,
  KeyPort,
  KeyWatch,
  NetClock,
  OpenOptions,
  RawOptions,
  RawStream,
  Subscription,
  SendTarget,
} from '../api';
import { authorize, explained, keysFor, attachedSecrets } from '../auth/auth';
import type { Connect } from '../connect/connect';
import { dial } from './dial';
import { CANCELLED, failureOf } from '../failures';
import { handleOf } from '../streams/handle';
import { readOnDemand } from '../streams/readOnDemand';
import { credentialsOf } from '../target/headers';
import type { PlanCost } from '../rate';
import { Redactor } from '../secrets/redactor';
import { retryDelay } from '../retry';
import { shownHost } from '../target/target';
import { unreadableText, type WebSocketLink } from './connection';
import { RawConnection } from './rawConnection';

/** The status of an accepted upgrade (RFC 9110, 101). */
const SWITCHED = 101;
const ONE: PlanCost = { requests: 1, sends: 0 };

export interface WebSocketParts {
  readonly keys: KeyPort;
  readonly connect: Connect;
  readonly clock: NetClock;
  readonly suspensions: KeyWatch;
  /** 0 <= n < 1. */
  readonly random: () => number;
  /** Waits for the plan's limit. */
  readonly pace: (
    target: SendTarget,
    attached: readonly AttachedKey[],
    cost: PlanCost,
    call: OpenOptions,
  ) => Promise<void>;
}

export class WebSockets {
  readonly #open = new Set<RawStream>();

  constructor(private readonly parts: WebSocketParts) {}

  /** One request. An error answer is an Exchange with `error`. */
  async call(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<Exchange>> {
    const { clock } = this.parts;
    const since = clock.now();
    const link = await this.#connected(target, request, call);
    if (!link.ok) return link;
    const connection = new RawConnection(link.value, { ...call, take: () => undefined });
    const answered = await connection.ask();
    await connection.close();
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

  /** Subscribes; the notifications wait, bounded, until they are read. */
  open(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<Subscription>> {
    return readOnDemand(
      (take) => this.openRaw(target, request, { ...call, take }),
      (bytes, stream) => resultIn(stream.redact(bytes.toString('utf8')), shownHost(target.url)),
    );
  }

  /** Subscribes. Notifications before the confirmation are passed on after it. */
  async openRaw(target: SendTarget, request: PreparedRequest, call: RawOptions): Promise<Result<RawStream>> {
    const link = await this.#connected(target, request, call);
    if (!link.ok) return link;
    const connection = new RawConnection(link.value, call);
    const answered = await connection.ask();
    const error = answered.ok ? answered.value.error : answered.error;
    const id = answered.ok ? member(jsonOf(answered.value.text), 'result') : undefined;
    if (error !== undefined || id === undefined) {
      await connection.close();
      return failed(error ?? unreadableText(link.value.host, answered.ok ? answered.value.text : undefined));
    }
    connection.confirm(printJson(id), request);
    await connection.openBeside();
    this.#open.add(connection);
    void connection.ended.then(() => this.#open.delete(connection));
    return ok(handleOf(connection));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()));
    this.#open.clear();
  }

  /** A connection and the request to send over it. */
  async #connected(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<WebSocketLink>> {
    const { clock, random } = this.parts;
    if (request.isBatch) return failed(BATCH);
    try {
      for (let tries = 1; ; tries++) {
        const link = await this.#connectOnce(target, request, call);
        const wait = link.ok ? undefined : waitAfter(link.error, tries, random);
        if (wait === undefined) return link;
        call.onWait?.('retry', wait);
        await clock.sleep(wait, call.signal);
      }
    } catch (error) {
      return failed(call.signal.aborted ? CANCELLED : failureOf(error, shownHost(target.url)));
    }
  }

  async #connectOnce(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<WebSocketLink>> {
    const { connect, clock, pace, suspensions } = this.parts;
    const keys = await keysFor(this.parts, target, request.keyLabel, call.signal);
    if (!keys.ok) return keys;
    const { value: attached } = keys;
    const authorized = authorize(target, attached);
    if (!authorized.ok) return authorized;
    await pace(target, attached, ONE, call);
    const redactor = new Redactor([...attachedSecrets(attached), ...credentialsOf(request.headers)]);
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
    const explain = (error: ServiceError): ServiceError => {
      suspensions.note(target, attached, error);
      return explained(target, attached, error);
    };
    if (!dialed.ok) return failed(explain(dialed.error));
    const left = Math.max(1, timeoutMs - (clock.now() - since));
    return ok({ ...dialed.value, host: shownHost(url), redactor, clock, request, timeoutMs: left, signal, explain });
  }
}

/** The result in a notification. */
function resultIn(text: string, host: string): Result<JsonValue> {
  const result = member(member(jsonOf(text), 'params'), 'result');
  return result === undefined ? failed(unreadableText(host, text)) : ok(result);
}

const BATCH: ServiceError = {
  kind: 'invalidRequest',
  message: 'A batch cannot be sent over a WebSocket.',
  hint: 'Send it with POST.',
};

/** Milliseconds until the next attempt, or undefined to give up. Only a temporary refusal is retried. */
function waitAfter(error: ServiceError, tries: number, random: () => number): number | undefined {
  if (error.kind !== 'rateLimited' && error.kind !== 'network') return undefined;
  const afterMs = error.kind === 'rateLimited' ? error.retryAfterMs : undefined;
  return error.httpStatus === undefined ? undefined : retryDelay(error.httpStatus, tries, afterMs, random);
}
