// Reads updates of Yellowstone gRPC (yellowstone-grpc, geyser.proto) from their bytes, by a table of each kind's fields.
// Decodes only what is requested.
import { findPath, nextField, varintAt } from '../../../proto/fields';
import { decodeBase58, encodeBase58 } from '../../solana/encoding/base58';
import { isJsonObject, member, type JsonValue } from '../../solana/json/json';
import { addToIdentity, beginIdentity, madeIdentity } from './identities';
import { findBytes, latinText, showsText, utf8Text, type FieldType, type FieldValue, type Shape } from './shape';
import {
  callKinds,
  CLEARED,
  columnOf,
  COLUMNS,
  COLUMNS_OF_CALL,
  MIXED,
  STATUSES,
  TYPES,
  type Field,
  type Kind,
} from './yellowstoneKinds';

const FILTERS = 1;
/** The parts of a protobuf Timestamp. */
const SECONDS = [1];
const NANOS = [2];
/** Maps of the request that yield updates at every slot. */
const STEADY: ReadonlySet<string> = new Set(['slots', 'blocks', 'blocksMeta', 'entry', 'blockFooter']);
/** Starts the part of an identity for slot and bank; no kind of update has this number. */
const BANK = 99;

/** The top field of the message being read; reused, so that a message that is only counted allocates nothing. */
const TOP = { start: 0, end: 0 };

/** The shape of the messages of a call with this request. */
export function yellowstoneShape(method: string, body: JsonValue): Shape {
  const { kinds, madeAt: madeAtField, hasFilters } = callKinds(method);
  const numbers = new Map(Object.entries(kinds).map(([number, kind]) => [kind, Number(number)]));
  const fields = fieldsOf(kinds);
  const asked = Object.keys(COLUMNS).filter((name) => filtersOf(body, name).length > 0);
  const [only] = asked;
  const hasSlots = Object.values(kinds).some(({ slot: path }) => path !== undefined);
  const isCleared = filtersOf(body, 'entry').some((filter) => written(filter, 'includeUpdateParent') === true);
  const hearsOfSlots = hasFilters && (isCleared || asked.includes('slots'));
  const settles =
    method.endsWith('/Subscribe') &&
    filtersOf(body, 'slots').some((filter) => written(filter, 'filterByCommitment') !== true);
  const byKind = only === 'entry' && isCleared ? CLEARED : COLUMNS[only ?? ''];
  const byRequest = (asked.length === 1 ? byKind : undefined) ?? MIXED;
  const shown = COLUMNS_OF_CALL[method.slice(method.lastIndexOf('/') + 1)] ?? byRequest;
  const columns = [...(hasSlots ? ['slot'] : []), ...shown].map((field) => columnOf(field, fields.get(field)));

  /** The kind of a message, with its payload's place left in TOP; undefined for a ping or anything but an update. */
  const kindOf = (bytes: Uint8Array, start: number, end: number): Kind | undefined => {
    TOP.end = start;
    while (TOP.end < end) {
      const number = nextField(bytes, end, TOP);
      if (number === 0) return undefined;
      const kind = kinds[number];
      if (kind !== undefined) return kind;
    }
    return undefined;
  };
  const slot = (bytes: Uint8Array, start: number, end: number): number => {
    const kind = kindOf(bytes, start, end);
    if (kind?.slot === undefined) return NaN;
    const found = findPath(bytes, TOP.start, TOP.end, kind.slot);
    return found === undefined ? 0 : Number(varintAt(bytes, found.start, found.end));
  };
  const value = (field: string, bytes: Uint8Array, start: number, end: number): FieldValue | undefined => {
    if (field === 'filters') return hasFilters ? namesOf(bytes, start, end).join(', ') : undefined;
    const kind = kindOf(bytes, start, end);
    if (kind === undefined) return undefined;
    if (field === 'kind') return kind.name;
    if (field === 'slot') return kind.slot === undefined ? undefined : read([kind.slot, 'u64'], bytes);
    if (field === 'bank') return kind.bank === undefined ? undefined : read([kind.bank, 'u64', '?'], bytes);
    const found = Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined;
    return found === undefined ? undefined : read(found, bytes);
  };
  const madeAt = [madeAtField];
  return {
    columns,
    ...(hearsOfSlots && { hearsOfSlots }),
    ...(settles && { settles: 'status' }),
    fields,
    slot,
    value,
    sentAt: (bytes, start, end) => {
      const made = findPath(bytes, start, end, madeAt);
      if (made === undefined) return NaN;
      const { start: from, end: to } = made;
      const part = (number: readonly number[]): number => {
        const found = findPath(bytes, from, to, number);
        return found === undefined ? 0 : Number(varintAt(bytes, found.start, found.end));
      };
      return part(SECONDS) * 1_000 + part(NANOS) / 1_000_000;
    },
    isSteady: asked.some((name) => STEADY.has(name)),
    identity: (bytes, start, end) => {
      const kind = kindOf(bytes, start, end);
      beginIdentity(kind === undefined ? 0 : (numbers.get(kind) ?? 0));
      if (kind === undefined) return madeIdentity();
      const from = TOP.start;
      const to = TOP.end;
      const { slot: slotPath = NOWHERE, bank } = kind;
      addPath(bytes, from, to, slotPath);
      for (const field of kind.identity) addPath(bytes, from, to, kind.fields[field]?.[0] ?? slotPath);
      TOP.end = start;
      if (hasFilters)
        while (TOP.end < end && nextField(bytes, end, TOP) === FILTERS) addToIdentity(bytes, TOP.start, TOP.end);
      const own = madeIdentity();
      const found = bank === undefined ? undefined : findPath(bytes, from, to, bank);
      if (found === undefined) return own;
      beginIdentity(BANK);
      addToIdentity(bytes, found.start, found.end);
      addPath(bytes, from, to, slotPath);
      return own + madeIdentity();
    },
    finds: (text) => {
      const plain = new TextEncoder().encode(text);
      const key = text.length >= 32 && text.length <= 88 ? decodeBase58(text) : undefined;
      const shows = showsText(
        text,
        value,
        columns.map(({ field }) => field),
      );
      return (bytes, start, end) =>
        (key !== undefined && findBytes(bytes, start, end, key) >= 0) ||
        findBytes(bytes, start, end, plain) >= 0 ||
        shows(bytes, start, end);
    },
  };
}

