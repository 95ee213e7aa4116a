// A gRPC stream from its request to its end: hands updates on as bytes. Answers the service's pings without counting them,
// and gives up a service that has gone silent. Decodes nothing.
import type { ServiceError } from '../../core/service/errors';
import { encodeRequest, type GrpcCall } from '../../core/solana/json/grpcMessage';
import { fieldNamed } from '../../proto';
import { findPath, topFields, varintAt } from '../../proto/fields';
import { whenAborted } from '../aborts';
import type { NetClock, RawStream } from '../api';
import { CANCELLED } from '../failures';
import type { Ending, GrpcConnection, GrpcExchange, GrpcRequest } from './client';
import { judgeEnding } from './outcome';

/** A service silent for this long is pinged; silent for as long again, it is given up. ms */
const HEARTBEAT_MS = 20_000;
/** A service that sent headers and answers no pings counts as open after this time. ms */
const SETTLE_MS = 2_000;
/** A service's pings are answered at most this often; services ping every 10 s or more. ms */
const ANSWER_MS = 1_000;
/** The ping sent after the request: its answer shows that the request was accepted. */
const FIRST_PING = 1;

/** Tag of field 1 with a length: the names of filters, which begin an update and never a ping. */
const NAMES_TAG = 0x0a;

/** The field of a pong that repeats the number of its ping. */
const PING_ID = 1;

export interface GrpcStreamParts extends Omit<GrpcRequest, 'onHeaders' | 'deadlineMs'> {
  /** Of this stream alone; ends with it. */
  readonly connection: GrpcConnection;
  readonly call: GrpcCall;
  readonly clock: NetClock;
}

export class GrpcStream implements RawStream {
  readonly ended: Promise<void>;
  readonly #exchange: GrpcExchange;
  readonly #beating = new AbortController();
  #onConfirmed = (): void => undefined;
  /** `heard` is called on the answer to the ping of this number. */
  #awaited: { readonly ping: number; readonly heard: () => void } | undefined;
  #forget = (): void => undefined;
  #settling: NodeJS.Timeout | undefined;
  #ending: ServiceError | undefined;
  #isEnded = false;
  #isClosed = false;
  #isPaused = false;
  /** An update arrived: the request was accepted. */
  #isAccepted = false;
  #isHeard = true;
  #answersPings = false;
  #pings = FIRST_PING;
  #answeredAt = -Infinity;
  readonly #pingField: number;
  readonly #pongField: number;
  /** Fields of messages that are signs of life, not updates. */
  readonly #signs: ReadonlySet<number>;

