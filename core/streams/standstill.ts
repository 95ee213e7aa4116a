// Whether the newest slot of a stream stands still although its connection is open: a node that has stopped following its
// cluster. Told of streams alone that hear of every slot; the silence of an account means nothing.

/** Several leaders in a row may be down, each for four slots of 400 ms: shorter waits are nothing unusual. ms */
const LEAST_MS = 10_000;
/** And no longer than so many slots at the stream's own pace, which a local service may have set. */
const SLOTS = 20;

/** A stream at one moment. */
export interface Moment {
  /** Milliseconds, monotonic. */
  readonly now: number;
  /** The newest that came; -1 before the first. */
  readonly slot: number;
  /** It is live, tells nothing again, and is read. */
  readonly isFlowing: boolean;
}

interface Flow {
  readonly firstSlot: number;
  readonly firstAt: number;
  readonly slot: number;
  /** When that slot came, or the stream stood where none has come since. */
  readonly at: number;
}

export class Standstill {
  /** Whole seconds since anything newer came; undefined where that is nothing unusual. */
  seconds: number | undefined;
  #flow: Flow | undefined;

  constructor(private readonly isSteady: boolean) {}

  look({ now, slot, isFlowing }: Moment): void {
    this.seconds = undefined;
    this.#flow = isFlowing && this.isSteady ? moved(this.#flow, slot, now) : undefined;
    if (this.#flow === undefined) return;
    const waited = now - this.#flow.at;
    if (waited >= Math.max(LEAST_MS, SLOTS * paceOf(this.#flow))) this.seconds = Math.floor(waited / 1_000);
  }
}

/** The first slot is no measure of pace where none came before it. */
function moved(flow: Flow | undefined, slot: number, now: number): Flow {
  if (flow === undefined || (flow.slot < 0 && slot >= 0)) return { firstSlot: slot, firstAt: now, slot, at: now };
  return slot > flow.slot ? { ...flow, slot, at: now } : flow;
}

/** Milliseconds from slot to slot; 0 where only one has come. */
const paceOf = ({ firstSlot, firstAt, slot, at }: Flow): number =>
  slot > firstSlot ? (at - firstAt) / (slot - firstSlot) : 0;
