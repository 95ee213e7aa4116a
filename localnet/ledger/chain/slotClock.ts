// The slot loop: one tick per slot on the wall clock, catching up after a stall without a burst of late slots.

export class SlotClock {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #stalled = false;

  constructor(
    private readonly slotMs: number,
    private readonly tick: () => void,
    /** Milliseconds by which the next tick comes late. */
    private readonly late: () => number = () => 0,
  ) {}

  start(): void {
    if (this.#timer !== undefined) return;
    this.#due = performance.now();
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stalled = false;
  }

  /** Ends a stall that lasts. */
  endStall(): void {
    if (!this.#stalled) return;
    clearTimeout(this.#timer);
    this.#go();
  }

  #schedule(): void {
    const now = performance.now();
    this.#due = Math.max(this.#due + this.slotMs, now);
    this.#timer = setTimeout(() => {
      const late = this.late();
      this.#stalled = late > 0;
      if (late > 0) this.#timer = setTimeout(() => this.#go(), late);
      else this.#go();
    }, this.#due - now);
  }

  #go(): void {
    this.#stalled = false;
    this.#schedule();
    this.tick();
  }
}
