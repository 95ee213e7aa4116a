// The updates of an account as a table, newest first: slot, balance, what changed, and the transactions that did it.
import { formatSol } from '../../../core/solana/chain/lamports';
import { button, element, tableHead } from '../shared/dom';
import { clock, counted, digits } from '../shared/format';
import type { StreamExtension } from '../shared/streamState';
import type { AccountUpdate, Updates } from './updates';

/** Rows that are shown; the charts go further back. */
const SHOWN = 200;

export class UpdateTable {
  readonly element: HTMLElement;
  readonly #body = element('tbody');
  readonly #amountHead: HTMLElement;
  readonly #rows = new Map<string, HTMLTableRowElement>();

  /** `onChoose`: the decoded form of an update is to be shown. */
  constructor(
    private readonly extension: StreamExtension,
    private readonly onChoose: (number: number) => void,
  ) {
    const { t } = extension;
    this.#amountHead = element('th', { scope: 'col', class: 'end', hidden: true }, t('Tokens'));
    const heads = [
      element('th', { scope: 'col', class: 'end' }, t('No.')),
      element('th', { scope: 'col' }, t('Time')),
      element('th', { scope: 'col', class: 'end' }, t('Slot')),
      element('th', { scope: 'col', class: 'end' }, t('Balance')),
      element('th', { scope: 'col', class: 'end' }, t('Change')),
      this.#amountHead,
      element('th', { scope: 'col' }, t('Transaction')),
    ];
    this.element = element(
      'div',
      { class: 'updates scrolls', tabindex: 0, role: 'region', 'aria-label': t('Updates') },
      element('table', {}, tableHead(heads), this.#body),
    );
  }

  /** Unchanged rows are kept. */
  draw(updates: Updates): void {
    const list = updates.list();
    const hasAmounts = list.some(({ number }) => updates.amountOf(number) !== undefined);
    this.#amountHead.hidden = !hasAmounts;
    const wanted = new Map<string, HTMLTableRowElement>();
    for (let at = list.length - 1; at >= Math.max(0, list.length - SHOWN); at--) {
      const update = list[at];
      if (update === undefined) continue;
      const amount = updates.amountOf(update.number)?.text;
      const key = `${update.number} ${hasAmounts} ${amount ?? ''} ${update.signatures.length}`;
      const before = update.isAfterGap ? undefined : list[at - 1];
      wanted.set(key, this.#rows.get(key) ?? this.#row(update, before, hasAmounts ? (amount ?? '') : undefined));
    }
    this.#rows.clear();
    for (const [key, row] of wanted) this.#rows.set(key, row);
    this.#body.replaceChildren(...wanted.values());
  }

  #row(update: AccountUpdate, before: AccountUpdate | undefined, amount: string | undefined): HTMLTableRowElement {
    const { t } = this.extension;
    const { number, time, slot, lamports } = update;
    const title = t('Show update {0}', counted(number));
    const show = button(counted(number), () => this.onChoose(number), { class: 'link', 'aria-label': title, title });
    return element(
      'tr',
      {},
      element('td', { class: 'end mono' }, show),
      element('td', { class: 'mono' }, clock(time)),
      element('td', { class: 'end mono' }, digits(slot)),
      element('td', { class: 'end mono' }, lamports === undefined ? '–' : formatSol(lamports)),
      element('td', { class: 'end mono' }, this.#change(lamports, before?.lamports)),
      amount !== undefined && element('td', { class: 'end mono' }, amount === '' ? '–' : amount),
      element('td', {}, ...update.signatures.map((signature) => this.#signature(signature))),
    );
  }

  #change(now: bigint | undefined, before: bigint | undefined): string {
    if (now === undefined || before === undefined || now === before) return now === before ? '±0' : '–';
    return `${now > before ? '+' : ''}${formatSol(now - before)}`;
  }

  #signature(signature: string): HTMLElement {
    const { t, send } = this.extension;
    const short = signature.length > 20 ? `${signature.slice(0, 8)}…${signature.slice(-8)}` : signature;
    const title = t('Copy {0}', signature);
    return button(short, () => send({ kind: 'copy', text: signature }), {
      class: 'link mono',
      title,
      'aria-label': title,
    });
  }
}
