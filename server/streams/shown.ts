// What is shown of a row, fit to be shown: without keys, a line each, and nothing that moves a cursor.
import { harmless } from '../../core/redact';
import type { GapRow } from './ring';

/** A cell is a line. */
const MAX_CELL = 200;
const BETWEEN = '\0';

/** Cells without keys; looked through together, since a key is hardly ever there. */
export function cleanCells(cells: readonly string[], redact: (text: string) => string): readonly string[] {
  const text = cells.map((cell) => cell.replaceAll(BETWEEN, ' ')).join(BETWEEN);
  return redact(text)
    .split(BETWEEN)
    .map((cell) => harmless(cell, { max: MAX_CELL }));
}

/** A gap as it is told: slots as their digits. */
export const gapJson = ({ fromSlot, toSlot, isFilled, reason }: GapRow) => ({
  ...(fromSlot === undefined ? {} : { fromSlot: String(fromSlot) }),
  ...(toSlot === undefined ? {} : { toSlot: String(toSlot) }),
  isFilled,
  reason,
});
