// One live stream, for every view of it: keeps its messages in a ring, marks gaps, recognises replays, and measures lag, rate
// and standstill. Opens no connection and shows nothing; decodes no message.
import type { Abandoned, Banks } from '../../core/service/streams/banks';
import type { Missing } from '../../core/service/streams/gap';
import type { Shape } from '../../core/service/streams/shape';
import type { AccountNow, Gap, StreamSink } from '../../core/service/streams/sink';
import type { StreamState } from '../../core/service/streams/state';
import type { ServiceError } from '../../core/service/errors';
import type { RingLimits } from './bounds';
import { Lag } from './lag';
import { Rate } from './rate';
import { Repeatable } from './repeatable';
import { Ring } from './ring';
import { Settling } from './settling';
import type { SlotTips } from './slotTips';
import { Standstill } from './standstill';

/** A subscription that reconnects, and reports to the sink it was made with. */
export interface StreamConnection {
  /** The newest slot received; -1 before the first. */
  readonly lastSlot: number;
  readonly reconnects: number;
  readonly isPaused: boolean;
  start(): void;
  /** Reconnects at once. */
  again(): void;
  stop(error?: ServiceError): Promise<void>;
  /** Makes the service wait. */
  pause(): void;
  resume(): void;
  /** Adds a message that was made here. */
  insert(bytes: Uint8Array): void;
}

/** Who shows a stream. */
export interface StreamView {
  /** A row was added, or the newest one got its second message. */
  onRow(number: number, isSecond: boolean): void;
  /** The bank of earlier updates was given up. */
  onAbandoned(bank: Abandoned): void;
  onState(state: StreamState): void;
  onBeganAgain?(): void;
  /** The wanted number of updates has come, or the time is over. */
  onEnough(): void;
}

export interface StreamParts<C extends StreamConnection> {
  readonly shape: Shape;
  readonly banks: Banks;
  /** `now`: monotonic; `unixMs`: since the epoch. ms */
  readonly clock: { now(): number; unixMs(): number };
  /** The newest slots of this endpoint's streams, among which `id` names this one. */
  readonly tips: SlotTips;
  readonly endpoint: string;
  readonly id: string;
  readonly limits?: RingLimits | undefined;
  /** Updates after which it ends; undefined: none. */
  readonly most?: number | undefined;
  /** Whether the service replays what was missed. */
  readonly isReplayed: boolean;
  readonly beside?: ((bytes: Uint8Array, start: number, end: number) => void) | undefined;
  /** Reads the watched account, once the stream is open and after a break since a slot. */
  readonly now?: ((sinceSlot: number | undefined, signal: AbortSignal) => Promise<AccountNow>) | undefined;
  readonly view: StreamView;
  /** The connection, not yet started, or why there can be none. */
  readonly connect: (sink: StreamSink<AbortSignal>) => C | ServiceError;
}

export class StreamEngine<C extends StreamConnection> {
  readonly ring: Ring;
  readonly connection: C | undefined;
  state: StreamState = { kind: 'connecting' };
  /** Updates that came, without repeats. */
  total = 0;
  /** The old key expired before the new one was stored: updates may be missing. Its owner resets it. */
  isUnsure = false;
  readonly lag: Lag;
  readonly standstill: Standstill;
  /** Sampled with each look. */
  readonly rate = new Rate();
  readonly #settling: Settling;
  readonly #repeatable: Repeatable;
  #gap: Missing | undefined;
  #isKeyAwaited = false;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly parts: StreamParts<C>) {
    const { shape, clock, tips, endpoint, id, limits, connect } = parts;
    this.lag = new Lag(tips, endpoint, id, shape.isSteady);
    this.standstill = new Standstill(shape.isSteady);
    this.#settling = new Settling(shape);
    this.ring = new Ring(
      limits,
      (number) => this.#evict(number),
      () => clock.unixMs(),
    );
    this.#repeatable = new Repeatable(this.ring, shape);
    const connection = connect(this.#sink());
    if ('message' in connection) this.state = { kind: 'refused', error: connection };
    else this.connection = connection;
  }

  /** The newest slot; -1 before the first. */
  get slot(): number {
    return this.connection?.lastSlot ?? -1;
  }

  /** The first row of the ledger that the endpoint serves now. */
  get firstOfLedger(): number {
    return this.#repeatable.first;
  }

  get isOver(): boolean {
    const { kind } = this.state;
    return kind === 'ended' || kind === 'refused';
  }

