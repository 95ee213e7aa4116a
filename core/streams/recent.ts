// Which updates of the newest slots came: a service that tells a slot again tells them, too. Bounded in slots and in
// number; no update is kept.

export class Recent {
  readonly #bySlot = new Map<number, Set<string>>();
  #size = 0;

  /**
   * @param slotsBack a replay begins at most so many slots before the newest one
   * @param most updates that are remembered
   */
  constructor(
    private readonly slotsBack: number,
    private readonly most: number,
  ) {}

  /** Whether an update of this slot may be told again, and is to be remembered; one without a slot never is. */
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

  /** Of all updates from this slot on. */
  *since(slot: number): Generator<string, void, undefined> {
    for (const [at, known] of this.#bySlot) if (at >= slot) yield* known;
  }

  /** The oldest slots go; the newest one stays whole. */
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
