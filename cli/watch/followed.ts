// A stream as the terminal follows it: on the engine of the editor's panels, handed to a view message by message. Keeps no
// message; a view that takes no more makes the service wait.
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Abandoned, Banks } from '../../core/service/streams/banks';
import type { Missing } from '../../core/service/streams/gap';
import { Recent } from '../../core/service/streams/recent';
import type { Shape } from '../../core/service/streams/shape';
import { Settling } from '../../core/service/streams/settling';
import { Standstill } from '../../core/service/streams/standstill';
import type { StreamState } from '../../core/service/streams/state';
import type { Net, Target } from '../../net/api';
import { Follow } from '../../net/streams/follow';
import type { FollowSink } from '../../net/streams/following';
import type { OpenStream } from '../../runner/ports';

/** Who shows what comes. */
export interface View {
  /**
   * A message where it lies, of which nothing may be kept. `isSecond`: it reports the same moment of its slot as the one before.
   * False: no more for now.
   */
  update(bytes: Buffer, start: number, end: number, isSecond: boolean): boolean;
  /** Before the first update behind it. */
  gap(gap: Missing): void;
  /** The bank of updates that were shown was given up. */
  abandoned(bank: Abandoned): void;
  state(state: StreamState): void;
  /** Reports what is stuck although the connection is open; undefined once it moves again. */
  still(words: string | undefined): void;
  /** Resolves when it takes more, or nothing any more. */
  flows(): Promise<void>;
}

export interface Counts {
  /** Updates that were handed on. */
  readonly total: number;
  readonly reconnects: number;
  /** The newest slot; -1 before the first. */
  readonly slot: number;
}

export interface Wanted {
  readonly net: Pick<Net, 'openRaw' | 'call'>;
  readonly target: Target;
  readonly request: PreparedRequest;
  readonly beside?: { readonly request: PreparedRequest; take(bytes: Buffer, start: number, end: number): void };
  readonly shape: Shape;
  readonly banks: Banks;
  readonly view: View;
  /** Messages that are handed on; what comes behind them is not looked at. */
  readonly most: number;
  readonly onEnough: () => void;
  /** Messages that are shown when the stream is open, and again after a break from the slot before it. */
  readonly now?: (sinceSlot: number | undefined, signal: AbortSignal) => Promise<Buffer | undefined>;
}

/** A replay goes back no further. */
const SLOTS_BACK = 64;
const MOST_REMEMBERED = 200_000;
const LOOK_MS = 1_000;

export class Followed implements OpenStream {
  readonly dropped = 0;
  error: ServiceError | undefined;
  #total = 0;
  #read = 0;
  #isEnded = false;
  #isWaiting = false;
  #isLive = false;
  #gap: Missing | undefined;
  #wake = (): void => undefined;
  #onSettled: (opened: Result<OpenStream>) => void = () => undefined;
  readonly #recent = new Recent(SLOTS_BACK, MOST_REMEMBERED);
  readonly #follow: Follow;
  readonly #standstill: Standstill;
  readonly #settling: Settling;
  readonly #looks: NodeJS.Timeout;

