// Readers of single fields of a state file: each checks a value that was written by somebody else, and names the place in
// the record where one is wrong.
import { decodeBase58 } from '../../core/values/encoding/base58';

/** `message` names the field and what it must be, as part of a sentence. */
export class FieldFault extends Error {
  constructor(place: string, wanted: string) {
    super(`${place === '' ? 'it' : `"${place}"`} must be ${wanted}`);
    this.name = 'FieldFault';
  }
}

/** The place of a value in its record: the names of its members, with dots between. */
type Place = string;

/** A field of a record. `T` is what a value is once it was checked. */
export interface Field<T> {
  /** Returns for a value that is right. Throws FieldFault. */
  readonly check: (value: unknown, place: Place) => void;
  /** A value of it that is right. */
  readonly example: T;
  /** The field may be left out, or be `undefined`. */
  readonly isOptional?: true;
}

/** The fields of an object: every member of `T` has one. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

function field<T>(example: T, wanted: string, isRight: (value: unknown) => boolean): Field<T> {
  return {
    example,
    check: (value, place) => {
      if (!isRight(value)) throw new FieldFault(place, wanted);
    },
  };
}

/** Above every slot, height, time and count that a ledger reaches; far enough below 2^53 that adding to it stays exact. */
const MAX_COUNT = 2 ** 52;
/** The last moment that a Date can be. Unix milliseconds. */
const MAX_TIME = 8.64e15;
/** UTF-16 units. */
const MAX_TEXT = 16_000_000;
/** Items of one list. */
const MAX_ITEMS = 1_000_000;
const ADDRESS_LENGTH = 44;
const SIGNATURE_LENGTH = 88;

/** A number of things, a slot, a height, Unix seconds. */
export const count = upTo(MAX_COUNT);
/** Unix milliseconds. */
export const time = field<number>(
  1_700_000_000_000,
  'a time in milliseconds',
  (value) => typeof value === 'number' && value >= 0 && value <= MAX_TIME,
);
export const yesOrNo = field<boolean>(true, 'true or false', (value) => typeof value === 'boolean');
export const u64 = field<bigint>(
  7n,
  'an integer of 64 bits',
  (value) => typeof value === 'bigint' && value >= 0n && value < 2n ** 64n,
);
export const text = field<string>('a', 'a text', (value) => typeof value === 'string' && value.length <= MAX_TEXT);
export const address = base58('1'.repeat(32), 32, ADDRESS_LENGTH, 'an address');
export const signature = base58('1'.repeat(64), 64, SIGNATURE_LENGTH, 'a signature');
/** 32 bytes in hex. */
export const digest = field<string>(
  'ab'.repeat(32),
  '32 bytes in hex',
  (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);

/** An integer from 0 to `most`. */
export function upTo(most: number): Field<number> {
  return field(
    1,
    `an integer from 0 to ${most}`,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most,
  );
}

function base58(example: string, length: number, most: number, wanted: string): Field<string> {
  const isRight = (value: unknown): boolean =>
    typeof value === 'string' && value.length <= most && decodeBase58(value)?.length === length;
  return field(example, wanted, isRight);
}

export function bytes(most: number): Field<Uint8Array> {
  return field(
    Uint8Array.of(1, 2, 3),
    `up to ${most} bytes`,
    (value) => value instanceof Uint8Array && value.length <= most,
  );
}

/** One of the names of a table. */
export function oneOf<Name extends string>(names: readonly Name[]): Field<Name> {
  const [example] = names;
  if (example === undefined) throw new RangeError('a table without names');
  const known: readonly unknown[] = names;
  return field(example, `one of ${names.join(', ')}`, (value) => known.includes(value));
}

export function optional<T>(of: Field<T>): Field<T> {
  return {
    example: of.example,
    isOptional: true,
    check: (value, place) => {
      if (value !== undefined) of.check(value, place);
    },
  };
}

export function nullable<T>(of: Field<T>): Field<T | null> {
  return {
    example: of.example,
    check: (value, place) => {
      if (value !== null) of.check(value, place);
    },
  };
}

export function list<T>(item: Field<T>, most = MAX_ITEMS): Field<readonly T[]> {
  return {
    example: [item.example],
    check: (value, place) => {
      if (!Array.isArray(value)) throw new FieldFault(place, 'a list');
      if (value.length > most) throw new FieldFault(place, `a list of up to ${most} items`);
      const items: readonly unknown[] = value;
      for (let at = 0; at < items.length; at++) item.check(items[at], `${place}[${at}]`);
    },
  };
}

/** A list in which each place has its field. */
export function tuple<T extends readonly unknown[]>(...items: { readonly [K in keyof T]: Field<T[K]> }): Field<T> {
  return {
    example: items.map(({ example }) => example) as unknown as T,
    check: (value, place) => {
      if (!Array.isArray(value) || value.length !== items.length)
        throw new FieldFault(place, `a list of ${items.length}`);
      for (const [at, item] of items.entries()) item.check(value[at], `${place}[${at}]`);
    },
  };
}

/** What else an object has is not looked at. */
export function object<T extends object>(fields: Fields<T>): Field<T> {
  const all = Object.entries<Field<unknown>>(fields);
  return {
    example: Object.fromEntries(all.map(([name, { example }]) => [name, example])) as T,
    check: (value, place) => {
      const members = membersOf(value, place);
      for (const [name, { check, isOptional }] of all) {
        const at = place === '' ? name : `${place}.${name}`;
        if (Object.hasOwn(members, name)) check(members[name], at);
        else if (isOptional !== true) throw new FieldFault(at, 'there');
      }
    },
  };
}

/** One of several objects, which the text in a member tells apart. */
export function variant<Name extends string, T extends Readonly<Record<Name, string>>>(
  name: Name,
  variants: { readonly [K in T[Name]]: Field<Omit<Extract<T, Readonly<Record<Name, K>>>, Name>> },
): Field<T> & { readonly examples: readonly T[] } {
  const fields = new Map(Object.entries<Field<object>>(variants));
  const examples = [...fields].map(([key, { example }]) => ({ [name]: key, ...example }) as unknown as T);
  const [example] = examples;
  if (example === undefined) throw new RangeError('a table without variants');
  const kind = oneOf([...fields.keys()]);
  return {
    example,
    examples,
    check: (value, place) => {
      const members = membersOf(value, place);
      const given = Object.hasOwn(members, name) ? members[name] : undefined;
      kind.check(given, place === '' ? name : `${place}.${name}`);
      fields.get(String(given))?.check(value, place);
    },
  };
}

/** The first field that takes the value; where none does, the fault is that of the last. */
export function either<A, B>(one: Field<A>, other: Field<B>): Field<A | B> {
  return {
    example: other.example,
    check: (value, place) => {
      try {
        one.check(value, place);
      } catch {
        other.check(value, place);
      }
    },
  };
}

/** An object with one member, which has one of these names. */
export function oneMember<T>(names: readonly string[], of: Field<T>): Field<Readonly<Record<string, T>>> {
  const name = oneOf(names);
  return {
    example: { [name.example]: of.example },
    check: (value, place) => {
      const [member, ...more] = Object.entries(membersOf(value, place));
      if (member === undefined || more.length > 0) throw new FieldFault(place, 'an object with one member');
      name.check(member[0], place);
      of.check(member[1], `${place}.${member[0]}`);
    },
  };
}

function membersOf(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array)
    throw new FieldFault(place, 'an object');
  return value as Readonly<Record<string, unknown>>;
}
