// Which updates of the newest slots made room already: a service that tells a slot again tells them, too. Bounded; forgets
// a slot once nobody asks for it again.

/** Updates that are remembered, at most. */
const MOST = 250_000;
/** A replay begins so many slots before the newest one. */
const SLOTS_BACK = 1;

export class Gone {
  private readonly slots = new Map<number, Set<string>>();
  private size = 0;

  /** Whether an update of this slot may be told again; one without a slot never is. */
  concerns(slot: number, newest: number): boolean {
    if (!(slot >= newest - SLOTS_BACK)) return false;
    if (this.size >= MOST) this.forget(newest);
    return this.size < MOST;
  }

  add(identity: string, slot: number, newest: number): void {
    let known = this.slots.get(slot);
    if (known === undefined) {
      this.forget(newest);
      known = new Set();
      this.slots.set(slot, known);
    }
    const before = known.size;
    known.add(identity);
    this.size += known.size - before;
  }

  /** Everything that is remembered, which is forgotten here. */
  takeAll(): Set<string> {
    const all = new Set([...this.slots.values()].flatMap((known) => [...known]));
    this.slots.clear();
    this.size = 0;
    return all;
  }

  private forget(newest: number): void {
    for (const [slot, known] of this.slots) {
      if (slot >= newest - SLOTS_BACK) continue;
      this.slots.delete(slot);
      this.size -= known.size;
    }
  }
}
