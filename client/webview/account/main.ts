// The page of a watched account: what it holds now and over time, who owns it, what its data mean, and each update.
import { addressName } from '../../../core/solana/chain/addresses';
import { formatSol, groupDigits } from '../../../core/solana/chain/lamports';
import { MAX_ROWS } from '../../../protocol/pageLimits';
import type { StreamAnswer, StreamHello, StreamKept, StreamUpdate } from '../../../protocol/streamPanel';
import type { StreamRow, StreamTick } from '../../../protocol/streams';
import { button, definition, div, element, fill, paragraph, showPage, span, toolbar, wantsCalm } from '../shared/dom';
import { connectPage } from '../shared/extension';
import { clock, counted, digits } from '../shared/format';
import { keeper, type Keeper } from '../shared/keeper';
import { Puller, type Pulled } from '../shared/puller';
import { StateLine } from '../shared/stateLine';
import { StepChart, type ChartPoint } from '../shared/stepChart';
import { KEEP_EVERY_MS, KEPT_ROWS, readKept, type StreamExtension } from '../shared/streamState';
import { updateData } from '../shared/updateData';
import { UpdateTable } from './table';
import { Updates } from './updates';
import './main.css';
import { dotted } from '../../../core/solana/common/dotted';

class AccountPage {
  readonly #updates = new Updates();
  readonly #title = element('h1', { class: 'mono' });
  readonly #about = paragraph('quiet');
  readonly #state: StateLine;
  readonly #facts = element('dl', { class: 'facts wraps' });
  readonly #balance: StepChart;
  readonly #tokens: StepChart;
  readonly #table: UpdateTable;
  readonly #decoded = element('section', { class: 'decoded-section' });
  readonly #waiting = paragraph('quiet');
  readonly #keeper: Keeper;
  readonly #newest: HTMLButtonElement;
  readonly #puller = new Puller(wantsCalm);
  readonly #pullRows: Pulled = { pull: () => this.#askRows(), every: 1 };
  readonly #pullDetail: Pulled = { pull: () => this.#askDetail(), every: 2 };
  readonly #rows: StreamRow[] = [];
  #hello: StreamHello;
  #tick: StreamTick | undefined;
  /** The update whose decoded form is shown; undefined follows the newest. */
  #chosen: number | undefined;
  #shown: number | undefined;

