// The shape of a method record: the contract as data. Validation, completion, hover, signature help and docs/methods.md
// derive from these records; nothing here does anything.
import type { JsonObject, JsonValue } from '../../solana/json/json';
import type { PackId } from '../../service/providers/packIds';
import type { Release } from './releases';

/** Account data and transaction encodings of the service contract. `binary`, the old name of base58, is accepted only. */
export type Encoding = 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed' | 'json';

/** Commitment levels, weakest first. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface EnumValue {
  readonly value: string;
  /** One sentence: what the value does. */
  readonly doc: string;
}

/** The type of one JSON value. Numbers are integers everywhere: no method takes a fraction. */
export type ValueSpec =
  /** Base58 of 32 bytes. `known`: the addresses that make sense here, offered by completion, never required. */
  | {
      readonly kind: 'pubkey';
      readonly known?: readonly string[];
      /** The kind of account that the key must belong to. */
      readonly role?: AccountRole;
    }
  /** Base58 of 64 bytes. */
  | { readonly kind: 'signature' }
  /** Base58 of 32 bytes. */
  | { readonly kind: 'blockhash' }
  /** Inclusive bounds; without them the bounds of the type. */
  | {
      readonly kind: 'integer';
      readonly type: IntegerType;
      readonly min?: number;
      readonly max?: number;
      readonly unit?: 'lamports' | 'slots' | 'bytes' | 'seconds';
    }
  /** Any JSON number. Of custom methods only. */
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  /** Lengths in characters. */
  | { readonly kind: 'string'; readonly minLength?: number; readonly maxLength?: number }
  | { readonly kind: 'enum'; readonly values: readonly EnumValue[] }
  | { readonly kind: 'encoding'; readonly values: readonly Encoding[] }
  | { readonly kind: 'commitment'; readonly values: readonly Commitment[] }
  /** Base64 text: a serialised message. */
  | { readonly kind: 'base64' }
  /** A serialised transaction, in the encoding that member `encoding` of the method's config names (base58 without one). */
  | { readonly kind: 'transaction'; readonly mustBeSigned: 'always' | 'sigVerify' }
  /** Text in the encoding of the sibling member `encoding` (base58 without one), or an array of byte values. */
  | { readonly kind: 'memcmpBytes'; readonly maxBytes: number }
  | {
      readonly kind: 'array';
      readonly items: ValueSpec;
      readonly minItems?: number;
      readonly maxItems?: number;
      /** Its items choose accounts of a program: those that find the known kinds are offered. */
      readonly choosesAccounts?: true;
    }
  | ObjectSpec
  | { readonly kind: 'null' }
  /** Anything: what a schema says of it is not checked here. */
  | { readonly kind: 'any' }
  /** Alternatives that differ in their JSON type (a string or an object). */
  | { readonly kind: 'anyOf'; readonly options: readonly ValueSpec[] };

export type AccountRole = 'program' | 'mint';

/** `integer` has no bounds but those that are given. */
export type IntegerType = 'u64' | 'i64' | 'u8' | 'integer';

export interface ObjectSpec {
  readonly kind: 'object';
  readonly fields: readonly FieldSpec[];
  /** A filter: exactly one of these members has to be there; all else is `filter-shape`. */
  readonly exactlyOne?: readonly string[];
  /** Nodes read it as a choice of one member and refuse every other. */
  readonly closed?: true;
  /** `dataSlice` cuts the data that `encoding` writes. */
  readonly slices?: true;
  /** Members beyond the fields are taken, too. */
  readonly open?: true;
  /** It is read here and never sent: a member that is not known is an error. */
  readonly ours?: true;
  /** Members that must not both be true. */
  readonly conflicts?: readonly (readonly [string, string])[];
  /** Members that must not both be there. */
  readonly exclusive?: readonly (readonly [string, string])[];
  /** Names people write here by mistake, with the name that is meant. */
  readonly mistaken?: Readonly<Record<string, string>>;
}

/** Which servers know something that not all do. */
export interface Availability {
  /** The first release of Agave that has it; none where no release is known to, or none has. */
  readonly agave?: Release;
  /** Other servers that have it. */
  readonly servers?: readonly string[];
}

/** A change to answers in a release of Agave. */
export interface AnswerChange {
  readonly agave: Release;
  /** One sentence. */
  readonly doc: string;
}

