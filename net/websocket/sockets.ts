// The two verbs over WebSocket: a connection for each request and each subscription, with its keys, pace and, while the
// service is overloaded, further attempts to connect. A request is never repeated after its connection broke.
import { TextBody } from '../../core/service/response/textBody';
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import type { Exchange, PreparedRequest } from '../../core/requests/run/model';
import { jsonOf, member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { OpenOptions, RawOptions, RawStream, Subscription, SendTarget } from '../api';
import { prepared, repeated, type Again, type CallParts } from '../auth/attempts';
import { explained } from '../auth/auth';
import { dial } from './dial';
import { handleOf } from '../streams/handle';
import { readOnDemand } from '../streams/readOnDemand';
import { shownHost } from '../target/target';
import { unreadableText, type WebSocketLink } from './connection';
import { RawConnection } from './rawConnection';

/** The status of an accepted upgrade (RFC 9110, 101). */
const SWITCHED = 101;

export class WebSockets {
  readonly #open = new Set<RawStream>();

  constructor(private readonly parts: CallParts) {}

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
    if (request.isBatch) return failed(BATCH);
    return repeated(this.parts, target, call, async () => {
      const result = await this.#connectOnce(target, request, call);
      return { result, again: result.ok ? undefined : againAfter(result.error) };
    });
  }

  async #connectOnce(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<WebSocketLink>> {
    const { connect, clock, suspensions } = this.parts;
    const ready = await prepared(this.parts, { settled: target }, request, call);
    if (!ready.ok) return ready;
    const { attached, authorized, redactor } = ready.value;
    const since = clock.now();
    const { url } = target;
    const { headers, timeoutMs } = request;
    const { signal } = call;
    const dialed = await dial({ url, authorized, headers, redactor, connect, clock, timeoutMs, signal });
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

/** Only a temporary refusal is retried. */
function againAfter(error: ServiceError): Again | undefined {
  if (error.kind !== 'rateLimited' && error.kind !== 'network') return undefined;
  const { httpStatus: status } = error;
  if (status === undefined) return undefined;
  return { status, afterMs: error.kind === 'rateLimited' ? error.retryAfterMs : undefined };
}
