// The grid of a table: a header to sort by and to widen columns with, rows of cells, one of which is active and can be
// moved with the arrow keys. Draws what it is given; asks for rows through its options.
import type { TableRow, TableView } from '../../../protocol/responses';
import { element, setAttributes, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { visible } from '../shared/visible';
import { VirtualList } from '../shared/virtualList';
import { idOf, type Columns, type ShownColumn } from './columns';

export interface GridOptions {
  readonly t: PageTranslate;
  readonly columns: Columns;
  readonly rowAt: (row: number) => TableRow | undefined;
  readonly onView: (first: number, last: number) => void;
  readonly onSort: (column: ShownColumn) => void;
  readonly onOpen: (row: number) => void;
  readonly onCopy: (row: number, column: number) => void;
}

const ROW_HEIGHT = 24;
const HEADER_HEIGHT = 28;
/** In characters. */
const NARROWEST = 4;

export class Grid {
  readonly element: HTMLElement;
  readonly #header = element('div', { class: 'grid-head', role: 'row', 'aria-rowindex': 1 });
  readonly list: VirtualList;
  /** Of the active cell. */
  #column = 0;
  #sort: TableView['sort'];

  constructor(private readonly options: GridOptions) {
    this.list = new VirtualList({
      label: options.t('Table'),
      rowHeight: ROW_HEIGHT,
      grid: { header: this.#header, headerHeight: HEADER_HEIGHT },
      draw: (row, index) => this.#drawRow(row, index),
      onView: options.onView,
      onActive: () => this.#mark(),
      onOpen: options.onOpen,
    });
    this.element = this.list.element;
    this.element.classList.add('mono');
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#header.addEventListener('keydown', (event) => this.#onHeaderKey(event));
  }

  /** Other columns, or another order of rows: rebuilds the header. */
  setColumns(sort: TableView['sort']): void {
    this.#sort = sort;
    const { columns, t } = this.options;
    this.#column = Math.min(this.#column, columns.shown.length - 1);
    setAttributes(this.element, { 'aria-colcount': columns.shown.length + 1 });
    const number = element('div', { class: 'cell number quiet', role: 'columnheader', 'aria-label': t('Number') }, '#');
    this.#header.replaceChildren(number, ...columns.shown.map((column, at) => this.#headerCell(column, at)));
    this.#layOut();
    this.list.redraw();
  }

  setCount(count: number): void {
    setAttributes(this.element, { 'aria-rowcount': count + 1 });
    this.list.setCount(count);
  }

  #headerCell(column: ShownColumn, at: number): HTMLElement {
    const { t, onSort } = this.options;
    const isSorted = this.#sort !== undefined && idOf(this.#sort.column) === idOf(column.path);
    const direction = isSorted ? (this.#sort?.isDescending === true ? 'descending' : 'ascending') : 'none';
    const arrow = { ascending: '▲', descending: '▼', none: '' }[direction];
    const sort = element(
      'button',
      {
        type: 'button',
        class: 'head-sort bare',
        tabindex: at === this.#column ? 0 : -1,
        title: t('{0}: sort', column.name),
      },
      span('head-name clipped', column.name),
      element('span', { class: 'head-arrow', 'aria-hidden': 'true' }, arrow),
    );
    sort.addEventListener('click', () => {
      this.#column = at;
      onSort(column);
      this.#header.querySelectorAll<HTMLElement>('.head-sort')[at]?.focus();
    });
    const edge = element('span', { class: 'head-edge', 'aria-hidden': 'true' });
    edge.addEventListener('pointerdown', (event) => this.#widen(event, column));
    return element(
      'div',
      { class: `cell${column.isNumber ? ' number' : ''}`, role: 'columnheader', 'aria-sort': direction },
      sort,
      edge,
    );
  }

  /** Follows the pointer until it is let go. */
  #widen(down: PointerEvent, column: ShownColumn): void {
    down.preventDefault();
    const edge = down.currentTarget;
    if (!(edge instanceof HTMLElement)) return;
    edge.setPointerCapture(down.pointerId);
    const cell = edge.parentElement;
    const perCharacter = (cell?.offsetWidth ?? 0) / column.width || 8;
    const from = column.width;
    const move = ({ clientX }: PointerEvent): void => {
      column.width = Math.max(NARROWEST, from + (clientX - down.clientX) / perCharacter);
      this.#layOut();
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', () => edge.removeEventListener('pointermove', move), { once: true });
  }

  /** One template for the header and all rows. */
  #layOut(): void {
    const widths = this.options.columns.shown.map(({ width }) => `${width}ch`);
    this.element.style.setProperty('--columns', `7ch ${widths.join(' ')}`);
  }

  #drawRow(row: HTMLElement, index: number): void {
    const { rowAt, columns, t } = this.options;
    const found = rowAt(index);
    row.classList.add('grid-row');
    const number = element(
      'div',
      { class: 'cell number quiet', role: 'rowheader', id: `${row.id}-n` },
      found === undefined ? '' : String(found.index),
    );
    const cells = columns.shown.map(({ isNumber }, at) => {
      const cell = found?.cells[at];
      const kind = cell?.kind ?? 'missing';
      const text = visible(cell?.text ?? '');
      const shown = element('div', {
        class: `cell ${kind}${isNumber ? ' number' : ''}`,
        role: 'gridcell',
        id: `${row.id}-${at}`,
        title: text.length > 12 ? text : undefined,
      });
      if (found === undefined) shown.append(element('span', { class: 'waiting', 'aria-label': t('Loading') }));
      else if (kind === 'null') shown.textContent = 'null';
      else shown.textContent = `${text}${cell?.isCut === true ? '…' : ''}`;
      return shown;
    });
    row.replaceChildren(number, ...cells);
    if (index === this.list.active) this.#markIn(row);
  }

  #mark(): void {
    for (const cell of this.element.querySelectorAll('.cell.active')) cell.classList.remove('active');
    const row = this.element.querySelector<HTMLElement>('.list-row.active');
    if (row !== null) this.#markIn(row);
  }

  #markIn(row: HTMLElement): void {
    const cell = row.children[this.#column + 1];
    if (!(cell instanceof HTMLElement)) return;
    cell.classList.add('active');
    this.element.setAttribute('aria-activedescendant', cell.id);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.#moveTo(this.#column + step);
    } else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && this.list.active >= 0) {
      event.preventDefault();
      this.options.onCopy(this.list.active, this.#column);
    }
  }

  #moveTo(column: number): void {
    this.#column = Math.max(0, Math.min(column, this.options.columns.shown.length - 1));
    if (this.list.active < 0) this.list.setActive(0);
    else this.#mark();
    const buttons = this.#header.querySelectorAll<HTMLElement>('.head-sort');
    for (const [at, each] of [...buttons].entries()) each.tabIndex = at === this.#column ? 0 : -1;
    this.#showColumn();
  }

  /** Brings the active column into view; the first one with the numbers in front of it. */
  #showColumn(): void {
    const head = this.#header.children[this.#column + 1];
    if (!(head instanceof HTMLElement)) return;
    const { scrollLeft, clientWidth } = this.element;
    const { offsetLeft, offsetWidth } = head;
    if (this.#column === 0) this.element.scrollLeft = 0;
    else if (offsetLeft < scrollLeft) this.element.scrollLeft = offsetLeft;
    else if (offsetLeft + offsetWidth > scrollLeft + clientWidth)
      this.element.scrollLeft = Math.min(offsetLeft, offsetLeft + offsetWidth - clientWidth);
  }

  /** In the header the arrow keys go from name to name, and down into the rows; the rows hear of Escape alone. */
  #onHeaderKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') event.stopPropagation();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.#moveTo(this.#column + step);
      this.#header.querySelectorAll<HTMLElement>('.head-sort')[this.#column]?.focus();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.element.focus();
      if (this.list.active < 0) this.list.setActive(0);
    }
  }
}
