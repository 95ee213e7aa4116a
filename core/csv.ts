// Rows as CSV (RFC 4180) that a spreadsheet opens without running any of it: text that would be read as a formula is
// marked as text. Digits stay as they are.

/** A number as a whole: what begins with a sign is no formula then. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** What a spreadsheet takes for the beginning of a formula or a command, also in its full width, or behind white space. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One row with its end; `undefined` is an empty field. */
export function csvLine(fields: readonly (string | undefined)[]): string {
  return `${fields.map((field) => csvField(field ?? '')).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