  constructor(private readonly parts: GrpcStreamParts) {
    this.#pingField = numberOf(parts.call, 'ping');
    this.#pongField = numberOf(parts.call, 'pong');
    this.#signs = new Set([this.#pingField, this.#pongField]);
    this.#exchange = parts.connection.start({
      ...parts,
      take: (bytes, start, end) => this.#take(bytes, start, end),
      onHeaders: () => (this.#settling ??= setTimeout(() => this.#onConfirmed(), SETTLE_MS)),
    });
    this.ended = this.#exchange.ended.then((ending) => this.#finish(ending));
  }

  get error(): ServiceError | undefined {
    return this.#ending;
  }

  /** Sends the request; resolves with undefined once the service has accepted it, else with how the call ended. */
  async confirmed(message: Uint8Array): Promise<Ending | undefined> {
    const accepted = new Promise<undefined>((resolve) => (this.#onConfirmed = () => resolve(undefined)));
    this.#exchange.send(message);
    if (this.parts.call.isDuplex) this.#ping(FIRST_PING);
    else this.#exchange.halfClose();
    const first = await Promise.race([accepted, this.#exchange.ended]);
    clearTimeout(this.#settling);
    if (first === undefined) void this.#beat();
    return first;
  }

  /** From now on `signal` ends the stream at once. */
  followTo(signal: AbortSignal): void {
    if (signal.aborted) this.stop(CANCELLED);
    else this.#forget = whenAborted(signal, () => this.stop(CANCELLED));
  }

  stop(error: ServiceError): void {
    this.#exchange.cancel(error);
  }

  pause(): void {
    this.#isPaused = true;
    // The answer to a ping of the stream cannot be read from now on.
    if (this.parts.connection.ping === undefined) this.#isHeard = true;
    this.#exchange.pause();
  }

  resume(): void {
    this.#isPaused = false;
    // A pong may be among the queued messages.
    this.#isHeard = true;
    this.#exchange.resume();
  }

  /** A pong is a message of the stream: it follows everything written before it. Without pings, unknown. */
  async drained(): Promise<boolean> {
    if (!this.parts.call.isDuplex) return false;
    if (!this.#isEnded) {
      const ping = ++this.#pings;
      const answered = new Promise<void>((heard) => (this.#awaited = { ping, heard }));
      this.#ping(ping);
      await Promise.race([answered, this.ended]);
    }
    return !this.#isEnded || this.#ending?.kind !== 'network';
  }

  redact(text: string): string {
    return this.parts.redactor.text(text);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#exchange.cancel(CANCELLED);
    await this.ended;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    this.#isHeard = true;
    if (bytes[start] !== NAMES_TAG || start === end) {
      const found = topFields(bytes.subarray(start, end), this.#signs);
      if (found.has(this.#pingField) && this.parts.call.isDuplex) this.#answer();
      else {
        this.#onConfirmed();
        this.#onPong(bytes, start, end);
      }
      if (found.size > 0) return;
    } else if (!this.#isAccepted) this.#onConfirmed();
    this.#isAccepted = true;
    this.parts.take(bytes, start, end);
  }

  #onPong(bytes: Buffer, start: number, end: number): void {
    const id = findPath(bytes, start, end, [this.#pongField, PING_ID]);
    if (id === undefined) return;
    this.#answersPings = true;
    const awaited = this.#awaited;
    if (awaited !== undefined && varintAt(bytes, id.start, id.end) === awaited.ping) awaited.heard();
  }

  /** A sign of life for the service. A flood of pings gets few: of a service that reads none they would pile up here. */
  #answer(): void {
    const now = this.parts.clock.now();
    if (now - this.#answeredAt < ANSWER_MS) return;
    this.#answeredAt = now;
    this.#ping(++this.#pings);
  }

  #ping(id: number): void {
    const encoded = encodeRequest(this.parts.call, `{"ping":{"id":${id}}}`);
    if (encoded.ok) this.#exchange.send(encoded.bytes);
  }

  async #beat(): Promise<void> {
    const { clock, host } = this.parts;
    try {
      for (;;) {
        await clock.sleep(HEARTBEAT_MS, this.#beating.signal);
        if (this.#isEnded) return;
        if (!this.#isHeard) this.stop(silent(host));
        else this.#askForLife();
      }
    } catch {
      // The stream has ended, and the wait with it.
    }
  }

  /** HTTP/2 pings if the client offers them, else those of the stream, which a paused one cannot read. */
  #askForLife(): void {
    const { connection } = this.parts;
    if (connection.ping !== undefined) {
      this.#isHeard = false;
      connection.ping(() => (this.#isHeard = true));
    } else if (this.#answersPings && !this.#isPaused) {
      this.#isHeard = false;
      this.#ping(++this.#pings);
    }
  }

  #finish(ending: Ending): void {
    const { host, clock, connection } = this.parts;
    this.#isEnded = true;
    clearTimeout(this.#settling);
    this.#forget();
    this.#beating.abort();
    if (!this.#isClosed)
      this.#ending = ending.kind === 'lost' ? ending.error : judgeEnding(ending, host, 0, clock.unixMs())?.error;
    this.#onConfirmed = () => undefined;
    connection.destroy();
  }
}

const numberOf = (call: GrpcCall, field: string): number => fieldNamed(call.output, field)?.number ?? 0;

const silent = (host: string): ServiceError => ({
  kind: 'network',
  message: `${host} stopped answering; the connection was closed.`,
  hint: 'Open the stream again; from_slot replays what it missed, if the service keeps it.',
});
