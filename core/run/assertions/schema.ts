// Checks a JSON value against a JSON Schema (draft 2020-12, "Validation"): the keywords that describe data. Numbers compare
// exactly, patterns always end. A keyword that it does not know fails the check: nothing passes that was not checked.
import { printPath } from '../../document/variables/path';
import { decoded } from '../../providers/urlText';
import type { PathStep } from '../../document/model';
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../values/json/json';
import { compareNumbers, equalValues, numberText } from '../../values/json/numbers';
import { compilePattern, MAX_SUBJECT } from './pattern';

/** More faults are counted, not listed. */
const MAX_FAULTS = 8;
const MAX_SHOWN = 80;
/** References that lead to each other without end, and schemas that multiply their work. */
const MAX_DEPTH = 100;
const MAX_STEPS = 1_000_000;

/** `path: problem`, one per line; empty if the value matches the schema. */
export function schemaFaults(value: JsonValue, schema: JsonValue): readonly string[] {
  const faults = new Validation(schema).faults(value, schema, [], 0);
  const more = faults.length - MAX_FAULTS;
  return more > 0 ? [...faults.slice(0, MAX_FAULTS), `and ${more} more`] : faults;
}

type Keyword = (value: JsonValue, given: JsonValue, place: Place) => readonly string[];

interface Place {
  readonly validation: Validation;
  readonly schema: Readonly<Record<string, JsonValue>>;
  readonly at: readonly PathStep[];
  readonly depth: number;
}

const TYPES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  array: isJsonArray,
  object: isJsonObject,
  number: (value) => numberText(value) !== undefined,
  integer: (value) => isInteger(numberText(value)),
};

function isInteger(text: string | undefined): boolean {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text ?? '') ?? [
    undefined,
    'x',
  ];
  return fraction.replace(/0+$/, '').length <= Number(exponent);
}

/** A bound: applies only to values that have the counted property. */
const bound =
  (measure: (value: JsonValue) => string | undefined, what: string, holds: (sign: number) => boolean): Keyword =>
  (value, given, { at }) => {
    const [left, right] = [measure(value), numberText(given)];
    if (left === undefined) return [];
    const sign = right === undefined ? undefined : compareNumbers(left, right);
    return sign !== undefined && holds(sign) ? [] : [fault(at, `${what} ${shown(given)}, found ${shown(value)}`)];
  };

const least = (sign: number): boolean => sign >= 0;
const most = (sign: number): boolean => sign <= 0;
/** Characters, not UTF-16 units. */
const characters = (value: JsonValue): string | undefined =>
  typeof value === 'string' ? String([...value].length) : undefined;
