// The user's position on the page: the scroll position of each part, and the folded parts of the selected call. Survives hiding
// and redrawing the page.
import type { TransactionAnswer, TransactionAsk, TransactionCommand } from '../../../protocol/transactionPanel';
import type { Extension } from '../shared/extension';

export type TransactionExtension = Extension<TransactionAsk, TransactionAnswer, TransactionCommand>;

/** The kept state. */
export interface KeptPlace {
  /** Pixels, by the part's `data-place`. */
  readonly scrolled?: Readonly<Record<string, number>>;
  /** Whether each fold of the selected call is open, in their order. */
  readonly folds?: readonly boolean[];
}

export interface PlaceEvents {
  /** Many times while the user scrolls. */
  readonly onScroll: () => void;
  readonly onFold: () => void;
}

/** Parts within the selected call. */
const OF_CALL = ['call', 'log'];
/** More folds are not kept: they are those of a call with many parts. */
const MAX_FOLDS = 500;

export class PagePlace {
  readonly #scrolled: Map<string, number>;
  #folds: readonly boolean[];
  /** Parts that could not be scrolled yet, since they are not to be seen. */
  readonly #pending = new Set<string>();

  constructor(
    private readonly root: HTMLElement,
    { scrolled = {}, folds = [] }: KeptPlace,
    { onScroll, onFold }: PlaceEvents,
  ) {
    this.#scrolled = new Map(Object.entries(scrolled));
    this.#folds = folds;
    // Neither event bubbles.
    root.addEventListener(
      'scroll',
      ({ target }) => {
        const name = target instanceof HTMLElement ? target.dataset['place'] : undefined;
        if (name === undefined || this.#pending.has(name)) return;
        this.#scrolled.set(name, (target as HTMLElement).scrollTop);
        onScroll();
      },
      true,
    );
    root.addEventListener(
      'toggle',
      () => {
        this.#folds = this.#foldsNow.map(({ open }) => open).slice(0, MAX_FOLDS);
        onFold();
      },
      true,
    );
  }

  get kept(): KeptPlace {
    return { scrolled: Object.fromEntries(this.#scrolled), folds: this.#folds };
  }

  /** Another call is selected: it begins at its beginning. */
  forgetCall(): void {
    for (const name of OF_CALL) this.#scrolled.delete(name);
    this.#folds = [];
  }

  /** The page was drawn again: everything is where it was. */
  restore(): void {
    const folds = this.#foldsNow;
    if (folds.length === this.#folds.length)
      for (const [at, fold] of folds.entries()) fold.open = this.#folds[at] === true;
    for (const name of this.#scrolled.keys()) this.#pending.add(name);
    this.scrollShown();
  }

  /** A part came into view: it is scrolled to where it was. */
  scrollShown(): void {
    for (const part of [this.root, ...this.root.querySelectorAll<HTMLElement>('[data-place]')]) {
      const { place = '' } = part.dataset;
      if (!this.#pending.has(place) || part.clientHeight === 0) continue;
      this.#pending.delete(place);
      part.scrollTop = this.#scrolled.get(place) ?? 0;
    }
  }

  get #foldsNow(): readonly HTMLDetailsElement[] {
    return [...this.root.querySelectorAll<HTMLDetailsElement>('[data-place="call"] details')];
  }
}
