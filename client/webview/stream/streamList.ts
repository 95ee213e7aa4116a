// The list of a stream's rows under the titles of its columns: draws what is at hand, and marks gaps, rows on their way
// and rows that are gone. Columns are as wide as the widest cell seen.
import type { StreamColumn, StreamInfo, StreamRow } from '../../../protocol/streams';
import { div, element, paragraph, setAttributes } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { clock, counted, digits, oneLineText } from '../shared/format';
import { VirtualList } from '../shared/virtualList';
import type { RowRange, Rows } from './rows';

export const ROW_HEIGHT = 22;

/** Widths in characters; a cell beyond them is cut on the screen, and whole in the detail. */
const MIN_CHARS = 5;
const MAX_CHARS = 46;

export interface StreamListOptions {
  readonly t: PageTranslate;
  readonly rows: Rows;
  /** A row was chosen, by its place. */
  readonly onActive: (place: number) => void;
  readonly onOpen: (place: number) => void;
  readonly onScroll: (isAtEnd: boolean) => void;
  /** Other rows came into view. */
  readonly onView: (view: RowRange) => void;
}

export class StreamList {
  readonly element: HTMLElement;
  readonly list: VirtualList;
  readonly #head = element('div', { class: 'columns mono', 'aria-hidden': 'true' });
  readonly #empty = paragraph('empty quiet');
  #columns: readonly StreamColumn[] = [];
  #widths: number[] = [];
  #view: RowRange = { first: 0, next: 0 };

  constructor(private readonly options: StreamListOptions) {
    const { t } = options;
    this.list = new VirtualList({
      label: t('Updates'),
      rowHeight: ROW_HEIGHT,
      draw: (row, place) => this.#draw(row, place),
      onActive: options.onActive,
      onOpen: options.onOpen,
      onScroll: options.onScroll,
      onView: (first, next) => {
        const isOther = first !== this.#view.first || next !== this.#view.next;
        this.#view = { first, next };
        if (isOther) options.onView(this.#view);
      },
    });
    this.list.element.classList.add('mono');
    // The titles go with the columns when a narrow panel is scrolled sideways.
    this.list.element.addEventListener('scroll', () => {
      this.#head.style.transform = `translateX(${-this.list.element.scrollLeft}px)`;
    });
    const titles = div('columns-frame', this.#head);
    this.element = div('stream-list column', titles, this.list.element, this.#empty);
  }

  get view(): RowRange {
    return this.#view;
  }

  setInfo({ columns }: StreamInfo): void {
    const { t } = this.options;
    this.#columns = columns;
    this.#widths = [10, 12, ...columns.map(({ title }) => Math.min(MAX_CHARS, Math.max(MIN_CHARS, title.length)))];
    const titles: [string, StreamColumn['align']][] = [
      [t('No.'), 'end'],
      [t('Time'), 'start'],
      ...columns.map(({ title, align }): [string, StreamColumn['align']] => [title, align]),
    ];
    // A row is read cell by cell: the list says once which cell is what.
    const spoken = t('Updates: {0}', titles.map(([title]) => oneLineText(title)).join(', '));
    setAttributes(this.list.element, { 'aria-label': spoken });
    this.#head.replaceChildren(...titles.map(([title, align], at) => cell(title, align, this.#style(at))));
    this.#applyWidths();
  }

  /** Draws what there is now; while following, the end. `empty` is said where there are no rows. */
  refresh(where: 'end' | undefined, empty: string): void {
    const { rows } = this.options;
    this.sayEmpty(empty);
    this.#empty.hidden = rows.count > 0;
    this.list.setCount(rows.count, where);
  }

  /** The reason for an empty list, shown while it is empty. */
  sayEmpty(why: string): void {
    if (this.#empty.textContent !== why) this.#empty.textContent = why;
  }

  #draw(row: HTMLElement, place: number): void {
    const { rows, t } = this.options;
    const held = rows.at(place);
    if (held === undefined) {
      row.classList.add('quiet');
      row.replaceChildren(rows.isDropped(place) ? t('dropped to make room for newer rows') : '…');
      return;
    }
    if (held.kind === 'gap') {
      row.classList.add('gap');
      row.replaceChildren(this.#fixed(held), oneLineText(gapText(held, t)));
      return;
    }
    if (held.isAbandoned === true) row.classList.add('abandoned');
    row.replaceChildren(
      this.#fixed(held),
      ...this.#columns.map(({ align, field }, at) => {
        const text = align === 'end' ? digits(held.cells[at] ?? '') : (held.cells[at] ?? '');
        this.#widen(at + 2, text.length);
        const made = cell(text, align, this.#style(at + 2));
        // The fate of a row is text, not struck through.
        if (field === 'fate') made.classList.add('fate');
        return made;
      }),
    );
  }

  #fixed({ number, time }: StreamRow): DocumentFragment {
    const both = document.createDocumentFragment();
    both.append(cell(counted(number), 'end', this.#style(0)), cell(clock(time), 'start', this.#style(1)));
    return both;
  }

  #style = (at: number): string => `column-${at}`;

  #widen(at: number, length: number): void {
    const width = Math.min(MAX_CHARS, length);
    if (width <= (this.#widths[at] ?? 0)) return;
    this.#widths[at] = width;
    this.#applyWidths();
  }

  #applyWidths(): void {
    this.#widths.forEach((width, at) => this.element.style.setProperty(`--${this.#style(at)}`, `${width}ch`));
  }
}

function cell(whole: string, align: StreamColumn['align'], width: string): HTMLElement {
  const text = oneLineText(whole);
  const made = element('span', { class: `cell ${align} ${width}`, title: text }, text);
  made.style.width = `var(--${width})`;
  return made;
}

function gapText(
  { fromSlot, toSlot, isFilled, reason }: Extract<StreamRow, { kind: 'gap' }>,
  t: PageTranslate,
): string {
  const slots =
    fromSlot === undefined
      ? t('Disconnected: {0}.', reason)
      : toSlot === undefined
        ? t('Disconnected after slot {0}: {1}.', digits(fromSlot), reason)
        : t('Disconnected from slot {0} to {1}: {2}.', digits(fromSlot), digits(toSlot), reason);
  return `${slots} ${isFilled ? t('Nothing is missing: it was replayed.') : t('Updates in between are missing.')}`;
}
