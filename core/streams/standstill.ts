// Detects a stream whose newest slot no longer advances although its connection is open: its node has stopped following
// the cluster. Only for streams with a message per slot; an account's silence is normal.

/** Several leaders in a row may be down, each for four slots of 400 ms: shorter pauses are normal. ms */
const LEAST_MS = 10_000;
/** The same limit in slots at the stream's own pace, which a local service may set. */
const SLOTS = 20;

/** A stream at one moment. */
export interface Moment {
  /** Milliseconds, monotonic. */
  readonly now: number;
  /** The newest received; -1 before the first. */
  readonly slot: number;
  /** It is live, not replaying, and being read. */
  readonly isFlowing: boolean;
}

interface Flow {
  readonly firstSlot: number;
  readonly firstAt: number;
  readonly slot: number;
  /** When that slot arrived, or the stream opened if none has since. */
  readonly at: number;
}

export class Standstill {
  /** Whole seconds without a newer slot; undefined while that is normal. */
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

/** The first slot is no measure of pace where none came before it. An older slot is the first one of another ledger. */
function moved(flow: Flow | undefined, slot: number, now: number): Flow {
  if (flow === undefined || slot < flow.slot || (flow.slot < 0 && slot >= 0))
    return { firstSlot: slot, firstAt: now, slot, at: now };
  return slot > flow.slot ? { ...flow, slot, at: now } : flow;
}

/** Milliseconds per slot; 0 after only one slot. */
const paceOf = ({ firstSlot, firstAt, slot, at }: Flow): number =>
  slot > firstSlot ? (at - firstAt) / (slot - firstSlot) : 0;
