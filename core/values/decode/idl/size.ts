// How many bytes an IDL's types take and where they may stand; what their parameters stand for.
import type { Idl, IdlGeneric, IdlLength, IdlType, IdlTypeDef } from './model';

/** What a type's parameters stand for; a type is read in the scope it was given in. */
export type Scope = ReadonlyMap<
  string,
  | { readonly kind: 'type'; readonly type: IdlType; readonly scope: Scope }
  | { readonly kind: 'const'; readonly count: number }
>;

export const NO_SCOPE: Scope = new Map();

/** The length of an array; `undefined` where its parameter stands for nothing. */
export function lengthOf(length: IdlLength, scope: Scope): number | undefined {
  if (length.kind === 'count') return length.count;
  const given = scope.get(length.name);
  return given?.kind === 'const' ? given.count : undefined;
}

/** The scope of a type's body where it is named with these generics. */
export function scopeOf(def: IdlTypeDef, generics: readonly IdlGeneric[], outer: Scope): Scope {
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

/** Types looked at for one question; a type that holds more has no size that is worth knowing. */
const MAX_STEPS = 200;

/** Bytes of a value that always takes as many; `undefined` where that depends on the value. */
export function sizeOf(idl: Idl, type: IdlType, scope: Scope): number | undefined {
  return new Measure(idl).size(type, scope);
}

/** The width a value of the type is laid out at multiples of, in C; at most eight. */
export function alignmentOf(idl: Idl, type: IdlType, scope: Scope): number {
  return new Measure(idl).alignment(type, scope);
}

class Measure {
  #steps = 0;

  constructor(private readonly idl: Idl) {}

  size(type: IdlType, scope: Scope): number | undefined {
    if (++this.#steps > MAX_STEPS) return undefined;
    switch (type.kind) {
      case 'integer':
        return Number(type.of.slice(1)) / 8;
      case 'float':
        return type.of === 'f32' ? 4 : 8;
      case 'bool':
        return 1;
      case 'pubkey':
        return 32;
      case 'coption':
        return this.#sum([type.of], scope, 4);
      case 'tuple':
        return this.#sum(type.items, scope, 0);
      case 'array': {
        const count = lengthOf(type.length, scope);
        const one = this.size(type.of, scope);
        return count === undefined || one === undefined ? undefined : count * one;
      }
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type' ? this.size(given.type, given.scope) : undefined;
      }
      case 'defined': {
        const def = this.idl.types.get(type.name);
        if (def === undefined || def.isAligned || def.body.kind === 'enum') return undefined;
        const inner = scopeOf(def, type.generics, scope);
        const parts = def.body.kind === 'alias' ? [def.body.type] : def.body.fields.map((field) => field.type);
        return this.#sum(parts, inner, 0);
      }
      case 'string':
      case 'bytes':
      case 'option':
      case 'vec':
      case 'set':
      case 'map':
        return undefined;
    }
  }

  #sum(types: readonly IdlType[], scope: Scope, start: number): number | undefined {
    let sum = start;
    for (const type of types) {
      const size = this.size(type, scope);
      if (size === undefined) return undefined;
      sum += size;
    }
    return sum;
  }

  alignment(type: IdlType, scope: Scope): number {
    if (++this.#steps > MAX_STEPS) return 1;
    switch (type.kind) {
      case 'integer':
        return Math.min(8, Number(type.of.slice(1)) / 8);
      case 'float':
        return type.of === 'f32' ? 4 : 8;
      case 'array':
        return this.alignment(type.of, scope);
      case 'tuple':
        return Math.max(1, ...type.items.map((item) => this.alignment(item, scope)));
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type' ? this.alignment(given.type, given.scope) : 1;
      }
      case 'defined': {
        const def = this.idl.types.get(type.name);
        if (def === undefined || def.body.kind === 'enum') return 1;
        const inner = scopeOf(def, type.generics, scope);
        const parts = def.body.kind === 'alias' ? [def.body.type] : def.body.fields.map((field) => field.type);
        return Math.max(1, ...parts.map((part) => this.alignment(part, inner)));
      }
      case 'bool':
      case 'pubkey':
      case 'string':
      case 'bytes':
      case 'option':
      case 'coption':
      case 'vec':
      case 'set':
      case 'map':
        return 1;
    }
  }
}
