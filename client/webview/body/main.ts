// The page of a large response: its items as a list while it comes in and afterwards, with a search, a jump to an item,
// and the item in full. Pulls what it shows and holds a few pages of it.
import type { ResponsePageResult, ResponseSearchResult } from '../../../protocol/responses';
import type { BodyAnswer, BodyAsk, BodyCommand, ResponseHello } from '../../../protocol/responsePanels';
import { MAX_NEEDLE } from '../../../protocol/pageLimits';
import { button, element, iconButton, setAttributes, showPage, span, toolbar } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { counted, sized } from '../shared/format';
import { absentText, ItemDetail, marks } from '../shared/itemDetail';
import { Pages } from '../shared/pages';
import { searchField } from '../shared/searchField';
import { visible } from '../shared/visible';
import { VirtualList } from '../shared/virtualList';
import { Search, type SearchState } from './search';
import './main.css';

/** The response comes in; the user still types. Milliseconds. */
const GROWING_MS = 250;
const TYPING_MS = 300;
/** Least time between two announcements of progress to screen readers. ms */
const SPOKEN_MS = 5_000;

type Came = Extract<ResponsePageResult, { kind: 'page' }>;
type Item = Came['items'][number];

class BodyPage {
  readonly #pages: Pages<Item>;
  readonly #list: VirtualList;
  readonly #detail: ItemDetail;
  readonly #search: Search;
  readonly #jump: HTMLInputElement;
  readonly #found = element('span', { class: 'quiet found', role: 'status' });
  readonly #steps: readonly HTMLButtonElement[];
  readonly #progress = element('div', { class: 'receiving strip', hidden: true });
  readonly #received = element('span');
  readonly #spoken = element('span', { class: 'only-read', role: 'status' });
  readonly #facts = span('quiet facts');
  readonly #table: HTMLButtonElement;
  /** Controls that make sense only if something of the response is kept. */
  readonly #ofKept: readonly (HTMLInputElement | HTMLButtonElement)[];
  #path: Came['path'] = [];
  #total = 0;
  #growing: ReturnType<typeof setTimeout> | undefined;
  #spokenAt = 0;

