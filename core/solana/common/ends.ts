// The end of a text, found by a loop: a regular expression that ends with `+$` is tried from every character, so that a
// long run in the middle of a text costs its square.

/** The text without these characters at its end. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The longest end of the text of which each UTF-16 unit matches `unit`. */
export function trailingRun(text: string, unit: RegExp): string {
  let start = text.length;
  while (start > 0 && unit.test(text.charAt(start - 1))) start--;
  return text.slice(start);
}

/** At most `max` UTF-16 units; a longer text ends in `…`, behind a whole character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}
