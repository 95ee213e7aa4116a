// The page of a table: tools, grid and detail put together. Pulls the rows it shows; sorting and filtering happen where
// the response lies. Keeps what the user chose for the time after a reload.
import type { TableOpenResult, TableRow, TableView } from '../../../protocol/responses';
import type { ResponseHello, TableAnswer, TableAsk, TableKept, CopyCommand } from '../../../protocol/responsePanels';
import { MAX_NEEDLE } from '../../../protocol/pageLimits';
import { Disclosure } from '../shared/disclosure';
import { button, choice, type ChoiceEntry, element, setAttributes, setChoices, showPage, toolbar } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { counted } from '../shared/format';
import { visible } from '../shared/visible';
import { absentText, ItemDetail } from '../shared/itemDetail';
import { Pages } from '../shared/pages';
import { searchField } from '../shared/searchField';
import { columnChoice, Columns, idOf, type ShownColumn } from './columns';
import { Grid } from './grid';
import './main.css';

/** The user still types; the response still comes in. Milliseconds. */
const TYPING_MS = 250;
const GROWING_MS = 500;

type Opened = Extract<TableOpenResult, { kind: 'table' }>;

class TablePage {
  readonly #columns = new Columns();
  readonly #pages: Pages<TableRow>;
  readonly #grid: Grid;
  readonly #detail: ItemDetail;
  readonly #lists: HTMLSelectElement;
  readonly #filter: HTMLInputElement;
  readonly #where: HTMLSelectElement;
  readonly #export: HTMLButtonElement;
  readonly #decode: HTMLButtonElement;
  readonly #choice = element('div', { class: 'choice-box', id: 'columns' });
  readonly #status = element('span', { class: 'quiet status', role: 'status' });
  readonly #notice = element('p', { class: 'strip', role: 'status', hidden: true });
  #kept: TableKept;
  #opened: Opened | undefined;
  #view: TableView;
  #matching = 0;
  #growing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    hello: ResponseHello,
    private readonly extension: Extension<TableAsk, TableAnswer, CopyCommand>,
  ) {
    const { t } = extension;
    this.#kept = { ...keptOf(extension.kept, hello), ...hello };
    this.#view = this.#kept.view ?? {};
    this.#pages = new Pages({
      load: (from, count) => this.#load(from, count),
      onLoaded: () => this.#grid.list.redraw(),
    });
    this.#grid = new Grid({
      t,
      columns: this.#columns,
      rowAt: (row) => this.#pages.at(row),
      onView: (first, last) => this.#pages.want(first, last),
      onSort: (column) => this.#sortBy(column),
      onOpen: (row) => void this.#openItem(row),
      onCopy: (row, column) => void this.#copyCell(row, column),
    });
    this.#detail = new ItemDetail(extension, this.#grid.element);
    this.#lists = choice({ 'aria-label': t('List of the response'), hidden: true }, [], (list) =>
      this.#chooseList(list),
    );
    this.#filter = searchField({
      placeholder: t('Filter rows'),
      label: t('Filter rows'),
      longest: MAX_NEEDLE,
      pauseMs: TYPING_MS,
      onText: () => this.#applyFilter(),
    });
    this.#filter.value = this.#view.filter?.text ?? '';
    this.#where = choice({ 'aria-label': t('Column to filter by') }, [], () => this.#applyFilter());
    this.#decode = button(t('Decode'), () => this.#toggleDecode(), {
      hidden: true,
      class: 'toggle',
      title: t('Decoded accounts as columns'),
    });
    this.#export = button(t('Export CSV…'), () => void this.#exportCsv());
    const { toggle } = new Disclosure(t('Columns'), this.#choice);
    const picks = [this.#lists, this.#filter, this.#where, toggle, this.#decode];
    showPage(
      element('h1', { class: 'only-read' }, t('{0}: table', visible(hello.title))),
      toolbar(t('Table'), ...picks, this.#export, this.#status),
      this.#choice,
      this.#notice,
      this.#detail.split,
    );
    this.#keep({});
    void this.#open(true);
  }

  update(): void {
    void this.#open(false);
  }

  /** Asks what there is, again while more comes in. */
  async #open(isFirst: boolean): Promise<void> {
    clearTimeout(this.#growing);
    const { path } = this.#kept;
    const decode = this.#isDecoding;
    const answer = await this.extension.ask({ kind: 'open', decode, ...(path !== undefined && { path }) });
    const { t } = this.extension;
    if (answer?.kind !== 'table' && answer?.kind !== 'noItems') {
      this.#detail.sayInstead(absentText(answer, t));
      return;
    }
    if (!answer.isComplete) this.#growing = setTimeout(() => void this.#open(false), GROWING_MS);
    if (answer.kind === 'noItems') {
      this.#detail.sayInstead(
        answer.isComplete ? t('This response contains no list.') : t('Waiting for the first rows…'),
      );
      return;
    }
    const grew = this.#opened !== undefined && this.#opened.total !== answer.total;
    const isNew = this.#opened === undefined || this.#opened.columns.length !== answer.columns.length;
    if (grew) this.#pages.forgetFrom(Math.min(this.#opened?.total ?? 0, answer.total));
    this.#opened = answer;
    this.#detail.sayInstead(undefined);
    this.#drawLists();
    setAttributes(this.#decode, { hidden: !answer.isDecodable, 'aria-pressed': String(this.#isDecoding) });
    if (isNew || isFirst) this.#setColumns(this.#kept.hidden);
    if (this.#isPlain) this.#setMatching(answer.total);
    else if (isNew || grew) await this.#apply();
  }

  get #isDecoding(): boolean {
    return this.#kept.decode === true;
  }

  /** The columns change: choices among the old ones are reset, including sorting by a column that disappears. */
  #toggleDecode(): void {
    const { path } = this.#kept;
    void this.#openOther({ decode: !this.#isDecoding, ...(path !== undefined && { path }) });
  }

  /** Opens another table of the response: of what was chosen, only these choices apply to it. */
  #openOther(kept: Partial<TableKept>): Promise<void> {
    const { place, title, run } = this.#kept;
    this.#view = {};
    this.#filter.value = '';
    this.#kept = { place, title, ...(run !== undefined && { run }) };
    this.#keep(kept);
    this.#opened = undefined;
    this.#pages.clear();
    return this.#open(true);
  }

  get #isPlain(): boolean {
    return this.#view.sort === undefined && (this.#view.filter?.text ?? '') === '';
  }

  async #load(from: number, count: number): Promise<readonly TableRow[] | undefined> {
    const answer = await this.#askRows(from, count);
    return answer?.kind === 'rows' ? answer.rows : undefined;
  }

  async #askRows(from: number, count: number): Promise<TableAnswer | undefined> {
    if (this.#opened === undefined) return undefined;
    const columns = this.#columns.shown.map(({ path }) => path);
    const { path } = this.#opened;
    const [view, decode] = [this.#view, this.#isDecoding];
    return this.extension.ask({ kind: 'rows', path, view, from, count, columns, decode });
  }

  /** Another order or filter: how many rows there are is asked for, the rows as they are looked at. */
  async #apply(): Promise<void> {
    const { t } = this.extension;
    const view = this.#view;
    this.#keep({ view });
    this.#status.textContent = this.#isPlain ? '' : t('Sorting and filtering…');
    const answer = await this.#askRows(0, 0);
    if (view !== this.#view) return;
    if (answer?.kind === 'refused' && answer.reason === 'cancelled') return;
    this.#notice.hidden = answer?.kind !== 'refused';
    if (answer?.kind === 'refused') {
      this.#notice.textContent =
        answer.reason === 'incomplete'
          ? t('The response is still arriving. Sort and filter it once it is complete.')
          : t(
              'This list is too large to sort or filter here (above 500,000 rows or 256 MB). Export it as CSV instead.',
            );
      // The list as it is stays in view.
      this.#view = {};
      this.#filter.value = '';
      this.#grid.setColumns(undefined);
    }
    this.#pages.clear();
    this.#setMatching(answer?.kind === 'rows' ? answer.matching : (this.#opened?.total ?? 0));
    this.#grid.element.scrollTop = 0;
  }

  #setMatching(matching: number): void {
    const { t } = this.extension;
    this.#matching = matching;
    const total = this.#opened?.total ?? 0;
    const isFiltered = (this.#view.filter?.text ?? '') !== '';
    const rows = isFiltered
      ? t('{0} of {1} rows', counted(matching), counted(total))
      : total === 1
        ? t('1 row')
        : t('{0} rows', counted(total));
    const words = this.#opened?.isComplete === false ? t('{0}, still arriving', rows) : rows;
    // Screen readers read it each time it is set.
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#export.disabled = matching === 0;
    this.#grid.setCount(matching);
    const nothing =
      isFiltered && matching === 0 ? t('No row contains “{0}”.', this.#view.filter?.text ?? '') : undefined;
    this.#detail.sayInstead(nothing);
  }

  #setColumns(hidden: TableKept['hidden']): void {
    const { t } = this.extension;
    if (this.#opened === undefined) return;
    this.#columns.set(this.#opened.columns, hidden, t);
    this.#choice.replaceChildren(columnChoice(this.#columns, t, () => this.#columnsChanged()));
    const chosen = this.#view.filter?.column;
    const columns = this.#columns.all.map(({ path, name }): ChoiceEntry => [idOf(path), t('in {0}', name)]);
    setChoices(this.#where, [['', t('in any column')], ...columns], chosen && idOf(chosen));
    this.#grid.setColumns(this.#view.sort);
  }

  #columnsChanged(): void {
    this.#keep({ hidden: this.#columns.hidden });
    this.#pages.clear();
    this.#grid.setColumns(this.#view.sort);
  }

  #drawLists(): void {
    const { lists, path } = this.#opened ?? { lists: [], path: [] };
    this.#lists.hidden = lists.length < 2;
    const entry = (list: Opened['lists'][number]): ChoiceEntry => [
      JSON.stringify(list.path),
      `${visible(list.path.join('.'))} (${counted(list.count)})`,
    ];
    setChoices(this.#lists, lists.map(entry), JSON.stringify(path));
  }

  #chooseList(chosen: string): void {
    const list = this.#opened?.lists.find(({ path }) => JSON.stringify(path) === chosen);
    if (list === undefined) return;
    this.#detail.hide();
    void this.#openOther({ path: list.path }).then(() => (this.#grid.element.scrollTop = 0));
  }

  #sortBy(column: ShownColumn): void {
    const { sort, ...rest } = this.#view;
    const isSame = sort !== undefined && idOf(sort.column) === idOf(column.path);
    // Up, down, and as it came.
    if (isSame && sort.isDescending) this.#view = rest;
    else this.#view = { ...rest, sort: { column: column.path, isDescending: isSame } };
    this.#grid.setColumns(this.#view.sort);
    void this.#apply();
  }

  #applyFilter(): void {
    const text = this.#filter.value;
    const column = this.#columns.all.find(({ path }) => idOf(path) === this.#where.value)?.path;
    const { sort } = this.#view;
    this.#view = {
      ...(sort !== undefined && { sort }),
      ...(text !== '' && { filter: { text, ...(column !== undefined && { column }) } }),
    };
    void this.#apply();
  }

  async #openItem(row: number): Promise<void> {
    const found = await this.#pages.when(row);
    if (found === undefined || this.#opened === undefined) return;
    const { t } = this.extension;
    const answer = await this.extension.ask({ kind: 'item', path: this.#opened.path, index: found.index });
    if (answer?.kind !== 'item') return;
    this.#detail.show(t('Item {0}', found.index), answer.text, answer.isCut, this.#view.filter?.text ?? '');
    // The detail takes room from the grid.
    this.#grid.list.show(row);
  }

  async #copyCell(row: number, column: number): Promise<void> {
    const cell = (await this.#pages.when(row))?.cells[column];
    if (cell === undefined) return;
    // The detail shows in full what is cut here.
    if (cell.isCut === true) await this.#openItem(row);
    else this.extension.send({ kind: 'copy', text: cell.text });
  }

  async #exportCsv(): Promise<void> {
    if (this.#opened === undefined || this.#matching === 0) return;
    this.#export.disabled = true;
    const columns = this.#columns.shown.map(({ path }) => path);
    const { path } = this.#opened;
    await this.extension.ask({ kind: 'csv', path, view: this.#view, columns, decode: this.#isDecoding });
    this.#export.disabled = false;
  }

  #keep(more: Partial<TableKept>): void {
    this.#kept = { ...this.#kept, ...more };
    this.extension.keep(this.#kept);
  }
}

/** The state that this page kept, if it is for the same response. */
function keptOf(kept: unknown, { place }: ResponseHello): Partial<TableKept> {
  const own = kept as TableKept | undefined;
  return own?.place?.request === place.request && own.place.run === place.run ? own : {};
}

connectPage(TablePage);
