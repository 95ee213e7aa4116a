// How the tests write down what a node takes, and the facts that many methods share. Data only.

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
}

export interface MethodFacts {
  readonly name: string;
  readonly on: 'http' | 'ws' | 'both';
  readonly params: readonly (Fact & { readonly name: string })[];
}

export type Named = Fact & { readonly name: string };

export const LEVEL: Named = { name: 'commitment', type: 'enum', words: ['processed', 'confirmed', 'finalized'] };
/** Of options that hold nothing else, which nodes read as `CommitmentConfig`: an object without it is refused. */
export const NEEDED_LEVEL: Named = { ...LEVEL, required: true };
export const SETTLED: Named = { name: 'commitment', type: 'enum', words: ['confirmed', 'finalized'] };
export const AT_LEAST: Named = { name: 'minContextSlot', type: 'u64' };
export const SLICE: Named = {
  name: 'dataSlice',
  type: 'object',
  fields: [need('offset', 'u64'), need('length', 'u64')],
};
export const ACCOUNT_DATA: Named = {
  name: 'encoding',
  type: 'enum',
  words: ['base58', 'base64', 'base64+zstd', 'jsonParsed'],
};
export const TRANSACTION_DATA: Named = {
  name: 'encoding',
  type: 'enum',
  words: ['json', 'jsonParsed', 'base58', 'base64'],
};
export const WIRE: Named = { name: 'encoding', type: 'enum', words: ['base58', 'base64'] };
export const VERSION: Named = { name: 'maxSupportedTransactionVersion', type: 'u8' };
const MEMCMP: Named = {
  name: 'memcmp',
  type: 'object',
  fields: [need('offset', 'u64'), need('bytes', 'filterBytes'), WIRE],
};
export const FILTERS: Named = {
  name: 'filters',
  type: 'array',
  maxItems: 4,
  items: {
    type: 'union',
    oneOf: [
      { type: 'object', exactlyOne: true, fields: [{ name: 'dataSize', type: 'u64' }, MEMCMP] },
      { type: 'enum', words: ['tokenAccountState'] },
    ],
  },
};
export const TOKEN_FILTER: Named = {
  name: 'filter',
  type: 'object',
  required: true,
  exactlyOne: true,
  fields: [
    { name: 'mint', type: 'pubkey' },
    { name: 'programId', type: 'pubkey' },
  ],
};

export function need(name: string, type: Fact['type']): Named {
  return { name, type, required: true };
}

export const config = (...fields: readonly Named[]): Named => ({ name: 'config', type: 'object', fields });
export const bareConfig = (...fields: readonly Named[]): Named => ({ ...config(...fields), bareEncoding: true });