  get #isOpen(): boolean {
    const { kind } = this.state;
    return kind === 'live' || kind === 'catchingUp';
  }

  /** Resolves when the stream is open, over, or `signal` aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isOpen && !this.isOver)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          this.#waiting.delete(wake);
          resolve();
        };
        signal.addEventListener('abort', wake);
        this.#waiting.add(wake);
      });
  }

  async stop(error?: ServiceError): Promise<void> {
    this.lag.end();
    await this.connection?.stop(error);
  }

  /** Ends it as its `@until` asks; the view stops it. */
  finish(): void {
    if (this.isOver) return;
    this.#setState({ kind: 'ended', by: 'until' });
    this.parts.view.onEnough();
  }

  /** Measures; to be called every `BEAT_MS`. */
  look(): void {
    const { ring, connection, state, total } = this;
    const { clock, shape } = this.parts;
    const now = clock.now();
    this.rate.look(now, total);
    ring.release();
    const newest = ring.next - 1;
    const hasUpdate = ring.holds(newest) && ring.gap(newest) === undefined;
    const isLive = state.kind === 'live';
    const { slot } = this;
    if (connection !== undefined && !this.isOver)
      this.lag.look({
        now: clock.unixMs(),
        slot,
        rows: ring.next,
        isLive,
        cameAt: ring.time(newest),
        sentAt: () => (hasUpdate ? ring.read(newest, shape.sentAt) : NaN),
      });
    const isFlowing = isLive && connection?.isPaused === false;
    this.standstill.look({ now, slot, final: this.#settling.final, isFlowing });
  }

  #sink(): StreamSink<AbortSignal> {
    const { banks, beside, now, view } = this.parts;
    return {
      update: (bytes, start, end, slot) => this.take(bytes, start, end, slot),
      ...(beside !== undefined && { beside }),
      connected: (isAlone) => banks.connected(isAlone),
      state: (state) => {
        // A stream that `@until` ended keeps that state when its connection closes.
        if (this.state.kind !== 'ended' || this.state.by !== 'until' || state.kind !== 'ended') this.#setState(state);
      },
      gap: (gap) => this.#addGap(gap),
      gapIs: (end) => {
        if (this.#gap !== undefined) Object.assign(this.#gap, end);
      },
      beganAgain: () => {
        this.#repeatable.beginAgain();
        banks.clear();
        view.onBeganAgain?.();
      },
      known: (slot) => this.#repeatable.since(slot),
      ...(now !== undefined && {
        opened: async (again, signal) => {
          const sinceSlot = again?.sinceSlot;
          const read = await now(sinceSlot, signal);
          if (signal.aborted) return;
          if (read.kind === 'account') this.connection?.insert(read.bytes);
          if (read.kind === 'behind')
            this.#addGap({ fromSlot: sinceSlot, isReplayAsked: false, reason: NODE_IS_BEHIND });
        },
      }),
    };
  }

  #setState(state: StreamState): void {
    this.#isKeyAwaited ||= state.kind === 'keyRotated';
    this.state = state;
    this.parts.view.onState(state);
    for (const wake of [...this.#waiting]) wake();
  }

  /** Keeps an update. */
  take(bytes: Uint8Array, start: number, end: number, slot: number): void {
    // The same chunk may contain more updates than are wanted.
    if (this.state.kind === 'ended') return;
    const { ring } = this;
    const { banks, view, most } = this.parts;
    const isSecond = this.#settling.take(bytes, start, end);
    const number = isSecond ? ring.join(bytes, start, end, slot) : ring.add(bytes, start, end, slot);
    this.total++;
    view.onRow(number, isSecond && ring.isTwofold(number));
    for (const bank of banks.take(bytes, start, end)) view.onAbandoned(bank);
    if (most !== undefined && this.total >= most) this.finish();
  }

  #addGap({ fromSlot, isReplayAsked, reason }: Gap): void {
    this.#gap = { fromSlot, isFilled: false, reason };
    this.isUnsure ||= this.#isKeyAwaited && !isReplayAsked;
    this.#isKeyAwaited = false;
    this.parts.view.onRow(this.ring.addGap(this.#gap), false);
  }

  #evict(number: number): void {
    if (this.parts.isReplayed) this.#repeatable.evict(number, this.slot);
  }
}

const NODE_IS_BEHIND = 'The node that answers now is behind the one before: the account could not be read again.';
