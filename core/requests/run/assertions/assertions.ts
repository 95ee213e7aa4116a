// `?? [every|any] PATH [not] OP [VALUE]`: one function per operator. Numbers compare exactly; a missing value fails every
// operator.
import { testOf } from './pattern';
import {
  compareNumbers,
  equalValues,
  numberText,
  orderedNumbers,
  type TextIntegers,
} from '../../../solana/json/numbers';
import {
  bodyPath,
  lookUp,
  lookUpAnswer,
  type RequestAnswer,
  type ExpectedValue,
  type StoredValues,
} from '../../document/variables/answer';
import { without } from './difference';
import { fitsSchema } from './schema';
import { Unchecked, Work } from './work';
import { isJsonArray, isJsonObject } from '../../../solana/json/json';
import type { Assertion, Comparison, Condition, PathStep } from '../../document/model';
import type { Found } from '../../../service/response/stored';
import type { JsonValue } from '../../../solana/json/json';

export interface Checked {
  readonly passed: boolean;
  /** The value at the path; absent if it does not exist. */
  readonly actual?: JsonValue;
  /** Why it could not be checked. */
  readonly differences?: readonly string[];
}

/**
 * Checks an assertion or another condition. It fails if it could not be checked within its bound of work, negated or
 * not.
 */
export async function checkAssertion(
  condition: Omit<Assertion, 'text' | 'span' | 'value'>,
  expected: ExpectedValue,
  answer: RequestAnswer,
): Promise<Checked> {
  try {
    return await checked(condition, expected, answer);
  } catch (error) {
    if (!(error instanceof Unchecked)) throw error;
    const actual = lookUpAnswer(answer, condition.path.steps);
    return { passed: false, ...(actual !== undefined && { actual }), differences: [error.message] };
  }
}

/** Throws Unchecked. */
async function checked(
  condition: Omit<Assertion, 'text' | 'span' | 'value'>,
  expected: ExpectedValue,
  answer: RequestAnswer,
): Promise<Checked> {
  const { path } = condition;
  const work = new Work();
  const test = (value: JsonValue | undefined): boolean => passes(condition, value, expected, work);
  const inBody = answer.large === undefined ? undefined : bodyPath(path.steps);
  if (answer.large !== undefined && inBody !== undefined) {
    const found = await answer.large.fetch(inBody);
    if (found?.kind === 'large') {
      const passed =
        condition.quantifier === undefined
          ? (await answer.large.holds(condition, inBody, expected)) !== (condition.isNegated === true)
          : await ofMany(answer.large, inBody, condition, test);
      return { passed, actual: described(found) };
    }
  }
  const actual = lookUpAnswer(answer, path.steps);
  if (condition.quantifier !== undefined) {
    const values = valuesAt(actual, condition.each ?? []);
    const wrong = condition.quantifier === 'every' ? values?.find((value) => !test(value)) : undefined;
    const isPassed =
      values !== undefined && (condition.quantifier === 'every' ? values.every(test) : values.some(test));
    const shown = wrong ?? actual;
    return { passed: isPassed, ...(shown === undefined ? {} : { actual: shown }) };
  }
  return { passed: test(actual), ...(actual === undefined ? {} : { actual }) };
}

/** The elements at `[*]`, each with the value at the remaining path; undefined if there is no list. */
function valuesAt(
  list: JsonValue | undefined,
  [steps, ...rest]: readonly (readonly PathStep[])[],
): readonly (JsonValue | undefined)[] | undefined {
  if (!isJsonArray(list) || steps === undefined) return undefined;
  const values = list.map((item) => lookUp(item, steps));
  if (rest.length === 0) return values;
  const inner = values.map((value) => valuesAt(value, rest));
  return inner.includes(undefined) ? undefined : inner.flatMap((one) => one ?? []);
}

/** The same of a list that lies in a file. */
async function ofMany(
  large: StoredValues,
  path: readonly PathStep[],
  { quantifier, each = [] }: Pick<Condition, 'quantifier' | 'each'>,
  test: (value: JsonValue | undefined) => boolean,
): Promise<boolean> {
  const isEvery = quantifier === 'every';
  const found = await large.some(path, (item) => {
    const values = valuesAt([item], each);
    if (values === undefined) return isEvery;
    return isEvery ? !values.every(test) : values.some(test);
  });
  return found !== undefined && found !== isEvery;
}

/** Whether a condition holds for a value, or for nothing at its path. */
function passes(condition: Comparison, actual: JsonValue | undefined, expected: ExpectedValue, work: Work): boolean {
  const { operator, isNegated } = condition;
  const wants = isNegated !== true;
  if (operator === 'isAbsent' || operator === 'exists')
    return ((actual === undefined) === (operator === 'isAbsent')) === wants;
  return actual !== undefined && holds(condition, actual, expected, work) === wants;
}

