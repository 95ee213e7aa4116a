// Identities of the updates received in the newest slots, which a service sends again when it replays a slot. Bounded in
// slots and in number; keeps no updates.

export class Recent {
  readonly #bySlot = new Map<number, Set<string>>();
  #size = 0;

  /**
   * @param slotsBack a replay starts at most this many slots before the newest one
   * @param most remembered updates
   */
  constructor(
    private readonly slotsBack: number,
    private readonly most: number,
  ) {}

  /** Whether an update of this slot may be replayed and must be remembered; never for updates without a slot. */
  concerns(slot: number, newest: number): boolean {
    if (!(slot >= newest - this.slotsBack)) return false;
    if (this.#size >= this.most) this.#makeRoom(newest);
    return this.#size < this.most;
  }

  add(identity: string, slot: number, newest: number): void {
    let known = this.#bySlot.get(slot);
    if (known === undefined) {
      this.#forgetBelow(newest - this.slotsBack);
      known = new Set();
      this.#bySlot.set(slot, known);
    }
    const before = known.size;
    known.add(identity);
    this.#size += known.size - before;
  }

  clear(): void {
    this.#bySlot.clear();
    this.#size = 0;
  }

  /** Of all updates from this slot on. */
  *since(slot: number): Generator<string, void, undefined> {
    for (const [at, known] of this.#bySlot) if (at >= slot) yield* known;
  }

  /** Drops the oldest slots; the newest one stays complete. */
  #makeRoom(newest: number): void {
    this.#forgetBelow(newest - this.slotsBack);
    const slots = [...this.#bySlot.keys()].filter((slot) => slot < newest).sort((a, b) => a - b);
    for (const slot of slots) {
      if (this.#size < this.most) return;
      this.#forgetBelow(slot + 1);
    }
  }

  #forgetBelow(oldest: number): void {
    for (const [slot, { size }] of this.#bySlot) {
      if (slot >= oldest) continue;
      this.#bySlot.delete(slot);
      this.#size -= size;
    }
  }
}
