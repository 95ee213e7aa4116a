// How many slots a stream is behind the newest one, against something that is not the stream itself: the service's own clock
// in the message, and the other streams of the endpoint. Where neither tells there is no number.
import type { SlotTips } from './slotTips';

/** Slots over which the pace is measured, and how many of them it takes at least. */
const PACE_SLOTS = 64;
const LEAST_SLOTS = 4;

/** A stream at one moment. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The newest that came; -1 before the first. */
  readonly slot: number;
  /** Rows there have been. */
  readonly rows: number;
  /** What comes is new: a replay comes faster than slots do. */
  readonly isLive: boolean;
  /** When the service made the newest message, by its own clock; NaN where it does not say. */
  readonly sentAt: () => number;
}

export class Lag {
  /**
   * The larger of two: the time from the making of the newest message to its arrival, at the pace at which the service
   * has made slots lately (a clock of this machine that runs ahead counts with it; one that is behind counts as none), and
   * the slots by which another stream of the endpoint was ahead when it came. Of a stream that is silent by nature, such as an account's, it stays
   * as of its last update; where every slot brings something it goes on rising while nothing comes. Undefined where
   * nothing tells: over a WebSocket, alone at the endpoint.
   */
  slots: number | undefined;
  #byClock: number | undefined;
  #rows = 0;
  readonly #pace = new Pace();

  constructor(
    private readonly tips: SlotTips,
    private readonly endpoint: string,
    private readonly id: string,
    private readonly isSteady: boolean,
  ) {}

  look({ now, slot, rows, isLive, sentAt }: Moment): void {
    if (slot < 0) return;
    const { tips, endpoint, id } = this;
    tips.see(endpoint, id, slot, now);
    const isNewer = rows !== this.#rows;
    if (!isNewer && !this.isSteady) return;
    this.#rows = rows;
    if (isNewer) this.#byClock = this.#slotsSince(slot, sentAt(), now, isLive);
    const byOthers = tips.behind(endpoint, id, slot, now);
    const known = [this.#byClock, byOthers].filter((one) => one !== undefined);
    this.slots = known.length === 0 ? undefined : Math.max(...known);
  }

  #slotsSince(slot: number, sentAt: number, now: number, isLive: boolean): number | undefined {
    if (Number.isNaN(sentAt)) return undefined;
    if (isLive) this.#pace.see(slot, sentAt);
    else this.#pace.forget();
    const { ms } = this.#pace;
    return ms === undefined ? undefined : Math.max(0, Math.floor((now - sentAt) / ms));
  }

  /** It is no measure for others any more. */
  end(): void {
    this.tips.forget(this.endpoint, this.id);
  }
}

/** The pace of slots by the service's own clock. */
class Pace {
  #samples: { readonly slot: number; readonly at: number }[] = [];

  /** Milliseconds from slot to slot; undefined before there were enough of them. */
  get ms(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.slot - first.slot < LEAST_SLOTS) return undefined;
    const ms = (last.at - first.at) / (last.slot - first.slot);
    return ms > 0 ? ms : undefined;
  }

  /** A message of this slot was made at this time, in milliseconds. */
  see(slot: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && slot <= last.slot) return;
    this.#samples.push({ slot, at });
    while (this.#samples.length > 2 && slot - (this.#samples[1]?.slot ?? slot) >= PACE_SLOTS) this.#samples.shift();
  }

  forget(): void {
    this.#samples = [];
  }
}
