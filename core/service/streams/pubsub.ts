// Reads notifications of Solana's PubSub (solana.com/docs/rpc/websocket) from their bytes, by a table of each
// subscription's fields. Parses only what is requested.
import { findBytes, showsText, utf8Text, type FieldType, type FieldValue, type Shape } from './shape';
import { addToIdentity, beginIdentity, madeIdentity } from './identities';
import { countItems, digitsAt, findMembers, scalarAt } from './jsonBytes';
import { columnOf } from './yellowstoneKinds';

/** `failed`: true if the value is not null; `count`: number of items; `data`: bytes of an account's data. */
type Read = 'number' | 'text' | 'boolean' | 'failed' | 'count' | 'data';
/** Dotted path from `params.result`; empty for the result itself. */
type Field = readonly [path: string, read: Read];

interface Subscription {
  readonly slot: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The field that reports slots as final. */
  readonly settles?: string;
  /** Fields shown in a list, without the decoded ones (decodedFields.ts). */
  readonly columns: readonly string[];
}

const account = (at: string): Readonly<Record<string, Field>> => ({
  lamports: [`${at}.lamports`, 'number'],
  owner: [`${at}.owner`, 'text'],
  executable: [`${at}.executable`, 'boolean'],
  size: [`${at}.data`, 'data'],
});

const SUBSCRIPTIONS: Readonly<Record<string, Subscription>> = {
  accountSubscribe: {
    slot: 'context.slot',
    fields: account('value'),
    columns: ['slot', 'type', 'data', 'lamports', 'size', 'owner'],
  },
  programSubscribe: {
    slot: 'context.slot',
    fields: { pubkey: ['value.pubkey', 'text'], ...account('value.account') },
    columns: ['slot', 'type', 'pubkey', 'data', 'lamports', 'size', 'owner'],
  },
  logsSubscribe: {
    slot: 'context.slot',
    fields: { signature: ['value.signature', 'text'], failed: ['value.err', 'failed'], logs: ['value.logs', 'count'] },
    columns: ['slot', 'outcome', 'instructions', 'signature', 'units', 'logs'],
  },
  signatureSubscribe: {
    slot: 'context.slot',
    fields: { failed: ['value.err', 'failed'] },
    columns: ['slot', 'outcome'],
  },
  slotSubscribe: {
    slot: 'slot',
    fields: { parent: ['parent', 'number'], root: ['root', 'number'] },
    settles: 'root',
    columns: ['slot', 'parent', 'root'],
  },
  rootSubscribe: { slot: '', fields: {}, columns: ['slot'] },
  blockSubscribe: {
    slot: 'context.slot',
    fields: {
      blockhash: ['value.block.blockhash', 'text'],
      height: ['value.block.blockHeight', 'number'],
      parent: ['value.block.parentSlot', 'number'],
      transactions: ['value.block.transactions', 'count'],
      failed: ['value.err', 'failed'],
    },
    columns: ['slot', 'blockhash', 'height', 'transactions', 'parent'],
  },
  voteSubscribe: {
    slot: 'slot',
    fields: {
      votePubkey: ['votePubkey', 'text'],
      hash: ['hash', 'text'],
      signature: ['signature', 'text'],
      slots: ['slots', 'count'],
    },
    columns: ['votePubkey', 'slots', 'hash', 'signature'],
  },
  slotsUpdatesSubscribe: {
    slot: 'slot',
    fields: { type: ['type', 'text'], parent: ['parent', 'number'], timestamp: ['timestamp', 'number'] },
    settles: 'type',
    columns: ['slot', 'type', 'parent', 'timestamp'],
  },
};

/** The subscriptions whose fields are known. */
export const SUBSCRIPTION_METHODS: readonly string[] = Object.keys(SUBSCRIPTIONS);

/** Subscriptions that notify at every slot. */
const STEADY: ReadonlySet<string> = new Set(['slotSubscribe', 'slotsUpdatesSubscribe', 'blockSubscribe']);

const UNKNOWN: Subscription = { slot: 'context.slot', fields: {}, columns: ['slot'] };

