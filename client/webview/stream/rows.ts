// Which rows a list shows and which of them are at hand: a range that follows the newest, stays while paused, or
// holds what was kept of a stream that is gone. Asks for nothing by itself; no elements here.
import type { StreamRow, StreamRowsResult } from '../../../protocol/streams';

/** Indices from `first` on to `next`, exclusive. */
export interface RowRange {
  readonly first: number;
  readonly next: number;
}

/** Rows at hand at most: what was seen last comes back without a question. */
const MAX_HELD = 1_000;
/** Under a filter: rows that may have come since the last answer. */
const AHEAD = 100;

export class Rows {
  readonly #held = new Map<number, StreamRow>();
  #shown: RowRange = { first: 0, next: 0 };
  /** The server's rows; under a filter as of the last answer. */
  #server: RowRange = { first: 0, next: 0 };
  #ticked: RowRange = { first: 0, next: 0 };
  #isPaused = false;
  #filter = '';

  /** The rows in the list. */
  get shown(): RowRange {
    return this.#shown;
  }

  get count(): number {
    return this.#shown.next - this.#shown.first;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get filter(): string {
    return this.#filter;
  }

  /** Rows that came since the list was paused. Unknown under a filter. */
  get newer(): number {
    return this.#isPaused && this.#filter === '' ? Math.max(0, this.#server.next - this.#shown.next) : 0;
  }

  /** The row at this place of the list; undefined where it is not at hand. */
  at(place: number): StreamRow | undefined {
    return this.#held.get(this.#shown.first + place);
  }

  /** Whether the row at this place was dropped for newer ones before it was seen. */
  isDropped(place: number): boolean {
    const index = this.#shown.first + place;
    return this.#filter === '' && index < this.#server.first && !this.#held.has(index);
  }

  /** Takes the rows of a tick. True where the list could show something newer. */
  take(range: RowRange): boolean {
    const isNewer = range.next !== this.#ticked.next || range.first !== this.#ticked.first;
    this.#ticked = range;
    if (this.#filter === '') this.#server = range;
    return isNewer && !this.#isPaused;
  }

  /** The rows to ask for: the newest ones while following, else those in view that are not at hand. */
  wanted(view: RowRange, capacity: number): { readonly from: number; readonly count: number } | undefined {
    if (!this.#isPaused) return this.#newest(capacity);
    const indices = Array.from({ length: view.next - view.first }, (_, at) => view.first + at).filter(
      (place) => place < this.count && !this.#held.has(this.#shown.first + place) && !this.isDropped(place),
    );
    const [first] = indices;
    const last = indices.at(-1);
    if (first === undefined || last === undefined) return undefined;
    return { from: this.#shown.first + first, count: last - first + 1 };
  }

  /** Takes rows in; while following the list ends with the last of them. True where there are more already. */
  took(answer: Extract<StreamRowsResult, { kind: 'rows' }>): boolean {
    const { from, rows, first, next } = answer;
    // Under a filter an index is a place that shifts when older rows are dropped: only one answer is true at a time.
    if (this.#filter !== '') this.#held.clear();
    rows.forEach((row, at) => this.#held.set(this.#filter === '' ? row.number : from + at, row));
    this.#server = { first, next };
    if (this.#isPaused) {
      this.#forget();
      return false;
    }
    const last = rows.at(-1);
    const end = last === undefined ? next : this.#filter === '' ? last.number + 1 : from + rows.length;
    this.#shown = { first: Math.min(first, end), next: end };
    this.#forget();
    return next > end;
  }

  pause(): void {
    this.#isPaused = true;
  }

  follow(): void {
    this.#isPaused = false;
  }

  /** Another filter: nothing at hand passes it for sure, and the list follows again. */
  setFilter(filter: string): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#held.clear();
    this.#shown = { first: 0, next: 0 };
    this.#server = filter === '' ? this.#ticked : { first: 0, next: 0 };
    this.#isPaused = false;
  }

  /** Drops the rows at hand: the server would return other content now. */
  stale(): void {
    this.#held.clear();
  }

  /** Another stream, of which nothing is known yet. */
  clear(): void {
    this.#held.clear();
    this.#shown = this.#server = this.#ticked = { first: 0, next: 0 };
    this.#isPaused = false;
  }

  /** Pauses at rows that were shown before the page was hidden for a while. */
  resume(rows: readonly StreamRow[]): void {
    const [oldest] = rows;
    const newest = rows.at(-1);
    if (oldest === undefined || newest === undefined || this.#filter !== '') return;
    rows.forEach((row) => this.#held.set(row.number, row));
    this.#shown = { first: Math.min(this.#server.first, oldest.number), next: newest.number + 1 };
    this.#isPaused = true;
  }

  /** Shows these rows and nothing else: the stream they came from is gone. */
  freeze(rows: readonly StreamRow[]): void {
    this.#held.clear();
    rows.forEach((row, at) => this.#held.set(at, row));
    this.#filter = '';
    this.#shown = this.#server = { first: 0, next: rows.length };
    this.#isPaused = true;
  }

  /** The newest rows at hand that the list shows, oldest first. */
  newest(count: number): readonly StreamRow[] {
    const indices = [...this.#held.keys()].filter((index) => index < this.#shown.next).sort((a, b) => a - b);
    return indices.slice(-count).flatMap((index) => this.#held.get(index) ?? []);
  }

  /** The last rows, without those at hand; under a filter some more, since it is unknown how many pass it by now. */
  #newest(capacity: number): { readonly from: number; readonly count: number } | undefined {
    const { first, next } = this.#server;
    let from = Math.max(first, next - capacity);
    if (this.#filter !== '') return { from, count: capacity + AHEAD };
    while (from < next && this.#held.has(from)) from++;
    return from < next ? { from, count: next - from } : undefined;
  }

  /** The oldest places go first; they are asked for again when the user goes back to them. */
  #forget(): void {
    for (const index of this.#held.keys()) {
      if (this.#held.size <= MAX_HELD) return;
      this.#held.delete(index);
    }
  }
}