  constructor(
    hello: StreamHello,
    private readonly extension: StreamExtension,
  ) {
    const { t } = extension;
    this.#hello = hello;
    this.#state = new StateLine(extension);
    this.#newest = button(t('Show the Newest'), () => this.#choose(undefined), { hidden: true });
    const copy = button(t('Copy Address'), () => extension.send({ kind: 'copy', text: this.#address }));
    const label = (least: string, most: string, now: string): string =>
      t('Now {0}, lowest {1}, highest {2}. The table of updates has every number.', now, least, most);
    this.#balance = new StepChart({ title: t('Balance'), text: formatSol, time: clock, label });
    this.#tokens = new StepChart({ title: t('Token amount'), text: (raw) => this.#tokenText(raw), time: clock, label });
    this.#table = new UpdateTable(extension, (number) => this.#choose(number));
    const tools = toolbar(t('Account'), this.#state.stop, this.#state.reopen, copy, this.#newest);
    const head = element('header', {}, this.#title, this.#about, this.#state.element);
    const charts = element('section', { 'aria-label': t('Over time') }, this.#balance.element, this.#tokens.element);
    const aside = div('account-side', this.#facts, charts, this.#decoded);
    const updates = element(
      'section',
      { class: 'account-updates column' },
      element('h2', {}, t('Updates')),
      this.#table.element,
    );
    showPage(head, tools, div('account-body split', aside, updates));
    this.#keeper = keeper(extension, () => this.#toKeep(), KEEP_EVERY_MS);
    this.#start(hello, readKept(extension.kept, hello));
  }

  update(update: StreamUpdate): void {
    switch (update.kind) {
      case 'tick':
        this.#state.set(update.state);
        this.#showTick(update.tick);
        break;
      case 'known':
        this.#updates.decodeAnew();
        this.#puller.want(this.#pullDetail, 'now');
        break;
      case 'opened':
        this.#updates.clear();
        this.#rows.length = 0;
        this.#chosen = undefined;
        this.#start(update.hello, undefined);
        this.#redraw();
    }
  }

  get #address(): string {
    const { source } = this.#hello.info;
    return source.kind === 'account' ? source.address : '';
  }

  #start(hello: StreamHello, kept: StreamKept | undefined): void {
    this.#hello = hello;
    const name = addressName(this.#address);
    document.title = name ?? this.#address;
    this.#title.textContent = this.#address;
    const { method, transport, endpoint } = hello.info;
    this.#about.textContent = dotted([name ?? '', method, transport, endpoint]);
    this.#tick = undefined;
    this.#shown = undefined;
    this.#decoded.replaceChildren(this.#waiting);
    this.#showWaiting();
    this.#state.set(hello.state);
    this.#take(kept?.rows ?? []);
    this.#showTick(hello.tick);
  }

  #showTick(tick: StreamTick | undefined): void {
    if (tick === undefined) return;
    const isNewer = tick.next !== this.#tick?.next;
    this.#tick = tick;
    this.#showWaiting();
    // Only later updates are throttled: the first is shown at once.
    if (isNewer) this.#puller.want(this.#pullRows, this.#updates.newest === undefined ? 'now' : 'inTime');
    this.#showFacts();
  }

  /** In the place of the data until they are there: what was counted has come, and is only not read yet. */
  #showWaiting(): void {
    const { t } = this.extension;
    const text = (this.#tick?.total ?? 0) > 0 ? t('Reading the newest update…') : t('Nothing received yet.');
    if (this.#waiting.textContent !== text) this.#waiting.textContent = text;
  }

  #take(rows: readonly StreamRow[]): void {
    if (rows.length === 0) return;
    this.#rows.push(...rows);
    this.#rows.splice(0, this.#rows.length - KEPT_ROWS);
    this.#updates.take(this.#hello.info, rows);
    this.#redraw();
    this.#puller.want(this.#pullDetail, this.#shown === undefined ? 'now' : 'inTime');
    this.#keeper.soon();
  }

  #redraw(): void {
    const list = this.#updates.list();
    const points: ChartPoint[] = [];
    const amounts: ChartPoint[] = [];
    for (const { number, time, lamports, isAfterGap } of list) {
      if (lamports !== undefined) points.push({ time, value: lamports, isBroken: isAfterGap });
      const amount = this.#updates.amountOf(number);
      if (amount !== undefined) amounts.push({ time, value: amount.raw, isBroken: isAfterGap });
    }
    this.#balance.draw(points);
    this.#tokens.draw(amounts);
    this.#table.draw(this.#updates);
    this.#showFacts();
  }

  #showFacts(): void {
    const { t, send } = this.extension;
    const newest = this.#updates.newest;
    const amount = newest === undefined ? undefined : this.#updates.amountOf(newest.number);
    const facts: (readonly [string, string])[] = [
      [t('Balance'), newest?.lamports === undefined ? '–' : formatSol(newest.lamports)],
      [t('Lamports'), newest?.lamports === undefined ? '–' : groupDigits(newest.lamports.toString())],
    ];
    if (amount !== undefined) facts.push([t('Tokens'), amount.text]);
    facts.push(
      [t('Data'), newest === undefined || newest.size === '' ? '–' : t('{0} bytes', digits(newest.size))],
      [t('Slot'), newest === undefined ? '–' : digits(newest.slot)],
      [t('Updates'), counted(this.#tick?.total ?? this.#updates.list().length)],
    );
    const entries = facts.map(([name, value]) => definition([name, element('dd', { class: 'mono' }, value)]));
    const owner = newest?.owner ?? '';
    if (owner !== '') {
      const watch = button(t('Watch'), () => send({ kind: 'watch', address: owner }), {
        class: 'link',
        'aria-label': t('Watch account {0}', owner),
      });
      const name = addressName(owner);
      const entry = definition([t('Owner'), [span('mono', owner), name !== undefined && ` ${name}`, watch]]);
      entry.classList.add('wide');
      entries.push(entry);
    }
    // Rebuilt only after a change: a press on its button must not fall between two drawings.
    const text = entries.map(({ textContent }) => textContent).join('\n');
    if (text === this.#facts.dataset['shown']) return;
    this.#facts.dataset['shown'] = text;
    this.#facts.replaceChildren(...entries);
  }

  /** An amount as the newest decoded one is written, which knows the decimals. */
  #tokenText(raw: bigint): string {
    for (const { number } of [...this.#updates.list()].reverse()) {
      const amount = this.#updates.amountOf(number);
      if (amount?.raw === raw) return amount.text;
    }
    return groupDigits(raw.toString());
  }

  #choose(number: number | undefined): void {
    this.#chosen = number;
    this.#newest.hidden = number === undefined;
    this.#puller.want(this.#pullDetail, 'now');
  }

  async #askRows(): Promise<boolean> {
    const { first = 0, next = 0 } = this.#tick ?? {};
    const from = this.#updates.from(first, next);
    if (from >= next) return false;
    const count = Math.min(MAX_ROWS, next - from);
    const answer = await this.extension.ask({ kind: 'rows', from, count, filter: '' });
    if (answer?.kind !== 'rows') return false;
    this.#take(answer.rows);
    return answer.rows.length > 0 && answer.next > answer.from + answer.rows.length;
  }

  async #askDetail(): Promise<boolean> {
    const newest = this.#updates.newest?.number;
    const shown = this.#chosen ?? newest;
    const number = this.#chosen ?? (this.#shown === newest ? this.#updates.toDecode() : newest);
    if (number === undefined) return false;
    const answer = await this.extension.ask({ kind: 'row', number });
    const row = answer?.kind === 'row' ? answer : undefined;
    this.#updates.decoded(number, row?.decoded);
    if (number === shown) this.#showDecoded(number, row);
    this.#redraw();
    // The rest is decoded for its amounts, one after the other.
    return this.#chosen === undefined && this.#updates.toDecode() !== undefined;
  }

  #showDecoded(number: number, row: Extract<StreamAnswer, { kind: 'row' }> | undefined): void {
    this.#shown = number;
    const { t } = this.extension;
    fill(
      this.#decoded,
      element('h2', {}, t('Data at update {0}', counted(number))),
      row === undefined
        ? paragraph('quiet', t('This row was dropped to make room for newer ones.'))
        : updateData(row, this.extension),
    );
  }

  #toKeep(): StreamKept {
    const { info } = this.#hello;
    const tick = this.#tick === undefined ? {} : { tick: this.#tick };
    return { info, ...tick, rows: this.#rows, filter: '', isPaused: false };
  }
}

connectPage(AccountPage);
