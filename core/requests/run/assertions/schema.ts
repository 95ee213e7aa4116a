// Checks a JSON value against a JSON Schema (draft 2020-12, "Validation"): the keywords that describe data. Numbers compare
// exactly, and every step counts. A keyword that it does not know fails the check: nothing passes that was not checked.
import { withoutTrailing } from '../../../solana/common/ends';
import { printPath } from '../../document/variables/path';
import { unescaped } from '../../../service/providers/urlText';
import type { PathStep } from '../../document/model';
import {
  isJsonArray,
  isJsonObject,
  member,
  printJson,
  type JsonObject,
  type JsonValue,
} from '../../../solana/json/json';
import { shortened } from '../../../solana/common/ends';
import { canonicalText, compareNumbers, equalValues, numberText, PLAIN_TEXT } from '../../../solana/json/numbers';
import { testOf } from './pattern';
import { Unchecked, Work } from './work';

/** More faults are counted, not listed. */
const MAX_FAULTS = 8;
const MAX_SHOWN = 80;
/** References that lead to each other without end. */
const MAX_DEPTH = 100;
/** Of a schema that is applied to a value, and of a fault, in steps of looking at an item. */
const SCHEMA_STEPS = 20;
/** Of a member that is looked at, and of a character of a text that is made or taken apart. */
const MEMBER_STEPS = 5;

/** Whether the value matches the schema. Throws Unchecked. */
export const fitsSchema = (value: JsonValue, schema: JsonValue, work: Work): boolean =>
  new Validation(schema, work).faults(value, schema, [], 0).length === 0;

/** `path: problem`, one per line; empty if the value matches the schema. */
export function schemaFaults(value: JsonValue, schema: JsonValue): readonly string[] {
  try {
    const faults = new Validation(schema, new Work()).faults(value, schema, [], 0);
    const texts = faults
      .slice(0, MAX_FAULTS)
      .map(({ at, text }) => `${at.length === 0 ? '' : `${printPath(at)}: `}${text()}`);
    const more = faults.length - MAX_FAULTS;
    return more > 0 ? [...texts, `and ${more} more`] : texts;
  } catch (error) {
    if (error instanceof Unchecked) return [error.message];
    throw error;
  }
}

interface Fault {
  readonly at: readonly PathStep[];
  /** Printed only for those that are shown. */
  readonly text: () => string;
}

type Keyword = (value: JsonValue, given: JsonValue, place: Place) => readonly Fault[];

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
  return withoutTrailing(fraction, '0').length <= Number(exponent);
}

/** A bound: applies only to values that have the counted property. */
const bound =
  (measure: Measure, what: string, holds: (sign: number) => boolean): Keyword =>
  (value, given, place) => {
    const { work } = place.validation;
    const [left, right] = [measure(value, work), numberText(given)];
    if (left === undefined) return [];
    work.spend(left.length + (right?.length ?? 0));
    const sign = right === undefined ? undefined : compareNumbers(left, right);
    return sign !== undefined && holds(sign)
      ? []
      : [fault(place, () => `${what} ${shown(given)}, found ${shown(value)}`)];
  };

type Measure = (value: JsonValue, work: Work) => string | undefined;

const least = (sign: number): boolean => sign >= 0;
const most = (sign: number): boolean => sign <= 0;
/** Characters, not UTF-16 units. */
const characters: Measure = (value, work) => {
  if (typeof value !== 'string') return undefined;
  work.spend(value.length);
  let count = 0;
  for (const character of value) if (character !== '') count++;
  return String(count);
};
const items: Measure = (value) => (isJsonArray(value) ? String(value.length) : undefined);
const members: Measure = (value, work) => (isJsonObject(value) ? String(namesOf(value, work).length) : undefined);

function namesOf(value: JsonObject, work: Work): readonly string[] {
  const names = Object.keys(value);
  work.spend(names.length * MEMBER_STEPS);
  return names;
}