const items = (value: JsonValue): string | undefined => (isJsonArray(value) ? String(value.length) : undefined);
const members = (value: JsonValue): string | undefined =>
  isJsonObject(value) ? String(Object.keys(value).length) : undefined;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (value, given, { at }) => {
    const names = isJsonArray(given) ? given : [given];
    const fits = names.some((name) => typeof name === 'string' && Object.hasOwn(TYPES, name) && TYPES[name]?.(value));
    return fits ? [] : [fault(at, `due is ${names.map(shown).join(' or ')}, found ${shown(value)}`)];
  },
  enum: (value, given, { at }) =>
    isJsonArray(given) && given.some((one) => equalValues(one, value))
      ? []
      : [fault(at, `due is one of ${shown(given)}, found ${shown(value)}`)],
  const: (value, given, { at }) =>
    equalValues(value, given) ? [] : [fault(at, `due is ${shown(given)}, found ${shown(value)}`)],
  minimum: bound(numberText, 'at least', least),
  maximum: bound(numberText, 'at most', most),
  exclusiveMinimum: bound(numberText, 'more than', (sign) => sign > 0),
  exclusiveMaximum: bound(numberText, 'less than', (sign) => sign < 0),
  minLength: bound(characters, 'a length of at least', least),
  maxLength: bound(characters, 'a length of at most', most),
  minItems: bound(items, 'a number of items of at least', least),
  maxItems: bound(items, 'a number of items of at most', most),
  minProperties: bound(members, 'a number of members of at least', least),
  maxProperties: bound(members, 'a number of members of at most', most),
  pattern: (value, given, { at }) =>
    typeof value !== 'string' || fitsPattern(value, given) ? [] : [fault(at, `due is a text like ${shown(given)}`)],
  uniqueItems: (value, given, { at }) => {
    if (given !== true || !isJsonArray(value)) return [];
    const twice = value.findIndex((item, index) => value.slice(0, index).some((other) => equalValues(other, item)));
    return twice < 0 ? [] : [fault([...at, twice], 'is there twice')];
  },
  required: (value, given, { at }) =>
    !isJsonObject(value) || !isJsonArray(given)
      ? []
      : given.flatMap((name) =>
          typeof name === 'string' && !Object.hasOwn(value, name) ? [fault([...at, name], 'is missing')] : [],
        ),
  properties: (value, given, place) =>
    !isJsonObject(value) || !isJsonObject(given)
      ? []
      : Object.entries(given).flatMap(([name, schema]) => {
          const inner = Object.hasOwn(value, name) ? member(value, name) : undefined;
          return inner === undefined ? [] : below(inner, schema, name, place);
        }),
  patternProperties: (value, given, place) =>
    !isJsonObject(value) || !isJsonObject(given)
      ? []
      : Object.entries(given).flatMap(([pattern, schema]) =>
          Object.entries(value).flatMap(([name, inner]) =>
            fitsPattern(name, pattern) ? below(inner, schema, name, place) : [],
          ),
        ),
  additionalProperties: (value, given, place) => {
    if (!isJsonObject(value)) return [];
    const { properties = {}, patternProperties = {} } = place.schema;
    const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const isKnown = isJsonObject(properties) && Object.hasOwn(properties, name);
      return isKnown || patterns.some((pattern) => fitsPattern(name, pattern)) ? [] : below(inner, given, name, place);
    });
  },
  propertyNames: (value, given, place) =>
    isJsonObject(value) ? Object.keys(value).flatMap((name) => below(name, given, name, place)) : [],
  items: (value, given, place) => {
    if (!isJsonArray(value)) return [];
    const { prefixItems } = place.schema;
    const from = isJsonArray(prefixItems) ? prefixItems.length : 0;
    return value.slice(from).flatMap((item, index) => below(item, given, from + index, place));
  },
  prefixItems: (value, given, place) =>
    isJsonArray(value) && isJsonArray(given)
      ? value.slice(0, given.length).flatMap((item, index) => below(item, given[index] ?? true, index, place))
      : [],
  contains: (value, given, place) =>
    !isJsonArray(value) || value.some((item, index) => below(item, given, index, place).length === 0)
      ? []
      : [fault(place.at, 'no item fits "contains"')],
  allOf: (value, given, place) => branches(given).flatMap((schema) => same(value, schema, place)),
  anyOf: (value, given, place) =>
    branches(given).some((schema) => same(value, schema, place).length === 0)
      ? []
      : [fault(place.at, `fits none of "anyOf": ${shown(value)}`)],
  oneOf: (value, given, place) => {
    const fitting = branches(given).filter((schema) => same(value, schema, place).length === 0).length;
    return fitting === 1 ? [] : [fault(place.at, `fits ${fitting} of "oneOf": ${shown(value)}`)];
  },
  not: (value, given, place) =>
    same(value, given, place).length > 0 ? [] : [fault(place.at, `fits "not": ${shown(value)}`)],
  if: (value, given, place) => {
    const { then: yes = true, else: no = true } = place.schema;
    return same(value, same(value, given, place).length === 0 ? yes : no, place);
  },
  $ref: (value, given, place) => {
    const target = typeof given === 'string' ? place.validation.target(given) : undefined;
    return target === undefined
      ? [fault(place.at, `the schema refers to ${shown(given)}, which is not in it`)]
      : same(value, target, place);
  },
};

/** Say nothing about a value by themselves. */
const SILENT = new Set(
  '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly format then else'.split(
    ' ',
  ),
);

class Validation {
  #steps = 0;

  constructor(private readonly root: JsonValue) {}

  faults(value: JsonValue, schema: JsonValue, at: readonly PathStep[], depth: number): readonly string[] {
    if (schema === true) return [];
    if (schema === false) return [fault(at, `nothing may be here, found ${shown(value)}`)];
    if (!isJsonObject(schema)) return [fault(at, 'the schema is neither an object nor true or false')];
    if (depth > MAX_DEPTH || ++this.#steps > MAX_STEPS) return [fault(at, 'the schema is too deep to be checked')];
    return Object.entries(schema).flatMap(([name, given]) => {
      if (SILENT.has(name)) return [];
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      if (keyword === undefined) return [fault(at, `the keyword "${name}" of the schema is not known here`)];
      return keyword(value, given, { validation: this, schema, at, depth });
    });
  }

  /** `#`, `#/$defs/name`: a place in the same document. */
  target(reference: string): JsonValue | undefined {
    if (!/^#(?:\/|$)/.test(reference)) return undefined;
    const steps = reference
      .slice(2)
      .split('/')
      .filter((step) => step !== '');
    return steps.reduce<JsonValue | undefined>((value, step) => {
      const name = decodedStep(step);
      if (isJsonArray(value)) return value[Number(name)];
      return value === undefined ? undefined : member(value, name);
    }, this.root);
  }
}

const decodedStep = (step: string): string => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');

const branches = (given: JsonValue): readonly JsonValue[] => (isJsonArray(given) ? given : [false]);

const same = (value: JsonValue, schema: JsonValue, { validation, at, depth }: Place): readonly string[] =>
  validation.faults(value, schema, at, depth + 1);

const below = (
  value: JsonValue,
  schema: JsonValue,
  step: PathStep,
  { validation, at, depth }: Place,
): readonly string[] => validation.faults(value, schema, [...at, step], depth + 1);

function fitsPattern(text: string, pattern: JsonValue): boolean {
  if (typeof pattern !== 'string' || text.length > MAX_SUBJECT) return false;
  const compiled = compilePattern(pattern);
  return compiled.ok && compiled.pattern.search(text) === 'match';
}

const fault = (at: readonly PathStep[], what: string): string => (at.length === 0 ? what : `${printPath(at)}: ${what}`);

function shown(value: JsonValue): string {
  const text = printJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
