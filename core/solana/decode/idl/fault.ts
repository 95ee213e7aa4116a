// Why data does not fit the types of an IDL, and at which field. The first fault counts: it ends the reading.

export class ReadingFault {
  readonly #path: string[] = [];
  #why = 'the data ends before it';
  #isKnown = false;

  /** `why`: without a capital and a full stop. */
  note(why: string): void {
    if (!this.#isKnown) this.#why = why;
    this.#isKnown = true;
  }

  /** A field, or an item of a list, that contains the fault; the innermost first. */
  within(name: string | number): void {
    this.#path.unshift(typeof name === 'number' ? `[${name}]` : `.${name}`);
  }

  /** `order.legs[3].price: the data ends before it`. */
  text(): string {
    const path = this.#path.join('').replace(/^\./, '');
    return path === '' ? this.#why : `${path}: ${this.#why}`;
  }
}
