// A gRPC stream from its request to its end: what comes waits as bytes, bounded, and is read when it is asked for. Pings
// of the service are answered and never counted; a service that stays silent is asked, and given up where it is gone.
import type { ClientHttp2Session } from 'node:http2';
import type { ServiceError } from '../../core/errors';
import { encodeRequest, type GrpcCall } from '../../core/values/grpcMessage';
import { parseJson, type JsonValue } from '../../core/values/json';
import { fieldNamed } from '../../proto';
import { topFields } from '../../proto/fields';
import { whenAborted } from '../aborts';
import type { NetClock, Subscription } from '../api';
import { CANCELLED } from '../failures';
import { BoundedQueue } from '../queue';
import { GrpcExchange, type Ending, type Outgoing } from './exchange';
import { judgeEnding, textOf, unreadable } from './outcome';

/** After this long without a word from the service it is asked whether it is there; after twice that it is not. ms */
const HEARTBEAT_MS = 20_000;
/** A service that took the request and does not answer pings counts as open after this time, in milliseconds. */
const SETTLE_MS = 2_000;
/** The ping that goes behind the request: its answer says that the request was taken. */
const FIRST_PING = 1;

export interface GrpcStreamParts extends Omit<Outgoing, 'onMessage' | 'onHeaders'> {
  readonly session: ClientHttp2Session;
  readonly call: GrpcCall;
  readonly clock: NetClock;
}

export class GrpcStream implements Subscription {
  readonly ended: Promise<void>;
  private readonly exchange: GrpcExchange;
  private readonly queue = new BoundedQueue<Buffer>();
  private readonly beating = new AbortController();
  private wake = (): void => undefined;
  private onConfirmed = (): void => undefined;
  private forget = (): void => undefined;
  private settling: NodeJS.Timeout | undefined;
  private ending: ServiceError | undefined;
  private isEnded = false;
  private isClosed = false;
  private isHeard = true;
  private pings = FIRST_PING;
  /** The number of the service's ping, and of it and of the answers to ours: signs of life, no updates. */
  private readonly pingField: number;
  private readonly signs: ReadonlySet<number>;

  constructor(private readonly parts: GrpcStreamParts) {
    this.pingField = numberOf(parts.call, 'ping');
    this.signs = new Set([this.pingField, numberOf(parts.call, 'pong')]);
    this.exchange = new GrpcExchange({
      ...parts,
      onMessage: (bytes) => this.take(bytes),
      onHeaders: () => (this.settling ??= setTimeout(() => this.onConfirmed(), SETTLE_MS)),
    });
    this.ended = this.exchange.ended.then((ending) => this.finish(ending));
  }

  get dropped(): number {
    return this.queue.dropped;
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

  async *messages(): AsyncGenerator<JsonValue, void, undefined> {
    for (;;) {
      const bytes = this.queue.take();
      if (bytes !== undefined) {
        const text = textOf(this.parts.call, bytes, this.parts.redactor);
        if (text !== undefined) yield parseJson(text);
        else {
          this.stop(unreadable(this.parts.host));
          await this.ended;
          return;
        }
      } else if (this.isEnded || this.isClosed) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.exchange.cancel(CANCELLED);
    this.wake();
    await this.ended;
  }

  private take(bytes: Buffer): void {
    this.isHeard = true;
    const found = topFields(bytes, this.signs);
    if (found.has(this.pingField)) {
      this.ping(++this.pings);
      return;
    }
    this.onConfirmed();
    if (found.size > 0) return;
    this.queue.add(bytes, bytes.length);
    this.wake();
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
    this.wake();
  }
}

const numberOf = (call: GrpcCall, field: string): number => fieldNamed(call.output, field)?.number ?? 0;

const silent = (host: string): ServiceError => ({
  kind: 'network',
  message: `${host} stopped answering; the connection is given up.`,
  hint: 'Open the stream again; from_slot brings what came in between, where the service keeps it.',
});
