// Rows as CSV (RFC 4180) that a spreadsheet opens without running any of it: text that would be read as a formula is
// marked as text. Digits stay as they are.

/** A whole cell that is a number: its sign does not begin a formula. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Beginnings that a spreadsheet reads as a formula or a command, also in full width or after white space. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
/** All that may come between two cells, and what follows: taken whole, so that the time is linear. */
const BETWEEN = /([\s";]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g;

/** One row with its end; `undefined` is an empty field. */
export function csvLine(fields: readonly (string | undefined)[]): string {
  return `${fields.map((field) => csvField(field ?? '')).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${inside(text)}` : inside(text);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** In most languages a spreadsheet ends cells at semicolons, or at tabs, and knows no quotes in the middle of one. */
const inside = (text: string): string =>
  text.replace(BETWEEN, (all, run: string, mark: string) =>
    mark !== '' && /[;\t\r\n]/.test(run) ? `${run}'${mark}` : all,
  );
