// A gRPC stream from its request to its end: updates are handed on as the bytes they came as. Pings of the service are
// answered and never counted; a service that stays silent is asked, and given up where it is gone. Decodes nothing.
import type { ClientHttp2Session } from 'node:http2';
import type { ServiceError } from '../../core/errors';
import { encodeRequest, type GrpcCall } from '../../core/values/grpcMessage';
import { fieldNamed } from '../../proto';
import { findPath, topFields, varintAt } from '../../proto/fields';
import { whenAborted } from '../aborts';
import type { NetClock, RawStream } from '../api';
import { CANCELLED } from '../failures';
import { GrpcExchange, type Ending, type Outgoing } from './exchange';
import { judgeEnding } from './outcome';

/** After this long without a word from the service it is asked whether it is there; after twice that it is not. ms */
const HEARTBEAT_MS = 20_000;
/** A service that took the request and does not answer pings counts as open after this time, in milliseconds. */
const SETTLE_MS = 2_000;
/** The ping that goes behind the request: its answer says that the request was taken. */
const FIRST_PING = 1;

/** Tag of field 1 with a length: the names of filters, which an update begins with and no ping has. */
const NAMES_TAG = 0x0a;

/** The field of a pong that repeats the number of its ping. */
const PING_ID = 1;

export interface GrpcStreamParts extends Omit<Outgoing, 'onHeaders'> {
  readonly session: ClientHttp2Session;
  readonly call: GrpcCall;
  readonly clock: NetClock;
}

export class GrpcStream implements RawStream {
  readonly ended: Promise<void>;
  private readonly exchange: GrpcExchange;
  private readonly beating = new AbortController();
  private onConfirmed = (): void => undefined;
  /** Told of the answer to the ping of this number. */
  private awaited: { readonly ping: number; readonly heard: () => void } | undefined;
  private forget = (): void => undefined;
  private settling: NodeJS.Timeout | undefined;
  private ending: ServiceError | undefined;
  private isEnded = false;
  private isClosed = false;
  /** An update came: the request was taken, for sure. */
  private isTaken = false;
  private isHeard = true;
  private pings = FIRST_PING;
  /** The number of the service's ping, and of it and of the answers to ours: signs of life, no updates. */
  private readonly pingField: number;
  private readonly pongField: number;
  private readonly signs: ReadonlySet<number>;

  constructor(private readonly parts: GrpcStreamParts) {
    this.pingField = numberOf(parts.call, 'ping');
    this.pongField = numberOf(parts.call, 'pong');
    this.signs = new Set([this.pingField, this.pongField]);
    this.exchange = new GrpcExchange({
      ...parts,
      take: (bytes, start, end) => this.take(bytes, start, end),
      onHeaders: () => (this.settling ??= setTimeout(() => this.onConfirmed(), SETTLE_MS)),
    });
    this.ended = this.exchange.ended.then((ending) => this.finish(ending));
  }

  get error(): ServiceError | undefined {
    return this.ending;
  }

  /** Sends the request; resolves with nothing once the service has taken it, else with how the call ended. */
  async confirmed(message: Uint8Array): Promise<Ending | undefined> {
    const taken = new Promise<undefined>((resolve) => (this.onConfirmed = () => resolve(undefined)));
    this.exchange.send(message);
    this.ping(FIRST_PING);
    const first = await Promise.race([taken, this.exchange.ended]);
    clearTimeout(this.settling);
    if (first === undefined) void this.beat();
    return first;
  }

  /** From now on `signal` ends the stream at once. */
  followTo(signal: AbortSignal): void {
    if (signal.aborted) this.stop(CANCELLED);
    else this.forget = whenAborted(signal, () => this.stop(CANCELLED));
  }

  stop(error: ServiceError): void {
    this.exchange.cancel(error);
  }

  pause(): void {
    this.exchange.pause();
  }

  resume(): void {
    this.exchange.resume();
  }

  /** The answer to a ping is a message of the stream: it comes behind what was written before. */
  async drained(): Promise<boolean> {
    if (!this.isEnded) {
      const ping = ++this.pings;
      const answered = new Promise<void>((heard) => (this.awaited = { ping, heard }));
      this.ping(ping);
      await Promise.race([answered, this.ended]);
    }
    return !this.isEnded || this.ending?.kind !== 'network';
  }

  redact(text: string): string {
    return this.parts.redactor.text(text);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.exchange.cancel(CANCELLED);
    await this.ended;
  }

  private take(bytes: Buffer, start: number, end: number): void {
    this.isHeard = true;
    if (bytes[start] !== NAMES_TAG || start === end) {
      const found = topFields(bytes.subarray(start, end), this.signs);
      if (found.has(this.pingField)) this.ping(++this.pings);
      else {
        this.onConfirmed();
        this.answered(bytes, start, end);
      }
      if (found.size > 0) return;
    } else if (!this.isTaken) this.onConfirmed();
    this.isTaken = true;
    this.parts.take(bytes, start, end);
  }

  private answered(bytes: Buffer, start: number, end: number): void {
    const place = { start: 0, end: 0 };
    const { awaited, pongField } = this;
    if (awaited === undefined || !findPath(bytes, start, end, [pongField, PING_ID], place)) return;
    if (varintAt(bytes, place.start, place.end) === awaited.ping) awaited.heard();
  }

  private ping(id: number): void {
    const encoded = encodeRequest(this.parts.call, `{"ping":{"id":${id}}}`);
    if (encoded.ok) this.exchange.send(encoded.bytes);
  }

  private async beat(): Promise<void> {
    const { clock, session, host } = this.parts;
    try {
      for (;;) {
        await clock.sleep(HEARTBEAT_MS, this.beating.signal);
        if (this.isEnded) return;
        if (!this.isHeard) this.stop(silent(host));
        else {
          this.isHeard = false;
          session.ping((error: Error | null) => void (error === null && (this.isHeard = true)));
        }
      }
    } catch {
      // The stream has ended, and the wait with it.
    }
  }

  private finish(ending: Ending): void {
    const { host, clock, session } = this.parts;
    this.isEnded = true;
    clearTimeout(this.settling);
    this.forget();
    this.beating.abort();
    if (!this.isClosed)
      this.ending = ending.kind === 'lost' ? ending.error : judgeEnding(ending, host, 0, clock.unixMs())?.error;
    this.onConfirmed = () => undefined;
    session.destroy();
  }
}

const numberOf = (call: GrpcCall, field: string): number => fieldNamed(call.output, field)?.number ?? 0;

const silent = (host: string): ServiceError => ({
  kind: 'network',
  message: `${host} stopped answering; the connection is given up.`,
  hint: 'Open the stream again; from_slot brings what came in between, where the service keeps it.',
});
