// Parts of a whole in words: exact enough to compare, never a nought for something that happened.
import type { PageTranslate } from '../shared/extension';
import { counted, language } from '../shared/format';

export function shareText(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return `< ${(0.1).toLocaleString(language())} %`;
  return `${percent.toLocaleString(language(), { maximumFractionDigits: 1 })} %`;
}

/** Requests and errors in words. */
export const countsText = (
  name: string,
  { count, errors }: { count: number; errors: number },
  t: PageTranslate,
): string => t('{0}: {1} requests, {2} errors ({3})', name, counted(count), counted(errors), shareText(errors, count));
