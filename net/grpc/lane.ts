// The two verbs over gRPC: a unary call over a shared connection, a stream over one of its own; with its keys, its pace
// and, while the service has too much to do, further tries. Bodies are JSON here and bytes on the wire.
import { failed, ok, type Result, type ServiceError } from '../../core/errors';
import type { Exchange, PreparedRequest } from '../../core/run/model';
import { encodeRequest, grpcCall, grpcPaths, type GrpcCall } from '../../core/values/grpcMessage';
import { excerpt } from '../answer';
import type { KeyPort, NetClock, OpenOptions, RawOptions, RawStream, Subscription, TakeMessage, Target } from '../api';
import { dress, keysFor, secretsOf, type Dressed, type Worn } from '../auth';
import type { Connect } from '../connect';
import { CANCELLED, failureOf } from '../failures';
import { handleOf } from '../handle';
import { credentialsOf } from '../headers';
import type { Cost } from '../rate';
import { Redactor } from '../redactor';
import { retryDelay } from '../retry';
import type { KeyWatch } from '../suspensions';
import { shownHost } from '../target';
import { GrpcExchange, type Ending } from './exchange';
import { openSession, Sessions } from './session';
import { judgeEnding, textOf, unreadable, type Again } from './outcome';
import { WaitingUpdates } from './reading';
import { GrpcStream } from './stream';
import { within } from './within';

const ONE: Cost = { requests: 1, sends: 0 };

export interface GrpcParts {
  readonly keys: KeyPort;
  readonly connect: Connect;
  readonly clock: NetClock;
  readonly suspensions: KeyWatch;
  /** 0 <= n < 1. */
  readonly random: () => number;
  /** Waits, as it must, for the plan's limit. */
  readonly pace: (target: Target, worn: readonly Worn[], cost: Cost, call: OpenOptions) => Promise<void>;
}

/** A call as bytes, before any key is asked for. */
interface Asked {
  readonly target: Target;
  readonly request: PreparedRequest;
  readonly call: GrpcCall;
  readonly message: Uint8Array;
}

/** What one try came to, and by which HTTP status a further one is decided. */
interface Tried<T> {
  readonly result: Result<T>;
  readonly again?: Again;
}

/** What may hold a refusal of the service. */
interface Judged {
  readonly error?: ServiceError | undefined;
  /** Of a stream, which may end later: then with the error. */
  readonly ended?: Promise<void>;
}

export class GrpcLane {
  private readonly sessions: Sessions;
  private readonly streams = new Set<RawStream>();

  constructor(private readonly parts: GrpcParts) {
    this.sessions = new Sessions(parts.connect);
  }

