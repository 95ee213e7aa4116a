// How often a crashed process may come back: 5 times in 3 minutes. Pure; the clock is passed in.

const LIMIT = 5;
const WINDOW_MS = 3 * 60_000;

export class RestartBudget {
  #exits: readonly number[] = [];

  /** Notes an exit at `now` (ms); true when one more start is allowed. */
  spend(now: number): boolean {
    this.#exits = [...this.#exits.filter((at) => now - at < WINDOW_MS), now];
    return this.#exits.length < LIMIT;
  }

  /** The user asked for a fresh start. */
  reset(): void {
    this.#exits = [];
  }
}
