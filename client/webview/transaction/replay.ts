// How a transaction that ran again on a private ledger compares with the chain, and what can be done next.
import type { TransactionView } from '../../../protocol/explain';
import type { DifferenceView, ReplayPoint } from '../../../protocol/replay';
import { bulletList, button, div, element, fill, paragraph } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { visible } from '../shared/visible';
import type { TransactionExtension } from './place';
import { stacking } from './tables';

export class ReplayPart {
  readonly element = element('section', { class: 'replay', 'aria-labelledby': 'replay-title', hidden: true });
  readonly #said = element('p', { role: 'status' });
  readonly #rest = element('div', {});

  constructor(private readonly extension: TransactionExtension) {
    const { t, send } = extension;
    this.element.append(
      element('h2', { id: 'replay-title' }, t('Replay on a private ledger')),
      this.#said,
      this.#rest,
      div(
        'steps wraps',
        button(t('Change and Run Again…'), () => send({ kind: 'replayAgain' }), { class: 'primary' }),
        button(t('Save as a Folder…'), () => send({ kind: 'saveReplay' })),
      ),
    );
  }

  show({ replay }: TransactionView): void {
    const { t } = this.extension;
    this.element.hidden = replay === undefined;
    if (replay === undefined) return;
    const { same, differences, notes, overrides } = replay;
    const points = same.map((point) => pointTitles(t)[point]).join(', ');
    this.#said.textContent =
      differences.length === 0 ? t('The same as on the chain: {0}', points) : t('It differs from the chain.');
    const differs = differences.length > 0;
    fill(
      this.#rest,
      overrides.length > 0 && list(t('Changed here'), overrides),
      differs && this.#table(differences),
      differs && notes.length > 0 && list(t('Why it may differ'), notes),
    );
  }

  #table(differences: readonly DifferenceView[]): HTMLElement {
    const { t } = this.extension;
    const titles = pointTitles(t);
    return stacking(
      t('Differs'),
      [t('Differs'), t('On the chain'), t('Here')],
      differences.map(({ about, at, expected, local }) => [
        at === undefined ? titles[about] : `${titles[about]}, ${visible(at)}`,
        visible(expected),
        visible(local),
      ]),
    );
  }
}

/** Under a separate heading. */
const list = (title: string, texts: readonly string[]): HTMLElement =>
  element('div', {}, paragraph('quiet', title), bulletList(title, texts.map(visible)));

const pointTitles = (t: PageTranslate): Readonly<Record<ReplayPoint, string>> => ({
  error: t('Error'),
  computeUnits: t('Compute units'),
  logs: t('Logs'),
  lamports: t('Lamports'),
  tokens: t('Tokens'),
});
