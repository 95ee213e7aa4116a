// The types of an Anchor IDL, in the spelling of both forms. Never throws: an invalid type is a problem with its place.
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../json/json';
import {
  BOOL,
  NUMBERS,
  U32,
  U8,
  isIdlNumber,
  tupleOf,
  type IdlCount,
  type IdlField,
  type IdlGeneric,
  type IdlType,
} from './model';
import { MAX_ENTRIES, MAX_IDL_NAME, MAX_NESTING, short, textAt, type Problems } from './problems';

const TEXT: IdlType = { kind: 'text', encoding: 'utf8' };
const PUBKEY: IdlType = { kind: 'pubkey' };
const prefixed = (of: IdlType): IdlType => ({ kind: 'prefixed', prefix: U32, of });

const PLAIN: ReadonlyMap<string, IdlType> = new Map<string, IdlType>([
  ...Object.keys(NUMBERS)
    .filter(isIdlNumber)
    .map((of): [string, IdlType] => [of, { kind: 'integer', of }]),
  ['f32', { kind: 'float', of: 'f32' }],
  ['f64', { kind: 'float', of: 'f64' }],
  ['bool', BOOL],
  ['string', prefixed(TEXT)],
  ['bytes', prefixed({ kind: 'bytes' })],
  ['pubkey', PUBKEY],
  ['publicKey', PUBKEY],
  ['shortU16', { kind: 'compactU16' }],
]);

type Wrap = (of: IdlType, value: JsonObject) => IdlType | undefined;

/** `prefix` and `fixed` are as Kinobi and Codama read them in files of the old form. */
const option =
  (usual: IdlType, isFixed: boolean): Wrap =>
  (of, value) => {
    const tag = countType(member(value, 'prefix'), usual);
    return tag && { kind: 'option', tag, of, ...((member(value, 'fixed') ?? isFixed) === true && { isFixed: true }) };
  };

const list: Wrap = (of, value) => {
  const count = countAt(member(value, 'size'));
  return count && { kind: 'list', of, count };
};

/** `size` of a list: how many, a number type in front, or what remains; usually a u32 in front. */
function countAt(size: JsonValue | undefined): IdlCount | undefined {
  if (typeof size === 'number') return readLength(size);
  if (size === 'remainder') return { kind: 'remainder' };
  const prefix = countType(size, U32);
  return prefix && { kind: 'prefixed', prefix };
}

/** An integer type by its name, `usual` without one; undefined for another type. */
export function countType(name: JsonValue | undefined, usual?: IdlType): IdlType | undefined {
  if (name === undefined || name === null) return usual;
  const type = typeof name === 'string' ? PLAIN.get(name) : undefined;
  return type?.kind === 'integer' || type?.kind === 'compactU16' ? type : undefined;
}

/** Types around one other type. */
const WRAPPERS: readonly (readonly [key: string, wrap: Wrap])[] = [
  ['option', option(U8, false)],
  ['coption', option(U32, true)],
  ['vec', list],
  ['hashSet', list],
  ['bTreeSet', list],
];

const CONTAINERS: readonly (readonly [key: string, read: typeof readArray])[] = [
  ['array', readArray],
  ['genericLenArray', readArray],
  ['tuple', readTuple],
  ['defined', readDefined],
  ['definedWithTypeArgs', readDefined],
];

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
  for (const [key, wrap] of WRAPPERS) {
    if (Object.hasOwn(value, key)) {
      const of = inner(member(value, key));
      return of && (wrap(of, value) ?? problems.say(place, `the size or prefix of "${key}" is not an integer type`));
    }
  }
  for (const key of ['hashMap', 'bTreeMap']) {
    if (Object.hasOwn(value, key)) {
      const of = readMap(member(value, key), inner, place, problems);
      return of && (list(of, value) ?? problems.say(place, `the size of "${key}" is not an integer type`));
    }
  }
  for (const [key, read] of CONTAINERS)
    if (Object.hasOwn(value, key)) return read(member(value, key), inner, place, problems);
  const generic = textAt(value, 'generic');
  if (generic !== undefined) return { kind: 'generic', name: generic };
  return problems.say(place, `a type of the kind "${short(Object.keys(value)[0] ?? '')}" is not known`);
}

type Inner = (value: JsonValue | undefined) => IdlType | undefined;

/** The pairs of a map. */
function readMap(pair: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(pair) || pair.length !== 2) return problems.say(place, 'a map has two types');
  const key = inner(pair[0]);
  const value = inner(pair[1]);
  return key === undefined || value === undefined ? undefined : tupleOf([key, value]);
}

function readArray(pair: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(pair) || pair.length !== 2) return problems.say(place, 'an array has a type and a length');
  const count = readLength(pair[1]);
  if (count === undefined) return problems.say(place, 'the length of an array is a number or a generic');
  const of = inner(pair[0]);
  return of && { kind: 'list', of, count };
}

function readLength(value: JsonValue | undefined): IdlCount | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)
    return { kind: 'count', count: value };
  const name = typeof value === 'string' ? value.slice(0, MAX_IDL_NAME) : textAt(value, 'generic');
  return name === undefined ? undefined : { kind: 'generic', name };
}

function readTuple(value: JsonValue | undefined, inner: Inner, place: string, problems: Problems): IdlType | undefined {
  if (!isJsonArray(value) || value.length > MAX_ENTRIES) return problems.say(place, 'a tuple is a list of types');
  const items = value.map(inner).filter((item) => item !== undefined);
  return items.length < value.length ? undefined : tupleOf(items);
}

function readDefined(
  value: JsonValue | undefined,
  inner: Inner,
  place: string,
  problems: Problems,
): IdlType | undefined {
  const name = typeof value === 'string' ? value.slice(0, MAX_IDL_NAME) : textAt(value, 'name');
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
