// A list of any length of which only the rows in view exist. Rows have one height; the focus stays on the list and the
// active row is named to screen readers. Knows nothing of where rows come from: its owner says when to draw.
import { element, setAttributes } from './dom';

export interface VirtualListOptions {
  /** The row's content at this index; called whenever the row comes into view or `redraw` is called. */
  readonly draw: (row: HTMLElement, index: number) => void;
  /** The rows in view changed: from `first` to `last`, exclusive. */
  readonly onView?: (first: number, last: number) => void;
  /** Another row is the active one, by keyboard or mouse. */
  readonly onActive?: (index: number) => void;
  /** Enter or a double click. */
  readonly onOpen?: (index: number) => void;
  /** The user scrolled; not called for what the list does by itself. */
  readonly onScroll?: (isAtEnd: boolean) => void;
  /** Pixels. */
  readonly rowHeight: number;
  readonly label: string;
  /** A table: rows of cells under a header that stays in view. `draw` makes the cells. */
  readonly grid?: { readonly header: HTMLElement; readonly headerHeight: number };
}

/** Browsers draw no element higher than some 16 million pixels: above it a pixel of the scroll bar covers several rows. */
const MAX_HEIGHT = 8_000_000;
/** Rows drawn beyond the edge, so that a small scroll shows no blank. */
const BEYOND = 4;

export class VirtualList {
  readonly element: HTMLElement;
  readonly #spacer: HTMLElement;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #id = `list-${Math.random().toString(36).slice(2)}`;
  #count = 0;
  #active = -1;
  /** Where the list itself scrolled to last: any other place is the user's doing. */
  #placed = 0;

  constructor(private readonly options: VirtualListOptions) {
    this.#spacer = element('div', { class: 'list-spacer', role: options.grid ? 'rowgroup' : 'presentation' });
    this.element = element(
      'div',
      { class: 'list', role: options.grid ? 'grid' : 'listbox', tabindex: 0, 'aria-label': options.label },
      options.grid?.header,
      this.#spacer,
    );
    this.element.addEventListener('scroll', () => {
      const { scrollTop } = this.element;
      if (scrollTop === this.#placed) return;
      this.#placed = scrollTop;
      options.onScroll?.(this.isAtEnd);
      this.#draw();
    });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  get active(): number {
    return this.#active;
  }

  get isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    return scrollTop + clientHeight >= scrollHeight - this.options.rowHeight;
  }

  /** Rows that are drawn at most: those in view, in part too, and a few beyond. */
  get capacity(): number {
    return Math.ceil(this.element.clientHeight / this.options.rowHeight) + BEYOND;
  }

  /** How many rows there are now. Those in view are drawn again; `end` brings the last ones into view. */
  setCount(count: number, where?: 'end'): void {
    this.#count = count;
    this.#spacer.style.height = `${Math.min(count * this.options.rowHeight, MAX_HEIGHT)}px`;
    if (this.#active >= count) this.#active = count - 1;
    if (where === 'end') this.element.scrollTop = this.element.scrollHeight;
    this.#placed = this.element.scrollTop;
    this.redraw();
  }

  /** Draws the rows in view again: what they show changed. */
  redraw(): void {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
    this.#draw();
  }

  /** Brings a row into view; `end` puts it at the lower edge. */
  show(index: number, where: 'nearest' | 'end' = 'nearest'): void {
    const { rowHeight } = this.options;
    const clientHeight = this.#viewHeight;
    const top = index * rowHeight;
    const from = this.#offset;
    let wanted = from;
    if (where === 'end' || top + rowHeight > from + clientHeight) wanted = top + rowHeight - clientHeight;
    else if (top < from) wanted = top;
    if (wanted === from) return;
    this.element.scrollTop = Math.max(0, wanted) / this.#scale;
    this.#placed = this.element.scrollTop;
    this.#draw();
  }

  setActive(index: number): void {
    if (this.#count === 0) return;
    this.markActive(Math.max(0, Math.min(index, this.#count - 1)));
    this.options.onActive?.(this.#active);
    this.show(this.#active);
  }

  /** Marks a row as the active one, or none at -1, without scrolling to it or notifying anybody. */
  markActive(index: number): void {
    this.#active = index;
    if (index < 0) this.element.removeAttribute('aria-activedescendant');
    for (const [at, row] of this.#rows) this.#mark(row, at);
  }

  /** Pixels of rows for each pixel of the scroll bar. */
  get #scale(): number {
    const clientHeight = this.#viewHeight;
    const whole = this.#count * this.options.rowHeight;
    return whole <= MAX_HEIGHT ? 1 : (whole - clientHeight) / (MAX_HEIGHT - clientHeight);
  }

  /** Pixels in which rows are seen. */
  get #viewHeight(): number {
    return Math.max(0, this.element.clientHeight - (this.options.grid?.headerHeight ?? 0));
  }

  /** Pixels from the first row's top to the view's. */
  get #offset(): number {
    return this.element.scrollTop * this.#scale;
  }

  #draw(): void {
    const { rowHeight, draw, onView } = this.options;
    const clientHeight = this.#viewHeight;
    const { scrollTop } = this.element;
    const offset = this.#offset;
    const first = Math.max(0, Math.floor(offset / rowHeight) - BEYOND);
    const last = Math.min(this.#count, Math.ceil((offset + clientHeight) / rowHeight) + BEYOND);
    for (const [index, row] of this.#rows)
      if (index < first || index >= last) {
        row.remove();
        this.#rows.delete(index);
      }
    for (let index = first; index < last; index++) {
      let row = this.#rows.get(index);
      if (row === undefined) {
        row = this.#newRow(index);
        draw(row, index);
        this.#rows.set(index, row);
        this.#spacer.append(row);
      }
      row.style.transform = `translateY(${Math.round(index * rowHeight - offset + scrollTop)}px)`;
    }
    onView?.(first, last);
  }

  #newRow(index: number): HTMLElement {
    const place = this.options.grid
      ? // The header is the first row.
        { role: 'row', 'aria-rowindex': index + 2 }
      : { role: 'option', 'aria-posinset': index + 1, 'aria-setsize': this.#count };
    const row = element('div', { class: 'list-row', id: `${this.#id}-${index}`, ...place });
    row.style.height = `${this.options.rowHeight}px`;
    row.addEventListener('mousedown', () => this.setActive(index));
    row.addEventListener('dblclick', () => this.options.onOpen?.(index));
    this.#mark(row, index);
    return row;
  }

  #mark(row: HTMLElement, index: number): void {
    const isActive = index === this.#active;
    setAttributes(row, { 'aria-selected': isActive ? 'true' : 'false' });
    row.classList.toggle('active', isActive);
    if (isActive) this.element.setAttribute('aria-activedescendant', row.id);
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, this.capacity - BEYOND - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: this.#count - 1,
    };
    const wanted = steps[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      this.setActive(wanted);
      this.options.onScroll?.(this.isAtEnd);
    } else if (event.key === 'Enter' && this.#active >= 0) this.options.onOpen?.(this.#active);
  }
}
