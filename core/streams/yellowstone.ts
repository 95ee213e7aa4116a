// Updates of Yellowstone gRPC (solana.md, "b. Yellowstone gRPC") read out of their bytes: a table of which field of which
// kind stands where. Nothing is decoded that is not asked for.
import { findPath, nextField, varintAt, type FieldPlace } from '../../proto/fields';
import { decodeBase58, encodeBase58 } from '../values/encoding/base58';
import { isJsonObject, member, type JsonValue } from '../values/json/json';
import { addToIdentity, beginIdentity, madeIdentity } from './identities';
import {
  cellText,
  findBytes,
  latinText,
  utf8Text,
  type Column,
  type FieldType,
  type FieldValue,
  type Shape,
} from './shape';

type Read = 'u64' | 'i64' | 'bytes' | 'text' | 'boolean' | 'length' | 'presence' | 'status';
/** Field numbers from the update's own message on, and what stands there. `?`: absent where it is not written. */
type Field = readonly [path: readonly number[], read: Read, isOptional?: '?'];

interface Kind {
  readonly name: string;
  readonly slot: readonly number[];
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields that tell two of them apart, beside the slot. */
  readonly identity: readonly string[];
}

const STATUSES = ['processed', 'confirmed', 'finalized', 'firstShredReceived', 'completed', 'createdBank', 'dead'];

const SLOT: Kind = {
  name: 'slot',
  slot: [1],
  fields: { parent: [[2], 'u64', '?'], status: [[3], 'status'] },
  identity: ['status'],
};

/** By the number of the oneof's field in SubscribeUpdate. */
const UPDATE: Readonly<Record<number, Kind>> = {
  2: {
    name: 'account',
    slot: [2],
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
    fields: {
      blockhash: [[2], 'text'],
      time: [[4, 1], 'i64', '?'],
      height: [[5, 1], 'u64', '?'],
      parent: [[7], 'u64'],
      transactions: [[9], 'u64'],
    },
    identity: [],
  },
  7: {
    name: 'blockMeta',
    slot: [1],
    fields: {
      blockhash: [[2], 'text'],
      time: [[4, 1], 'i64', '?'],
      height: [[5, 1], 'u64', '?'],
      parent: [[6], 'u64'],
      transactions: [[8], 'u64'],
    },
    identity: [],
  },
  8: {
    name: 'entry',
    slot: [1],
    fields: {
      index: [[2], 'u64'],
      hashes: [[3], 'u64'],
      hash: [[4], 'bytes'],
      transactions: [[5], 'u64'],
    },
    identity: ['index'],
  },
  10: {
    name: 'transactionStatus',
    slot: [1],
    fields: {
      signature: [[2], 'bytes'],
      vote: [[3], 'boolean'],
      index: [[4], 'u64'],
      failed: [[5], 'presence'],
    },
    identity: ['signature'],
  },
};

/** The same for SubscribeUpdateDeshred. */
const DESHRED: Readonly<Record<number, Kind>> = {
  2: {
    name: 'transaction',
    slot: [2],
    fields: { signature: [[1, 1], 'bytes'], vote: [[1, 2], 'boolean'] },
    identity: ['signature'],
  },
  6: SLOT,
};

const FILTERS = 1;
/** `created_at` of the two kinds of update, and the parts of a protobuf Timestamp. */
const MADE_AT = [11];
const DESHRED_MADE_AT = [5];
const SECONDS = [1];
const NANOS = [2];
/** Maps of the request that bring something at every slot. */
const STEADY: ReadonlySet<string> = new Set(['slots', 'blocks', 'blocksMeta', 'entry']);
const TYPES: Readonly<Record<Read, FieldType>> = {
  u64: 'number',
  i64: 'number',
  length: 'number',
  bytes: 'text',
  text: 'text',
  status: 'text',
  boolean: 'boolean',
  presence: 'boolean',
};

