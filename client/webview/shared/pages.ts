// The rows that were asked for, in pages: what is in view and a little around it stays, the rest is asked for again. Knows
// nothing of what a row is.

export interface PagesOptions<Row> {
  /** Undefined where they could not be had. */
  readonly load: (from: number, count: number) => Promise<readonly Row[] | undefined>;
  /** Rows came that may be in view. */
  readonly onLoaded: () => void;
}

/** Rows of a page, and pages kept. */
const SIZE = 100;
const KEPT = 20;

export class Pages<Row> {
  /** A promise where the rows still come. */
  readonly #pages = new Map<number, readonly Row[] | Promise<void>>();
  #generation = 0;

  constructor(private readonly options: PagesOptions<Row>) {}

  at(index: number): Row | undefined {
    const page = this.#pages.get(Math.floor(index / SIZE));
    return page === undefined || page instanceof Promise ? undefined : page[index % SIZE];
  }

  /** The row as soon as it is there; undefined where it cannot be had, or where another view came first. */
  async when(index: number): Promise<Row | undefined> {
    const generation = this.#generation;
    this.want(index, index + 1);
    await this.#pages.get(Math.floor(index / SIZE));
    return generation === this.#generation ? this.at(index) : undefined;
  }

  /** The rows in view: asks for those that are not there. */
  want(first: number, last: number): void {
    for (let page = Math.floor(first / SIZE); page * SIZE < last; page++) {
      const known = this.#pages.get(page);
      if (known === undefined) this.#put(page, this.#load(page));
      // The oldest that nobody looks at goes first.
      else this.#put(page, known);
    }
  }

  /** Everything is another view's. */
  clear(): void {
    this.#generation++;
    this.#pages.clear();
  }

  /** Pages that may have grown are asked for again when they are looked at. */
  forgetFrom(index: number): void {
    for (const page of this.#pages.keys()) if ((page + 1) * SIZE > index) this.#pages.delete(page);
  }

  async #load(page: number): Promise<void> {
    const generation = this.#generation;
    const rows = await this.options.load(page * SIZE, SIZE);
    if (generation !== this.#generation) return;
    if (rows === undefined) this.#pages.delete(page);
    else {
      this.#put(page, rows);
      this.options.onLoaded();
    }
  }

  #put(page: number, rows: readonly Row[] | Promise<void>): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT && oldest !== undefined) this.#pages.delete(oldest);
  }
}
