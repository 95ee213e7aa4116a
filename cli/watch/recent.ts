// What tells the updates of the newest slots from each other: after a break a service repeats them. Bounded in slots and in
// number; no update is kept.

/** A replay goes back no further. */
const MAX_SLOTS = 64;
const MAX_UPDATES = 200_000;

export class Recent {
  private readonly bySlot = new Map<number, string[]>();
  private size = 0;
  private newest = -1;

  add(slot: number, identity: string): void {
    if (!(slot > this.newest - MAX_SLOTS)) return;
    const known = this.bySlot.get(slot);
    if (known === undefined) this.bySlot.set(slot, [identity]);
    else known.push(identity);
    this.size++;
    if (slot > this.newest || this.size > MAX_UPDATES) this.forget(Math.max(slot, this.newest));
  }

  /** Of all updates from this slot on. */
  *since(slot: number): Generator<string> {
    for (const [at, identities] of this.bySlot) if (at >= slot) yield* identities;
  }

  private forget(newest: number): void {
    this.newest = newest;
    for (const [slot, { length }] of this.bySlot) {
      if (slot > newest - MAX_SLOTS && (this.size <= MAX_UPDATES || slot === newest)) continue;
      this.bySlot.delete(slot);
      this.size -= length;
    }
  }
}