/** The items, counted. */
function counted<T>(given: readonly T[], { validation }: Place): readonly T[] {
  validation.work.spend(given.length);
  return given;
}

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (value, given, place) => {
    const names = counted(isJsonArray(given) ? given : [given], place);
    const fits = names.some((name) => typeof name === 'string' && Object.hasOwn(TYPES, name) && TYPES[name]?.(value));
    return fits ? [] : [fault(place, () => `due is ${names.map(shown).join(' or ')}, found ${shown(value)}`)];
  },
  enum: (value, given, place) =>
    isJsonArray(given) && given.some((one) => equalValues(one, value, PLAIN_TEXT, place.validation.work))
      ? []
      : [fault(place, () => `due is one of ${shown(given)}, found ${shown(value)}`)],
  const: (value, given, place) =>
    equalValues(value, given, PLAIN_TEXT, place.validation.work)
      ? []
      : [fault(place, () => `due is ${shown(given)}, found ${shown(value)}`)],
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
  pattern: (value, given, place) =>
    typeof value !== 'string' || textTest(given, place)(value)
      ? []
      : [fault(place, () => `due is a text like ${shown(given)}`)],
  uniqueItems: (value, given, place) => {
    if (given !== true || !isJsonArray(value)) return [];
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const text = canonicalText(item);
      place.validation.work.spend(text.length * MEMBER_STEPS);
      if (seen.has(text)) return [fault(placeOf(index, place), () => 'is there twice')];
      seen.add(text);
    }
    return [];
  },
  required: (value, given, place) =>
    !isJsonObject(value) || !isJsonArray(given)
      ? []
      : counted(given, place).flatMap((name) =>
          typeof name === 'string' && !Object.hasOwn(value, name)
            ? [fault(placeOf(name, place), () => 'is missing')]
            : [],
        ),
  properties: (value, given, place) =>
    !isJsonObject(value) || !isJsonObject(given)
      ? []
      : namesOf(given, place.validation.work).flatMap((name) => {
          const inner = member(value, name);
          return inner === undefined ? [] : below(inner, member(given, name), name, place);
        }),
  patternProperties: (value, given, place) =>
    !isJsonObject(value) || !isJsonObject(given)
      ? []
      : namesOf(given, place.validation.work).flatMap((pattern) =>
          namesOf(value, place.validation.work)
            .filter(textTest(pattern, place))
            .flatMap((name) => below(member(value, name) ?? null, member(given, pattern), name, place)),
        ),
  additionalProperties: (value, given, place) => {
    if (!isJsonObject(value)) return [];
    const { work } = place.validation;
    const { properties = {}, patternProperties = {} } = place.schema;
    let names = namesOf(value, work).filter((name) => member(properties, name) === undefined);
    for (const pattern of isJsonObject(patternProperties) ? namesOf(patternProperties, work) : []) {
      const isKnown = textTest(pattern, place);
      names = names.filter((name) => !isKnown(name));
    }
    return names.flatMap((name) => below(member(value, name) ?? null, given, name, place));
  },
  propertyNames: (value, given, place) =>
    isJsonObject(value) ? namesOf(value, place.validation.work).flatMap((name) => below(name, given, name, place)) : [],
  items: (value, given, place) => {
    if (!isJsonArray(value)) return [];
    const { prefixItems } = place.schema;
    const from = isJsonArray(prefixItems) ? prefixItems.length : 0;
    return counted(value, place)
      .slice(from)
      .flatMap((item, index) => below(item, given, from + index, place));
  },
  prefixItems: (value, given, place) =>
    isJsonArray(value) && isJsonArray(given)
      ? value.slice(0, given.length).flatMap((item, index) => below(item, given[index], index, place))
      : [],
  contains: (value, given, place) =>
    !isJsonArray(value) || counted(value, place).some((item, index) => below(item, given, index, place).length === 0)
      ? []
      : [fault(place, () => 'no item fits "contains"')],
  allOf: (value, given, place) => branches(given).flatMap((schema) => same(value, schema, place)),
  anyOf: (value, given, place) =>
    branches(given).some((schema) => same(value, schema, place).length === 0)
      ? []
      : [fault(place, () => `fits none of "anyOf": ${shown(value)}`)],
  oneOf: (value, given, place) => {
    const fitting = branches(given).filter((schema) => same(value, schema, place).length === 0).length;
    return fitting === 1 ? [] : [fault(place, () => `fits ${fitting} of "oneOf": ${shown(value)}`)];
  },
  not: (value, given, place) =>
    same(value, given, place).length > 0 ? [] : [fault(place, () => `fits "not": ${shown(value)}`)],
  if: (value, given, place) => {
    const { then: yes = true, else: no = true } = place.schema;
    return same(value, same(value, given, place).length === 0 ? yes : no, place);
  },
  $ref: (value, given, place) => {
    const target = typeof given === 'string' ? place.validation.target(given) : undefined;
    return target === undefined
      ? [fault(place, () => `the schema refers to ${shown(given)}, which is not in it`)]
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
  constructor(
    private readonly root: JsonValue,
    readonly work: Work,
  ) {}

  /** Throws Unchecked. */
  faults(value: JsonValue, schema: JsonValue, at: readonly PathStep[], depth: number): readonly Fault[] {
    this.work.spend(SCHEMA_STEPS);
    if (schema === true) return [];
    const place = { validation: this, schema: isJsonObject(schema) ? schema : {}, at, depth };
    if (schema === false) return [fault(place, () => `nothing may be here, found ${shown(value)}`)];
    if (!isJsonObject(schema)) return [fault(place, () => 'the schema is neither an object nor true or false')];
    if (depth > MAX_DEPTH) throw new Unchecked('the schema is too deep to be checked');
    return namesOf(schema, this.work).flatMap((name) => {
      if (SILENT.has(name)) return [];
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      if (keyword === undefined) return [fault(place, () => `the keyword "${name}" of the schema is not known here`)];
      return keyword(value, schema[name] ?? null, place);
    });
  }

  /** `#`, `#/$defs/name`: a place in the same document. */
  target(reference: string): JsonValue | undefined {
    if (!/^#(?:\/|$)/.test(reference)) return undefined;
    this.work.spend(reference.length * MEMBER_STEPS);
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

const decodedStep = (step: string): string => unescaped(step).replaceAll('~1', '/').replaceAll('~0', '~');

const branches = (given: JsonValue): readonly JsonValue[] => (isJsonArray(given) ? given : [false]);

const same = (value: JsonValue, schema: JsonValue, { validation, at, depth }: Place): readonly Fault[] =>
  validation.faults(value, schema, at, depth + 1);

const below = (value: JsonValue, schema: JsonValue | undefined, step: PathStep, place: Place): readonly Fault[] =>
  place.validation.faults(value, schema === undefined ? true : schema, placeOf(step, place).at, place.depth + 1);

const placeOf = (step: PathStep, place: Place): Place => ({ ...place, at: [...place.at, step] });

function textTest(pattern: JsonValue, { validation }: Place): (text: string) => boolean {
  return typeof pattern === 'string' ? testOf(pattern, validation.work) : () => false;
}

function fault({ validation, at }: Place, text: () => string): Fault {
  validation.work.spend(SCHEMA_STEPS);
  return { at, text };
}

const shown = (value: JsonValue): string => shortened(printJson(value), MAX_SHOWN);
