// A finding with the line of the file it is about and a caret under the place.
import { escapeLine, LONGEST_MESSAGE } from '../terminal';
import type { Painter } from '../terminal';
import type { Range } from '../../core/requests/document/model';

/** Longest part of a line that is shown, in UTF-16 units. */
const WIDTH = 160;

export interface PlacedFinding {
  readonly file: string;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  /** Zero-based, as in LSP. */
  readonly range: Range;
}

/** `file:line:column: severity code: message`, one-based, then the line and the caret. */
export function findingText(finding: PlacedFinding, lines: readonly string[], paint: Painter): string {
  const { file, code, severity, message, range } = finding;
  const { start, end } = range;
  const colour = severity === 'error' ? paint.bad : paint.strong;
  const head = `${escapeLine(file)}:${start.line + 1}:${start.character + 1}: ${colour(severity)} ${code}: ${escapeLine(message, LONGEST_MESSAGE)}`;
  const line = lines[start.line] ?? '';
  const from = Math.max(0, start.character - WIDTH / 2);
  const shown = escapeLine(line.slice(from, from + WIDTH));
  const before = escapeLine(line.slice(from, start.character));
  const last = end.line === start.line ? end.character : line.length;
  const width = Math.max(1, Math.min(last, from + WIDTH) - start.character);
  const gutter = `${start.line + 1}`;
  return `${head}\n  ${paint.dim(`${gutter} |`)} ${shown}\n  ${' '.repeat(gutter.length)} ${paint.dim('|')} ${' '.repeat(before.length)}${colour('^'.repeat(width))}\n`;
}
