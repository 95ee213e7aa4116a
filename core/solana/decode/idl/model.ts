// The internal model of a program's IDL, shared by Anchor's two layouts and Codama documents.
import type { DecodedUnit } from '../../layouts/unit';

/** A parsed IDL: invalid parts of its file are left out and reported as problems. */
export interface Idl {
  /** The program, base58; old files do not always say. */
  readonly address?: string;
  /** In the file's own spelling, for titles. */
  readonly name: string;
  readonly instructions: readonly IdlInstruction[];
  readonly accounts: readonly IdlRecord[];
  readonly events: readonly IdlRecord[];
  /** By name, since names come from outside; a type of another program of the document is `PROGRAM/NAME`. */
  readonly types: ReadonlyMap<string, IdlTypeDef>;
  readonly errors: ReadonlyMap<number, IdlError>;
  readonly constants: readonly IdlConstant[];
  /** The program is built with Anchor: errors 100 to 5000 are the framework's. */
  readonly usesAnchor?: true;
}

export interface IdlError {
  readonly name: string;
  readonly message?: string;
}

export interface IdlConstant {
  readonly name: string;
  readonly type: IdlType;
  /** As the file spells it. */
  readonly text: string;
}

/** One condition on data that identifies its record. */
export type IdlDiscriminator =
  /** At least one byte. */
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Uint8Array }
  /** The length of the whole data, bytes. */
  | { readonly kind: 'size'; readonly size: number };

/** The common part of accounts, events and instructions. */
export interface IdlIdentified {
  readonly name: string;
  /** Every one must hold; without any, data is never identified as this. */
  readonly discriminators: readonly IdlDiscriminator[];
  /** Where the fields begin: Anchor keeps its discriminator out of them, Codama makes it one of them. */
  readonly start: number;
}

/** An account or event. */
export interface IdlRecord extends IdlIdentified {
  readonly type: IdlType;
}

export interface IdlInstruction extends IdlIdentified {
  readonly accounts: readonly IdlAccountRole[];
  /** Optional accounts that are not given are left out of the list; otherwise the program's address takes their place. */
  readonly omitsOptional?: true;
  readonly args: readonly IdlField[];
}

/** A place in the account list; groups are flattened, their names joined with a full stop. */
export interface IdlAccountRole {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isWritable: boolean;
  readonly isSigner: boolean | 'either';
  /** The only account this may be, base58. */
  readonly address?: string;
  /** Its source if it is not named. */
  readonly source?: IdlAccountSource;
  /** Any number of accounts from here on. */
  readonly isRepeated?: true;
}

export type IdlAccountSource =
  /** Who signs and pays. */
  | { readonly kind: 'wallet' }
  /** Another account of the same instruction. */
  | { readonly kind: 'same'; readonly name: string }
  /** A program-derived address; of the instruction's own program without another. */
  | { readonly kind: 'derived'; readonly seeds: readonly IdlPart[]; readonly program?: IdlPart };

/** A seed of a derived address, or its program. */
export type IdlPart =
  | { readonly kind: 'constant'; readonly bytes: Uint8Array }
  /** Base58. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'account'; readonly name: string }
  /** Of the first name of the path; the others lead into it. */
  | { readonly kind: 'argument'; readonly path: readonly string[]; readonly type: IdlType };

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
  /** These bytes in every record of the kind: its discriminator, which is read and not listed. */
  readonly constant?: Uint8Array;
}

export interface IdlTypeDef {
  readonly name: string;
  /** Names of type and const parameters, in order. */
  readonly generics: readonly string[];
  readonly type: IdlType;
  /** Fields at multiples of their width, as C lays them out: zero-copy structs that were not made without gaps. */
  readonly isAligned: boolean;
}

/** Finds types by their names. */
export interface IdlTypes {
  readonly types: Pick<ReadonlyMap<string, IdlTypeDef>, 'get'>;
}

export interface IdlVariant {
  readonly name: string;
  readonly type: IdlType;
}

export type IdlNumber = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64' | 'u128' | 'i128' | 'u256' | 'i256';
const ENCODINGS = ['utf8', 'base16', 'base58', 'base64'] as const;
export type IdlEncoding = (typeof ENCODINGS)[number];

