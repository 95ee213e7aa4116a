// Updates per second over the last second, from regularly sampled counts.
import { RATE_LOOKS } from './bounds';

export class Rate {
  readonly #looks: { readonly at: number; readonly total: number }[] = [];

  /** Samples the count so far; `at` in milliseconds of any monotonic clock. */
  look(at: number, total: number): void {
    this.#looks.push({ at, total });
    if (this.#looks.length > RATE_LOOKS + 1) this.#looks.shift();
  }

  get perSecond(): number {
    const [first] = this.#looks;
    const last = this.#looks.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    // The samples of a new stream span less than a second: its rate is the count, without extrapolation.
    return Math.round(((last.total - first.total) * 1_000) / Math.max(1_000, last.at - first.at));
  }
}
