// Makes the texts of a row fit to be shown: without keys, a line each, and nothing that moves a cursor.
import { harmless } from '../../core/service/redaction/redact';

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