  constructor(private readonly wanted: Wanted) {
    const { net, target, request, beside, shape } = wanted;
    this.#standstill = new Standstill(shape.isSteady);
    this.#settling = new Settling(shape);
    this.#looks = setInterval(() => this.#look(), LOOK_MS).unref();
    const sink = this.#sink();
    this.#follow = new Follow({
      net,
      target,
      request,
      shape,
      sink,
      ...(beside !== undefined && { beside: beside.request }),
    });
  }

  get counts(): Counts {
    const { reconnects, lastSlot } = this.#follow;
    return { total: this.#total, reconnects, slot: lastSlot };
  }

  /** Resolves when the stream is open or refused; `signal` ends it at any time. */
  open(signal: AbortSignal): Promise<Result<OpenStream>> {
    const opened = new Promise<Result<OpenStream>>((resolve) => (this.#onSettled = resolve));
    signal.addEventListener('abort', () => void this.close(), { once: true });
    if (signal.aborted) this.#onSettled(failed(CANCELLED));
    else this.#follow.start();
    return opened;
  }

  /** Signals only that a message arrived: it has been printed already and is not kept for a report. */
  async *messages(): AsyncGenerator<null, void, undefined> {
    for (;;) {
      if (this.#read < this.#total) {
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
    await this.#follow.stop();
    this.#end(undefined);
  }

  #sink(): FollowSink {
    const { wanted } = this;
    const recent = this.#recent;
    const { beside, now, request, shape } = wanted;
    const isReplayed = request.transport === 'GRPC';
    return {
      update: (bytes, start, end, slot) => {
        const newest = this.#follow.lastSlot;
        if (isReplayed && recent.concerns(slot, newest)) recent.add(shape.identity(bytes, start, end), slot, newest);
        this.#take(bytes, start, end, slot);
      },
      ...(beside !== undefined && { beside: (bytes, start, end) => beside.take(bytes, start, end) }),
      connected: (isAlone) => wanted.banks.connected(isAlone),
      state: (state) => this.#onState(state),
      gap: ({ fromSlot, reason }) => {
        this.#showGap();
        this.#gap = { fromSlot, isFilled: false, reason };
      },
      gapIs: (end) => {
        if (this.#gap !== undefined) this.#gap = { ...this.#gap, ...end };
      },
      beganAgain: () => {
        recent.clear();
        wanted.banks.clear();
      },
      known: (slot) => recent.since(slot),
      ...(now !== undefined && {
        opened: async (again, signal) => {
          const bytes = await now(again?.sinceSlot, signal);
          if (bytes !== undefined && !signal.aborted) this.#follow.insert(bytes);
        },
      }),
    };
  }

  #take(bytes: Buffer, start: number, end: number, slot: number): void {
    const { view, banks, most, onEnough } = this.wanted;
    if (this.#isEnded || this.#total >= most) return;
    this.#showGap(slot);
    this.#total++;
    const isSecond = this.#settling.take(bytes, start, end);
    if (!view.update(bytes, start, end, isSecond) && !this.#isWaiting) this.#hold();
    for (const bank of banks.take(bytes, start, end)) view.abandoned(bank);
    this.#wake();
    if (this.#total === most) onEnough();
  }

  #hold(): void {
    this.#isWaiting = true;
    this.#follow.pause();
    void this.wanted.view.flows().then(() => {
      this.#isWaiting = false;
      this.#follow.resume();
    });
  }

  #showGap(toSlot = NaN): void {
    const gap = this.#gap;
    this.#gap = undefined;
    if (gap !== undefined) this.wanted.view.gap(toSlot >= 0 ? { ...gap, toSlot } : gap);
  }

  #look(): void {
    const { wanted } = this;
    const standstill = this.#standstill;
    const follow = this.#follow;
    const isLive = this.#isLive;
    const isWaiting = this.#isWaiting;
    const { words } = standstill;
    const { final } = this.#settling;
    standstill.look({ now: performance.now(), slot: follow.lastSlot, final, isFlowing: isLive && !isWaiting });
    if (standstill.words !== words) wanted.view.still(standstill.words);
  }

  #onState(state: StreamState): void {
    this.#isLive = state.kind === 'live';
    this.wanted.view.state(state);
    if (!this.#isLive) this.#look();
    if (state.kind === 'live' || state.kind === 'catchingUp') this.#onSettled(ok(this));
    else if (state.kind === 'refused' || state.kind === 'ended') this.#end(state.error);
  }

  #end(error: ServiceError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#looks);
    this.error = error;
    this.#showGap();
    this.#onSettled(error === undefined ? ok(this) : failed(error));
    this.#wake();
  }
}

const CANCELLED: ServiceError = { kind: 'cancelled', message: 'The stream was cancelled.' };
