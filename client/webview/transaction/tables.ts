// The accounts and balances of a transaction as tables, and its explanation as JSON of which only the lines in view exist.
import type { AccountView, BalanceView, ChangeView, TransactionView } from '../../../protocol/explain';
import { element, table } from '../shared/dom';
import type { Translate } from '../shared/extension';
import { VirtualList } from '../shared/virtualList';

export function accountTable(accounts: readonly AccountView[], t: Translate): HTMLElement {
  return table(
    t('Accounts'),
    [t('Account'), t('Roles'), t('Change'), t('SOL before'), t('SOL after')],
    accounts.map((account) => {
      const { address, name, table: from, balance } = account;
      const where = from === undefined ? [] : [element('div', { class: 'quiet' }, t('from the table {0}', from))];
      return [
        named(address ?? t('in a lookup table that was not read'), name, where),
        rolesOf(account, t).join(', '),
        ...changeCells(balance),
      ];
    }),
  );
}

function rolesOf(account: AccountView, t: Translate): readonly string[] {
  const { isFeePayer, isSigner, isWritable, isProgram, fault, life } = account;
  return [
    ...(isFeePayer ? [t('fee payer')] : isSigner ? [t('signer')] : []),
    ...(isWritable ? [t('writable')] : [t('read-only')]),
    ...(isProgram ? [t('program')] : []),
    ...(fault === undefined ? [] : [fault === 'missing' ? t('has not signed') : t('signature is not valid')]),
    ...(life === undefined ? [] : [life === 'created' ? t('created') : t('closed')]),
  ];
}

export function balanceTable(balances: readonly BalanceView[], t: Translate): HTMLElement {
  if (balances.length === 0)
    return element('p', { class: 'empty quiet' }, t('No balance changed, as far as is known.'));
  return table(
    t('Balances'),
    [t('Owner'), t('Of'), t('Change'), t('Before'), t('After')],
    balances.map(({ owner, name, unit, change }) => [
      named(owner, name),
      element('span', { class: 'mono' }, unit),
      ...changeCells(change),
    ]),
  );
}

const named = (address: string, name: string | undefined, more: readonly HTMLElement[] = []): HTMLElement =>
  element(
    'div',
    {},
    ...(name === undefined ? [] : [element('div', {}, name)]),
    element('div', { class: 'mono address' }, address),
    ...more,
  );

function changeCells(change: ChangeView | undefined): readonly HTMLElement[] {
  const { before = '', after = '', moved = '' } = change ?? {};
  return [moved, before, after].map((text) => element('span', { class: 'number' }, text === '' ? '–' : text));
}

const LINE_HEIGHT = 20;

export class RawText {
  readonly element = element('div', { class: 'raw-text' });
  readonly #cut: HTMLElement;
  readonly #list: VirtualList;
  #lines: readonly string[] = [];

  constructor(t: Translate) {
    this.#cut = element('p', { class: 'quiet', hidden: true }, t('Only the beginning is shown.'));
    this.#list = new VirtualList({
      label: t('The explanation as JSON'),
      rowHeight: LINE_HEIGHT,
      draw: (row, index) => row.append(element('span', { class: 'mono' }, this.#lines[index] ?? '')),
    });
    this.element.append(this.#cut, this.#list.element);
  }

  show({ raw, isRawCut }: TransactionView): void {
    this.#lines = raw.split('\n');
    this.#cut.hidden = !isRawCut;
    this.#list.setCount(this.#lines.length);
  }
}
