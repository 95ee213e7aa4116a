// The page of a run report: a table of the file's requests with their outcomes.
import type { RunRow, RunCommand, RunView } from '../../../protocol/runPanel';
import { button, div, element, paragraph, table } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { Report } from '../shared/report';
import './main.css';
import { dotted } from '../../../core/solana/common/dotted';

const MARKS: Readonly<Record<RunRow['status'], string>> = { running: '●', passed: '✓', failed: '✗', skipped: '–' };

class RunPage {
  readonly #report: Report;
  readonly #again: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;

  constructor(
    view: RunView,
    private readonly extension: Extension<never, never, RunCommand>,
  ) {
    const { t } = extension;
    this.#again = button(t('Send All Again'), () => extension.send({ kind: 'again' }), { class: 'primary' });
    this.#cancel = button(t('Cancel'), () => extension.send({ kind: 'cancel' }));
    this.#report = new Report(this.#again, this.#cancel);
    this.update(view);
  }

  update(view: RunView): void {
    const { t } = this.extension;
    this.extension.keep(view);
    const count = (status: RunRow['status']): number => view.rows.filter((row) => row.status === status).length;
    const result = dotted([
      t('{0} passed', count('passed')),
      count('failed') === 0 ? '' : t('{0} failed', count('failed')),
      count('skipped') === 0 ? '' : t('{0} skipped', count('skipped')),
      view.isDone ? '' : t('running'),
    ]);
    this.#showTool(view.isDone);
    this.#report.draw({
      title: view.file,
      about: paragraph('quiet', dotted([result, view.endpoint, view.at])),
      spoken: view.isDone ? result : '',
      isBusy: !view.isDone,
      content: this.#table(view),
    });
  }

  /** A run in progress can be cancelled, a finished one sent again; the focus moves from one button to the other. */
  #showTool(isDone: boolean): void {
    const [shown, other] = isDone ? [this.#again, this.#cancel] : [this.#cancel, this.#again];
    const hadFocus = document.activeElement === other;
    shown.hidden = false;
    other.hidden = true;
    if (hadFocus) shown.focus();
  }

  #table({ rows, file }: RunView): HTMLElement {
    const { t } = this.extension;
    const heads = [t('Request'), t('Outcome'), t('Time'), t('Size')];
    return table(
      file,
      heads,
      rows.map((row, at) => this.#row(row, at)),
    );
  }

  #row(row: RunRow, at: number): HTMLElement {
    const { t, send } = this.extension;
    const { status, statusText, title, method, time, size, notes, response, line } = row;
    const request = button(title, () => send({ kind: 'request', row: at }), {
      id: `request-${at}`,
      class: 'link',
      title: t('Go to line {0}', line + 1),
    });
    const open =
      response !== undefined &&
      button(t('Response'), () => send({ kind: 'response', row: at }), { id: `response-${at}`, class: 'link' });
    return element(
      'tr',
      { class: status },
      element('th', { scope: 'row' }, request, method !== title && method !== '' && div('quiet', method)),
      element(
        'td',
        {},
        div('outcome wraps', element('span', { 'aria-hidden': 'true' }, MARKS[status]), statusText, open),
        notes.map((note) => div('note quiet', note)),
      ),
      element('td', { class: 'number' }, time),
      element('td', { class: 'number' }, size),
    );
  }
}

connectPage(RunPage);
