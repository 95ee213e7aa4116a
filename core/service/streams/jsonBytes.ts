// Finds members in the bytes of a JSON text without parsing it. Never throws; finds nothing in invalid JSON.
import type { FieldValue } from './shape';
import { latinText, utf8Text } from './shape';

/** Where a value is: from `start` up to `end`. */
interface ValuePlace {
  start: number;
  end: number;
}

/** Result of the last look-up. Shared, so that a message that is only counted allocates nothing. */
const FOUND: ValuePlace = { start: 0, end: 0 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/**
 * The value at the end of `path`, which begins at the value between `start` and `end`. Read it before the next look-up: it
 * is reused.
 */
export function findMembers(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly Uint8Array[],
): Readonly<ValuePlace> | undefined {
  FOUND.start = start;
  FOUND.end = end;
  for (const name of path) if (!findMember(bytes, FOUND.start, FOUND.end, name)) return undefined;
  return FOUND;
}

/** Puts the member of this name, which has no escapes, into FOUND: the first of several. */
function findMember(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  let at = afterSpace(bytes, start, end);
  if (bytes[at] !== OPEN_OBJECT) return false;
  at = afterSpace(bytes, at + 1, end);
  while (at < end && bytes[at] === QUOTE) {
    const close = afterString(bytes, at, end);
    if (close < 0) return false;
    const isIt = close - at - 2 === name.length && isAt(bytes, at + 1, name);
    at = afterSpace(bytes, close, end);
    if (bytes[at] !== COLON) return false;
    const from = afterSpace(bytes, at + 1, end);
    const to = afterValue(bytes, from, end);
    if (to < 0) return false;
    if (isIt) {
      FOUND.start = from;
      FOUND.end = to;
      return true;
    }
    at = afterSpace(bytes, to, end);
    if (bytes[at] !== COMMA) return false;
    at = afterSpace(bytes, at + 1, end);
  }
  return false;
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let place = 0; place < wanted.length; place++) if (bytes[at + place] !== wanted[place]) return false;
  return true;
}

function afterSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return at;
}

/** End of the string that opens at `start`; -1 if it does not close. */
function afterString(bytes: Uint8Array, start: number, end: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

/** End of the value at `start`; -1 if not found. */
function afterValue(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start];
  if (first === QUOTE) return afterString(bytes, start, end);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === COMMA || byte === 0x7d || byte === 0x5d || byte <= 0x20) break;
    }
    return at === start ? -1 : at;
  }
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const close = afterString(bytes, at, end);
      if (close < 0) return -1;
      at = close - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1;
  }
  return -1;
}

/** Calls `see` with the place of each item of the array between `start` and `end`; never if it is not an array. */
export function eachItem(bytes: Uint8Array, start: number, end: number, see: (from: number, to: number) => void): void {
  if (bytes[start] !== OPEN_ARRAY) return;
  let at = afterSpace(bytes, start + 1, end);
  while (at >= 0 && at < end && bytes[at] !== 0x5d) {
    const to = afterValue(bytes, at, end);
    if (to < 0) return;
    see(at, to);
    at = afterSpace(bytes, to, end);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1, end);
  }
}

/** Number of items of the array between `start` and `end`; 0 if it is not an array. */
export function countItems(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  eachItem(bytes, start, end, () => count++);
  return count;
}

/** The scalar between `start` and `end`, exact; undefined for null, and an object or a list as its text. */
export function scalarAt(bytes: Uint8Array, start: number, end: number): FieldValue | undefined {
  if (bytes[start] === QUOTE) return stringAt(bytes, start, end);
  const text = latinText(bytes, start, end);
  if (text === 'null') return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  if (!/^-?\d+$/.test(text)) return bytes[start] === OPEN_OBJECT ? utf8Text(bytes, start, end) : numberOr(text);
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

const numberOr = (text: string): FieldValue => (text === '' || Number.isNaN(Number(text)) ? text : Number(text));

function stringAt(bytes: Uint8Array, start: number, end: number): string {
  const text = utf8Text(bytes, start, end);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The number at the beginning of `start`, as a double; NaN if there is no number. */
export function digitsAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let at = start;
  for (; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return at === start ? NaN : value;
}