  constructor(
    hello: ResponseHello,
    private readonly extension: Extension<BodyAsk, BodyAnswer, BodyCommand>,
  ) {
    const { t } = extension;
    this.#pages = new Pages({ load: (from, count) => this.#load(from, count), onLoaded: () => this.#list.redraw() });
    this.#list = new VirtualList({
      label: t('Items of the response'),
      rowHeight: 22,
      draw: (row, index) => this.#drawRow(row, index),
      onView: (first, last) => this.#pages.want(first, last),
      onOpen: (index) => void this.#openItem(index),
    });
    this.#detail = new ItemDetail(extension, this.#list.element);
    this.#search = new Search({
      ask: (text, from, limit) => this.#askSearch(text, from, limit),
      onState: (state) => this.#showSearch(state),
      onItem: (item) => {
        this.#list.setActive(item);
        void this.#openItem(item);
      },
    });
    const search = searchField({
      placeholder: t('Search'),
      label: t('Search in the whole response'),
      longest: MAX_NEEDLE,
      pauseMs: TYPING_MS,
      onText: (text) => void this.#search.start(text),
      onEnter: (text, hasShift) =>
        void (text === this.#search.text ? this.#search.go(hasShift ? -1 : 1) : this.#search.start(text)),
    });
    this.#steps = [
      iconButton('↑', t('Previous place'), () => void this.#search.go(-1)),
      iconButton('↓', t('Next place'), () => void this.#search.go(1)),
    ];
    this.#jump = element('input', {
      type: 'text',
      inputmode: 'numeric',
      class: 'jump',
      placeholder: t('Go to item'),
      'aria-label': t('Go to item'),
    });
    this.#jump.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.#goTo(this.#jump.value.trim());
    });
    this.#jump.addEventListener('input', () => setAttributes(this.#jump, { 'aria-invalid': undefined }));
    this.#table = button(t('Table'), () => extension.send({ kind: 'openTable' }));
    const inFull = button(t('Open in Full'), () => extension.send({ kind: 'openInFull' }));
    const save = button(t('Save…'), () => extension.send({ kind: 'save' }));
    this.#ofKept = [search, this.#jump, this.#table, inFull, save];
    const cancel = button(t('Cancel'), () => {
      cancel.disabled = true;
      extension.send({ kind: 'cancel' });
    });
    cancel.hidden = hello.run === undefined;
    this.#progress.append(
      element('div', { class: 'bar', role: 'progressbar', 'aria-label': t('Receiving') }),
      this.#received,
      cancel,
    );
    showPage(
      element('h1', { class: 'only-read' }, visible(hello.title)),
      toolbar(t('Response'), search, ...this.#steps, this.#found, this.#jump, this.#table, inFull, save, this.#facts),
      this.#progress,
      // Outside the hidden element: screen readers do not read hidden text.
      this.#spoken,
      this.#detail.split,
    );
    this.#showSearch({ kind: 'none' });
    extension.keep(hello);
    void this.#look();
  }

  update(): void {
    void this.#look();
  }

  /** How far it is; again and again while it comes in. */
  async #look(): Promise<void> {
    clearTimeout(this.#growing);
    const { t } = this.extension;
    const answer = await this.extension.ask({ kind: 'page', from: 0, count: 0 });
    if (answer?.kind !== 'page' && answer?.kind !== 'noItems') {
      this.#showNone(absentText(answer, t));
      return;
    }
    const { isComplete, bytes } = answer;
    if (!isComplete) this.#growing = setTimeout(() => void this.#look(), GROWING_MS);
    this.#progress.hidden = isComplete;
    const total = answer.kind === 'page' ? answer.total : 0;
    const size = sized(bytes);
    const items = total === 1 ? t('1 item') : t('{0} items', counted(total));
    this.#facts.textContent = isComplete ? `${items} · ${size}` : '';
    this.#received.textContent = isComplete ? '' : t('Receiving: {0}, {1}', items, size);
    this.#speak(isComplete ? t('Complete: {0}, {1}', items, size) : (this.#received.textContent ?? ''), isComplete);
    for (const control of this.#ofKept) control.disabled = false;
    this.#table.disabled = total === 0;
    if (answer.kind === 'noItems') {
      this.#detail.sayInstead(
        isComplete ? t('This response contains no list to page through. Open it in full, or save it.') : '',
      );
      return;
    }
    this.#detail.sayInstead(undefined);
    this.#path = answer.path;
    if (total === this.#total) return;
    // The last page may have had room left.
    this.#pages.forgetFrom(Math.min(this.#total, total));
    this.#total = total;
    this.#list.setCount(total);
  }

  /** Nothing of it is kept: nothing is listed that could be taken for all of it, and nothing can be done with it. */
  #showNone(words: string): void {
    this.#progress.hidden = true;
    this.#facts.textContent = '';
    for (const control of this.#ofKept) control.disabled = true;
    this.#pages.forgetFrom(0);
    this.#total = 0;
    this.#list.setCount(0);
    this.#detail.hide();
    this.#detail.sayInstead(words);
  }

  #speak(words: string, isLast: boolean): void {
    const now = performance.now();
    if (!isLast && now - this.#spokenAt < SPOKEN_MS) return;
    this.#spokenAt = now;
    if (this.#spoken.textContent !== words) this.#spoken.textContent = words;
  }

  async #load(from: number, count: number): Promise<readonly Item[] | undefined> {
    const items: Item[] = [];
    // Items that are many bytes come in several answers.
    while (items.length < count && from + items.length < this.#total) {
      const answer = await this.extension.ask({ kind: 'page', from: from + items.length, count: count - items.length });
      if (answer?.kind !== 'page') return undefined;
      if (answer.items.length === 0) break;
      items.push(...answer.items);
    }
    return items;
  }

  async #askSearch(text: string, from: number, limit: number): Promise<ResponseSearchResult | undefined> {
    const answer = await this.extension.ask({ kind: 'search', text, from, limit });
    return answer?.kind === 'hits' ? answer : undefined;
  }

  #showSearch(state: SearchState): void {
    const { t } = this.extension;
    const isFound = state.kind === 'found';
    for (const step of this.#steps) step.disabled = !isFound;
    switch (state.kind) {
      case 'none':
        this.#found.textContent = '';
        this.#list.redraw();
        break;
      case 'searching':
        this.#found.textContent = t('Searching…');
        break;
      case 'nothing':
        this.#found.textContent = t('Not found');
        break;
      case 'found':
        this.#found.textContent = t(
          '{0} of {1}',
          counted(state.at),
          `${counted(state.total)}${state.isAll ? '' : '+'}`,
        );
        this.#list.redraw();
    }
  }

  #goTo(words: string): void {
    const index = /^\d+$/.test(words) ? Number(words) : -1;
    const isThere = index >= 0 && index < this.#total;
    setAttributes(this.#jump, { 'aria-invalid': isThere ? undefined : 'true' });
    if (!isThere) return;
    this.#list.setActive(index);
    this.#list.element.focus();
  }

  #drawRow(row: HTMLElement, index: number): void {
    const item = this.#pages.at(index);
    const text = item === undefined ? '' : item.text.replace(/\s+/g, ' ') + (item.isCut ? '…' : '');
    row.replaceChildren(
      span('number quiet', String(index)),
      span('mono text', marks(visible(text), visible(this.#search.text))),
    );
  }

  async #openItem(index: number): Promise<void> {
    const { t } = this.extension;
    const answer = await this.extension.ask({
      kind: 'item',
      path: this.#path.filter((key) => key !== undefined),
      index,
    });
    if (answer?.kind !== 'item') return;
    this.#detail.show(t('Item {0}', index), answer.text, answer.isCut, this.#search.text);
    // The detail takes room from the list.
    this.#list.show(index);
  }
}

connectPage(BodyPage);
