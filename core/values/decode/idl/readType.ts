// The types of an IDL file, in the spelling of both forms. Never throws: what is not a type is a problem with its place.
import { isJsonArray, isJsonObject, member, type JsonValue } from '../../json/json';
import type { IdlField, IdlGeneric, IdlLength, IdlNumber, IdlType } from './model';

/** What is wrong with a file, and where: `instructions.transfer.args.amount`. */
export interface IdlProblem {
  readonly place: string;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Types nested deeper than this are refused. */
const MAX_NESTING = 32;
/** Longer lists are cut, and that is a problem. */
export const MAX_ENTRIES = 4_096;
/** Longer names are cut, in UTF-16 units. */
const MAX_NAME = 128;

const PLAIN: ReadonlyMap<string, IdlType> = new Map<string, IdlType>([
  ...(['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64', 'u128', 'i128', 'u256', 'i256'] as const).map(
    (of: IdlNumber): [string, IdlType] => [of, { kind: 'integer', of }],
  ),
  ['f32', { kind: 'float', of: 'f32' }],
  ['f64', { kind: 'float', of: 'f64' }],
  ['bool', { kind: 'bool' }],
  ['string', { kind: 'string' }],
  ['bytes', { kind: 'bytes' }],
  ['pubkey', { kind: 'pubkey' }],
  ['publicKey', { kind: 'pubkey' }],
]);

/** Collects problems, up to a number nobody reads beyond. */
export class Problems {
  readonly found: IdlProblem[] = [];

  say(place: string, message: string): undefined {
    if (this.found.length < 100) this.found.push({ place, message });
    return undefined;
  }
}

export const textAt = (value: JsonValue | undefined, key: string): string | undefined => {
  const found = member(value, key);
  return typeof found === 'string' ? found.slice(0, MAX_NAME) : undefined;
};

/** The list at a key; a missing one is empty. */
export function listAt(value: JsonValue, key: string, place: string, problems: Problems): readonly JsonValue[] {
  const found = member(value, key);
  if (found === undefined || found === null) return [];
  if (!isJsonArray(found)) {
    problems.say(`${place}${key}`, 'this is not a list');
    return [];
  }
  if (found.length > MAX_ENTRIES)
    problems.say(`${place}${key}`, `more than ${MAX_ENTRIES} entries; the rest is ignored`);
  return found.slice(0, MAX_ENTRIES);
}

export function readType(
  value: JsonValue | undefined,
  place: string,
  problems: Problems,
  depth = 0,
): IdlType | undefined {
  if (depth > MAX_NESTING) return problems.say(place, `types nest deeper than ${MAX_NESTING}`);
  if (typeof value === 'string')
    return PLAIN.get(value) ?? problems.say(place, `"${short(value)}" is not a known type`);
  if (!isJsonObject(value)) return problems.say(place, 'a type is missing');
  const inner = (of: JsonValue | undefined): IdlType | undefined => readType(of, place, problems, depth + 1);
  for (const kind of ['option', 'coption', 'vec'] as const) {
    if (Object.hasOwn(value, kind)) return wrapped(inner(member(value, kind)), (of) => ({ kind, of }));
  }
  for (const key of ['hashSet', 'bTreeSet']) {
    if (Object.hasOwn(value, key)) return wrapped(inner(member(value, key)), (of) => ({ kind: 'set', of }));
  }
  for (const key of ['hashMap', 'bTreeMap']) {
    if (Object.hasOwn(value, key)) return readMap(member(value, key), inner, place, problems);
  }
  if (Object.hasOwn(value, 'array')) return readArray(member(value, 'array'), inner, place, problems);
  if (Object.hasOwn(value, 'genericLenArray'))
    return readArray(member(value, 'genericLenArray'), inner, place, problems);
  if (Object.hasOwn(value, 'tuple')) return readTuple(member(value, 'tuple'), inner, place, problems);
  if (Object.hasOwn(value, 'defined')) return readDefined(member(value, 'defined'), inner, place, problems);
  if (Object.hasOwn(value, 'definedWithTypeArgs')) {
    return readDefined(member(value, 'definedWithTypeArgs'), inner, place, problems);
  }
  const generic = textAt(value, 'generic');
  if (generic !== undefined) return { kind: 'generic', name: generic };
  return problems.say(place, `a type of the kind "${short(Object.keys(value)[0] ?? '')}" is not known`);
}

type Inner = (value: JsonValue | undefined) => IdlType | undefined;

const short = (text: string): string => text.slice(0, 40);

function wrapped(of: IdlType | undefined, wrap: (of: IdlType) => IdlType): IdlType | undefined {
  return of === undefined ? undefined : wrap(of);
}

function readMap(pair: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(pair) || pair.length !== 2) return problems.say(place, 'a map has two types');
  const key = inner(pair[0]);
  const value = inner(pair[1]);
  return key === undefined || value === undefined ? undefined : { kind: 'map', key, value };
}

function readArray(pair: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(pair) || pair.length !== 2) return problems.say(place, 'an array has a type and a length');
  const length = readLength(pair[1]);
  if (length === undefined) return problems.say(place, 'the length of an array is a number or a generic');
  return wrapped(inner(pair[0]), (of) => ({ kind: 'array', of, length }));
}

function readLength(value: JsonValue | undefined): IdlLength | undefined {
  if (typeof value === 'number' && value >= 0 && value <= 0xffff_ffff) return { kind: 'count', count: value };
  const name = typeof value === 'string' ? value.slice(0, MAX_NAME) : textAt(value, 'generic');
  return name === undefined ? undefined : { kind: 'generic', name };
}

function readTuple(value: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(value) || value.length > MAX_ENTRIES) return problems.say(place, 'a tuple is a list of types');
  const items = value.map(inner).filter((item) => item !== undefined);
  return items.length < value.length ? undefined : { kind: 'tuple', items };
}

function readDefined(
  value: JsonValue | undefined,
  inner: Inner,
  place: string,
  problems: Problems,
): IdlType | undefined {
  const name = typeof value === 'string' ? value.slice(0, MAX_NAME) : textAt(value, 'name');
  if (name === undefined) return problems.say(place, 'a defined type has a name');
  const given = member(value, 'generics') ?? member(value, 'args') ?? [];
  if (!isJsonArray(given) || given.length > 64) return problems.say(place, 'generics are a short list');
  const generics = given.map((generic) => readGeneric(generic, inner)).filter((generic) => generic !== undefined);
  if (generics.length < given.length) return problems.say(place, 'a generic is neither a type nor a number');
  return { kind: 'defined', name, generics };
}

function readGeneric(value: JsonValue, inner: Inner): IdlGeneric | undefined {
  const constant = member(value, 'value');
  if (typeof constant === 'string' || typeof constant === 'number') {
    const count = Number(constant);
    return Number.isSafeInteger(count) && count >= 0 ? { kind: 'const', count } : undefined;
  }
  const type = inner(member(value, 'type'));
  return type === undefined ? undefined : { kind: 'type', type };
}

/** Named fields, or a tuple's: those are named by their places. `undefined` when one of them has no type. */
export function readFields(
  values: readonly JsonValue[],
  place: string,
  problems: Problems,
): readonly IdlField[] | undefined {
  const fields: IdlField[] = [];
  for (const [index, value] of values.entries()) {
    const name = textAt(value, 'name');
    const named = name !== undefined && member(value, 'type') !== undefined;
    const type = readType(named ? member(value, 'type') : value, `${place}.${named ? name : index}`, problems);
    if (type === undefined) return undefined;
    fields.push({ name: named ? name : String(index), type });
  }
  return fields;
}