const TYPES: Readonly<Record<Read, FieldType>> = {
  number: 'number',
  count: 'number',
  data: 'number',
  text: 'text',
  boolean: 'boolean',
  failed: 'boolean',
};

const encoder = new TextEncoder();
const pathOf = (text: string): readonly Uint8Array[] =>
  ['params', 'result', ...(text === '' ? [] : text.split('.'))].map((name) => encoder.encode(name));

const RESULT = pathOf('');

/** The shape of the notifications of a subscription. */
export function pubSubShape(method: string): Shape {
  const { slot: slotPath, fields: table, columns: shown, settles } = SUBSCRIPTIONS[method] ?? UNKNOWN;
  const paths = new Map(Object.entries(table).map(([name, [path]]) => [name, pathOf(path)]));
  const slotAt = pathOf(slotPath);
  const fields = new Map<string, FieldType>([
    ['slot', 'number'],
    ...Object.entries(table).map(([name, [, read]]) => [name, TYPES[read]] as const),
  ]);
  /** Messages of one subscription are equal up to the slot: the offset found in the first is valid for the next. */
  let prefix: Uint8Array | undefined;

  const slot = (bytes: Uint8Array, start: number, end: number): number => {
    if (prefix !== undefined) {
      let same = 0;
      while (same < prefix.length && bytes[start + same] === prefix[same]) same++;
      if (same === prefix.length) return digitsAt(bytes, start + same, end);
    }
    const found = findMembers(bytes, start, end, slotAt);
    if (found === undefined) return NaN;
    prefix = bytes.slice(start, found.start);
    return digitsAt(bytes, found.start, end);
  };
  const value = (field: string, bytes: Uint8Array, start: number, end: number): FieldValue | undefined => {
    const path = field === 'slot' ? slotAt : paths.get(field);
    const found = path === undefined ? undefined : findMembers(bytes, start, end, path);
    if (found === undefined) return undefined;
    if (field === 'slot') return scalarAt(bytes, found.start, found.end);
    const read = Object.hasOwn(table, field) ? table[field]?.[1] : undefined;
    if (read === 'count') return countItems(bytes, found.start, found.end);
    if (read === 'data') return dataSize(bytes, found.start, found.end);
    const scalar = scalarAt(bytes, found.start, found.end);
    return read === 'failed' ? scalar !== undefined : scalar;
  };
  const columns = shown.map((field) => columnOf(field, fields.get(field)));
  return {
    columns,
    ...(settles !== undefined && { settles }),
    fields,
    slot,
    value,
    // Only slotsUpdatesSubscribe has such a timestamp; blockTime is off by seconds.
    sentAt: (bytes, start, end) =>
      fields.has('timestamp') ? Number(value('timestamp', bytes, start, end) ?? NaN) : NaN,
    isSteady: STEADY.has(method),
    // The result without the number of its subscription, which differs between two connections.
    identity: (bytes, start, end) => {
      const result = findMembers(bytes, start, end, RESULT);
      beginIdentity(result === undefined ? 0 : 1);
      addToIdentity(bytes, result?.start ?? start, result?.end ?? end);
      return madeIdentity();
    },
    finds: (text) => {
      const plain = encoder.encode(text);
      const shows = showsText(text, value, shown);
      return (bytes, start, end) => findBytes(bytes, start, end, plain) >= 0 || shows(bytes, start, end);
    },
  };
}

/** The bytes of an account's data, `["BASE64", "base64"]`; undefined in any other encoding. */
function dataSize(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (bytes[start] !== 0x5b || bytes[start + 1] !== 0x22) return undefined;
  const close = bytes.indexOf(0x22, start + 2);
  if (close < 0 || close >= end || findBytes(bytes, close, end, BASE64) < 0) return undefined;
  let length = close - start - 2;
  const padded = length % 4 === 0;
  while (padded && length > 0 && bytes[start + 1 + length] === 0x3d) length--;
  return Math.floor((length * 3) / 4);
}

const BASE64 = encoder.encode('"base64"');

/** The text of a notification's result as received, with exact digits; undefined if the message is not a notification. */
export function resultText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const result = findMembers(bytes, start, end, RESULT);
  return result === undefined ? undefined : utf8Text(bytes, result.start, result.end);
}
