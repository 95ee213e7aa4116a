// The accounts and balances of a transaction as tables, and its explanation as JSON of which only the lines in view exist.
import type {
  ExplainedAccountView,
  BalanceView,
  ChangeView,
  TokensView,
  TransactionView,
} from '../../../protocol/explain';
import { type Child, div, element, paragraph, setAttributes, span, table, tableRow } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { LineList } from './lineList';

export function accountTable(accounts: readonly ExplainedAccountView[], t: PageTranslate): HTMLElement {
  return stacking(
    t('Accounts'),
    [t('Account'), t('Roles'), t('Change'), t('Before'), t('After')],
    accounts.map((account) => {
      const { address, name, table: from, balance, tokens, owners } = account;
      return [
        named(
          address ?? t('in a lookup table that was not read'),
          name,
          from !== undefined && div('quiet', t('from the table {0}', from)),
          owners !== undefined && div('quiet', t('owner changed from {0} to {1}', owners.from, owners.to)),
        ),
        rolesOf(account, t).join(', '),
        ...accountCells(balance, tokens),
      ];
    }),
  );
}

function rolesOf(account: ExplainedAccountView, t: PageTranslate): readonly string[] {
  const { isFeePayer, isSigner, isWritable, isProgram, fault, life } = account;
  return [
    ...(isFeePayer ? [t('fee payer')] : isSigner ? [t('signer')] : []),
    ...(isWritable ? [t('writable')] : [t('read-only')]),
    ...(isProgram ? [t('program')] : []),
    ...(fault === undefined ? [] : [fault === 'missing' ? t('has not signed') : t('signature is not valid')]),
    ...(life === undefined ? [] : [life === 'created' ? t('created') : t('closed')]),
  ];
}

export function balanceTable(balances: readonly BalanceView[], t: PageTranslate): HTMLElement {
  if (balances.length === 0) return paragraph('empty quiet', t('No balance changed, as far as is known.'));
  return stacking(
    t('Balances'),
    [t('Owner'), t('Of'), t('Change'), t('Before'), t('After')],
    balances.map(({ owner, name, unit, change }) => [
      named(owner, name),
      span('mono', unit),
      ...textsOf(change).map(number),
    ]),
  );
}

/** A table whose rows become lists where there is no room for columns; roles apply however the cells look. */
export function stacking(
  caption: string,
  heads: readonly string[],
  rows: readonly Parameters<typeof tableRow>[0][],
): HTMLTableElement {
  const made = table(caption, heads, rows.map(tableRow));
  setAttributes(made, { class: 'stacking', role: 'table' });
  for (const part of [made.tHead, ...made.tBodies]) if (part !== null) setAttributes(part, { role: 'rowgroup' });
  for (const row of made.rows) {
    setAttributes(row, { role: 'row' });
    for (const [at, cell] of [...row.cells].entries()) {
      const role = row.parentElement === made.tHead ? 'columnheader' : at === 0 ? 'rowheader' : 'cell';
      setAttributes(cell, { role, 'data-head': heads[at] });
    }
  }
  return made;
}

const named = (address: string, name: string | undefined, ...more: readonly Child[]): HTMLElement =>
  element('div', {}, name !== undefined && element('div', {}, name), div('mono address', address), more);

const textsOf = ({ before = '', after = '', moved = '' }: Partial<ChangeView> = {}): readonly string[] => [
  moved,
  before,
  after,
];

const number = (text: string): HTMLElement => span('number', text === '' ? '–' : text);

/** Lamports, and under them tokens with the mint's name, or the beginning and end of its address. */
function accountCells(lamports: ChangeView | undefined, tokens: TokensView | undefined): readonly HTMLElement[] {
  const rows = textsOf(lamports);
  if (tokens === undefined) return rows.map(number);
  const { unit, change } = tokens;
  return textsOf(change).map((text, at) =>
    element('div', {}, element('div', {}, number(rows[at] ?? '')), tokenLine(text, unit)),
  );
}

/** A mint that has no name. */
const shortUnit = (unit: string): string => (unit.length < 32 ? unit : `${unit.slice(0, 4)}…${unit.slice(-4)}`);

const tokenLine = (text: string, unit: string): HTMLElement =>
  element('div', { title: `${text} ${unit}` }, number(`${text === '' ? '–' : text} ${shortUnit(unit)}`));

export class RawText {
  readonly #lines: LineList;
  readonly #cut: HTMLElement;
  readonly element: HTMLElement;

  constructor(t: PageTranslate) {
    this.#cut = element('p', { class: 'quiet', hidden: true }, t('Only the beginning is shown.'));
    this.#lines = new LineList(t('The explanation as JSON'), 'raw');
    this.element = div('raw-text column', this.#cut, this.#lines.element);
  }

  show({ raw, isRawCut }: TransactionView): void {
    this.#cut.hidden = !isRawCut;
    this.#lines.show(raw.split('\n'));
  }
}
