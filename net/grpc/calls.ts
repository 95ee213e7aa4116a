// The two verbs over gRPC: a unary call over a shared connection, a stream over a dedicated one; with keys, the
// plan's pace and retries while the service is overloaded. Bodies are JSON here and bytes on the wire.
import { withoutTrailing } from '../../core/solana/common/ends';
import { TextBody } from '../../core/service/response/textBody';
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import type { Exchange, PreparedRequest } from '../../core/requests/run/model';
import { encodeRequest, grpcCall, grpcPaths, type GrpcCall } from '../../core/solana/json/grpcMessage';
import { excerpt } from '../http/answer';
import type {
  ConnectSettings,
  GrpcClientName,
  OpenOptions,
  RawOptions,
  RawStream,
  Subscription,
  TakeMessage,
  SendTarget,
} from '../api';
import { prepared, repeated, type CallAttempt, type CallParts, type PreparedCall } from '../auth/attempts';
import { explained } from '../auth/auth';
import { RefusedAnswer } from '../failures';
import { handleOf } from '../streams/handle';
import { readOnDemand } from '../streams/readOnDemand';
import type { HeaderPairs } from '../target/headers';
import { hostPlace } from '../connect/place';
import { proxyFor } from '../connect/proxy';
import type { Redactor } from '../secrets/redactor';
import { shownHost } from '../target/target';
import type { Trust } from '../connect/trust';
import { clientFor, type Ending, type OpenConnection } from './client';
import { SharedConnections } from './connections';
import { grpcJsClient } from './grpcJsClient';
import { http2Client } from './http2Client';
import { judgeEnding, severalMessages, keylessText, keylessValue, unreadable } from './outcome';
import { GrpcStream } from './stream';
import { withTimeLimit } from './timeLimit';
import { acceptedEncodings, streamHeaders } from './unpack';

export interface GrpcParts extends CallParts {
  readonly settings: ConnectSettings;
  readonly trust: Trust;
  /** Executes every call; default: what `clientFor` chooses. */
  readonly client?: GrpcClientName;
}

/** A call as bytes, before any key is requested. */
interface EncodedCall {
  /** As the caller settled it, without the path of the call. */
  readonly settled: SendTarget;
  readonly target: SendTarget;
  readonly request: PreparedRequest;
  readonly call: GrpcCall;
  readonly message: Uint8Array;
}

/** A call that may carry an error of the service; a stream does once it has ended. */
interface Outcome {
  readonly error?: ServiceError | undefined;
  readonly ended?: Promise<void>;
}

/** A client with the connections that its unary calls share. */
interface Client {
  readonly open: OpenConnection;
  readonly shared: SharedConnections;
}

export class GrpcCalls {
  readonly #clients: Readonly<Record<GrpcClientName, Client>>;
  readonly #streams = new Set<RawStream>();

  constructor(private readonly parts: GrpcParts) {
    const client = (open: OpenConnection): Client => ({ open, shared: new SharedConnections(open) });
    this.#clients = { 'grpc-js': client(grpcJsClient(parts)), http2: client(http2Client(parts.connect)) };
  }

