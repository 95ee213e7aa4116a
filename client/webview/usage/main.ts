// The page of the usage report, as bars or as a table.
import type { UsageReport, UsageCommand } from '../../../protocol/usagePanel';
import { button, type Child, definitions, div, element, paragraph, span } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { counted } from '../shared/format';
import { Report } from '../shared/report';
import { bars } from './bars';
import { grid, type Sorting } from './grid';
import { shareText } from './shares';
import { timelineSection } from './timeline';
import './main.css';

interface Kept {
  readonly isTable: boolean;
}

class UsagePage {
  readonly #toggle: HTMLButtonElement;
  readonly #page: Report;
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
    this.#page = new Report(
      button(t('Refresh'), () => extension.send({ step: 'refresh' }), { class: 'primary' }),
      button(t('Range…'), () => extension.send({ step: 'range' })),
      button(t('Export CSV…'), () => extension.send({ step: 'export' })),
      this.#toggle,
    );
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
    const when = [range, age, isStale ? t('out of date') : undefined].filter((part) => part !== undefined).join(' · ');
    this.#toggle.setAttribute('aria-pressed', String(this.#isTable));
    this.#page.draw({
      title: endpoint === '' ? t('Usage') : t('Usage of {0}', endpoint),
      about: paragraph(isStale ? 'bad' : 'quiet', isLoading ? `${when} · ${t('Loading…')}` : when),
      spoken: isLoading ? t('Loading…') : (notice?.text ?? ''),
      isBusy: isLoading,
      content: [
        notice !== undefined && this.#notice(notice),
        age === undefined
          ? isLoading && paragraph('loading quiet', t('Loading usage…'))
          : [
              definitions('totals wraps', [
                [t('Requests'), counted(total)],
                [t('Errors'), `${counted(errors)} (${shareText(errors, total)})`],
              ]),
              !this.#isTable && legend(t),
              this.#timeline(),
              this.#section('methods', t('By method'), t('Method'), t('No requests in this range.')),
              this.#section('keys', t('By key'), t('Key'), t('No keys to show.')),
            ],
      ],
    });
  }

  #timeline(): Child {
    const { timeline, keys } = this.#report;
    return (
      timeline !== undefined &&
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
      })
    );
  }

  #notice({ text, step }: NonNullable<UsageReport['notice']>): HTMLElement {
    const next = step !== undefined && button(step, () => this.extension.send({ step: 'next' }), { id: 'next' });
    return div('notice wraps', element('span', {}, text), next);
  }

  /** `first`: the title of the first column; `empty`: shown where there are no rows. */
  #section(id: 'methods' | 'keys', title: string, first: string, empty: string): HTMLElement {
    const { t } = this.extension;
    const rows = this.#report[id];
    const drawn =
      rows.length === 0
        ? paragraph('quiet', empty)
        : this.#isTable
          ? grid({ id, caption: title, first, rows, sorting: this.#sorting, onSort: (by) => this.#sortBy(by), t })
          : bars(rows, title, t);
    const add =
      id === 'keys' &&
      !this.#report.isListed &&
      button(t('Add a Key by Its Id…'), () => this.extension.send({ step: 'addKey' }), { id: 'add' });
    return element(
      'section',
      { 'aria-labelledby': `title-${id}` },
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

/** The legend for the two colours of a bar. */
function legend(t: Extension<never, never, UsageCommand>['t']): HTMLElement {
  return element(
    'p',
    { class: 'legend wraps quiet', 'aria-hidden': 'true' },
    element('span', {}, span('key answered'), t('Answered')),
    element('span', {}, span('key failed'), t('Errors')),
  );
}

connectPage(UsagePage);
