// Which kept rows pass a filter: worked out once for what is kept, and from then on as messages come. Gap rows always pass:
// what is missing is missing under any filter.
import type { Passes } from '../../core/service/streams/filter';
import type { Ring } from '../../runner/streams/ring';

/** Numbers of rows that are gone are looked for after so many new ones, where nobody asks. */
const TRIM_EVERY = 4_096;

export class FilterIndex {
  #numbers: number[] = [];
  /** Index of the oldest that may still be kept. */
  #head = 0;

  constructor(
    readonly text: string,
    readonly passes: Passes,
    private readonly ring: Ring,
  ) {
    for (let number = ring.first; number < ring.next; number++) this.add(number);
  }

  /** Looks at a row that has just come, or whose second message has. */
  add(number: number): void {
    const { ring, passes } = this;
    const isPassing = ring.gap(number) !== undefined || ring.read(number, passes) || ring.also(number, passes) === true;
    if (!isPassing || this.#numbers.at(-1) === number) return;
    this.#numbers.push(number);
    if (this.#numbers.length % TRIM_EVERY === 0) this.#trim();
  }

  get size(): number {
    this.#trim();
    return this.#numbers.length - this.#head;
  }

  /** The numbers of these places among those that pass. */
  slice(from: number, count: number): readonly number[] {
    this.#trim();
    return this.#numbers.slice(this.#head + from, this.#head + from + count);
  }

  #trim(): void {
    while (this.#head < this.#numbers.length && (this.#numbers[this.#head] ?? 0) < this.ring.first) this.#head++;
    // Moving what is left costs as much as was passed by since the last time.
    if (this.#head * 2 > this.#numbers.length) {
      this.#numbers = this.#numbers.slice(this.#head);
      this.#head = 0;
    }
  }
}
