// The rest of a bound that several things share: bytes, characters or steps.

export class Budget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** Whether so much fits; if so, it is counted. */
  takes(amount: number): boolean {
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }
}
