// The page of a stream: head, tools, list and detail put together. Pulls what it shows and keeps what it showed.
import type { StreamHello, StreamKept, StreamUpdate } from '../../../protocol/streamPanel';
import { MAX_ROWS } from '../../../protocol/pageLimits';
import type { StreamRowResult, StreamTick } from '../../../protocol/streams';
import { button, div, element, setAttributes, showPage, toolbar, wantsCalm } from '../shared/dom';
import { connectPage } from '../shared/extension';
import { counted, oneLineText } from '../shared/format';
import { Detail } from './detail';
import { ExportBox } from './exportBox';
import { FilterBox } from './filterBox';
import { StreamHeader } from './header';
import { keeper, type Keeper } from '../shared/keeper';
import { Puller, type Pulled } from '../shared/puller';
import { Rows } from './rows';
import { StreamList } from './streamList';
import { KEEP_EVERY_MS, KEPT_ROWS, readKept, type StreamExtension } from '../shared/streamState';
import './main.css';

class StreamPage {
  readonly #rows = new Rows();
  readonly #header: StreamHeader;
  readonly #filter: FilterBox;
  readonly #export: ExportBox;
  readonly #list: StreamList;
  readonly #detail: Detail;
  readonly #follow: HTMLButtonElement;
  readonly #keeper: Keeper;
  readonly #found = element('p', { class: 'only-read', role: 'status' });
  readonly #puller = new Puller(wantsCalm);
  readonly #pullRows: Pulled = { pull: () => this.#askRows(), every: 1 };
  readonly #pullDetail: Pulled = { pull: () => this.#askDetail(), every: 2 };
  #hello: StreamHello;
  #tick: StreamTick | undefined;
  /** Typed, and not known to be readable. */
  #wantedFilter: string | undefined;
  /** A chosen place whose row is on its way. */
  #awaited: number | undefined;