  /** One unary call; the message of its answer is the body, as JSON. A refusal is an Exchange with `error`. */
  async call(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<Exchange>> {
    const asked = encodedCall(target, request, false);
    if (!asked.ok) return asked;
    return this.#repeated(asked.value, call, (ready) => this.#unary(asked.value, ready, call.signal));
  }

  /** Opens a stream whose messages wait, bounded, until they are read. */
  async open(target: SendTarget, request: PreparedRequest, call: OpenOptions): Promise<Result<Subscription>> {
    const described = grpcCall(request.method);
    if (described === undefined) return failed(unknownCall(request.method));
    return readOnDemand(
      (take) => this.openRaw(target, request, { ...call, take }),
      (bytes, stream) => keylessValue(described, bytes, stream, shownHost(target.url)),
    );
  }

  /** Opens a stream; the service has taken the request when this resolves. */
  async openRaw(target: SendTarget, request: PreparedRequest, call: RawOptions): Promise<Result<RawStream>> {
    const asked = encodedCall(target, request, true);
    if (!asked.ok) return asked;
    const opened = await this.#repeated(asked.value, call, (ready) => this.#stream(asked.value, ready, call));
    if (!opened.ok) return opened;
    const { value: stream } = opened;
    this.#streams.add(stream);
    void stream.ended.then(() => this.#streams.delete(stream));
    return ok(handleOf(stream));
  }

  #clientOf({ target, request, call }: EncodedCall): Client {
    const place = hostPlace(target.url);
    const name =
      this.parts.client ??
      clientFor({
        isStream: call.isStream,
        encodings: acceptedEncodings(request.headers),
        place,
        proxy: proxyFor(place, this.parts.settings.proxy),
      });
    return this.#clients[name];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#streams].map((stream) => stream.close()));
    await Promise.all(Object.values(this.#clients).map(({ shared }) => shared.close()));
  }

  #repeated<T extends Outcome>(
    asked: EncodedCall,
    call: OpenOptions,
    once: (ready: PreparedCall) => Promise<CallAttempt<T>>,
  ): Promise<Result<T>> {
    const { settled, target, request } = asked;
    return repeated(this.parts, settled, call, async () => {
      const ready = await prepared(this.parts, asked, request, call);
      if (!ready.ok) return { result: ready };
      const { attached } = ready.value;
      const attempt = await once(ready.value);
      const { result } = attempt;
      const note = (error: ServiceError | undefined): void => this.parts.suspensions.note(target, attached, error);
      note(result.ok ? result.value.error : result.error);
      if (result.ok) void result.value.ended?.then(() => note(result.value.error));
      return result.ok ? attempt : { ...attempt, result: failed(explained(settled, attached, result.error)) };
    });
  }

  async #unary(asked: EncodedCall, ready: PreparedCall, signal: AbortSignal): Promise<CallAttempt<Exchange>> {
    const { attached, authorized, redactor } = ready;
    const { target, request, call, message } = asked;
    const { url } = target;
    const { timeoutMs } = request;
    const host = shownHost(url);
    const since = this.parts.clock.now();
    let answer: Buffer | undefined;
    const { shared } = this.#clientOf(asked);
    const headers = lowerCased(request.headers);
    const take: TakeMessage = (bytes, start, end) => {
      if (answer !== undefined) throw new RefusedAnswer(severalMessages(host));
      answer = Buffer.from(bytes.subarray(start, end));
    };
    const ended = await withTimeLimit({ timeoutMs, signal, host }, async (limit) => {
      for (let isSecond = false; ; isSecond = true) {
        const connection = await shared.get(url);
        if (limit.isOver()) return undefined;
        const exchange = connection.start({ url, host, authorized, headers, deadlineMs: timeoutMs, redactor, take });
        limit.onEnd = (error) => {
          exchange.cancel(error);
          // A silent connection may be dead: the next call must not wait for it as well.
          if (error.kind === 'timeout') shared.drop(url, connection);
        };
        exchange.send(message);
        exchange.halfClose();
        const ending = await exchange.ended;
        // The peer never processed it (REFUSED_STREAM): safe to retry once on a new connection.
        if (ending.kind !== 'lost' || !ending.isUntouched || isSecond) return ending;
      }
    });
    if (!ended.ok) return { result: ended };
    const explain = (error: ServiceError): ServiceError => explained(asked.settled, attached, error);
    return this.#exchangeOf(ended.value, { call, answer, host, redactor, timeoutMs, since, explain });
  }

  #exchangeOf(
    ending: Ending,
    asked: {
      readonly call: GrpcCall;
      readonly answer: Buffer | undefined;
      readonly host: string;
      readonly redactor: Redactor;
      readonly timeoutMs: number;
      readonly since: number;
      readonly explain: (error: ServiceError) => ServiceError;
    },
  ): CallAttempt<Exchange> {
    const { clock } = this.parts;
    if (ending.kind === 'lost') return { result: failed(ending.error) };
    const { httpStatus, headers } = ending;
    const durationMs = clock.now() - asked.since;
    const judged = judgeEnding(ending, asked.host, asked.timeoutMs, clock.unixMs());
    if (judged !== undefined) {
      const body = new TextBody(ending.kind === 'http' ? ending.text : '');
      const bytes = Buffer.byteLength(body.text);
      const error = asked.explain(judged.error);
      return { result: ok({ httpStatus, headers, body, bytes, durationMs, error }), again: judged.again };
    }
    const { answer } = asked;
    if (answer === undefined) return { result: failed(unreadable(asked.host)) };
    const text = keylessText(asked.call, answer, { redact: (raw) => asked.redactor.text(raw) }, asked.host);
    if (!text.ok) return { result: text };
    return { result: ok({ httpStatus, headers, body: new TextBody(text.value), bytes: answer.length, durationMs }) };
  }