/** A member of an object. */
export interface FieldSpec {
  readonly name: string;
  /** One or two sentences of markdown. */
  readonly doc: string;
  readonly spec: ValueSpec;
  /** Other values that nodes take here; accepted silently, never offered. */
  readonly alsoAccepts?: readonly ValueSpec[];
  readonly required?: true;
  /** The value that the service uses if it is left out. */
  readonly default?: JsonValue;
  /** Named by the service contract; the others are the standard node's. */
  readonly contract?: true;
  /** Named by a document of the workspace. */
  readonly custom?: true;
  /** Added by a pack to a method of the standard: known to the providers of that pack alone. */
  readonly pack?: PackId;
  /** Where not every server knows it. */
  readonly since?: Availability;
  /** Values worth offering first. */
  readonly suggested?: readonly JsonValue[];
}

/** A positional parameter. */
export type ParamSpec = FieldSpec;

/** Where a request goes: the four request lines. SWQOS is HTTPS with another key. */
export type Lane = 'http' | 'ws' | 'swqos' | 'grpc';

export type Category =
  | 'accounts'
  | 'blocks'
  | 'cluster'
  | 'economics'
  | 'node'
  | 'programs'
  | 'subscriptions'
  | 'tokens'
  | 'transactions'
  | 'pack'
  | 'custom';

/** Rules that look at more than one value. */
export type CrossRule =
  /** params[1] - params[0] is at most 500,000 slots. */
  | 'blockRange'
  /** config.range.lastSlot is not before config.range.firstSlot. */
  | 'slotRange'
  /** Some account can pass all of config.filters; params[0] is the program. */
  | 'accountFilters';

export type Advice =
  /** Below maxSupportedTransactionVersion 1 a version 1 transaction is an error in place of the answer. */
  | 'legacyOnly'
  /** The same where the answer is a whole block. */
  | 'legacyOnlyBlock'
  /** Newer nodes refuse base58 together with version 1 and above. */
  | 'base58Version'
  /** The same where each block is a notification of a subscription, which ends with the error. */
  | 'legacyOnlyStream'
  /** On the SWQoS lane: skipPreflight true and maxRetries 0. */
  | 'swqosSettings'
  /** Without filters the answer holds every account of the program. */
  | 'unboundedScan';

export interface SubscriptionFacts {
  readonly unsubscribe: string;
  /** `method` of the notifications. */
  readonly notification: string;
  /** Short form of `params.result` of a notification. */
  readonly payload: string;
  /** The service ends it after the last notification. */
  readonly oneShot?: true;
}

/** One method. Adding a method is adding one of these to its category's file. */
export interface MethodRecord {
  readonly name: string;
  readonly category: Category;
  readonly transport: 'http' | 'ws' | 'both';
  /** One line, markdown. */
  readonly summary: string;
  readonly params: readonly ParamSpec[];
  /**
   * How parameters go: by position where nothing is said, by name, or as the caller likes; with `preferName` both are
   * accepted and names are offered.
   */
  readonly structure?: 'byName' | 'preferName' | 'either';
  /** The last parameter may be given any number of times. */
  readonly repeats?: true;
  /** The pack of providers that serve it; none for a method of the standard. */
  readonly pack?: PackId;
  /** The document of the workspace that adds this method. */
  readonly source?: string;
  /**
   * Short text form of the result: `{ name, name: type }`, `type[]`, `type | null`; after a semicolon a remark. Paths into
   * the answer are checked by it; `core/requests/methods/resultShape.ts` has the words for types.
   */
  readonly result: string;
  /** JSON-RPC error codes to expect beyond -32602. */
  readonly errors: readonly number[];
  readonly notes?: readonly string[];
  /** One of the eleven methods the service contract describes. */
  readonly contract?: true;
  readonly advice?: readonly Advice[];
  readonly rules?: readonly CrossRule[];
  /** Where not every server has it. */
  readonly since?: Availability;
  /** How answers differ by release, the oldest first. */
  readonly changes?: readonly AnswerChange[];
  /** May change or be missing; the sentence says why. */
  readonly unstable?: string;
  /** The standard's documentation has no page about it. */
  readonly undocumented?: true;
  readonly subscription?: SubscriptionFacts;
  /** For an unsubscribe method: the method that opens the subscription. */
  readonly closes?: string;
  /** A valid call, complete: `params` as they would be sent. */
  readonly example: readonly JsonValue[] | JsonObject;
}

/** A name that nodes no longer serve. */
export interface RemovedMethod {
  readonly name: string;
  /** The method to call instead; absent if none does the same. */
  readonly replacedBy?: string;
  /** How the replacement differs, one sentence. */
  readonly note?: string;
}
