// How many slots a stream lags behind the newest one, measured against something other than the stream itself: the
// service's clock in the message, and the endpoint's other streams. Without either there is no number.
import { LEAST_PACE_SLOTS, PACE_SLOTS } from './bounds';
import type { SlotTips } from './slotTips';

/** A stream at one moment. */
export interface LagMoment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The newest received; -1 before the first. */
  readonly slot: number;
  /** Rows received so far. */
  readonly rows: number;
  /** Messages are new: a replay arrives faster than slots are produced. */
  readonly isLive: boolean;
  /** When the newest message arrived. Milliseconds since the epoch. */
  readonly cameAt: number;
  /** When the service created it, by its own clock; NaN if the message does not say. */
  readonly sentAt: () => number;
}

export class Lag {
  /**
   * The larger of two: the newest message's age on arrival, converted to slots at the service's recent pace (a fast
   * clock on this machine adds to it, a slow one gives 0), and the slots by which another stream of the endpoint was
   * ahead on arrival. For a stream that may be silent, such as an account's, it is as of the last update; for one with
   * a message per slot it keeps rising while none arrives. Undefined without a reference: the only stream of an
   * endpoint, over a WebSocket.
   */
  slots: number | undefined;
  /** Age of the newest message on arrival, by the service's clock; undefined if the message does not say. ms */
  ms: number | undefined;
  #byClock: number | undefined;
  #rows = 0;
  readonly #pace = new Pace();

  constructor(
    private readonly tips: SlotTips,
    private readonly endpoint: string,
    private readonly id: string,
    private readonly isSteady: boolean,
  ) {}

  look({ now, slot, rows, isLive, cameAt, sentAt }: LagMoment): void {
    if (slot < 0) return;
    const { tips, endpoint, id } = this;
    const isNewer = rows !== this.#rows;
    if (isNewer) tips.see(endpoint, id, slot, now);
    if (!isNewer && !this.isSteady) return;
    this.#rows = rows;
    if (isNewer) this.#measure(slot, sentAt(), cameAt, isLive);
    const byOthers = tips.behind(endpoint, id, slot, now);
    const known = [this.#byClock, byOthers].filter((one) => one !== undefined);
    this.slots = known.length === 0 ? undefined : Math.max(...known);
  }

  #measure(slot: number, sentAt: number, cameAt: number, isLive: boolean): void {
    this.ms = undefined;
    this.#byClock = undefined;
    if (Number.isNaN(sentAt)) return;
    if (isLive) this.#pace.see(slot, sentAt);
    else this.#pace.forget();
    const { ms } = this.#pace;
    this.ms = Math.max(0, cameAt - sentAt);
    if (ms !== undefined) this.#byClock = Math.floor(this.ms / ms);
  }

  /** Other streams are no longer measured against this one. */
  end(): void {
    this.tips.forget(this.endpoint, this.id);
  }
}

/** The pace of slots, by the service's clock. */
class Pace {
  #samples: { readonly slot: number; readonly at: number }[] = [];

  /** Milliseconds per slot; undefined until enough slots were seen. */
  get ms(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.slot - first.slot < LEAST_PACE_SLOTS) return undefined;
    const ms = (last.at - first.at) / (last.slot - first.slot);
    return ms > 0 ? ms : undefined;
  }

  /** A message of this slot was created at this time, in milliseconds. */
  see(slot: number, at: number): void {
    const last = this.#samples.at(-1);
    if (slot === last?.slot) return;
    // Of another ledger.
    if (last !== undefined && slot < last.slot) this.forget();
    this.#samples.push({ slot, at });
    while (this.#samples.length > 2 && slot - (this.#samples[1]?.slot ?? slot) >= PACE_SLOTS) this.#samples.shift();
  }

  forget(): void {
    this.#samples = [];
  }
}
