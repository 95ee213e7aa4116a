// The updates of Yellowstone gRPC as a table: field numbers by kind, and the columns of a list.
import type { ShapeColumn, FieldType } from './shape';

export type FieldRead = 'u64' | 'i64' | 'bytes' | 'text' | 'boolean' | 'length' | 'presence' | 'status';
/** Field numbers from the update's own message down, and the type there. `?`: absent if not written. */
export type Field = readonly [path: readonly number[], read: FieldRead, isOptional?: '?'];

export interface Kind {
  readonly name: string;
  /** Absent where it concerns no slot. */
  readonly slot?: readonly number[];
  /** The bank of the slot, which a server of 2026 names. */
  readonly bank?: readonly number[];
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields that identify one, besides the slot. */
  readonly identity: readonly string[];
}

export const STATUSES = [
  'processed',
  'confirmed',
  'finalized',
  'firstShredReceived',
  'completed',
  'createdBank',
  'dead',
];

const SLOT: Kind = {
  name: 'slot',
  slot: [1],
  bank: [5],
  fields: { parent: [[2], 'u64', '?'], status: [[3], 'status'] },
  identity: ['status'],
};

/** A transaction before it runs. */
const NOT_RUN: Kind = {
  name: 'transaction',
  slot: [2],
  fields: { signature: [[1, 1], 'bytes'], vote: [[1, 2], 'boolean'] },
  identity: ['signature'],
};

/** By the number of the oneof's field in SubscribeUpdate. */
const UPDATE: Readonly<Record<number, Kind>> = {
  2: {
    name: 'account',
    slot: [2],
    bank: [4],
    fields: {
      pubkey: [[1, 1], 'bytes'],
      lamports: [[1, 2], 'u64'],
      owner: [[1, 3], 'bytes'],
      executable: [[1, 4], 'boolean'],
      size: [[1, 6], 'length'],
      writeVersion: [[1, 7], 'u64'],
      signature: [[1, 8], 'bytes'],
      startup: [[3], 'boolean'],
    },
    identity: ['pubkey', 'writeVersion'],
  },
  3: SLOT,
  4: {
    name: 'transaction',
    slot: [2],
    bank: [3],
    fields: {
      signature: [[1, 1], 'bytes'],
      vote: [[1, 2], 'boolean'],
      failed: [[1, 4, 1], 'presence'],
      fee: [[1, 4, 2], 'u64'],
      units: [[1, 4, 16], 'u64', '?'],
      index: [[1, 5], 'u64'],
    },
    identity: ['signature'],
  },
  5: {
    name: 'block',
    slot: [1],
    bank: [14],
    fields: {
      blockhash: [[2], 'text'],
      time: [[4, 1], 'i64', '?'],
      height: [[5, 1], 'u64', '?'],
      parent: [[7], 'u64'],
      transactions: [[9], 'u64'],
    },
    identity: ['blockhash'],
  },
  7: {
    name: 'blockMeta',
    slot: [1],
    bank: [10],
    fields: {
      blockhash: [[2], 'text'],
      time: [[4, 1], 'i64', '?'],
      height: [[5, 1], 'u64', '?'],
      parent: [[6], 'u64'],
      transactions: [[8], 'u64'],
    },
    identity: ['blockhash'],
  },
  8: {
    name: 'entry',
    slot: [1],
    bank: [7],
    fields: {
      index: [[2], 'u64'],
      hashes: [[3], 'u64'],
      hash: [[4], 'bytes'],
      transactions: [[5], 'u64'],
    },
    identity: ['index', 'hash'],
  },
  10: {
    name: 'transactionStatus',
    slot: [1],
    bank: [6],
    fields: {
      signature: [[2], 'bytes'],
      vote: [[3], 'boolean'],
      index: [[4], 'u64'],
      failed: [[5], 'presence'],
    },
    identity: ['signature'],
  },
  12: {
    name: 'blockFooter',
    slot: [1],
    bank: [2],
    fields: {
      bankHash: [[3], 'bytes'],
      producedAt: [[4], 'u64'],
      userAgent: [[5], 'text'],
      finalCert: [[6], 'length', '?'],
      skipCert: [[7], 'length', '?'],
      notarCert: [[8], 'length', '?'],
    },
    identity: ['bankHash'],
  },
  13: {
    name: 'entryUpdateParent',
    slot: [1],
    fields: { clearedBank: [[2], 'u64'], parent: [[3], 'u64'], parentBlock: [[4], 'bytes'] },
    identity: ['clearedBank', 'parentBlock'],
  },
};

/** The same for SubscribeUpdateDeshred. */
const DESHRED: Readonly<Record<number, Kind>> = { 2: NOT_RUN, 6: SLOT };

