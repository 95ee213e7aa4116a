// The slot loop: one tick per slot on the wall clock, catching up after a stall without a burst of late slots.

export class SlotClock {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = 0;

  constructor(
    private readonly slotMs: number,
    private readonly tick: () => void,
  ) {}

  start(): void {
    if (this.timer !== undefined) return;
    this.due = performance.now();
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    const now = performance.now();
    this.due = Math.max(this.due + this.slotMs, now);
    this.timer = setTimeout(() => {
      this.schedule();
      this.tick();
    }, this.due - now);
  }
}