  async #stream(
    asked: EncodedCall,
    { authorized, redactor }: PreparedCall,
    { signal, take }: RawOptions,
  ): Promise<CallAttempt<GrpcStream>> {
    const { target, request, call, message } = asked;
    const { clock } = this.parts;
    const { url } = target;
    const host = shownHost(url);
    const { timeoutMs } = request;
    const opening = new AbortController();
    const opened = await withTimeLimit({ timeoutMs, signal, host }, async (limit) => {
      limit.onEnd = () => opening.abort();
      const connection = await this.#clientOf(asked).open(url, 'stream', opening.signal);
      if (limit.isOver()) {
        connection.destroy();
        return undefined;
      }
      const headers = lowerCased(request.headers);
      const stream = new GrpcStream({ connection, url, host, authorized, headers, redactor, call, clock, take });
      limit.onEnd = (error) => stream.stop(error);
      return { stream, ending: await stream.confirmed(message) };
    });
    if (!opened.ok) return { result: opened };
    const { stream, ending } = opened.value;
    if (ending === undefined) {
      stream.followTo(signal);
      return { result: ok(stream) };
    }
    await stream.close();
    if (ending.kind === 'lost') return { result: failed(ending.error) };
    const judged = judgeEnding(ending, host, timeoutMs, clock.unixMs());
    return judged === undefined
      ? { result: failed({ kind: 'protocol', message: `${host} ended the stream before it began.` }) }
      : { result: failed(judged.error), again: judged.again };
  }
}

const lowerCased = (headers: HeaderPairs): HeaderPairs =>
  headers.map(([name, value]) => [name.toLowerCase(), value] as const);

const unknownCall = (path: string): ServiceError => ({
  kind: 'invalidRequest',
  message: `There is no gRPC call ${excerpt(path)}.`,
  hint: `Known are: ${grpcPaths().join(', ')}.`,
});

/** Everything that can be refused before a key is requested. */
function encodedCall(target: SendTarget, request: PreparedRequest, isStream: boolean): Result<EncodedCall> {
  const call = grpcCall(request.method);
  if (call === undefined || call.isStream !== isStream) return failed(unknownCall(request.method));
  const encoded = encodeRequest(call, request.body);
  if (!encoded.ok)
    return failed({
      kind: 'invalidRequest',
      message: `The message of ${call.path} cannot be sent: ${excerpt(encoded.reason.replace(/^cannot decode \w+ |from JSON: /g, ''))}.`,
      hint: 'Correct the body; nothing was sent.',
    });
  const url = new URL(target.url);
  url.pathname = `${withoutTrailing(url.pathname, '/')}/${call.path}`;
  const { grpcCompression } = target.profile.profile;
  const headers = isStream ? streamHeaders(request.headers, grpcCompression) : request.headers;
  return ok({
    settled: target,
    target: { ...target, url },
    request: { ...request, headers },
    call,
    message: encoded.bytes,
  });
}
