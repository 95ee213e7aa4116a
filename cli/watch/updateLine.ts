// An update as one line for people: the time, the slot, and the fields of its kind of stream; for lamports also the change.
import { cellsOf, joinedCells, type Shape } from '../../core/service/streams/shape';
import { formatSol } from '../../core/solana/chain/lamports';
import { setNewest } from '../../core/solana/common/maps';
import { escapeLine, type Painter } from '../terminal';

const MAX_CELL = 100;
/** Accounts whose lamports are remembered. */
const MAX_ACCOUNTS = 10_000;

/** Makes the lines of one stream, in the order in which they are shown. */
export function updateLines(
  shape: Shape,
  paint: Painter,
  clean: (text: string) => string,
): (bytes: Buffer, time: Date, second?: Buffer) => string {
  const before = new Map<string, bigint>();
  const lamportsText = (text: string, account: string): string => {
    if (!/^\d{1,20}$/.test(text)) return escapeLine(text, MAX_CELL);
    const lamports = BigInt(text);
    const last = before.get(account);
    setNewest(before, account, lamports, MAX_ACCOUNTS);
    if (last === undefined || last === lamports) return formatSol(lamports);
    const isLess = lamports < last;
    const change = `${isLess ? '-' : '+'}${formatSol(isLess ? last - lamports : lamports - last)}`;
    return `${formatSol(lamports)} ${isLess ? paint.bad(change) : paint.good(change)}`;
  };
  return (bytes, time, second) => {
    const first = cellsOf(shape, bytes, 0, bytes.length);
    const cells = second === undefined ? first : joinedCells(shape, first, cellsOf(shape, second, 0, second.length));
    const at = (field: string): string => cells[shape.columns.findIndex((column) => column.field === field)] ?? '';
    const facts = [paint.dim(time.toISOString().slice(11, 23))];
    shape.columns.forEach(({ field }, index) => {
      const cell = clean(cells[index] ?? '');
      if (cell === '' || cell === 'false') return;
      const shown = field === 'lamports' ? lamportsText(cell, at('pubkey')) : escapeLine(cell, MAX_CELL);
      facts.push(field === 'lamports' ? shown : `${paint.dim(field)} ${shown}`);
    });
    return facts.join('  ');
  };
}
