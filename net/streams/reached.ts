// How far a stream has come on its ledger: where a replay begins, and what the first update of a connection shows.
import type { PreparedRequest } from '../../core/requests/run/model';

/** A slot's later statuses arrive when it is confirmed and finalized, so a replay of slots starts further back. */
const SLOTS_BACK = 40;
/** Within this many first updates the newest slot is still in progress. */
const START_UPDATES = 16;
/** Slots that nodes behind one address may be apart. Updates from further back are of another ledger. */
export const BEHIND_SLOTS = 32;

export class Reached {
  /** The newest slot; -1 before the first. */
  last = -1;
  /** The newest that a connection brought: `last` may be of an inserted message. */
  #brought = -1;
  /** Roughly the stream's first slot: nothing before it was missed. */
  #start = -1;
  #startCount = 0;

  /** An update was passed on. `isInserted`: it was made here. */
  take(slot: number, isInserted: boolean): void {
    if (this.#startCount < START_UPDATES) {
      this.#startCount++;
      if (slot > this.#start) this.#start = slot;
    }
    if (slot > this.last) this.last = slot;
    if (slot > this.#brought && !isInserted) this.#brought = slot;
  }

  /** The first slot of a replay, the further try the later; undefined if the service keeps no history. */
  replayFrom({ transport, method, body }: PreparedRequest, tries: number): number | undefined {
    const { last } = this;
    if (last < 0 || transport !== 'GRPC' || !method.endsWith('/Subscribe')) return undefined;
    const back = body.includes('"slots"') ? SLOTS_BACK : 1;
    return [Math.min(last, Math.max(this.#start, last - back)), last][tries];
  }

  /** Whether the first slot of a connection, whose replay begins at `from`, can only be of another ledger. */
  isOther(from: number | undefined, slot: number): boolean {
    return slot < (from ?? this.last) - BEHIND_SLOTS;
  }

  /**
   * Whether a replay was given, by the first slot of its connection; NaN if nothing came. A replay brings again what came of
   * its slots; where nothing did, it has nothing to bring.
   */
  isReplayed(from: number | undefined, slot: number): boolean {
    return from !== undefined && (slot <= this.#brought || this.#brought < from);
  }
}
