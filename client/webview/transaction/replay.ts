// How a transaction that ran again on a private ledger compares with the chain, and what can be done next.
import type { TransactionView } from '../../../protocol/explain';
import type { DifferenceView, ReplayPoint } from '../../../protocol/replay';
import { button, element } from '../shared/dom';
import type { Translate } from '../shared/extension';
import { visible } from '../shared/visible';

export interface ReplayOptions {
  readonly t: Translate;
  readonly onAgain: () => void;
  readonly onSave: () => void;
}

export class ReplayPart {
  readonly element = element('section', { class: 'replay', 'aria-labelledby': 'replay-title' });
  readonly #said = element('p', { role: 'status' });
  readonly #rest = element('div', {});

  constructor(private readonly options: ReplayOptions) {
    const { t, onAgain, onSave } = options;
    this.element.append(
      element('h2', { id: 'replay-title' }, t('Replay on a private ledger')),
      this.#said,
      this.#rest,
      element(
        'div',
        { class: 'steps' },
        button(t('Change and Run Again…'), onAgain, { class: 'primary' }),
        button(t('Save as a Folder…'), onSave),
      ),
    );
    this.element.hidden = true;
  }

  show({ replay }: TransactionView): void {
    const { t } = this.options;
    this.element.hidden = replay === undefined;
    if (replay === undefined) return;
    const { same, differences, notes } = replay;
    const points = same.map((point) => pointTitle(point, t)).join(', ');
    this.#said.textContent =
      differences.length === 0 ? t('The same as on the chain: {0}', points) : t('It differs from the chain.');
    this.#rest.replaceChildren(
      ...(differences.length === 0 ? [] : [this.#table(differences)]),
      ...(differences.length === 0 || notes.length === 0
        ? []
        : [
            element(
              'ul',
              { class: 'notes', 'aria-label': t('Why it may differ') },
              ...notes.map((note) => element('li', {}, visible(note))),
            ),
          ]),
    );
  }

  #table(differences: readonly DifferenceView[]): HTMLElement {
    const { t } = this.options;
    const titles = [t('Differs'), t('On the chain'), t('Here')];
    const head = element('tr', {}, ...titles.map((title) => element('th', { scope: 'col' }, title)));
    const rows = differences.map(({ about, at, expected, local }) =>
      element(
        'tr',
        {},
        element(
          'th',
          { scope: 'row' },
          at === undefined ? pointTitle(about, t) : `${pointTitle(about, t)}, ${visible(at)}`,
        ),
        element('td', {}, visible(expected)),
        element('td', {}, visible(local)),
      ),
    );
    return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
  }
}

function pointTitle(point: ReplayPoint, t: Translate): string {
  switch (point) {
    case 'error':
      return t('Error');
    case 'computeUnits':
      return t('Compute units');
    case 'logs':
      return t('Logs');
    case 'lamports':
      return t('Lamports');
    case 'tokens':
      return t('Tokens');
  }
}
