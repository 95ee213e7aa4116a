// Suggestions for sending a simulated transaction: limits from what it used, and a price from what others recently paid, which
// a button requests. Each has a button that writes it into the request.
import type { FeeLevelView, FeesResult, SuggestedMember, TransactionView } from '../../../protocol/explain';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import type { TransactionExtension } from './place';

export class Suggestions {
  readonly element = element('section', { class: 'suggestions', 'aria-labelledby': 'suggestions-title' });
  readonly #list = element('ul', {});
  readonly #said = element('p', { class: 'quiet', role: 'status' });

  /** `askFees`: undefined where there is no answer. */
  constructor(
    private readonly extension: TransactionExtension,
    private readonly askFees: () => Promise<FeesResult | undefined>,
  ) {
    const title = element('h2', { id: 'suggestions-title' }, extension.t('Suggested for sending'));
    this.element.append(title, this.#list, this.#said);
    this.element.hidden = true;
  }

  /** `fees`: what was asked for before. */
  show({ suggested = [] }: TransactionView, fees?: FeesResult): void {
    const { t } = this.extension;
    this.element.hidden = suggested.length === 0;
    this.#said.textContent = '';
    const titles = memberTitles(t);
    const asks = button(t('Ask for Recent Fees'), () => void this.#ask(asks));
    this.#list.replaceChildren(
      ...suggested.map(({ member, value }) => this.#row(titles[member], counted(value), { member, value })),
      element('li', {}, element('span', {}, titles.priorityFee), asks),
    );
    if (fees?.kind === 'fees') this.#showFees(fees.levels, asks);
  }

  async #ask(asks: HTMLButtonElement): Promise<void> {
    const { t } = this.extension;
    asks.disabled = true;
    this.#said.textContent = t('Asking…');
    const fees = await this.askFees();
    asks.disabled = false;
    if (fees?.kind !== 'fees') {
      this.#said.textContent = fees?.reason ?? t('There was no answer.');
      return;
    }
    this.#showFees(fees.levels, asks)?.querySelector('button')?.focus();
  }

  /** In the place of the button; the first row. */
  #showFees(levels: readonly FeeLevelView[], asks: HTMLButtonElement): HTMLElement | undefined {
    const { t } = this.extension;
    this.#said.textContent = t('Fees of recent slots that changed the same accounts.');
    const rows = levels.map(({ percentile, microLamports }) =>
      this.#row(t('Priority fee, {0}th percentile', percentile), t('{0} micro-lamports/CU', counted(microLamports)), {
        member: 'priorityFee',
        value: microLamports,
      }),
    );
    asks.parentElement?.replaceWith(...rows);
    return rows[0];
  }

  #row(name: string, text: string, { member, value }: { member: SuggestedMember; value: number }): HTMLElement {
    const { t, send } = this.extension;
    return element(
      'li',
      {},
      element('span', {}, `${name}: `, element('b', {}, text)),
      button(t('Use'), () => send({ kind: 'use', member, value }), { 'aria-label': t('Use: {0}, {1}', name, text) }),
    );
  }
}

const memberTitles = (t: PageTranslate): Readonly<Record<SuggestedMember, string>> => ({
  computeUnitLimit: t('Compute unit limit'),
  loadedAccountsDataLimit: t('Loaded account data limit, bytes'),
  priorityFee: t('Priority fee'),
});
