// Updates a second, over the last second: from the counts at regular looks.

/** A second of looks, ten times a second. */
const LOOKS = 10;

export class Rate {
  readonly #looks: { readonly at: number; readonly total: number }[] = [];

  /** What had come by now; `at` in milliseconds of any steady clock. */
  look(at: number, total: number): void {
    this.#looks.push({ at, total });
    if (this.#looks.length > LOOKS + 1) this.#looks.shift();
  }

  get perSecond(): number {
    const [first] = this.#looks;
    const last = this.#looks.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    // The looks at a young stream span less than a second: what came in it is the count, not more.
    return Math.round(((last.total - first.total) * 1_000) / Math.max(1_000, last.at - first.at));
  }
}
