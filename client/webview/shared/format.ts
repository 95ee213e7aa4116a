// Numbers, sizes and times as people of the page's language write them. Digits of amounts and slots stay as they came.

export const language = (): string => document.documentElement.lang || 'en';

/** A count with its groups. */
export const counted = (count: number): string => count.toLocaleString(language());

/** Groups the digits of a number of any length; any other text stays as it is. */
export function digits(text: string): string {
  return /^\d+$/.test(text) ? BigInt(text).toLocaleString(language()) : text;
}

/** Decimal units, as the editor's own transfers are. */
export function sized(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let rest = bytes;
  let unit = 0;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  const shown = rest.toLocaleString(language(), { maximumFractionDigits: unit === 0 ? 0 : 1 });
  return `${shown} ${units[unit] ?? ''}`;
}

/** The time of day to the millisecond. */
export function clock(ms: number): string {
  const time = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = `${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  return `${two(time.getHours())}:${two(time.getMinutes())}:${seconds}`;
}

/** A text of any length for one line: what is longer is cut, and marked as such. In UTF-16 units. */
export const oneLineText = (text: string, most = 300): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;