  constructor(
    hello: StreamHello,
    private readonly extension: StreamExtension,
  ) {
    const { t } = extension;
    this.#hello = hello;
    this.#header = new StreamHeader(extension);
    this.#follow = button('', () => (this.#rows.isPaused ? this.#followOn() : this.#pause()), { class: 'follow' });
    this.#filter = new FilterBox(t, (filter) => this.#filterBy(filter));
    this.#export = new ExportBox(extension, () => this.#rows.filter);
    this.#list = new StreamList({
      t,
      rows: this.#rows,
      onActive: (place) => this.#choose(place),
      onOpen: () => this.#detail.element.querySelector<HTMLElement>('.detail-body')?.focus(),
      onScroll: (isAtEnd) => {
        if (!isAtEnd) this.#pause();
      },
      onView: ({ next }) => {
        // A list that follows stays at its end when its own height changes.
        if (!this.#rows.isPaused && next < this.#rows.count) this.#list.list.setCount(this.#rows.count, 'end');
        this.#puller.want(this.#pullRows, 'now');
      },
    });
    this.#detail = new Detail(extension, () => this.#closeDetail());
    const { stop, reopen } = this.#header.state;
    const tools = toolbar(t('Stream'), this.#follow, stop, reopen, this.#export.toggle, this.#filter.element);
    const body = div('split', this.#list.element, this.#detail.element);
    showPage(this.#header.element, tools, this.#export.element, body, this.#found);
    this.#keeper = keeper(extension, () => this.#toKeep(), KEEP_EVERY_MS);
    document.addEventListener('visibilitychange', () => this.#keeper.keep());
    this.#start(hello, readKept(extension.kept, hello));
  }

  update(update: StreamUpdate): void {
    switch (update.kind) {
      case 'tick':
        this.#hello = { ...this.#hello, state: update.state };
        this.#showTick(update.tick);
        this.#showState();
        break;
      case 'known':
        this.#rows.stale();
        this.#puller.want(this.#pullRows, 'now');
        this.#puller.want(this.#pullDetail, 'now');
        break;
      case 'opened':
        this.#rows.clear();
        this.#rows.setFilter(this.#filter.input.value.trim());
        this.#closeDetail();
        this.#start(update.hello, undefined);
    }
  }

  #start(hello: StreamHello, kept: StreamKept | undefined): void {
    this.#hello = hello;
    document.title = oneLineText(hello.info.title);
    this.#header.setInfo(hello);
    this.#filter.setColumns(hello.info.columns);
    this.#list.setInfo(hello.info);
    const isGone = this.#isGone;
    if (isGone) this.#rows.freeze(kept?.rows ?? []);
    else if (kept !== undefined) {
      this.#filter.setFilter(kept.filter);
      this.#rows.setFilter(kept.filter);
    }
    this.#showTick(hello.tick ?? kept?.tick);
    if (!isGone && kept?.isPaused === true) this.#rows.resume(kept.rows);
    this.#refresh();
    if (this.#rows.isPaused && !isGone) this.#list.list.show(this.#rows.count - 1, 'end');
    this.#showState();
    this.#puller.want(this.#pullRows, 'now');
  }

  #showTick(tick: StreamTick | undefined): void {
    if (tick === undefined) return;
    // Rows that were shown before may be marked now, or have a second status.
    const isMarked = this.#tick?.abandoned !== tick.abandoned || this.#tick?.changed !== tick.changed;
    this.#tick = tick;
    this.#header.setTick(tick);
    if (isMarked) {
      this.#rows.stale();
      this.#puller.want(this.#pullRows);
    }
    this.#export.setState(tick.export);
    if (this.#rows.take(tick)) this.#puller.want(this.#pullRows);
    this.#keeper.soon();
  }

  #showState(): void {
    const { t } = this.extension;
    const { state } = this.#hello;
    const isGone = this.#isGone;
    const { newer, isPaused } = this.#rows;
    this.#header.state.set(state, isPaused && state.canStop);
    this.#list.sayEmpty(this.#emptyText());
    this.#export.toggle.hidden = isGone;
    this.#filter.input.disabled = isGone;
    this.#follow.hidden = isGone;
    const label = !isPaused ? t('Pause') : newer === 0 ? t('Follow') : t('Follow, {0} newer', counted(newer));
    if (this.#follow.textContent !== label) this.#follow.textContent = label;
    setAttributes(this.#follow, { 'aria-pressed': String(isPaused) });
    // Nothing comes that could be held back.
    this.#follow.disabled = !state.canStop && !isPaused;
  }

  /** Why there are no rows, by the count that the header shows. */
  #emptyText(): string {
    const { t } = this.extension;
    if (this.#filter.isFaulty) return t('The filter cannot be read.');
    if (this.#rows.filter !== '') return t('No row passes the filter yet.');
    if ((this.#tick?.total ?? 0) === 0) return t('Nothing received yet.');
    if (this.#isGone) return t('The rows of this stream were not kept.');
    return this.#rows.isPaused
      ? t('Paused before the first row. Follow shows what came.')
      : t('Reading the newest updates…');
  }

  get #isGone(): boolean {
    const { kind } = this.#hello.state;
    return kind === 'restored' || kind === 'interrupted';
  }

  #refresh(): void {
    this.#list.refresh(this.#rows.isPaused ? undefined : 'end', this.#emptyText());
    this.#markChosen();
  }

  #pause(): void {
    if (this.#rows.isPaused) return;
    this.#rows.pause();
    this.#showState();
    this.#keeper.keep();
    // Rows that came into view before the pause are not at hand.
    this.#puller.want(this.#pullRows, 'now');
  }

  #followOn(): void {
    this.#rows.follow();
    this.#awaited = undefined;
    this.#list.list.markActive(-1);
    this.#showState();
    this.#puller.want(this.#pullRows, 'now');
  }

  /** The rows stay until it is known that the filter can be read: a half-typed one takes nothing away. */
  #filterBy(filter: string): void {
    if (filter === this.#rows.filter) {
      this.#wantedFilter = undefined;
      this.#filter.setFault(undefined);
      return;
    }
    this.#wantedFilter = filter;
    this.#puller.want(this.#pullRows, 'now');
  }

  /** True: rows are to be asked for with it. */
  async #askFilter(filter: string): Promise<boolean> {
    const answer = await this.extension.ask({ kind: 'rows', filter, from: 0, count: 1 });
    // It may be another one by now.
    if (filter !== this.#wantedFilter) return true;
    this.#wantedFilter = undefined;
    if (answer?.kind === 'badFilter') {
      this.#filter.setFault(answer);
      return false;
    }
    this.#rows.setFilter(filter);
    this.#filter.setFault(undefined);
    this.#list.list.markActive(-1);
    this.#refresh();
    this.#showState();
    this.#keeper.soon();
    return true;
  }

  #choose(place: number): void {
    this.#pause();
    const row = this.#rows.at(place);
    this.#awaited = row === undefined ? place : undefined;
    if (row === undefined) return;
    this.#detail.open(row);
    if (row.kind === 'update') this.#puller.want(this.#pullDetail, 'now');
  }

  #closeDetail(): void {
    const hadFocus = this.#detail.element.contains(document.activeElement);
    this.#detail.close();
    if (hadFocus) this.#list.list.element.focus();
  }

  /** While the list follows, the chosen row wanders up, and out of it. */
  #markChosen(): void {
    const { number } = this.#detail;
    if (this.#rows.isPaused) return;
    const place = number === undefined || this.#rows.filter !== '' ? -1 : number - this.#rows.shown.first;
    this.#list.list.markActive(place >= 0 && place < this.#rows.count ? place : -1);
  }

  async #askRows(): Promise<boolean> {
    if (this.#wantedFilter !== undefined) return this.#askFilter(this.#wantedFilter);
    const { filter } = this.#rows;
    const wanted = this.#rows.wanted(this.#list.view, this.#list.list.capacity);
    if (wanted === undefined) return false;
    const { from } = wanted;
    const count = Math.min(wanted.count, MAX_ROWS);
    const answer = await this.extension.ask({ kind: 'rows', filter, from, count });
    // The filter may be another one by now.
    if (filter !== this.#rows.filter) return true;
    switch (answer?.kind) {
      case 'rows': {
        const before = this.#rows.count;
        const hasMore = this.#rows.took(answer);
        this.#filter.setFault(undefined);
        this.#refresh();
        this.#showState();
        if (this.#awaited !== undefined) this.#choose(this.#awaited);
        if (filter !== '' && before === 0 && this.#rows.count > 0)
          this.#found.textContent = this.extension.t('Rows pass the filter: {0}', counted(answer.next - answer.first));
        return hasMore;
      }
      case 'badFilter':
        this.#filter.setFault(answer);
        this.#refresh();
        return false;
      case 'gone':
        this.#rows.freeze(this.#rows.newest(KEPT_ROWS));
        this.#refresh();
        this.#showState();
        return false;
      default:
        return false;
    }
  }

  async #askDetail(): Promise<boolean> {
    const { number } = this.#detail;
    if (number === undefined) return false;
    const answer = await this.extension.ask({ kind: 'row', number });
    if (this.#detail.number !== number) return this.#detail.number !== undefined;
    this.#detail.show(answer as StreamRowResult | undefined);
    return false;
  }

  #toKeep(): StreamKept {
    return {
      info: this.#hello.info,
      ...(this.#tick !== undefined && { tick: this.#tick }),
      rows: this.#rows.newest(KEPT_ROWS),
      filter: this.#rows.filter,
      isPaused: this.#rows.isPaused,
    };
  }
}

connectPage(StreamPage);
