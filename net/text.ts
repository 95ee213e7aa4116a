// Makes text from outside fit for a message: short, one line, nothing invisible.

/** Control characters, ANSI's escape, line separators, and characters that hide or turn text around. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const MAX = 240;

/** At most 240 UTF-16 units of the text, in one line, without a cut character at its end. */
export function excerpt(text: string): string {
  // Cut first: a message of a megabyte costs no more than a short one.
  const clean = text
    .slice(0, 4 * MAX)
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = clean.length <= MAX ? clean : `${clean.slice(0, MAX - 1)}…`;
  // In the Unicode mode this matches only halves without their other half.
  return short.replace(/\p{Surrogate}/gu, '');
}
