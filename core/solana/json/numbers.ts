// Exact comparison of JSON values: integers of any size and decimals alike, never through a double.
import { isJsonArray, isJsonObject, JsonNumber, member } from './json';
import type { JsonValue } from './json';

/** A decimal as 0.DIGITS x 10^point; no leading or trailing zeros, so equal numbers have equal parts. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function decimalOf(token: string): Decimal | undefined {
  const parts = NUMBER.exec(token);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const all = whole + fraction;
  let first = 0;
  while (first < all.length && all[first] === '0') first++;
  if (first === all.length) return { negative: false, digits: '', point: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end--;
  return { negative: sign === '-', digits: all.slice(first, end), point: whole.length - first + Number(exponent) };
}

/** The token of a JSON number; `undefined` for every other value. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`; both are number tokens. */
export function compareNumbers(left: string, right: string): number | undefined {
  const a = decimalOf(left);
  const b = decimalOf(right);
  if (a === undefined || b === undefined) return undefined;
  if (a.digits === '' || b.digits === '') return signOf(a) - signOf(b);
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const size = a.point !== b.point ? (a.point < b.point ? -1 : 1) : compareText(a.digits, b.digits);
  return a.negative ? 0 - size : size;
}

function signOf(decimal: Decimal): number {
  if (decimal.digits === '') return 0;
  return decimal.negative ? -1 : 1;
}

/** Digit strings without trailing zeros: the order of text is the order of value. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Sides of a comparison whose values are from proto3 JSON, which writes 64-bit integers as text: there a text of digits
 * is a number next to a number, and text next to text.
 */
export interface TextIntegers {
  readonly left: boolean;
  readonly right: boolean;
}

/** Neither side: text is text. */
export const PLAIN_TEXT: TextIntegers = { left: false, right: false };

const INTEGER = /^-?(?:0|[1-9]\d{0,19})$/;

/** The token of a number, or of an integer that is written as text. */
export const integerText = (value: JsonValue | undefined): string | undefined =>
  numberText(value) ?? (typeof value === 'string' && INTEGER.test(value) ? value : undefined);

/**
 * The tokens of two numbers that are ordered; undefined if one is not a number. A text on the right, which a variable or
 * an answer gave, can only be meant as a number.
 */
export function orderedNumbers(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  text: TextIntegers,
): readonly [string, string] | undefined {
  const [one, other] = [text.left ? integerText(left) : numberText(left), integerText(right)];
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Counts the values and characters that are compared; throws where they are too many. */
export interface Counter {
  spend(steps: number): void;
}

/** Deep equality; numbers by value (1 equals 1.0), the order of members does not count. */
export function equalValues(
  left: JsonValue,
  right: JsonValue,
  text: TextIntegers = PLAIN_TEXT,
  counter?: Counter,
): boolean {
  counter?.spend(1);
  let leftNumber = numberText(left);
  let rightNumber = numberText(right);
  if (text.left && rightNumber !== undefined) leftNumber ??= integerText(left);
  if (text.right && leftNumber !== undefined) rightNumber ??= integerText(right);
  if (leftNumber !== undefined && rightNumber !== undefined) {
    counter?.spend(leftNumber.length + rightNumber.length);
    return compareNumbers(leftNumber, rightNumber) === 0;
  }
  if (isJsonArray(left) && isJsonArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => equalValues(item, right[index] ?? null, text, counter))
    );
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left);
    const count = Object.keys(right).length;
    counter?.spend(keys.length + count);
    if (keys.length !== count) return false;
    return keys.every((key) => {
      const other = member(right, key);
      return other !== undefined && equalValues(left[key] ?? null, other, text, counter);
    });
  }
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    counter?.spend(left.length);
  return left === right;
}

/** The same text for values that `equalValues` calls equal without integers as text, and for no others. */
export function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join(',')}}`;
  }
  const number = decimalOf(numberText(value) ?? '');
  if (number === undefined) return JSON.stringify(value);
  return `${number.negative ? '-' : ''}${number.digits}e${number.point}`;
}
