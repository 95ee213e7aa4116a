// Suggestions for sending a simulated transaction: limits from what it used, and a price from what others recently paid, which
// a button requests. Each has a button that writes it into the request.
import type { FeeLevelView, FeesResult, SuggestedMember, TransactionView } from '../../../protocol/explain';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';

export interface SuggestionOptions {
  readonly t: PageTranslate;
  readonly onUse: (member: SuggestedMember, value: number) => void;
  /** Undefined where there is no answer. */
  readonly askFees: () => Promise<FeesResult | undefined>;
}

export class Suggestions {
  readonly element = element('section', { class: 'suggestions', 'aria-labelledby': 'suggestions-title' });
  readonly #list = element('ul', {});
  readonly #said = element('p', { class: 'quiet', role: 'status' });

  constructor(private readonly options: SuggestionOptions) {
    const title = element('h2', { id: 'suggestions-title' }, options.t('Suggested for sending'));
    this.element.append(title, this.#list, this.#said);
    this.element.hidden = true;
  }

  /** `fees`: what was asked for before. */
  show({ suggested = [] }: TransactionView, fees?: FeesResult): void {
    const { t } = this.options;
    this.element.hidden = suggested.length === 0;
    this.#said.textContent = '';
    const asks = button(t('Ask for Recent Fees'), () => void this.#ask(asks));
    this.#list.replaceChildren(
      ...suggested.map(({ member, value }) => this.#row(memberTitle(member, t), counted(value), { member, value })),
      element('li', {}, element('span', {}, memberTitle('priorityFee', t)), asks),
    );
    if (fees?.kind === 'fees') this.#showFees(fees.levels, asks);
  }

  async #ask(asks: HTMLButtonElement): Promise<void> {
    const { t } = this.options;
    asks.disabled = true;
    this.#said.textContent = t('Asking…');
    const fees = await this.options.askFees();
    asks.disabled = false;
    if (fees?.kind !== 'fees') {
      this.#said.textContent = fees?.reason ?? t('There was no answer.');
      return;
    }
    this.#showFees(fees.levels, asks)?.querySelector('button')?.focus();
  }

  /** In the place of the button; the first row. */
  #showFees(levels: readonly FeeLevelView[], asks: HTMLButtonElement): HTMLElement | undefined {
    const { t } = this.options;
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
    const { t, onUse } = this.options;
    return element(
      'li',
      {},
      element('span', {}, `${name}: `, element('b', {}, text)),
      button(t('Use'), () => onUse(member, value), { 'aria-label': t('Use: {0}, {1}', name, text) }),
    );
  }
}

function memberTitle(member: SuggestedMember, t: PageTranslate): string {
  switch (member) {
    case 'computeUnitLimit':
      return t('Compute unit limit');
    case 'loadedAccountsDataLimit':
      return t('Loaded account data limit, bytes');
    case 'priorityFee':
      return t('Priority fee');
  }
}
