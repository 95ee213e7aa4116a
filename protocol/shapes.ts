// The shape checker of all messages, and of the state that pages keep: a value from outside is read as its type, or refused.
// Shapes are declared with the messages, and their types are derived from them.
import { isPublicKey, isSignature } from '../core/solana/chain/keys';

/** Reads a value from outside: declared members only, within their bounds; undefined if it is invalid. */
export interface Reader<T> {
  (value: unknown): T | undefined;
  /** As a member it may be `absent`; if `dropped`, it is also left out when invalid. */
  readonly optional?: 'absent' | 'dropped';
}
interface Optional<T> extends Reader<T> {
  readonly optional: 'absent' | 'dropped';
}

/** The type that a reader returns. */
export type ReadBy<R> = R extends Reader<infer T> ? T : never;

interface Kinds {
  string: string;
  number: number;
  boolean: boolean;
  array: readonly unknown[];
  object: object;
}
/** A member is a kind (that of `typeof`, plus arrays) or has a reader; `?` marks a kind that may be absent. */
type Member = keyof Kinds | `${keyof Kinds}?` | Reader<unknown>;
export type Members = Readonly<Record<string, Member>>;

type Value<M> =
  M extends Reader<infer T> ? T : M extends `${infer K}?` ? Value<K> : M extends keyof Kinds ? Kinds[M] : never;
type MayLack<M> = { [K in keyof M]: M[K] extends `${string}?` | Optional<unknown> ? K : never }[keyof M];
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Read<M> = Flat<{ [K in Exclude<keyof M, MayLack<M>>]: Value<M[K]> } & { [K in MayLack<M>]?: Value<M[K]> }>;

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** The members that are present; if one is wrong, its name. */
function readMembers(from: object, members: Members): Readonly<Record<string, unknown>> | string {
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) {
    const given: unknown = Reflect.get(from, name);
    const isKind = typeof member === 'string';
    const value = isKind ? (kindOf(given) === member.replace('?', '') ? given : undefined) : member(given);
    if (value !== undefined) read[name] = value;
    else if (isKind ? given !== undefined || !member.endsWith('?') : !mayLack(member, given)) return name;
  }
  return read;
}

const mayLack = ({ optional }: Reader<unknown>, given: unknown): boolean =>
  optional === 'dropped' || (optional === 'absent' && given === undefined);

/** The name of the first member of `from` that is wrong; undefined if all are right. */
export function misfit(from: object, members: Members): string | undefined {
  const read = readMembers(from, members);
  return typeof read === 'string' ? read : undefined;
}

/** An object with these members. */
export const record =
  <const M extends Members>(members: M): Reader<Read<M>> =>
  (value) => {
    const read = kindOf(value) === 'object' ? readMembers(value as object, members) : '';
    return typeof read === 'string' ? undefined : (read as Read<M>);
  };

/** An object whose `kind` decides on its other members. */
export const kinds =
  <const T extends Readonly<Record<string, Members>>>(
    table: T,
  ): Reader<{ [K in keyof T]: Flat<{ kind: K } & Read<T[K]>> }[keyof T]> =>
  (value) => {
    const { kind } = (value ?? {}) as { readonly kind?: unknown };
    const members = typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined;
    return members && (record({ kind: oneOf(kind as string), ...members })(value) as never);
  };

/** A list of at most `most` items. */
export const list =
  <T>(item: Reader<T>, most: number): Reader<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > most) return undefined;
    const read = value.map(item);
    return read.every((each) => each !== undefined) ? read : undefined;
  };

/** A string of `least` to `most` UTF-16 units. */
export const text =
  (most: number, least = 0): Reader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= most && value.length >= least ? value : undefined;

/** One of these words. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (value) =>
    words.find((word) => word === value);

/** A whole number from 0 to `most`. */
export const upTo =
  (most: number): Reader<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most ? (value as number) : undefined;

/** A value that either of two readers accepts. */
export const either =
  <A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> =>
  (value) =>
    first(value) ?? second(value);

/** A member that may be absent; `dropped`: an invalid one is left out. */
export const optional = <T>(reader: Reader<T>, how: 'absent' | 'dropped' = 'absent'): Optional<T> =>
  Object.assign((value: unknown) => reader(value), { optional: how });

export const count = upTo(Number.MAX_SAFE_INTEGER);
export const anything: Reader<unknown> = (value) => value;
/** Base58. */
export const publicKey: Reader<string> = (value) =>
  typeof value === 'string' && isPublicKey(value) ? value : undefined;
export const signature: Reader<string> = (value) =>
  typeof value === 'string' && isSignature(value) ? value : undefined;