  /** One unary call; the message of its answer is the body, as JSON. A refusal is an Exchange with `error`. */
  call(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Exchange>> {
    return this.repeated(target, request, call, false, (asked, dressed, redactor) =>
      this.unary(asked, dressed, redactor, call.signal),
    );
  }

  /** Opens a stream whose messages wait, bounded, until they are read. */
  async open(target: Target, request: PreparedRequest, call: OpenOptions): Promise<Result<Subscription>> {
    const waiting = new WaitingUpdates();
    const opened = await this.openRaw(target, request, { ...call, take: waiting.take });
    const described = grpcCall(request.method);
    if (!opened.ok || described === undefined) return opened.ok ? failed(unreadable(shownHost(target.url))) : opened;
    return ok(waiting.of(opened.value, described, shownHost(target.url)));
  }

  /** Opens a stream; the service has taken the request when this resolves. */
  async openRaw(target: Target, request: PreparedRequest, call: RawOptions): Promise<Result<RawStream>> {
    const opened = await this.repeated(target, request, call, true, (asked, dressed, redactor) =>
      this.stream(asked, dressed, redactor, call),
    );
    if (!opened.ok) return opened;
    const { value: stream } = opened;
    this.streams.add(stream);
    void stream.ended.then(() => this.streams.delete(stream));
    return ok(handleOf(stream));
  }

  async close(): Promise<void> {
    await Promise.all([...this.streams].map((stream) => stream.close()));
    await this.sessions.close();
  }

  private async repeated<T extends Judged>(
    target: Target,
    request: PreparedRequest,
    call: OpenOptions,
    isStream: boolean,
    once: (asked: Asked, dressed: Dressed, redactor: Redactor) => Promise<Tried<T>>,
  ): Promise<Result<T>> {
    const { clock, random } = this.parts;
    const asked = askedFor(target, request, isStream);
    if (!asked.ok) return asked;
    try {
      for (let tries = 1; ; tries++) {
        const { result, again } = await this.tried(asked.value, call, once);
        const wait = again === undefined ? undefined : retryDelay(again.status, tries, again.afterMs, random);
        if (wait === undefined) return result;
        call.onWait?.('retry', wait);
        await clock.sleep(wait, call.signal);
      }
    } catch (error) {
      return failed(call.signal.aborted ? CANCELLED : failureOf(error, shownHost(target.url)));
    }
  }

  private async tried<T extends Judged>(
    asked: Asked,
    call: OpenOptions,
    once: (asked: Asked, dressed: Dressed, redactor: Redactor) => Promise<Tried<T>>,
  ): Promise<Tried<T>> {
    const { target, request } = asked;
    // Asked for anew at each try: a key rotated in between is unused from then on.
    const worn = await keysFor(target, this.parts.keys, request.keyLabel, call.signal, this.parts.suspensions);
    if (!worn.ok) return { result: worn };
    const dressed = dress(target, worn.value);
    if (!dressed.ok) return { result: dressed };
    await this.parts.pace(target, worn.value, ONE, call);
    const redactor = new Redactor([...secretsOf(worn.value), ...credentialsOf(request.headers)]);
    const tried = await once(asked, dressed.value, redactor);
    const { result } = tried;
    const note = (error: ServiceError | undefined): void => this.parts.suspensions.note(target, worn.value, error);
    note(result.ok ? result.value.error : result.error);
    if (result.ok) void result.value.ended?.then(() => note(result.value.error));
    return tried;
  }

  private async unary(
    asked: Asked,
    dressed: Dressed,
    redactor: Redactor,
    signal: AbortSignal,
  ): Promise<Tried<Exchange>> {
    const { target, request, call, message } = asked;
    const { url } = target;
    const { timeoutMs } = request;
    const host = shownHost(url);
    const since = this.parts.clock.now();
    const answers: Buffer[] = [];
    const ended = await within(timeoutMs, signal, host, async (limit) => {
      for (let fresh = false; ; fresh = true) {
        const session = await this.sessions.get(url);
        if (limit.isOver()) return undefined;
        const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
        const take: TakeMessage = (bytes, start, end) => void answers.push(Buffer.from(bytes.subarray(start, end)));
        const out = { session, url, host, dressed, headers, deadlineMs: timeoutMs, redactor, take };
        const exchange = new GrpcExchange(out);
        limit.onEnd = (error) => {
          exchange.cancel(error);
          // A connection that stays silent may be dead: the next call shall not wait for it as well.
          if (error.kind === 'timeout') this.sessions.drop(url, session);
        };
        exchange.send(message);
        exchange.half();
        const ending = await exchange.ended;
        // A connection that was about to close took no look at it: once more on another one changes nothing twice.
        if (ending.kind !== 'lost' || !ending.isUntouched || fresh) return ending;
      }
    });
    if (!ended.ok) return { result: ended };
    return this.exchangeOf(ended.value, { call, answers, host, redactor, timeoutMs, since });
  }

  private exchangeOf(
    ending: Ending,
    asked: {
      readonly call: GrpcCall;
      readonly answers: readonly Buffer[];
      readonly host: string;
      readonly redactor: Redactor;
      readonly timeoutMs: number;
      readonly since: number;
    },
  ): Tried<Exchange> {
    const { clock } = this.parts;
    if (ending.kind === 'lost') return { result: failed(ending.error) };
    const { httpStatus, headers } = ending;
    const durationMs = clock.now() - asked.since;
    const judged = judgeEnding(ending, asked.host, asked.timeoutMs, clock.unixMs());
    if (judged !== undefined) {
      const body = { kind: 'text', text: ending.kind === 'http' ? ending.text : '' } as const;
      const bytes = Buffer.byteLength(body.text);
      return { result: ok({ httpStatus, headers, body, bytes, durationMs, error: judged.error }), again: judged.again };
    }
    const [answer] = asked.answers;
    const text =
      answer === undefined ? undefined : textOf(asked.call, answer, { redact: (raw) => asked.redactor.text(raw) });
    if (answer === undefined || text === undefined) return { result: failed(unreadable(asked.host)) };
    const body = { kind: 'text', text } as const;
    return { result: ok({ httpStatus, headers, body, bytes: answer.length, durationMs }) };
  }

  private async stream(
    asked: Asked,
    dressed: Dressed,
    redactor: Redactor,
    { signal, take }: RawOptions,
  ): Promise<Tried<GrpcStream>> {
    const { target, request, call, message } = asked;
    const { clock, connect } = this.parts;
    const host = shownHost(target.url);
    const { timeoutMs } = request;
    const opening = new AbortController();
    const opened = await within(timeoutMs, signal, host, async (limit) => {
      limit.onEnd = () => opening.abort();
      const session = await openSession(target.url, connect, opening.signal);
      if (limit.isOver()) {
        session.destroy();
        return undefined;
      }
      const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
      const stream = new GrpcStream({ session, url: target.url, host, dressed, headers, redactor, call, clock, take });
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

/** Everything that can be refused before a key is asked for. */
function askedFor(target: Target, request: PreparedRequest, isStream: boolean): Result<Asked> {
  const call = grpcCall(request.method);
  if (call === undefined || call.isStream !== isStream) {
    const known = grpcPaths().join(', ');
    return failed({
      kind: 'invalidRequest',
      message: `There is no gRPC call ${excerpt(request.method)}.`,
      hint: `Known are: ${known}.`,
    });
  }
  const encoded = encodeRequest(call, request.body);
  if (!encoded.ok)
    return failed({
      kind: 'invalidRequest',
      message: `The message of ${call.path} cannot be sent: ${excerpt(encoded.reason.replace(/^cannot decode \w+ |from JSON: /g, ''))}.`,
      hint: 'Correct the body; nothing was sent.',
    });
  const url = new URL(target.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${call.path}`;
  return ok({ target: { ...target, url }, request, call, message: encoded.bytes });
}
