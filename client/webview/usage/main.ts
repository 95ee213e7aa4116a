// The page of the usage report, as bars or as a table. Redrawn whole with each message; the focus stays.
import type { ReportRow, UsageReport, UsageCommand } from '../../../protocol/usagePanel';
import { button, element, showPage, toolbar } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { counted } from '../shared/format';
import { bars } from './bars';
import { grid, type Sorting } from './grid';
import { shareText } from './shares';
import { timelineSection } from './timeline';
import './main.css';

interface Kept {
  readonly isTable: boolean;
}

interface Section {
  readonly id: 'methods' | 'keys';
  readonly title: string;
  /** The title of the first column. */
  readonly first: string;
  readonly rows: readonly ReportRow[];
  /** Shown where there are no rows. */
  readonly empty: string;
}

class UsagePage {
  readonly #toggle: HTMLButtonElement;
  readonly #live = element('p', { class: 'only-read', role: 'status' });
  readonly #head = element('header', {});
  readonly #body = element('div', { class: 'body', tabindex: 0 });
  #report: UsageReport;
  #isTable: boolean;
  /** The method that is shown over time; undefined for all. */
  #method: string | undefined;
  #sorting: Sorting = { column: 'count', isDown: true };

  constructor(
    report: UsageReport,
    private readonly extension: Extension<never, never, UsageCommand>,
  ) {
    const { t } = extension;
    this.#report = report;
    this.#isTable = (extension.kept as Kept | undefined)?.isTable === true;
    this.#toggle = button(t('Show as Table'), () => this.#switch(), { class: 'toggle' });
    const tools = toolbar(
      undefined,
      button(t('Refresh'), () => extension.send({ step: 'refresh' }), { class: 'primary' }),
      button(t('Range…'), () => extension.send({ step: 'range' })),
      button(t('Export CSV…'), () => extension.send({ step: 'export' })),
      this.#toggle,
    );
    showPage(this.#head, tools, this.#live, this.#body);
    this.#draw();
  }

  update(report: UsageReport): void {
    this.#report = report;
    this.#draw();
  }

  #switch(): void {
    this.#isTable = !this.#isTable;
    this.extension.keep({ isTable: this.#isTable } satisfies Kept);
    this.#draw();
  }

  #draw(): void {
    const { t } = this.extension;
    const { endpoint, range, age, isStale, isLoading, notice, total, errors } = this.#report;
    const focused = placeOfFocus();
    const when = [range, age, isStale ? t('out of date') : undefined].filter((part) => part !== undefined).join(' · ');
    this.#toggle.setAttribute('aria-pressed', String(this.#isTable));
    this.#head.replaceChildren(
      element('h1', {}, endpoint === '' ? t('Usage') : t('Usage of {0}', endpoint)),
      element('p', { class: isStale ? 'bad' : 'quiet' }, isLoading ? `${when} · ${t('Loading…')}` : when),
    );
    this.#live.textContent = isLoading ? t('Loading…') : (notice?.text ?? '');
    this.#body.setAttribute('aria-busy', String(isLoading));
    const hasNumbers = age !== undefined;
    this.#body.replaceChildren(
      ...(notice === undefined ? [] : [this.#notice(notice)]),
      ...(hasNumbers
        ? [
            element(
              'dl',
              { class: 'totals' },
              this.#total(t('Requests'), counted(total)),
              this.#total(t('Errors'), `${counted(errors)} (${shareText(errors, total)})`),
            ),
            ...(this.#isTable ? [] : [legend(t)]),
            ...this.#timeline(),
            this.#section({
              id: 'methods',
              title: t('By method'),
              first: t('Method'),
              rows: this.#report.methods,
              empty: t('No requests in this range.'),
            }),
            this.#section({
              id: 'keys',
              title: t('By key'),
              first: t('Key'),
              rows: this.#report.keys,
              empty: t('No keys to show.'),
            }),
          ]
        : isLoading
          ? [element('p', { class: 'loading quiet' }, t('Loading usage…'))]
          : []),
    );
    if (focused !== undefined) this.#body.querySelector<HTMLElement>(focused)?.focus();
  }

  #timeline(): readonly HTMLElement[] {
    const { timeline, keys } = this.#report;
    if (timeline === undefined) return [];
    return [
      timelineSection({
        timeline,
        keys,
        isTable: this.#isTable,
        method: this.#method,
        onMethod: (method) => {
          this.#method = method;
          this.#draw();
        },
        onAsk: (keyId) => this.extension.send({ step: 'timeline', ...(keyId !== undefined && { keyId }) }),
        t: this.extension.t,
      }),
    ];
  }

  #total(name: string, value: string): HTMLElement {
    return element('div', {}, element('dt', {}, name), element('dd', {}, value));
  }

  #notice({ text, step }: NonNullable<UsageReport['notice']>): HTMLElement {
    const next =
      step === undefined
        ? undefined
        : button(step, () => this.extension.send({ step: 'next' }), { 'data-column': 'next' });
    return element('div', { class: 'notice', 'data-table': 'notice' }, element('span', {}, text), next);
  }

  #section({ id, title, first, rows, empty }: Section): HTMLElement {
    const { t } = this.extension;
    const drawn =
      rows.length === 0
        ? element('p', { class: 'quiet' }, empty)
        : this.#isTable
          ? grid({ caption: title, first, rows, sorting: this.#sorting, onSort: (by) => this.#sortBy(by), t })
          : bars(rows, title, t);
    const add =
      id === 'keys' && !this.#report.isListed
        ? button(t('Add a Key by Its Id…'), () => this.extension.send({ step: 'addKey' }), { 'data-column': 'add' })
        : undefined;
    return element(
      'section',
      { 'aria-labelledby': `title-${id}`, 'data-table': id },
      element('h2', { id: `title-${id}` }, title),
      drawn,
      add,
    );
  }

  #sortBy(sorting: Sorting): void {
    this.#sorting = sorting;
    this.#draw();
  }
}

/** The focused place as a selector that finds it again after a redraw. */
function placeOfFocus(): string | undefined {
  const column = document.activeElement?.getAttribute('data-column');
  const table = document.activeElement?.closest('[data-table]')?.getAttribute('data-table');
  return typeof column !== 'string' || typeof table !== 'string'
    ? undefined
    : `[data-table="${table}"] [data-column="${column}"]`;
}

/** The legend for the two colours of a bar. */
function legend(t: Extension<never, never, UsageCommand>['t']): HTMLElement {
  return element(
    'p',
    { class: 'legend quiet', 'aria-hidden': 'true' },
    element('span', {}, element('span', { class: 'key answered' }), t('Answered')),
    element('span', {}, element('span', { class: 'key failed' }), t('Errors')),
  );
}

connectPage<UsageReport, never, never, UsageReport, UsageCommand>((report, extension) => {
  const page = new UsagePage(report, extension);
  return (report) => page.update(report);
});
