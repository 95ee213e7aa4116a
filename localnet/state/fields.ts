// Readers of single fields of a state file: each takes the parsed JSON of what somebody else may have written, and names the
// place in the record where it is wrong.
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import { U64_MAX } from '../ledger/accounts/addresses';

/** `message` names the field and what it must be, as part of a sentence. */
export class FieldFault extends Error {
  constructor(place: string, wanted: string) {
    super(`${place === '' ? 'it' : `"${place}"`} must be ${wanted}`);
    this.name = 'FieldFault';
  }
}

/** Values without a JSON form are an object with one member: big integers, bytes, nothing. */
export const BIGINT = '$int';
export const BYTES_TAG = '$b64';
export const NONE_TAG = '$none';

/** The digits of a 64-bit integer. */
const INTEGER = /^\d{1,20}$/;

/** The place of a value in its record: the names of its members, with dots between. */
type Place = string;

/** A field of a record. */
export interface StateField<T> {
  /** The value of this JSON, made in its place: a file has millions of them. Throws FieldFault. */
  readonly read: (json: unknown, place: Place) => T;
  /** A value of it that is right. */
  readonly example: T;
  /** The field may be left out, or be `undefined`. */
  readonly isOptional?: true;
}

/** The fields of an object: every member of `T` has one. */
export type ObjectFields<T> = { readonly [K in keyof T]-?: StateField<T[K]> };

/** `read` gives undefined for JSON that is not a value of the field. */
function field<T>(example: T, wanted: string, read: (json: unknown) => T | undefined): StateField<T> {
  return {
    example,
    read: (json, place) => {
      const value = read(json);
      if (value === undefined) throw new FieldFault(place, wanted);
      return value;
    },
  };
}

/** Above every slot, height, time and count that a ledger reaches; far enough below 2^53 that adding to it stays exact. */
const MAX_COUNT = 2 ** 52;
/** The last moment that a Date can be. Unix milliseconds. */
const MAX_TIME = 8.64e15;
/** The longest timer of Node. ms */
const MAX_SPAN = 2 ** 31 - 1;
/** UTF-16 units. */
const MAX_TEXT = 16_000_000;
/** Items of one list. */
const MAX_ITEMS = 1_000_000;

/** A number of things, a slot, a height, Unix seconds. */
export const countField = upToField(MAX_COUNT);
/** Unix milliseconds. */
export const time = field<number>(1_700_000_000_000, 'a time in milliseconds', (json) =>
  isUpTo(MAX_TIME, json) ? json : undefined,
);
/** A span of time that somebody waits for. */
export const milliseconds = field<number>(400, 'milliseconds', (json) =>
  isUpTo(MAX_SPAN, json) && json > 0 ? json : undefined,
);
export const yesOrNo = field<boolean>(true, 'true or false', (json) => (typeof json === 'boolean' ? json : undefined));
export const u64Field = field<bigint>(7n, 'an integer of 64 bits', (json) => {
  const digits = memberOf(json, BIGINT);
  if (typeof digits !== 'string' || !INTEGER.test(digits)) return undefined;
  const integer = BigInt(digits);
  return integer <= U64_MAX ? integer : undefined;
});
export const textField = textWhere('a', 'a text', (given) => given.length <= MAX_TEXT);
export const address = textWhere('1'.repeat(32), 'an address', isPublicKey);
export const signatureField = textWhere('1'.repeat(64), 'a signature', isSignature);
export const digest = textWhere('ab'.repeat(32), '32 bytes in hex', (given) => /^[0-9a-f]{64}$/.test(given));

/** An integer from 0 to `most`. */
export function upToField(most: number): StateField<number> {
  return field(1, `an integer from 0 to ${most}`, (json) =>
    isUpTo(most, json) && Number.isInteger(json) ? json : undefined,
  );
}

/** Nobody writes the zero below zero: it would be another value when it is read again. */
function isUpTo(most: number, json: unknown): json is number {
  return typeof json === 'number' && json >= 0 && json <= most && !Object.is(json, -0);
}

function textWhere(example: string, wanted: string, isRight: (given: string) => boolean): StateField<string> {
  return field(example, wanted, (json) => (typeof json === 'string' && isRight(json) ? json : undefined));
}

export function bytesField(most: number): StateField<Uint8Array> {
  const mostDigits = Math.ceil(most / 3) * 4;
  return field(Uint8Array.of(1, 2, 3), `up to ${most} bytes`, (json) => {
    const base64 = memberOf(json, BYTES_TAG);
    if (typeof base64 !== 'string' || base64.length > mostDigits) return undefined;
    // A view of what Node shares among short buffers: to copy each costs as much as to decode it.
    const { buffer, byteOffset, length } = Buffer.from(base64, 'base64');
    return length <= most ? new Uint8Array(buffer, byteOffset, length) : undefined;
  });
}

