// The search of a viewer: finds places page by page where the response lies, and goes from one to the next and back.
// Places in the same item count as one.
import type { ResponseSearchResult } from '../../../protocol/responses';

export interface SearchOptions {
  readonly ask: (text: string, from: number, limit: number) => Promise<ResponseSearchResult | undefined>;
  /** The search result for display; `total` ends with `+` if there may be more. */
  readonly onState: (state: SearchState) => void;
  readonly onItem: (item: number) => void;
}

export type SearchState =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly at: number; readonly total: number; readonly isAll: boolean };

/** Places asked for at once. */
const LIMIT = 100;

export class Search {
  #text = '';
  #items: number[] = [];
  #at = -1;
  /** The byte to continue from; undefined when all was searched. */
  #next: number | undefined;
  #generation = 0;

  constructor(private readonly options: SearchOptions) {}

  get text(): string {
    return this.#text;
  }

  /** Another text: from the beginning, unless it is the same. */
  async start(text: string): Promise<void> {
    if (text === this.#text) return;
    this.#generation++;
    this.#text = text;
    this.#items = [];
    this.#at = -1;
    this.#next = 0;
    if (text === '') this.options.onState({ kind: 'none' });
    else await this.go(1);
  }

  /** To the next place, or the one before; around at either end of what is known. */
  async go(step: 1 | -1): Promise<void> {
    if (this.#text === '') return;
    if (this.#at + step >= this.#items.length) await this.#more();
    const { length } = this.#items;
    if (length === 0) return;
    this.#at = (this.#at + step + length) % length;
    this.#tell();
    const item = this.#items[this.#at];
    if (item !== undefined) this.options.onItem(item);
  }

  /** Looks on until there is another item or the end. */
  async #more(): Promise<void> {
    const generation = this.#generation;
    const before = this.#items.length;
    while (this.#next !== undefined && this.#items.length === before) {
      this.options.onState({ kind: 'searching' });
      const answer = await this.options.ask(this.#text, this.#next, LIMIT);
      if (generation !== this.#generation) return;
      if (answer?.kind !== 'hits') {
        this.#next = undefined;
        break;
      }
      this.#next = answer.next;
      for (const { item } of answer.hits) if (item !== undefined && item !== this.#items.at(-1)) this.#items.push(item);
    }
    if (this.#items.length === 0) this.options.onState({ kind: 'nothing' });
    else this.#tell();
  }

  #tell(): void {
    const { length } = this.#items;
    this.options.onState({ kind: 'found', at: this.#at + 1, total: length, isAll: this.#next === undefined });
  }
}
