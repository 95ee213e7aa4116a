// A stream as the terminal follows it: the engine of the editor's panels, whose rows a view writes as they come.
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Abandoned } from '../../core/service/streams/banks';
import type { StreamState } from '../../core/service/streams/state';
import { systemClock } from '../../net/clock';
import { Follow } from '../../net/streams/follow';
import type { FollowParts } from '../../net/streams/following';
import type { OpenStream } from '../../runner/ports';
import { BEAT_MS } from '../../runner/streams/bounds';
import { StreamEngine, type StreamConnection, type StreamParts, type StreamView } from '../../runner/streams/engine';
import { Pulse } from '../../runner/streams/pulse';

/** The parts of a stream that a view reads. */
export type WatchedEngine = Pick<
  StreamEngine<StreamConnection>,
  'ring' | 'connection' | 'total' | 'slot' | 'lag' | 'rate' | 'standstill'
>;

export interface View extends Omit<StreamView, 'onEnough'> {
  /** Called every `BEAT_MS`. */
  look(): void;
  /** Nothing comes any more. */
  end(): void;
}

/** A second subscription on the same connection. */
export interface Beside {
  readonly request: PreparedRequest;
  take(bytes: Uint8Array, start: number, end: number): void;
}

export interface Wanted
  extends
    Pick<FollowParts, 'net' | 'target' | 'request'>,
    Pick<StreamParts<Follow>, 'shape' | 'banks' | 'tips' | 'now'> {
  readonly beside?: Beside | undefined;
  readonly view: (engine: WatchedEngine) => View;
  /** Messages that are handed on; what comes behind them is not looked at. */
  readonly most: number;
  readonly onEnough: () => void;
}

export class Followed implements OpenStream, StreamView {
  readonly dropped = 0;
  error: ServiceError | undefined;
  #read = 0;
  #isEnded = false;
  #wake = (): void => undefined;
  readonly #engine: StreamEngine<Follow>;
  readonly #view: View;
  readonly #looks: NodeJS.Timeout;

  constructor(private readonly wanted: Wanted) {
    const { net, target, request, beside, shape, banks, tips, most, now } = wanted;
    this.#engine = new StreamEngine({
      shape,
      banks,
      clock: systemClock,
      tips,
      endpoint: '',
      id: 'watched',
      most,
      isReplayed: request.transport === 'GRPC',
      beside: beside && ((bytes, start, end) => beside.take(bytes, start, end)),
      now,
      view: this,
      connect: (sink) =>
        new Follow({ net, target, request, shape, sink, ...(beside !== undefined && { beside: beside.request }) }),
    });
    this.#view = wanted.view(this.#engine);
    const pulse = new Pulse(Date.now);
    this.#looks = setInterval(() => pulse.beat([this], () => undefined), BEAT_MS).unref();
  }

  /** Resolves when the stream is open or refused; `signal` ends it at any time. */
  async open(signal: AbortSignal): Promise<Result<Followed>> {
    if (signal.aborted) return failed(CANCELLED);
    signal.addEventListener('abort', () => void this.close(), { once: true });
    this.#engine.connection?.start();
    await this.#engine.settled(signal);
    return this.error === undefined ? ok(this) : failed(this.error);
  }

  /** Signals only that a message arrived: it has been printed already and is not kept for a report. */
  async *messages(): AsyncGenerator<null, void, undefined> {
    for (;;) {
      if (this.#read < this.#engine.total) {
        this.#read++;
        yield null;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Resolves with the reason when nothing comes any more; undefined where it was to end. */
  async ended(): Promise<ServiceError | undefined> {
    for await (const message of this.messages()) void message;
    return this.error;
  }

  async close(): Promise<void> {
    await this.#engine.stop();
    this.#end(undefined);
  }

  get isOver(): boolean {
    return this.#engine.isOver;
  }

  get state(): StreamState {
    return this.#engine.state;
  }

  again(): void {
    this.#engine.connection?.again();
  }

  changed(): undefined {
    this.#engine.look();
    this.#view.look();
  }

  onRow(number: number, isSecond: boolean): void {
    this.#view.onRow(number, isSecond);
    this.#wake();
  }

  onAbandoned(bank: Abandoned): void {
    this.#view.onAbandoned(bank);
  }

  onState(state: StreamState): void {
    this.#view.onState(state);
    if (state.kind === 'refused' || state.kind === 'ended') this.#end(state.error);
  }

  onEnough(): void {
    this.wanted.onEnough();
    void this.close();
  }

  #end(error: ServiceError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#looks);
    this.error = error;
    this.#wake();
  }
}

const CANCELLED: ServiceError = { kind: 'cancelled', message: 'The stream was cancelled.' };
