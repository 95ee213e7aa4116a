// Checks integers: u64, i64 and u8 with the bounds a record gives. JSON's 1.0, 1e3 and "1" are no integers to a node.
import { integerOf, JsonNumber, type JsonValue } from '../../solana/json/json';
import type { Fix } from './problems';
import { orList, quote, type ParamsPlace, type Reporter } from './reporter';
import type { IntegerType, ValueSpec } from './types';

type IntegerSpec = ValueSpec & { readonly kind: 'integer' };

interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
  /** The same as doubles, to pass plain numbers without a bigint; the upper one is rounded down. */
  readonly low: number;
  readonly high: number;
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** Beyond what anybody counts: a schema without bounds has none. */
const FAR = 10n ** 400n;

const BOUNDS: Readonly<Record<IntegerType, Bounds>> = {
  u8: { min: 0n, max: 255n, low: 0, high: 255 },
  u64: { min: 0n, max: 18_446_744_073_709_551_615n, low: 0, high: MAX_SAFE },
  integer: { min: -FAR, max: FAR, low: -MAX_SAFE, high: MAX_SAFE },
  i64: { min: -9_223_372_036_854_775_808n, max: 9_223_372_036_854_775_807n, low: -MAX_SAFE, high: MAX_SAFE },
};

/** The bounds of a plain number, both ends included. */
export function plainBounds({ type, min, max }: IntegerSpec): { readonly low: number; readonly high: number } {
  const { low, high } = BOUNDS[type];
  return { low: min ?? low, high: max ?? high };
}

export function checkInteger(report: Reporter, spec: IntegerSpec, value: JsonValue, place: ParamsPlace): void {
  const bounds = BOUNDS[spec.type];
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (value >= (spec.min ?? bounds.low) && value <= (spec.max ?? bounds.high)) return;
  }
  const integer = exactInteger(value);
  if (integer === undefined) {
    if (!report.isUnknown(value)) notAnInteger(report, value, place);
    return;
  }
  const min = spec.min === undefined ? bounds.min : BigInt(spec.min);
  const max = spec.max === undefined ? bounds.max : BigInt(spec.max);
  if (integer >= min && integer <= max) return;
  // The end of a type is never what was meant; a bound of the method may be.
  const bound = integer < min ? spec.min : spec.max;
  const fixes: Fix[] = bound === undefined ? [] : [{ kind: 'replace', value: bound }];
  report.value('out-of-range', place, `${integer} is out of range: expected ${rangeText(min, max)}.`, fixes);
}

const rangeText = (min: bigint, max: bigint): string =>
  max === FAR ? `${min} or more` : min === -FAR ? `${max} or less` : `${min} to ${max}`;

/** A node reads the token -0 as a fraction. */
function exactInteger(value: JsonValue): bigint | undefined {
  return value instanceof JsonNumber && value.text === '-0' ? undefined : integerOf(value);
}

function notAnInteger(report: Reporter, value: JsonValue, place: ParamsPlace): void {
  const digits = typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? value : undefined;
  if (digits !== undefined) {
    const number = Number(digits);
    const plain = Number.isSafeInteger(number) ? number : new JsonNumber(digits.replace(/^(-?)0+(?=\d)/, '$1'));
    report.value('wrong-type', place, `Expected an integer, found its digits in a string: leave out the quotes.`, [
      { kind: 'replace', value: plain },
    ]);
    return;
  }
  if (value instanceof JsonNumber || typeof value === 'number') {
    const wrong = orList(['a fraction', 'an exponent']);
    report.value('wrong-type', place, `Expected an integer without ${wrong}, found ${quote(value)}.`);
    return;
  }
  report.value('wrong-type', place, `Expected an integer, found ${quote(value)}.`);
}