/** One of the names of a table. */
export function nameField<Name extends string>(names: readonly Name[]): StateField<Name> {
  const [example] = names;
  if (example === undefined) throw new RangeError('a table without names');
  const known = new Map<unknown, Name>(names.map((name) => [name, name]));
  return field(example, `one of ${names.join(', ')}`, (json) => known.get(json));
}

/** A member that may be left out, or be written as NONE. */
export function optionalField<T>({
  example,
  read,
}: StateField<T>): StateField<T | undefined> & { readonly isOptional: true } {
  return {
    example,
    isOptional: true,
    read: (json, place) => (memberOf(json, NONE_TAG) === undefined ? read(json, place) : undefined),
  };
}

export function nullable<T>({ example, read }: StateField<T>): StateField<T | null> {
  return { example, read: (json, place) => (json === null ? null : read(json, place)) };
}

export function listField<T>(item: StateField<T>, most = MAX_ITEMS): StateField<readonly T[]> {
  return {
    example: [item.example],
    read: (json, place) => {
      const items = itemsOf(json, place);
      if (items.length > most) throw new FieldFault(place, `a list of up to ${most} items`);
      for (let at = 0; at < items.length; at++) items[at] = item.read(items[at], `${place}[${at}]`);
      return items as T[];
    },
  };
}

/** A list in which each place has its field. */
export function tuple<T extends readonly unknown[]>(
  ...fields: { readonly [K in keyof T]: StateField<T[K]> }
): StateField<T> {
  return {
    example: fields.map(({ example }) => example) as unknown as T,
    read: (json, place) => {
      const items = itemsOf(json, place);
      if (items.length !== fields.length) throw new FieldFault(place, `a list of ${fields.length}`);
      for (let at = 0; at < items.length; at++) items[at] = fields[at]?.read(items[at], `${place}[${at}]`);
      return items as unknown as T;
    },
  };
}

/** An object; members without a field are removed. */
export function objectField<T extends object>(fields: ObjectFields<T>): StateField<T> {
  const all = Object.entries<StateField<unknown>>(fields);
  return {
    example: Object.fromEntries(all.map(([name, { example }]) => [name, example])) as T,
    read: (json, place) => {
      const members = membersOf(json, place);
      let count = 0;
      for (const [name, { read, isOptional }] of all) {
        const at = place === '' ? name : `${place}.${name}`;
        if (Object.hasOwn(members, name)) {
          members[name] = read(members[name], at);
          count++;
        } else if (isOptional !== true) throw new FieldFault(at, 'there');
      }
      const names = Object.keys(members);
      if (names.length > count) for (const name of names) if (!Object.hasOwn(fields, name)) delete members[name];
      return members as T;
    },
  };
}

/** One of several objects, which the text in a member tells apart. */
export function variant<Name extends string, T extends Readonly<Record<Name, string>>>(
  name: Name,
  variants: { readonly [K in T[Name]]: StateField<Omit<Extract<T, Readonly<Record<Name, K>>>, Name>> },
): StateField<T> & { readonly examples: readonly T[] } {
  const fields = new Map(Object.entries<StateField<object>>(variants));
  const examples = [...fields].map(([key, { example }]) => ({ [name]: key, ...example }) as unknown as T);
  const [example] = examples;
  if (example === undefined) throw new RangeError('a table without variants');
  const kind = nameField([...fields.keys()]);
  return {
    example,
    examples,
    read: (json, place) => {
      const members = membersOf(json, place);
      const given = Object.hasOwn(members, name) ? members[name] : undefined;
      const key = kind.read(given, place === '' ? name : `${place}.${name}`);
      return { [name]: key, ...fields.get(key)?.read(members, place) } as unknown as T;
    },
  };
}

/**
 * The first field that takes the value; where none does, the fault is that of the last. Neither holds big integers or bytes:
 * those that the first has read before its fault would stay.
 */
export function eitherField<A, B>(one: StateField<A>, other: StateField<B>): StateField<A | B> {
  return {
    example: other.example,
    read: (json, place) => {
      try {
        return one.read(json, place);
      } catch {
        return other.read(json, place);
      }
    },
  };
}

/** An object with one member, which has one of these names. */
export function oneMember<T>(names: readonly string[], of: StateField<T>): StateField<Readonly<Record<string, T>>> {
  const name = nameField(names);
  return {
    example: { [name.example]: of.example },
    read: (json, place) => {
      const [member, ...more] = Object.entries(membersOf(json, place));
      if (member === undefined || more.length > 0) throw new FieldFault(place, 'an object with one member');
      const [key, inside] = member;
      return { [name.read(key, place)]: of.read(inside, `${place}.${key}`) };
    },
  };
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

function itemsOf(json: unknown, place: Place): unknown[] {
  if (!Array.isArray(json)) throw new FieldFault(place, 'a list');
  return json;
}

function membersOf(json: unknown, place: Place): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldFault(place, 'an object');
  return json as Record<string, unknown>;
}
