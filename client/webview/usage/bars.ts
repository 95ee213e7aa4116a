// Bars: one per row, errors stacked on answered requests, the numbers next to them. Drawn with attributes alone, since the
// page's policy allows no inline styles; the colours are also explained in words and by a pattern.
import type { ReportRow } from '../../../protocol/usagePanel';
import { drawing, element, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { countsText } from './shares';

const HEIGHT = 14;
/** Errors are never too thin to be seen. Percent. */
const THINNEST = 0.6;

export function bars(rows: readonly ReportRow[], label: string, t: PageTranslate): HTMLElement {
  const longest = Math.max(1, ...rows.map(({ count }) => count));
  return element(
    'ul',
    { class: 'bars', 'aria-label': label },
    ...rows.map((row) => {
      const { name, count, errors, problem } = row;
      return element(
        'li',
        { 'aria-label': problem === undefined ? countsText(name, row, t) : `${name}: ${problem}` },
        element('span', { class: 'clipped', title: row.keyId ?? name }, name),
        problem === undefined ? bar(row, longest) : span('bar-problem bad', problem),
        span('number', problem === undefined ? counted(count) : ''),
        span('bar-errors number', errors === 0 ? '' : `${counted(errors)} ✗`),
      );
    }),
  );
}

function bar({ count, errors }: ReportRow, longest: number): SVGElement {
  const whole = (100 * count) / longest;
  const failed = errors === 0 ? 0 : Math.min(whole, Math.max(THINNEST, (100 * errors) / longest));
  return drawing(
    'svg',
    { class: 'bar', height: HEIGHT, width: '100%', 'aria-hidden': 'true', focusable: 'false' },
    drawing('rect', { class: 'answered', x: 0, y: 0, height: HEIGHT, width: `${whole - failed}%` }),
    drawing('rect', { class: 'failed', x: `${whole - failed}%`, y: 0, height: HEIGHT, width: `${failed}%` }),
  );
}
