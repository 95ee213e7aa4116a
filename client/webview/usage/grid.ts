// The same numbers as a table, sorted by the column the user chose.
import type { ReportRow } from '../../../protocol/usagePanel';
import { button, element, table } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { shareText } from './shares';

export type UsageColumn = 'name' | 'count' | 'share' | 'errors' | 'errorShare';

export interface Sorting {
  readonly column: UsageColumn;
  readonly isDown: boolean;
}

const VALUES: Readonly<Record<Exclude<UsageColumn, 'name'>, (row: ReportRow) => number>> = {
  count: ({ count }) => count,
  share: ({ count }) => count,
  errors: ({ errors }) => errors,
  errorShare: ({ count, errors }) => (count === 0 ? 0 : errors / count),
};

export interface UsageGridOptions {
  readonly id: string;
  readonly caption: string;
  readonly first: string;
  readonly rows: readonly ReportRow[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly t: PageTranslate;
}

export function grid({ id, caption, first, rows, sorting, onSort, t }: UsageGridOptions): HTMLTableElement {
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const heads: readonly (readonly [UsageColumn, string])[] = [
    ['name', first],
    ['count', t('Requests')],
    ['share', t('Share')],
    ['errors', t('Errors')],
    ['errorShare', t('Error share')],
  ];
  const head = heads.map(([column, title]) => {
    const isSorted = sorting.column === column;
    const mark = isSorted ? (sorting.isDown ? ' ▾' : ' ▴') : '';
    const press = (): void => onSort({ column, isDown: isSorted ? !sorting.isDown : column !== 'name' });
    return element(
      'th',
      { scope: 'col', 'aria-sort': isSorted ? (sorting.isDown ? 'descending' : 'ascending') : 'none' },
      button(`${title}${mark}`, press, { class: 'sort bare', id: `${id}-${column}` }),
    );
  });
  const body = sorted(rows, sorting).map((row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', title: row.keyId ?? row.name }, row.name),
      ...(row.problem === undefined
        ? [counted(row.count), shareText(row.count, all), counted(row.errors), shareText(row.errors, row.count)].map(
            (text) => element('td', {}, text),
          )
        : [element('td', { colspan: 4, class: 'bad problem' }, row.problem)]),
    ),
  );
  return table(caption, head, body);
}

function sorted(rows: readonly ReportRow[], { column, isDown }: Sorting): readonly ReportRow[] {
  const value = column === 'name' ? undefined : VALUES[column];
  const byName = (a: ReportRow, b: ReportRow): number => a.name.localeCompare(b.name);
  const compare = value === undefined ? byName : (a: ReportRow, b: ReportRow) => value(a) - value(b) || byName(b, a);
  return [...rows].sort((a, b) => (isDown ? compare(b, a) : compare(a, b)));
}
