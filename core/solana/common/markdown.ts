// Text from outside in Markdown: it is shown as it is, and nothing in it becomes markup, a link, a picture, an element or
// an icon. For CommonMark and the dialects of GitHub and VS Code.
import { shortened } from './ends';
import { withoutUnseen } from './unseen';

/** Longer texts are cut with `…`. UTF-16 units */
const LONGEST = 1_000;

/** Marks that begin anything in Markdown; commas, quotes, slashes, semicolons, question and percent signs begin nothing. */
const MARKS = /[!#$&()*+\-.:<=>@[\\\]^_`{|}~]/g;

/** One line of text. */
export const markdownText = (text: string, max = LONGEST): string => oneLine(text, max).replace(MARKS, '\\$&');

/** One line as code, between as many back-ticks as it takes. Empty if there is nothing to show. */
export function markdownCode(text: string, max = LONGEST): string {
  const line = oneLine(text, max);
  if (line === '') return '';
  const fence = '`'.repeat(longestFence(line) + 1);
  return line.startsWith('`') || line.endsWith('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Lines as a block of code. Not bounded. */
export function markdownBlock(text: string, language = 'text'): string {
  const shown = withoutUnseen(text, true);
  const fence = '`'.repeat(Math.max(3, longestFence(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** The words of a line of Markdown without its spans of code and escapes, for a place that shows plain text. */
export const markdownWords = (markdown: string): string =>
  markdown.replace(/`([^`]*)`|\\([!-/:-@[-`{-~])/g, (_all, code?: string, mark?: string) => code ?? mark ?? '');

function oneLine(text: string, max: number): string {
  return withoutUnseen(shortened(text, max).replace(/\s+/g, ' ').trim());
}

const longestFence = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
