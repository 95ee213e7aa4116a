// `?? PATH OP VALUE`: one operator, one function. Numbers compare exactly; what is not there fails every operator.
import { compilePattern, MAX_SUBJECT } from './pattern';
import { compareNumbers, equalValues, numberText } from './numbers';
import { bodyPath, lookUpAnswer } from './answer';
import { isJsonArray, isJsonObject, JsonNumber } from '../values/json/json';
import type { Answer } from './answer';
import type { Assertion, Operator, PathStep } from '../document/model';
import type { Found } from '../response/stored';
import type { JsonValue } from '../values/json/json';

export interface Checked {
  readonly passed: boolean;
  /** The value at the path; absent where there is none. */
  readonly actual?: JsonValue;
}

export interface CheckOptions {
  /** proto3 JSON writes 64-bit integers as strings: there a text of digits compares with a number as a number. */
  readonly integersAsText: boolean;
}

/** Checks one assertion; `expected` is its value with every variable filled in, absent for operators without one. */
export async function checkAssertion(
  assertion: Pick<Assertion, 'path' | 'operator'>,
  expected: JsonValue | undefined,
  answer: Answer,
  options: CheckOptions,
): Promise<Checked> {
  const { operator, path } = assertion;
  const inBody = answer.large === undefined ? undefined : bodyPath(path.steps);
  if (answer.large !== undefined && inBody !== undefined) {
    const found = await answer.large.fetch(inBody);
    if (found?.kind === 'large')
      return { passed: await answer.large.holds(operator, inBody, expected), actual: described(found) };
  }
  const actual = lookUpAnswer(answer, path.steps);
  if (actual === undefined) return { passed: false };
  if (!ORDERS.has(operator) || typeof expected !== 'string')
    return { passed: holds(operator, comparable(actual, expected, options), expected), actual };
  // An integer out of a gRPC message is text, where it is captured too; text has no other order here.
  const right = asInteger(expected);
  const left = options.integersAsText ? asInteger(actual) : actual;
  return { passed: holds(operator, left, right), actual };
}

/** Shown in place of a value that is too large. */
function described({ is, count, bytes }: Extract<Found, { kind: 'large' }>): string {
  return `(${is} of ${count === undefined ? '' : `${count} items, `}${bytes} bytes)`;
}

/** The condition of `@retry … while PATH OP VALUE`. */
export function conditionHolds(
  path: readonly PathStep[],
  operator: Operator,
  expected: JsonValue | undefined,
  answer: Answer,
): boolean {
  const actual = lookUpAnswer(answer, path);
  return actual !== undefined && holds(operator, actual, expected);
}

const ORDERS: ReadonlySet<Operator> = new Set<Operator>(['<', '<=', '>', '>=']);

function comparable(actual: JsonValue, expected: JsonValue | undefined, options: CheckOptions): JsonValue {
  return options.integersAsText && numberText(expected) !== undefined ? asInteger(actual) : actual;
}

/** A text of digits as the number it stands for; anything else as it is. */
function asInteger(value: JsonValue): JsonValue {
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? new JsonNumber(value) : value;
}

/** Whether an operator holds for a value by itself. */
export function holds(operator: Operator, actual: JsonValue, expected: JsonValue | undefined): boolean {
  switch (operator) {
    case 'exists':
      return true;
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
      return expected !== undefined && equalValues(actual, expected);
    case '!=':
      return expected !== undefined && !equalValues(actual, expected);
    case '<':
      return order(actual, expected, (sign) => sign < 0);
    case '<=':
      return order(actual, expected, (sign) => sign <= 0);
    case '>':
      return order(actual, expected, (sign) => sign > 0);
    case '>=':
      return order(actual, expected, (sign) => sign >= 0);
    case 'contains':
      return contains(actual, expected);
    case 'startsWith':
      return typeof actual === 'string' && typeof expected === 'string' && actual.startsWith(expected);
    case 'endsWith':
      return typeof actual === 'string' && typeof expected === 'string' && actual.endsWith(expected);
    case 'matches':
      return matches(actual, expected);
    case 'length':
      return expected !== undefined && equalValues(lengthOf(actual) ?? null, expected);
  }
}

function order(actual: JsonValue, expected: JsonValue | undefined, accepts: (sign: number) => boolean): boolean {
  const left = numberText(actual);
  const right = numberText(expected);
  const sign = left === undefined || right === undefined ? undefined : compareNumbers(left, right);
  return sign !== undefined && accepts(sign);
}

/** A string holds a string, an array an equal item, an object a member of that name. */
function contains(actual: JsonValue, expected: JsonValue | undefined): boolean {
  if (expected === undefined) return false;
  if (isJsonArray(actual)) return actual.some((item) => equalValues(item, expected));
  if (typeof expected !== 'string') return false;
  if (typeof actual === 'string') return actual.includes(expected);
  return isJsonObject(actual) && Object.hasOwn(actual, expected);
}

/** Beyond the bounds of pattern.ts the answer is no: an assertion that could not be checked has not passed. */
function matches(actual: JsonValue, expected: JsonValue | undefined): boolean {
  if (typeof actual !== 'string' || typeof expected !== 'string' || actual.length > MAX_SUBJECT) return false;
  const compiled = compilePattern(expected);
  return compiled.ok && compiled.pattern.search(actual) === 'match';
}

/** Items of an array, members of an object, UTF-16 units of a string. */
function lengthOf(actual: JsonValue): number | undefined {
  if (typeof actual === 'string' || isJsonArray(actual)) return actual.length;
  return isJsonObject(actual) ? Object.keys(actual).length : undefined;
}
