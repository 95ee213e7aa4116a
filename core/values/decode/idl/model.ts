// An Anchor IDL as this project holds it: one form for the old layout and the one of Anchor 0.30. Types alone.

/** An IDL as it was read; what of its file makes no sense is left out of it and was told as a problem. */
export interface Idl {
  /** The program, base58; old files do not always say. */
  readonly address?: string;
  /** In the file's own spelling, for titles. */
  readonly name: string;
  readonly instructions: readonly IdlInstruction[];
  readonly accounts: readonly IdlRecord[];
  readonly events: readonly IdlRecord[];
  /** By name, since names come from outside. */
  readonly types: ReadonlyMap<string, IdlTypeDef>;
  readonly errors: ReadonlyMap<number, IdlError>;
}

export interface IdlError {
  readonly name: string;
  readonly message?: string;
}

/** An account or event: what its data begins with, and how the rest reads. */
export interface IdlRecord {
  readonly name: string;
  /** Usually eight bytes; at least one. */
  readonly discriminator: Uint8Array;
  readonly type: IdlType;
}

export interface IdlInstruction {
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly accounts: readonly IdlAccountRole[];
  readonly args: readonly IdlField[];
}

/** A place in the account list; groups are flattened, their names joined with a full stop. */
export interface IdlAccountRole {
  readonly name: string;
  readonly isOptional: boolean;
}

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
}

export interface IdlTypeDef {
  readonly name: string;
  /** Names of type and const parameters, in order. */
  readonly generics: readonly string[];
  readonly body: IdlTypeBody;
  /** Fields stand at multiples of their width, as C lays them out: zero-copy structs that were not made without gaps. */
  readonly isAligned: boolean;
}

export type IdlTypeBody =
  | { readonly kind: 'struct'; readonly fields: readonly IdlField[] }
  | { readonly kind: 'enum'; readonly variants: readonly IdlVariant[] }
  | { readonly kind: 'alias'; readonly type: IdlType };

export interface IdlVariant {
  readonly name: string;
  readonly fields: readonly IdlField[];
}

export type IdlNumber = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64' | 'u128' | 'i128' | 'u256' | 'i256';

export type IdlType =
  | { readonly kind: 'integer'; readonly of: IdlNumber }
  | { readonly kind: 'float'; readonly of: 'f32' | 'f64' }
  | { readonly kind: 'bool' | 'string' | 'bytes' | 'pubkey' }
  /** `coption`: a four-byte tag, and its value's bytes stand there either way. */
  | { readonly kind: 'option' | 'coption' | 'vec'; readonly of: IdlType }
  | { readonly kind: 'array'; readonly of: IdlType; readonly length: IdlLength }
  | { readonly kind: 'set'; readonly of: IdlType }
  | { readonly kind: 'map'; readonly key: IdlType; readonly value: IdlType }
  | { readonly kind: 'tuple'; readonly items: readonly IdlType[] }
  | { readonly kind: 'defined'; readonly name: string; readonly generics: readonly IdlGeneric[] }
  | { readonly kind: 'generic'; readonly name: string };

export type IdlLength =
  { readonly kind: 'count'; readonly count: number } | { readonly kind: 'generic'; readonly name: string };

export type IdlGeneric =
  { readonly kind: 'type'; readonly type: IdlType } | { readonly kind: 'const'; readonly count: number };
