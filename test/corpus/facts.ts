// How the tests write down what a node takes, and the facts that many methods share. Data only.
import { base58OfLength, base64OfLength, KEY, MINT, TOKEN_PROGRAM } from './values';

export const U64_MAX = '18446744073709551615';

/** One JSON value. An object of a list or a union has no name. */
export interface Fact {
  readonly name?: string;
  readonly type:
    | 'pubkey'
    | 'signature'
    | 'blockhash'
    | 'u64'
    | 'u8'
    | 'i64'
    | 'bool'
    | 'string'
    | 'base64'
    | 'transaction'
    | 'filterBytes'
    | 'enum'
    | 'array'
    | 'object'
    | 'union';
  readonly required?: true;
  readonly min?: number;
  readonly max?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly words?: readonly string[];
  readonly items?: Fact;
  readonly fields?: readonly Fact[];
  /** A filter: exactly one of the members is there. */
  readonly exactlyOne?: true;
  readonly oneOf?: readonly Fact[];
  /** The old form, the bare name of an encoding, is taken as well. */
  readonly bareEncoding?: true;
  /** The config may take this place when the parameter is left out. */
  readonly orConfig?: true;
  /** JSON texts that are valid, where the type alone gives a call that breaks a rule between two values, or an unlikely one. */
  readonly samples?: readonly string[];
}

export type Named = Fact & { readonly name: string };

export interface MethodFacts {
  readonly name: string;
  readonly on: 'http' | 'ws' | 'both';
  readonly params: readonly Named[];
}

export const LEVEL: Named = word('commitment', 'processed', 'confirmed', 'finalized');
/** Of options that hold nothing else, which nodes read as `CommitmentConfig`: an object without it is refused. */
export const NEEDED_LEVEL: Named = { ...LEVEL, required: true };
export const SETTLED: Named = word('commitment', 'confirmed', 'finalized');
export const AT_LEAST: Named = { name: 'minContextSlot', type: 'u64' };
export const SLICE: Named = {
  name: 'dataSlice',
  type: 'object',
  fields: [need('offset', 'u64'), need('length', 'u64')],
};
export const ACCOUNT_DATA: Named = word('encoding', 'base58', 'base64', 'base64+zstd', 'jsonParsed');
export const TRANSACTION_DATA: Named = word('encoding', 'json', 'jsonParsed', 'base58', 'base64');
export const WIRE: Named = word('encoding', 'base58', 'base64');
export const VERSION: Named = { name: 'maxSupportedTransactionVersion', type: 'u8' };
const MEMCMP: Named = {
  name: 'memcmp',
  type: 'object',
  fields: [need('offset', 'u64'), need('bytes', 'filterBytes'), WIRE],
};
const MEMCMPS = [
  '{ "offset": 0, "bytes": "3" }',
  `{ "offset": 32, "bytes": "${KEY}" }`,
  '{ "offset": 72, "bytes": [1, 0, 0, 255] }',
  '{ "offset": 4, "bytes": "AQID", "encoding": "base64" }',
  '{ "offset": 4, "bytes": "2UzHM", "encoding": "base58" }',
  '{ "offset": 4, "bytes": "2UzHM", "encoding": null }',
  `{ "offset": 0, "bytes": "${base58OfLength(128)}" }`,
  `{ "offset": 0, "bytes": "${base64OfLength(128)}", "encoding": "base64" }`,
  `{ "offset": ${U64_MAX}, "bytes": "" }`,
];

const FILTER_SAMPLES = [
  '{ "dataSize": 165 }',
  '{ "dataSize": 0 }',
  `{ "dataSize": ${U64_MAX} }`,
  '"tokenAccountState"',
  ...MEMCMPS.map((memcmp) => `{ "memcmp": ${memcmp} }`),
];

export const FILTERS: Named = {
  name: 'filters',
  type: 'array',
  maxItems: 4,
  items: {
    type: 'union',
    oneOf: [
      { type: 'object', exactlyOne: true, fields: [may('dataSize', 'u64'), MEMCMP], samples: FILTER_SAMPLES },
      { type: 'enum', words: ['tokenAccountState'] },
    ],
  },
};
export const TOKEN_FILTER: Named = {
  name: 'filter',
  type: 'object',
  required: true,
  exactlyOne: true,
  fields: [may('mint', 'pubkey'), may('programId', 'pubkey')],
  samples: [
    `{ "programId": "${TOKEN_PROGRAM}" }`,
    `{ "mint": "${MINT}" }`,
    `{ "programId": "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" }`,
  ],
};

export function need(name: string, type: Fact['type']): Named {
  return { name, type, required: true };
}

export function may(name: string, type: Fact['type']): Named {
  return { name, type };
}

/** One of these words. */
export function word(name: string, ...words: readonly string[]): Named {
  return { name, type: 'enum', words };
}

export const config = (...fields: readonly Named[]): Named => ({ name: 'config', type: 'object', fields });
export const bareConfig = (...fields: readonly Named[]): Named => ({ ...config(...fields), bareEncoding: true });
