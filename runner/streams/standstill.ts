// Detects a stream whose newest slot no longer advances although its connection is open: its node has stopped following
// the cluster; and one whose slots advance and no longer become final. Only for streams with a message per slot; an account's silence is normal.
import { STANDSTILL_MS, STANDSTILL_SLOTS } from './bounds';

/** A stream at one moment. */
export interface StandstillMoment {
  /** Milliseconds, monotonic. */
  readonly now: number;
  /** The newest received; -1 before the first. */
  readonly slot: number;
  /** The newest final one; -1 before the first, absent where the stream does not report it. */
  readonly final?: number | undefined;
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
  /** Whole seconds in which new slots came and none became final: the cluster's finality has halted, or this node's view of it. */
  notFinal: number | undefined;
  #flow: Flow | undefined;
  #final: Flow | undefined;

  constructor(private readonly isSteady: boolean) {}

  /** In words; undefined while all is normal. */
  get words(): string | undefined {
    if (this.seconds !== undefined) return `no new slot for ${this.seconds} s`;
    return this.notFinal === undefined ? undefined : `no slot became final for ${this.notFinal} s`;
  }

  look({ now, slot, final, isFlowing }: StandstillMoment): void {
    const looks = isFlowing && this.isSteady;
    const flow = looks ? moved(this.#flow, slot, now) : undefined;
    const finality = looks && final !== undefined ? moved(this.#final, final, now) : undefined;
    this.#flow = flow;
    this.#final = finality;
    const limit = Math.max(STANDSTILL_MS, STANDSTILL_SLOTS * (flow === undefined ? 0 : paceOf(flow)));
    const secondsSince = (at = now): number | undefined =>
      now - at >= limit ? Math.floor((now - at) / 1_000) : undefined;
    this.seconds = secondsSince(flow?.at);
    const hasGoneOn = this.seconds === undefined && (flow?.at ?? now) > (finality?.at ?? now);
    this.notFinal = hasGoneOn ? secondsSince(finality?.at) : undefined;
  }
}

/** A first slot does not show a pace yet. An older slot is the first one of another ledger. */
function moved(flow: Flow | undefined, slot: number, now: number): Flow {
  if (flow === undefined || slot < flow.slot || (flow.slot < 0 && slot >= 0))
    return { firstSlot: slot, firstAt: now, slot, at: now };
  return slot > flow.slot ? { ...flow, slot, at: now } : flow;
}

/** Milliseconds per slot; 0 after only one slot. */
const paceOf = ({ firstSlot, firstAt, slot, at }: Flow): number =>
  slot > firstSlot ? (at - firstAt) / (slot - firstSlot) : 0;
