// How many slots a stream is behind the newest one, against something that is not the stream itself: the service's own clock
// in the message, and the other streams of the endpoint. Where neither tells there is no number.
import type { Tips } from './tips';

/** The length of a slot that clusters aim at, in milliseconds. */
const SLOT_MS = 400;

/** A stream at one moment. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The newest that came; -1 before the first. */
  readonly slot: number;
  /** Rows there have been. */
  readonly rows: number;
  /** When the service made the newest message, by its own clock; NaN where it does not say. */
  readonly sentAt: () => number;
}

export class Lag {
  /**
   * The larger of two: the time from the making of the newest message to its coming here, at 400 ms a slot (a clock of
   * this machine that runs ahead counts with it; one that is behind counts as none), and the slots by which another
   * stream of the endpoint was ahead when it came. Of a stream that is silent by nature, such as an account's, it stays
   * as of its last update; where every slot brings something it goes on rising while nothing comes. Undefined where
   * nothing tells: over a WebSocket, alone at the endpoint.
   */
  slots: number | undefined;
  private byClock: number | undefined;
  private rows = 0;

  constructor(
    private readonly tips: Tips,
    private readonly endpoint: string,
    private readonly id: string,
    private readonly isSteady: boolean,
  ) {}

  look({ now, slot, rows, sentAt }: Moment): void {
    if (slot < 0) return;
    const { tips, endpoint, id } = this;
    tips.see(endpoint, id, slot, now);
    const isNewer = rows !== this.rows;
    if (!isNewer && !this.isSteady) return;
    this.rows = rows;
    if (isNewer) this.byClock = slotsBetween(sentAt(), now);
    const byOthers = tips.behind(endpoint, id, slot, now);
    const known = [this.byClock, byOthers].filter((one) => one !== undefined);
    this.slots = known.length === 0 ? undefined : Math.max(...known);
  }

  /** It is no measure for others any more. */
  end(): void {
    this.tips.forget(this.endpoint, this.id);
  }
}

const slotsBetween = (sentAt: number, now: number): number | undefined =>
  Number.isNaN(sentAt) ? undefined : Math.max(0, Math.floor((now - sentAt) / SLOT_MS));
