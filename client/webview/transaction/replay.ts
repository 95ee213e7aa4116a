// How a transaction that ran again on a private ledger compares with the chain, and what can be done next.
import type { TransactionView } from '../../../protocol/explain';
import type { DifferenceView, ReplayPoint } from '../../../protocol/replay';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { visible } from '../shared/visible';
import { stacking } from './tables';

export interface ReplayOptions {
  readonly t: PageTranslate;
  readonly onAgain: () => void;
  readonly onSave: () => void;
}

export class ReplayPart {
  readonly element = element('section', {
    class: 'replay',
    'aria-labelledby': 'replay-title',
  });
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
    const { same, differences, notes, overrides } = replay;
    const points = same.map((point) => pointTitle(point, t)).join(', ');
    this.#said.textContent =
      differences.length === 0 ? t('The same as on the chain: {0}', points) : t('It differs from the chain.');
    this.#rest.replaceChildren(
      ...(overrides.length === 0 ? [] : [list(t('Changed here'), overrides)]),
      ...(differences.length === 0 ? [] : [this.#table(differences)]),
      ...(differences.length === 0 || notes.length === 0 ? [] : [list(t('Why it may differ'), notes)]),
    );
  }

  #table(differences: readonly DifferenceView[]): HTMLElement {
    const { t } = this.options;
    return stacking(
      t('Differs'),
      [t('Differs'), t('On the chain'), t('Here')],
      differences.map(({ about, at, expected, local }) => [
        at === undefined ? pointTitle(about, t) : `${pointTitle(about, t)}, ${visible(at)}`,
        visible(expected),
        visible(local),
      ]),
    );
  }
}

/** Under a separate heading. */
const list = (title: string, texts: readonly string[]): HTMLElement =>
  element(
    'div',
    {},
    element('p', { class: 'quiet' }, title),
    element('ul', { class: 'notes', 'aria-label': title }, ...texts.map((text) => element('li', {}, visible(text)))),
  );

function pointTitle(point: ReplayPoint, t: PageTranslate): string {
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