/** No field has this number. */
const NOWHERE: readonly number[] = [0];

/** Adds the field at the end of `path`. An absent field has its default value, and is absent in a replay too. */
function addPath(bytes: Uint8Array, start: number, end: number, path: readonly number[]): void {
  const found = findPath(bytes, start, end, path);
  addToIdentity(bytes, found?.start ?? 0, found?.end ?? 0);
}

/** Reads a field of the message in TOP. */
function read([path, type, isOptional]: Field, bytes: Uint8Array): FieldValue | undefined {
  const found = findPath(bytes, TOP.start, TOP.end, path);
  if (found === undefined) {
    if (isOptional !== undefined) return undefined;
    // proto3 omits a field with its default value.
    const kind = TYPES[type];
    return kind === 'number' ? 0 : kind === 'boolean' ? false : type === 'status' ? STATUSES[0] : undefined;
  }
  const { start, end } = found;
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
  TOP.end = start;
  while (TOP.end < end && nextField(bytes, end, TOP) === FILTERS) names.push(latinText(bytes, TOP.start, TOP.end));
  return names;
}

/** The fields of each kind of update, by the kind's name, for the documentation. */
export function yellowstoneFields(method: string): ReadonlyMap<string, ReadonlyMap<string, FieldType>> {
  const kinds = Object.values(callKinds(method).kinds);
  return new Map(
    kinds.map(({ name, fields, bank }) => [
      name,
      new Map([
        ...Object.entries(fields).map(([field, [, type]]) => [field, TYPES[type]] as const),
        ...(bank === undefined ? [] : [['bank', 'number'] as const]),
      ]),
    ]),
  );
}

function fieldsOf(kinds: Readonly<Record<number, Kind>>): ReadonlyMap<string, FieldType> {
  const fields = new Map<string, FieldType>([
    ['slot', 'number'],
    ['kind', 'text'],
    ['filters', 'text'],
  ]);
  for (const kind of Object.values(kinds)) {
    for (const [name, [, type]] of Object.entries(kind.fields)) fields.set(name, TYPES[type]);
    if (kind.bank !== undefined) fields.set('bank', 'number');
  }
  return fields;
}

/** The filters of a map of the request. */
function filtersOf(body: JsonValue, name: string): readonly JsonValue[] {
  const filters = written(body, name);
  return isJsonObject(filters) ? Object.values(filters) : [];
}

/** A member of a message, whose name may be in either spelling. */
const written = (message: JsonValue, name: string): JsonValue | undefined =>
  member(message, name) ??
  member(
    message,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
