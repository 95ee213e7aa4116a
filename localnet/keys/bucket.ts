// A token bucket: capacity tokens at first, refilled evenly. Never reads a clock: the time is passed in.

/** Times are in milliseconds of one clock that does not go back. */
export class TokenBucket {
  #tokens: number;

  /** `capacity` is also how many tokens a second brings. */
  constructor(
    readonly capacity: number,
    private filledAt: number,
  ) {
    this.#tokens = capacity;
  }

  has(count: number, now: number): boolean {
    this.#fill(now);
    return this.#tokens >= count;
  }

  spend(count: number): void {
    this.#tokens -= count;
  }

  /** Whole tokens left. */
  remaining(now: number): number {
    this.#fill(now);
    return Math.floor(this.#tokens);
  }

  /** Milliseconds until `count` tokens are there; a count above the capacity counts as the capacity. */
  waitFor(count: number, now: number): number {
    this.#fill(now);
    return Math.max(0, ((Math.min(count, this.capacity) - this.#tokens) / this.capacity) * 1000);
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - this.filledAt);
    this.#tokens = Math.min(this.capacity, this.#tokens + (passed / 1000) * this.capacity);
    this.filledAt = Math.max(now, this.filledAt);
  }
}