/** The same for SubscribePreprocessedUpdate. */
const PREPROCESSED: Readonly<Record<number, Kind>> = { 2: NOT_RUN };

/** The same for SubscribeUpdateGossip. */
const GOSSIP: Readonly<Record<number, Kind>> = {
  1: {
    name: 'node',
    fields: {
      pubkey: [[1], 'bytes'],
      wallclock: [[2], 'u64'],
      shredVersion: [[4], 'u64'],
      major: [[5], 'u64'],
      minor: [[6], 'u64'],
      patch: [[7], 'u64'],
      featureSet: [[9], 'u64'],
      client: [[10], 'u64'],
      gossip: [[11], 'text'],
      rpc: [[20], 'text'],
      pubsub: [[21], 'text'],
    },
    identity: ['pubkey', 'wallclock'],
  },
  2: { name: 'removed', fields: { pubkey: [[1], 'bytes'] }, identity: ['pubkey'] },
  6: { name: 'snapshot', fields: {}, identity: [] },
};

/** The messages of one call. */
export interface CallKinds {
  readonly kinds: Readonly<Record<number, Kind>>;
  /** Field with the time at which the service created a message. */
  readonly madeAt: number;
  /** The message starts with filter names. */
  readonly hasFilters: boolean;
}

const CALLS: Readonly<Record<string, CallKinds>> = {
  Subscribe: { kinds: UPDATE, madeAt: 11, hasFilters: true },
  SubscribeDeshred: { kinds: DESHRED, madeAt: 5, hasFilters: true },
  SubscribePreprocessed: { kinds: PREPROCESSED, madeAt: 5, hasFilters: true },
  SubscribeGossip: { kinds: GOSSIP, madeAt: 5, hasFilters: false },
};

/** The messages of a call by its path; those of Subscribe for any other one. */
export function callKinds(method: string): CallKinds {
  const name = method.slice(method.lastIndexOf('/') + 1);
  return (Object.hasOwn(CALLS, name) ? CALLS[name] : undefined) ?? { kinds: UPDATE, madeAt: 11, hasFilters: true };
}

export const TYPES: Readonly<Record<FieldRead, FieldType>> = {
  u64: 'number',
  i64: 'number',
  length: 'number',
  bytes: 'text',
  text: 'text',
  status: 'text',
  boolean: 'boolean',
  presence: 'boolean',
};

/** Columns by the request's map, without the decoded ones (decodedFields.ts). */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['type', 'pubkey', 'data', 'lamports', 'size', 'owner', 'signature'],
  slots: ['status', 'parent', 'bank', 'fate'],
  transactions: ['outcome', 'instructions', 'signature', 'fee', 'units', 'vote'],
  transactionsStatus: ['outcome', 'signature', 'index', 'vote'],
  blocks: ['blockhash', 'height', 'transactions', 'parent'],
  blocksMeta: ['blockhash', 'height', 'transactions', 'parent'],
  entry: ['index', 'hash', 'hashes', 'transactions'],
  blockFooter: ['bank', 'bankHash', 'producedAt', 'userAgent'],
  deshredTransactions: ['instructions', 'signature', 'vote'],
};
/** Columns of entries whose bank may be cleared. */
export const CLEARED = ['kind', 'index', 'hash', 'transactions', 'bank', 'clearedBank', 'parent', 'fate'];
/** Columns for several kinds at once. */
export const MIXED = [
  'kind',
  'pubkey',
  'type',
  'data',
  'signature',
  'outcome',
  'instructions',
  'lamports',
  'owner',
  'blockhash',
  'status',
];
/** Columns of a call whose request names no filters. */
export const COLUMNS_OF_CALL: Readonly<Record<string, readonly string[]>> = {
  SubscribeGossip: ['kind', 'pubkey', 'major', 'minor', 'patch', 'client', 'gossip', 'rpc'],
  SubscribePreprocessed: ['instructions', 'signature', 'vote'],
};

const TITLES: Readonly<Record<string, string>> = {
  pubkey: 'Account',
  size: 'Bytes',
  units: 'Compute units',
  signature: 'Transaction',
  blockhash: 'Block hash',
  bankHash: 'Bank hash',
  clearedBank: 'Cleared bank',
  producedAt: 'Produced at',
  userAgent: 'Software',
};

/** The column of a field: numbers are right-aligned. */
export const columnOf = (field: string, type: FieldType | undefined): ShapeColumn => ({
  field,
  title: TITLES[field] ?? field.charAt(0).toUpperCase() + field.slice(1),
  align: type === 'number' ? 'end' : 'start',
});
