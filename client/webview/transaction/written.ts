// The accounts that a simulation writes, before and after: a group of rows for each account.
import type { TransactionView, WrittenView } from '../../../protocol/explain';
import { div, element, tableHead } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';

/** Nothing where no simulation answered with accounts. */
export function writtenPart({ written }: TransactionView, t: PageTranslate): readonly HTMLElement[] {
  if (written === undefined) return [];
  const heads = [t('Field'), t('Before'), t('After')];
  return [
    element('h2', { id: 'written-title' }, t('Accounts after the simulation')),
    element(
      'table',
      { class: 'written', 'aria-labelledby': 'written-title' },
      tableHead(heads),
      ...written.map((account) => accountRows(account, t)),
    ),
    element('h2', {}, t('Accounts of the transaction')),
  ];
}

function accountRows({ address, title, rows }: WrittenView, t: PageTranslate): HTMLElement {
  const name = element(
    'th',
    { scope: 'rowgroup', colspan: 3 },
    div('mono address', address),
    title !== '' && div('quiet', title),
  );
  const cells =
    rows.length === 0
      ? [[element('td', { class: 'quiet', colspan: 3 }, t('no changes'))]]
      : rows.map(({ name: field, before = '–', after = '–' }) =>
          [field, before, after].map((text) => element('td', { class: 'mono' }, text)),
        );
  return element('tbody', {}, element('tr', {}, name), ...cells.map((row) => element('tr', {}, ...row)));
}
