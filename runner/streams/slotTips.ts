// The newest slot that each stream of an endpoint has seen, to measure how far one is behind the others. A stream is
// never measured against itself.
import { FRESH_MS } from './bounds';

interface Tip {
  readonly slot: number;
  /** When it became that, in milliseconds. */
  readonly at: number;
}

export class SlotTips {
  readonly #byEndpoint = new Map<string, Map<string, Tip>>();

  see(endpoint: string, id: string, slot: number, now: number): void {
    const tips = this.#byEndpoint.get(endpoint) ?? new Map<string, Tip>();
    this.#byEndpoint.set(endpoint, tips);
    const known = tips.get(id)?.slot ?? -1;
    // The newest slot of a stream is older only on another ledger, and the others still have theirs of the one before.
    if (slot < known) tips.clear();
    if (slot !== known) tips.set(id, { slot, at: now });
  }

  forget(endpoint: string, id: string): void {
    this.#byEndpoint.get(endpoint)?.delete(id);
  }

  /**
   * Slots by which another stream is ahead. 0 if none is and one of them advanced just now; undefined if the others
   * have been quiet, and so prove nothing.
   */
  behind(endpoint: string, id: string, slot: number, now: number): number | undefined {
    const others = [...(this.#byEndpoint.get(endpoint) ?? [])].filter(([other]) => other !== id).map(([, tip]) => tip);
    const newest = others.reduce((most, tip) => Math.max(most, tip.slot), -1);
    if (newest > slot) return newest - slot;
    return others.some(({ at }) => now - at <= FRESH_MS) ? 0 : undefined;
  }
}