/** Shown in place of a value that is too large. */
function described({ is, count, bytes }: Extract<Found, { kind: 'large' }>): string {
  return `(${is} of ${count === undefined ? '' : `${count} items, `}${bytes} bytes)`;
}

/** Whether an operator holds for a value by itself; its negation is not looked at. Throws Unchecked. */
export function holds(
  comparison: Comparison,
  actual: JsonValue,
  { value: expected, text }: ExpectedValue,
  work = new Work(),
): boolean {
  const { operator, ignoring = [], lengthOrder = '==', tolerance = '0' } = comparison;
  const ordered = (other: JsonValue | undefined, accepts: (sign: number) => boolean): boolean => {
    const numbers = orderedNumbers(actual, other, text);
    const sign = numbers === undefined ? undefined : compareNumbers(...numbers);
    return sign !== undefined && accepts(sign);
  };
  switch (operator) {
    case 'exists':
      return true;
    case 'isAbsent':
      return false;
    case 'in':
      return isJsonArray(expected) && expected.some((one) => equalValues(actual, one, text, work));
    case 'between':
      return (
        isJsonArray(expected) && ordered(expected[0], (sign) => sign >= 0) && ordered(expected[1], (sign) => sign <= 0)
      );
    case 'within':
      return isWithin(orderedNumbers(actual, expected, text), tolerance);
    case 'isNull':
      return actual === null;
    case 'isNumber':
      return numberText(actual) !== undefined;
    case 'isString':
      return typeof actual === 'string';
    case 'isArray':
      return isJsonArray(actual);
    case 'isObject':
      return isJsonObject(actual);
    case 'isBoolean':
      return typeof actual === 'boolean';
    case '==':
    case 'matchesSnapshot':
      return expected !== undefined && equalValues(without(actual, ignoring), without(expected, ignoring), text);
    case '!=':
      return expected !== undefined && !equalValues(without(actual, ignoring), without(expected, ignoring), text);
    case '<':
      return ordered(expected, (sign) => sign < 0);
    case '<=':
      return ordered(expected, (sign) => sign <= 0);
    case '>':
      return ordered(expected, (sign) => sign > 0);
    case '>=':
      return ordered(expected, (sign) => sign >= 0);
    case 'contains':
      return contains(actual, expected, text);
    case 'startsWith':
      return typeof actual === 'string' && typeof expected === 'string' && actual.startsWith(expected);
    case 'endsWith':
      return typeof actual === 'string' && typeof expected === 'string' && actual.endsWith(expected);
    case 'matches':
      return typeof actual === 'string' && typeof expected === 'string' && testOf(expected, work)(actual);
    case 'matchesSchema':
      return expected !== undefined && fitsSchema(actual, expected, work);
    case 'length':
      return holds({ operator: lengthOrder }, lengthOf(actual) ?? null, { value: expected, text });
  }
}

/** Off by a part of the expected value at most; exact decimals, however large. */
function isWithin(numbers: readonly [string, string] | undefined, percent: string): boolean {
  if (numbers === undefined) return false;
  const [a, b, share] = scaled([...numbers, percent]) ?? [];
  if (a === undefined || b === undefined || share === undefined) return false;
  const off = a > b ? a - b : b - a;
  const size = b < 0n ? -b : b;
  // All three carry the same power of ten; the share is of a hundred.
  return off * 100n * scaleOf([...numbers, percent]) <= size * share;
}

const DECIMAL = /^(-?\d{1,40})(?:\.(\d{1,40}))?$/;

const scaleOf = (texts: readonly string[]): bigint =>
  10n ** BigInt(Math.max(...texts.map((text) => DECIMAL.exec(text)?.[2]?.length ?? 0)));

/** Decimals as integers of one power of ten; undefined for an exponent, or more digits than anybody writes. */
function scaled(texts: readonly string[]): readonly bigint[] | undefined {
  const most = Math.max(...texts.map((text) => DECIMAL.exec(text)?.[2]?.length ?? 0));
  const numbers = texts.flatMap((text) => {
    const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
    return whole === undefined ? [] : [BigInt(`${whole}${fraction.padEnd(most, '0')}`)];
  });
  return numbers.length === texts.length ? numbers : undefined;
}

/** A string holds a string, an array an equal item, an object a member of that name. */
function contains(actual: JsonValue, expected: JsonValue | undefined, text: TextIntegers): boolean {
  if (expected === undefined) return false;
  if (isJsonArray(actual)) return actual.some((item) => equalValues(item, expected, text));
  if (typeof expected !== 'string') return false;
  if (typeof actual === 'string') return actual.includes(expected);
  return isJsonObject(actual) && Object.hasOwn(actual, expected);
}

/** Items of an array, members of an object, UTF-16 units of a string. */
function lengthOf(actual: JsonValue): number | undefined {
  if (typeof actual === 'string' || isJsonArray(actual)) return actual.length;
  return isJsonObject(actual) ? Object.keys(actual).length : undefined;
}
