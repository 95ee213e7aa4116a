// The sizes of an IDL's types in bytes, their alignment in C, and the values of their parameters.
import {
  NUMBERS,
  type IdlCount,
  type IdlGeneric,
  type IdlMoved,
  type IdlType,
  type IdlTypeDef,
  type IdlTypes,
} from './model';

/** The meaning of a type's parameters; a type is read in the scope it was given in. */
export type TypeScope = ReadonlyMap<
  string,
  | { readonly kind: 'type'; readonly type: IdlType; readonly scope: TypeScope }
  | { readonly kind: 'const'; readonly count: number }
>;

export const NO_SCOPE: TypeScope = new Map();

/** The count of a list that its type alone says; `undefined` where the data says it, or its parameter is not given. */
export function knownCount(count: IdlCount, scope: TypeScope): number | undefined {
  if (count.kind === 'count') return count.count;
  if (count.kind !== 'generic') return undefined;
  const given = scope.get(count.name);
  return given?.kind === 'const' ? given.count : undefined;
}

/** The scope of a type's body where it is named with these generics. */
export function scopeOf(def: IdlTypeDef, generics: readonly IdlGeneric[], outer: TypeScope): TypeScope {
  if (def.generics.length === 0) return NO_SCOPE;
  return new Map(
    def.generics.flatMap((name, at) => {
      const given = generics[at];
      if (given === undefined) return [];
      const meant = given.kind === 'const' ? given : ({ kind: 'type', type: given.type, scope: outer } as const);
      return [[name, meant] as const];
    }),
  );
}

/** Types looked at for one question; a type that contains more has no size that is worth knowing. */
const MAX_STEPS = 200;

/** Sizes of types outside of generics; a type is part of one IDL, or is a number. */
const SIZES = new WeakMap<IdlType, { readonly size: number | undefined }>();

/** Bytes of a value that always takes as many; `undefined` where that depends on the value. */
export function sizeOf(idl: IdlTypes, type: IdlType, scope: TypeScope): number | undefined {
  if (scope !== NO_SCOPE) return new Measure(idl).size(type, scope);
  let known = SIZES.get(type);
  if (known === undefined) {
    known = { size: new Measure(idl).size(type, scope) };
    SIZES.set(type, known);
  }
  return known.size;
}

/** The width a value of the type is laid out at multiples of, in C; at most eight. */
export function alignmentOf(idl: IdlTypes, type: IdlType, scope: TypeScope): number {
  return new Measure(idl).alignment(type, scope);
}

const lengthOf = (all: readonly Uint8Array[]): number => all.reduce((sum, bytes) => sum + bytes.length, 0);

class Measure {
  #steps = 0;
  readonly #idl: IdlTypes;

  constructor(idl: IdlTypes) {
    this.#idl = idl;
  }

  size(type: IdlType, scope: TypeScope): number | undefined {
    if (++this.#steps > MAX_STEPS) return undefined;
    switch (type.kind) {
      case 'integer':
        return NUMBERS[type.of].bytes;
      case 'float':
        return type.of === 'f32' ? 4 : 8;
      case 'bool':
        return this.size(type.as, scope);
      case 'pubkey':
        return 32;
      case 'fixed':
        return type.size;
      case 'option':
        return type.isFixed === true ? this.#sum([type.tag, type.of], scope) : undefined;
      case 'zeroable':
        return this.size(type.of, scope);
      case 'hidden':
        return plus(this.size(type.of, scope), lengthOf(type.before) + lengthOf(type.after));
      case 'moved':
        return moved(type, this.size(type.of, scope));
      case 'struct':
        return this.#sum(
          type.fields.map((field) => field.type),
          scope,
        );
      case 'enum':
        return this.#enumSize(type, scope);
      case 'list': {
        const count = knownCount(type.count, scope);
        const one = this.size(type.of, scope);
        return count === undefined || one === undefined ? undefined : count * one;
      }
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type' ? this.size(given.type, given.scope) : undefined;
      }
      case 'defined': {
        const def = this.#idl.types.get(type.name);
        if (def === undefined || def.isAligned) return undefined;
        return this.size(def.type, scopeOf(def, type.generics, scope));
      }
      case 'compactU16':
      case 'text':
      case 'bytes':
      case 'prefixed':
      case 'sentinel':
      case 'remainderOption':
      case 'unreadable':
        return undefined;
    }
  }

  #sum(types: readonly IdlType[], scope: TypeScope): number | undefined {
    let sum = 0;
    for (const type of types) {
      const size = this.size(type, scope);
      if (size === undefined) return undefined;
      sum += size;
    }
    return sum;
  }

  /** Known where all variants are of one size. */
  #enumSize({ tag, variants }: Extract<IdlType, { kind: 'enum' }>, scope: TypeScope): number | undefined {
    let common: number | undefined;
    for (const { type } of variants.values()) {
      const size = this.size(type, scope);
      if (size === undefined || (common !== undefined && size !== common)) return undefined;
      common = size;
    }
    return plus(this.size(tag, scope), common ?? 0);
  }

  alignment(type: IdlType, scope: TypeScope): number {
    if (++this.#steps > MAX_STEPS) return 1;
    switch (type.kind) {
      case 'integer':
        return Math.min(8, NUMBERS[type.of].bytes);
      case 'float':
        return type.of === 'f32' ? 4 : 8;
      case 'list':
        return knownCount(type.count, scope) === undefined ? 1 : this.alignment(type.of, scope);
      case 'struct':
        return Math.max(1, ...type.fields.map((field) => this.alignment(field.type, scope)));
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type' ? this.alignment(given.type, given.scope) : 1;
      }
      case 'defined': {
        const def = this.#idl.types.get(type.name);
        return def === undefined ? 1 : this.alignment(def.type, scopeOf(def, type.generics, scope));
      }
      default:
        return 1;
    }
  }
}

const plus = (size: number | undefined, more: number): number | undefined =>
  size === undefined ? undefined : size + more;

/** Distance from the value's nominal start to where reading continues; `undefined` if variable. */
function moved({ when, from, by }: IdlMoved, size: number | undefined): number | undefined {
  const all = from === 'here' ? plus(size, by) : from === 'value' && when === 'after' ? by : undefined;
  return all === undefined || all < 0 ? undefined : all;
}
