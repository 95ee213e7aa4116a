// The time axis: one column per part of the range, errors stacked on what was answered. Drawn with attributes alone, since
// the page's policy takes no inline styles; the same numbers are in the table.
import type { ReportPart } from '../../../protocol/usagePanel';
import { drawing, element, paragraph } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted, language } from '../shared/format';
import { countsText } from './shares';

const HEIGHT = 120;
/** Errors are never too thin to be seen. Pixels. */
const THINNEST = 2;
/** Between two columns, as a part of a column's width. */
const GAP = 0.2;

const DAY_MS = 86_400_000;

/** When a part begins and ends, in the user's time: `Nov 23, 14:00 – 16:00`. */
export function partText({ from, to }: ReportPart): string {
  const [begin, end] = [new Date(from * 1000), new Date((to + 1) * 1000)];
  const isLong = end.getTime() - begin.getTime() >= DAY_MS;
  const format = new Intl.DateTimeFormat(language(), {
    month: 'short',
    day: 'numeric',
    ...(!isLong && { hour: '2-digit', minute: '2-digit' }),
  });
  return format.formatRange(begin, isLong ? new Date(to * 1000) : end);
}

/** `label`: what the columns count. */
export function columns(parts: readonly ReportPart[], label: string, t: PageTranslate): HTMLElement {
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const [first] = parts;
  const last = parts.at(-1);
  const step = 100 / Math.max(1, parts.length);
  const drawn = parts.map((part, at) => {
    const { count, errors } = part;
    const whole = (HEIGHT * count) / most;
    const failed = errors === 0 ? 0 : Math.min(whole, Math.max(THINNEST, (HEIGHT * errors) / most));
    const place = { x: `${(at + GAP / 2) * step}%`, width: `${(1 - GAP) * step}%` };
    return drawing(
      'g',
      {},
      drawing('title', {}, countsText(partText(part), part, t)),
      // The whole height can be pointed at.
      drawing('rect', { ...place, class: 'ground', y: 0, height: HEIGHT }),
      drawing('rect', { ...place, class: 'answered', y: HEIGHT - whole + failed, height: whole - failed }),
      drawing('rect', { ...place, class: 'failed', y: HEIGHT - whole, height: failed }),
    );
  });
  return element(
    'figure',
    { class: 'columns' },
    paragraph('axis quiet', t('At most {0} in one part', counted(most))),
    drawing(
      'svg',
      { class: 'bar', role: 'img', 'aria-label': label, width: '100%', height: HEIGHT, focusable: 'false' },
      ...drawn,
    ),
    paragraph(
      'axis ends quiet',
      element('span', {}, first === undefined ? '' : partText(first)),
      element('span', {}, last === undefined ? '' : partText(last)),
    ),
  );
}