/** What a list shows, by the map of the request that asks for it; what is decoded for it, said.ts reads. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['type', 'pubkey', 'data', 'lamports', 'size', 'owner', 'signature'],
  slots: ['status', 'parent'],
  transactions: ['outcome', 'instructions', 'signature', 'fee', 'units', 'vote'],
  transactionsStatus: ['outcome', 'signature', 'index', 'vote'],
  blocks: ['blockhash', 'height', 'transactions', 'parent'],
  blocksMeta: ['blockhash', 'height', 'transactions', 'parent'],
  entry: ['index', 'hash', 'hashes', 'transactions'],
  deshredTransactions: ['instructions', 'signature', 'vote'],
};
/** Where several kinds come together. */
const MIXED = [
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

const TITLES: Readonly<Record<string, string>> = {
  pubkey: 'Account',
  size: 'Bytes',
  units: 'Compute units',
  signature: 'Transaction',
  blockhash: 'Block hash',
};

/** The column of a field: numbers stand at the right. */
export const columnOf = (field: string, type: FieldType | undefined): Column => ({
  field,
  title: TITLES[field] ?? field.charAt(0).toUpperCase() + field.slice(1),
  align: type === 'number' ? 'end' : 'start',
});

/** One look-up after the other uses it: nothing is made for a message that is only counted. */
const PLACE: FieldPlace = { start: 0, end: 0 };

/** The shape of the updates that a Subscribe request with this body brings. */
export function yellowstoneShape(method: string, body: JsonValue): Shape {
  const kinds = method.endsWith('SubscribeDeshred') ? DESHRED : UPDATE;
  const numbers = new Map(Object.entries(kinds).map(([number, kind]) => [kind, Number(number)]));
  const fields = fieldsOf(kinds);
  const asked = Object.keys(COLUMNS).filter((name) => isAsked(body, name));
  const [only] = asked;
  const shown = asked.length === 1 && only !== undefined ? (COLUMNS[only] ?? MIXED) : MIXED;
  const columns = ['slot', ...shown].map((field) => columnOf(field, fields.get(field)));

  /** The kind of a message, whose own part is left in PLACE; undefined for a ping and for what is no update. */
  const kindOf = (bytes: Uint8Array, start: number, end: number): Kind | undefined => {
    PLACE.end = start;
    while (PLACE.end < end) {
      const number = nextField(bytes, end, PLACE);
      if (number === 0) return undefined;
      const kind = kinds[number];
      if (kind !== undefined) return kind;
    }
    return undefined;
  };
  const slot = (bytes: Uint8Array, start: number, end: number): number => {
    const kind = kindOf(bytes, start, end);
    if (kind === undefined) return NaN;
    if (!findPath(bytes, PLACE.start, PLACE.end, kind.slot, PLACE)) return 0;
    return Number(varintAt(bytes, PLACE.start, PLACE.end));
  };
  const value = (field: string, bytes: Uint8Array, start: number, end: number): FieldValue | undefined => {
    if (field === 'filters') return namesOf(bytes, start, end).join(', ');
    const kind = kindOf(bytes, start, end);
    if (kind === undefined) return undefined;
    if (field === 'kind') return kind.name;
    if (field === 'slot') return read([kind.slot, 'u64'], bytes);
    const found = Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined;
    return found === undefined ? undefined : read(found, bytes);
  };
  const madeAt = kinds === DESHRED ? DESHRED_MADE_AT : MADE_AT;
  return {
    columns,
    fields,
    slot,
    value,
    sentAt: (bytes, start, end) => {
      if (!findPath(bytes, start, end, madeAt, PLACE)) return NaN;
      const { start: from, end: to } = PLACE;
      const part = (number: readonly number[]): number =>
        findPath(bytes, from, to, number, PLACE) ? Number(varintAt(bytes, PLACE.start, PLACE.end)) : 0;
      return part(SECONDS) * 1_000 + part(NANOS) / 1_000_000;
    },
    isSteady: asked.some((name) => STEADY.has(name)),
    identity: (bytes, start, end) => {
      const kind = kindOf(bytes, start, end);
      beginIdentity(kind === undefined ? 0 : (numbers.get(kind) ?? 0));
      if (kind === undefined) return madeIdentity();
      const from = PLACE.start;
      const to = PLACE.end;
      addPath(bytes, from, to, kind.slot);
      for (const field of kind.identity) addPath(bytes, from, to, kind.fields[field]?.[0] ?? kind.slot);
      PLACE.end = start;
      while (PLACE.end < end && nextField(bytes, end, PLACE) === FILTERS) addToIdentity(bytes, PLACE.start, PLACE.end);
      return madeIdentity();
    },
    finds: (text) => {
      const plain = new TextEncoder().encode(text);
      const key = text.length >= 32 && text.length <= 88 ? decodeBase58(text) : undefined;
      const lower = text.toLowerCase();
      return (bytes, start, end) =>
        (key !== undefined && findBytes(bytes, start, end, key) >= 0) ||
        findBytes(bytes, start, end, plain) >= 0 ||
        columns.some(({ field }) =>
          cellText(value(field, bytes, start, end))
            .toLowerCase()
            .includes(lower),
        );
    },
  };
}

/** Adds the field at the end of `path`. What is not written holds its default, and is not written the next time either. */
function addPath(bytes: Uint8Array, start: number, end: number, path: readonly number[]): void {
  const isThere = findPath(bytes, start, end, path, PLACE);
  addToIdentity(bytes, isThere ? PLACE.start : 0, isThere ? PLACE.end : 0);
}

/** Reads a field of the message that stands in PLACE. */
function read([path, type, isOptional]: Field, bytes: Uint8Array): FieldValue | undefined {
  if (!findPath(bytes, PLACE.start, PLACE.end, path, PLACE)) {
    if (isOptional !== undefined) return undefined;
    // proto3 does not write a field that holds its default.
    const kind = TYPES[type];
    return kind === 'number' ? 0 : kind === 'boolean' ? false : type === 'status' ? STATUSES[0] : undefined;
  }
  const { start, end } = PLACE;
  switch (type) {
    case 'u64':
      return varintAt(bytes, start, end);
    case 'i64': {
      const exact = BigInt.asIntN(64, BigInt(varintAt(bytes, start, end)));
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    }
    case 'boolean':
      return bytes[start] !== 0;
    case 'presence':
      return true;
    case 'length':
      return end - start;
    case 'bytes':
      return encodeBase58(bytes.subarray(start, end));
    case 'text':
      return utf8Text(bytes, start, end);
    case 'status':
      return STATUSES[bytes[start] ?? 0] ?? String(bytes[start]);
  }
}

function namesOf(bytes: Uint8Array, start: number, end: number): readonly string[] {
  const names: string[] = [];
  PLACE.end = start;
  while (PLACE.end < end && nextField(bytes, end, PLACE) === FILTERS)
    names.push(latinText(bytes, PLACE.start, PLACE.end));
  return names;
}

/** The fields of each kind of update, by the kind's name, for whoever writes them down. */
export function yellowstoneFields(method: string): ReadonlyMap<string, ReadonlyMap<string, FieldType>> {
  const kinds = Object.values(method.endsWith('SubscribeDeshred') ? DESHRED : UPDATE);
  return new Map(
    kinds.map(({ name, fields }) => [
      name,
      new Map(Object.entries(fields).map(([field, [, type]]) => [field, TYPES[type]])),
    ]),
  );
}

function fieldsOf(kinds: Readonly<Record<number, Kind>>): ReadonlyMap<string, FieldType> {
  const fields = new Map<string, FieldType>([
    ['slot', 'number'],
    ['kind', 'text'],
    ['filters', 'text'],
  ]);
  for (const kind of Object.values(kinds))
    for (const [name, [, type]] of Object.entries(kind.fields)) fields.set(name, TYPES[type]);
  return fields;
}

/** Whether the request's map of this name, in either spelling, holds a filter. */
function isAsked(body: JsonValue, name: string): boolean {
  const written =
    member(body, name) ??
    member(
      body,
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  return isJsonObject(written) && Object.keys(written).length > 0;
}
