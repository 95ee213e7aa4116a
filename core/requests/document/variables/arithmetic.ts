// Exact arithmetic of `{{= … }}`: integers and decimals of any size up to a bound, as fractions, so that nothing is
// rounded unless floor or ceil says so.
import { JsonNumber, parseJson, type JsonValue } from '../../../solana/json/json';

/** A reduced fraction; the denominator is above zero. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** A value that arithmetic cannot give; the message says why, as a sentence. */
export class ArithmeticError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArithmeticError';
  }
}

/** Longer numbers are refused: a small file must not keep a machine busy. */
const MAX_DIGITS = 400;
const LIMIT = 10n ** BigInt(MAX_DIGITS);
const TOO_LONG = `A number here has ${MAX_DIGITS} digits at most.`;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Parses a number; undefined for any other text. */
function fractionOf(text: string): Fraction | undefined {
  if (text.length > MAX_DIGITS) throw new ArithmeticError(TOO_LONG);
  const [, sign = '', whole, decimals = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const exponent = Number(power) - decimals.length;
  const digits = BigInt(`${sign}${whole}${decimals}`);
  return exponent >= 0 ? fraction(digits * 10n ** BigInt(exponent), 1n) : fraction(digits, 10n ** BigInt(-exponent));
}

/** A number, or the text of one: gRPC and token balances write amounts as text. Throws ArithmeticError. */
export function numberFrom(value: JsonValue, name: string): Fraction {
  const text = value instanceof JsonNumber ? value.text : value;
  const found = typeof text === 'string' || typeof text === 'number' ? fractionOf(String(text)) : undefined;
  if (found === undefined) throw new ArithmeticError(`${name} is not a number.`);
  return found;
}

function fraction(top: bigint, bottom: bigint): Fraction {
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = commonDivisor(magnitude(top), magnitude(bottom)) * sign;
  const reduced = { top: top / divisor, bottom: bottom / divisor };
  if (magnitude(reduced.top) >= LIMIT || reduced.bottom >= LIMIT) throw new ArithmeticError(TOO_LONG);
  return reduced;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

function commonDivisor(a: bigint, b: bigint): bigint {
  let [high, low] = [a, b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}

/** The largest integer that is not above the value. */
function floorOf({ top, bottom }: Fraction): bigint {
  const quotient = top / bottom;
  return top < 0n && quotient * bottom !== top ? quotient - 1n : quotient;
}

const compare = (a: Fraction, b: Fraction): bigint => a.top * b.bottom - b.top * a.bottom;

export type Sign = '+' | '-' | '*' | '/' | '%';

/** The operations between two values, by their sign. `%` takes the sign of the left one. */
export const OPERATIONS: Readonly<Record<Sign, (a: Fraction, b: Fraction) => Fraction>> = {
  '+': (a, b) => fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom),
  '-': (a, b) => fraction(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom),
  '*': (a, b) => fraction(a.top * b.top, a.bottom * b.bottom),
  '/': (a, b) => quotientOf(a, b),
  '%': (a, b) => {
    const { top, bottom } = quotientOf(a, b);
    const whole = top / bottom;
    return fraction(a.top * b.bottom - whole * b.top * a.bottom, a.bottom * b.bottom);
  },
};

function quotientOf(a: Fraction, b: Fraction): Fraction {
  if (b.top === 0n) throw new ArithmeticError('It divides by zero.');
  return fraction(a.top * b.bottom, a.bottom * b.top);
}

const first = (values: readonly Fraction[]): Fraction => values[0] ?? { top: 0n, bottom: 1n };

interface FunctionShape {
  readonly usage: string;
  readonly doc: string;
  /** Undefined: one or more. */
  readonly count?: number;
  readonly of: (values: readonly Fraction[]) => Fraction;
}

/** The functions, as data; completion and hover show the same rows. */
export const FUNCTIONS: Readonly<Record<string, FunctionShape>> = {
  min: {
    usage: 'min(a, b)',
    doc: 'The smallest of the values.',
    of: (values) => values.reduce((least, value) => (compare(value, least) < 0n ? value : least), first(values)),
  },
  max: {
    usage: 'max(a, b)',
    doc: 'The largest of the values.',
    of: (values) => values.reduce((most, value) => (compare(value, most) > 0n ? value : most), first(values)),
  },
  floor: {
    usage: 'floor(a / b)',
    doc: 'The largest integer that is not above the value.',
    count: 1,
    of: (values) => ({ top: floorOf(first(values)), bottom: 1n }),
  },
  ceil: {
    usage: 'ceil(a / b)',
    doc: 'The smallest integer that is not below the value.',
    count: 1,
    of: (values) => {
      const { top, bottom } = first(values);
      return { top: -floorOf({ top: -top, bottom }), bottom: 1n };
    },
  },
};

/** The value as a JSON number with all its digits. Throws ArithmeticError where no decimal is exact. */
export function fractionJson({ top, bottom }: Fraction): JsonValue {
  let rest = bottom;
  let places = 0;
  const [twos, fives] = [2n, 5n].map((factor) => {
    let count = 0;
    for (; rest % factor === 0n; rest /= factor) count++;
    return count;
  });
  if (rest !== 1n)
    throw new ArithmeticError(
      `${shortened(top)} / ${shortened(bottom)} is not exact: round it with floor(…) or ceil(…).`,
    );
  places = Math.max(twos ?? 0, fives ?? 0);
  const digits = String(magnitude((top * 10n ** BigInt(places)) / bottom)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const sign = top < 0n ? '-' : '';
  return parseJson(`${sign}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`);
}

function shortened(value: bigint): string {
  const text = String(value);
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