export type IdlType =
  | { readonly kind: 'integer'; readonly of: IdlNumber; readonly isBigEndian?: true; readonly unit?: DecodedUnit }
  /** Solana's compact-u16: one to three bytes. */
  | { readonly kind: 'compactU16'; readonly unit?: DecodedUnit }
  | { readonly kind: 'float'; readonly of: 'f32' | 'f64'; readonly isBigEndian?: true }
  /** 0 or 1 in the number `as`. */
  | { readonly kind: 'bool'; readonly as: IdlType }
  | { readonly kind: 'pubkey' }
  /** To the end of its container: the data, or a `prefixed`, `fixed` or `sentinel` type. `bytes` likewise. */
  | { readonly kind: 'text'; readonly encoding: IdlEncoding }
  | { readonly kind: 'bytes' }
  /** Its length in bytes, as the number `prefix`, then as many bytes. */
  | { readonly kind: 'prefixed'; readonly prefix: IdlType; readonly of: IdlType }
  | { readonly kind: 'fixed'; readonly size: number; readonly of: IdlType }
  /** Up to the bytes `end`, which follow it; at least one. */
  | { readonly kind: 'sentinel'; readonly end: Uint8Array; readonly of: IdlType }
  /** `isFixed`: without a value as many bytes follow as with one. */
  | { readonly kind: 'option'; readonly tag: IdlType; readonly of: IdlType; readonly isFixed?: true }
  /** None where its bytes are `none`; by default zeros. */
  | { readonly kind: 'zeroable'; readonly of: IdlType; readonly none?: Uint8Array }
  /** None where no bytes are left. */
  | { readonly kind: 'remainderOption'; readonly of: IdlType }
  /** Arrays, vectors, sets; a map is a list of structs with the fields 0 and 1. */
  | { readonly kind: 'list'; readonly of: IdlType; readonly count: IdlCount }
  /** Tuples too: their fields are named by their places. */
  | { readonly kind: 'struct'; readonly fields: readonly IdlField[] }
  /** The number `tag`, then the fields of that variant. */
  | { readonly kind: 'enum'; readonly tag: IdlType; readonly variants: ReadonlyMap<number, IdlVariant> }
  /** Constants around a value, which are checked and not shown. */
  | {
      readonly kind: 'hidden';
      readonly before: readonly Uint8Array[];
      readonly after: readonly Uint8Array[];
      readonly of: IdlType;
    }
  | IdlMoved
  | { readonly kind: 'defined'; readonly name: string; readonly generics: readonly IdlGeneric[] }
  | { readonly kind: 'generic'; readonly name: string }
  /** An unknown type; `what` is its name in the file. */
  | { readonly kind: 'unreadable'; readonly what: string };

/**
 * Moves the place of reading by so many bytes, before or after the value. `start`: from the start of what contains it, or
 * from its end where negative. `value`: from where the value begins; only after it.
 */
export interface IdlMoved {
  readonly kind: 'moved';
  readonly when: 'before' | 'after';
  readonly from: 'here' | 'start' | 'value';
  readonly by: number;
  readonly of: IdlType;
}

export type IdlCount =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'generic'; readonly name: string }
  /** The number of items, as this number type, precedes them. */
  | { readonly kind: 'prefixed'; readonly prefix: IdlType }
  /** As many as fit into the remaining bytes. */
  | { readonly kind: 'remainder' };

export type IdlGeneric =
  | { readonly kind: 'type'; readonly type: IdlType }
  | { readonly kind: 'const'; readonly count: number };

const integer = (of: IdlNumber): IdlType => ({ kind: 'integer', of });
export const U8 = integer('u8');
export const U32 = integer('u32');
export const BOOL: IdlType = { kind: 'bool', as: U8 };
export const NO_FIELDS: IdlType = { kind: 'struct', fields: [] };
/** A struct whose fields are named by their places. */
export const tupleOf = (items: readonly IdlType[]): IdlType => ({
  kind: 'struct',
  fields: items.map((type, at) => ({ name: String(at), type })),
});

/** Bytes and sign of each integer. */
export const NUMBERS: Readonly<Record<IdlNumber, { readonly bytes: number; readonly isSigned: boolean }>> = {
  u8: { bytes: 1, isSigned: false },
  i8: { bytes: 1, isSigned: true },
  u16: { bytes: 2, isSigned: false },
  i16: { bytes: 2, isSigned: true },
  u32: { bytes: 4, isSigned: false },
  i32: { bytes: 4, isSigned: true },
  u64: { bytes: 8, isSigned: false },
  i64: { bytes: 8, isSigned: true },
  u128: { bytes: 16, isSigned: false },
  i128: { bytes: 16, isSigned: true },
  u256: { bytes: 32, isSigned: false },
  i256: { bytes: 32, isSigned: true },
};

export const isIdlEncoding = (name: string): name is IdlEncoding => ENCODINGS.some((one) => one === name);

export const isIdlNumber = (name: string): name is IdlNumber => Object.hasOwn(NUMBERS, name);
