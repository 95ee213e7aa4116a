// Locates the decodable part of a stream's message in its bytes: an account, a transaction, its logs or a block. For rows
// and their detail; the caller decodes it.
import { findField, findPath } from '../../../proto/fields';
import { decodeBase58 } from '../../solana/encoding/base58';
import { decodeBase64 } from '../../solana/encoding/base64';
import type { AccountBytes } from '../../solana/decode/decoded';
import { isJsonArray, jsonOf, type JsonValue } from '../../solana/json/json';
import { unzstd } from '../../solana/encoding/zstd';
import { logLines } from '../../solana/decode/transactions/summary';
import { eachItem, findMembers } from './jsonBytes';
import type { Shape } from './shape';

/** The stream whose messages are read. */
export interface ContentSource {
  readonly shape: Shape;
  /** `geyser.Geyser/Subscribe`, `logsSubscribe`. */
  readonly method: string;
  /** The watched account, if its messages do not name it. */
  readonly watched?: string;
}

/** A transaction in a block: as Yellowstone's bytes, as a node's JSON, or by its signature alone. */
export type BlockTransaction =
  | { readonly kind: 'info'; readonly bytes: Uint8Array }
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'signature'; readonly signature: string };

export type Content =
  | { readonly kind: 'account'; readonly account: AccountBytes }
  /** `hasRun`: false if it is reported before any node runs it. */
  | { readonly kind: 'transaction'; readonly info: Uint8Array; readonly hasRun: boolean }
  | { readonly kind: 'logs'; readonly error: JsonValue | undefined; readonly logs: readonly string[] }
  | {
      readonly kind: 'block';
      /** The first of them, at most MAX_BLOCK. */
      readonly transactions: readonly BlockTransaction[];
      /** Number of transactions in the message. */
      readonly total: number;
    };

/** Most transactions read from one block. */
export const MAX_BLOCK = 100;

/** Fields of SubscribeUpdate, and of the updates before a transaction runs, as far as the part that is decoded. */
const INFO = [4, 1];
const DESHRED_INFO = [2, 1];
const ACCOUNT_DATA = [2, 1, 6];
const BLOCK = [5];
const BLOCK_TRANSACTIONS = 6;

const NOTHING = new Uint8Array(0);

/** Whether the messages are Yellowstone's; notifications of a WebSocket otherwise. */
export const isYellowstone = (method: string): boolean => method.includes('/');
/** Whether transactions are sent before they run. */
export const isBeforeRun = (method: string): boolean => /Subscribe(?:Deshred|Preprocessed)$/.test(method);
export const isGossip = (method: string): boolean => method.endsWith('SubscribeGossip');

/** The bytes of a transaction update's info; undefined for any other message. */
export function infoIn(method: string, bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const found = findPath(bytes, start, end, isBeforeRun(method) ? DESHRED_INFO : INFO);
  return found === undefined ? undefined : bytes.subarray(found.start, found.end);
}

const encoder = new TextEncoder();
const pathOf = (...names: readonly string[]): readonly Uint8Array[] =>
  ['params', 'result', 'value', ...names].map((name) => encoder.encode(name));

const PATHS = {
  error: pathOf('err'),
  logs: pathOf('logs'),
  transactions: pathOf('block', 'transactions'),
  signatures: pathOf('block', 'signatures'),
};
const DATA = [pathOf('data'), pathOf('account', 'data')];

/** The JSON at one of the paths of a notification. */
function jsonAt(bytes: Uint8Array, start: number, end: number, path: readonly Uint8Array[]): JsonValue | undefined {
  const found = findMembers(bytes, start, end, path);
  return found === undefined ? undefined : parsed(bytes, found.start, found.end);
}

const UTF8 = new TextDecoder();

const parsed = (bytes: Uint8Array, start: number, end: number): JsonValue | undefined =>
  jsonOf(UTF8.decode(bytes.subarray(start, end)));

export const errorIn = (bytes: Uint8Array, start: number, end: number): JsonValue | undefined =>
  jsonAt(bytes, start, end, PATHS.error);
export const logsIn = (bytes: Uint8Array, start: number, end: number): readonly string[] =>
  logLines(jsonAt(bytes, start, end, PATHS.logs));

/** The decodable content of a message, if it has any. */
export function contentIn(source: ContentSource, bytes: Uint8Array, start: number, end: number): Content | undefined {
  const { method } = source;
  if (isGossip(method)) return undefined;
  if (isYellowstone(method)) {
    const info = infoIn(method, bytes, start, end);
    if (info !== undefined) return { kind: 'transaction', info, hasRun: !isBeforeRun(method) };
    const block = isBeforeRun(method) ? undefined : findPath(bytes, start, end, BLOCK);
    if (block !== undefined) return blockOf(bytes, block.start, block.end);
  }
  if (method === 'logsSubscribe')
    return { kind: 'logs', error: errorIn(bytes, start, end), logs: logsIn(bytes, start, end) };
  if (method === 'blockSubscribe') return jsonBlock(bytes, start, end);
  const account = accountIn(source, bytes, start, end);
  return account === undefined ? undefined : { kind: 'account', account };
}

function blockOf(bytes: Uint8Array, start: number, end: number): Content {
  const transactions: BlockTransaction[] = [];
  let total = 0;
  let found = findField(bytes, start, end, BLOCK_TRANSACTIONS);
  for (; found !== undefined; found = findField(bytes, found.end, end, BLOCK_TRANSACTIONS)) {
    total++;
    if (total <= MAX_BLOCK) transactions.push({ kind: 'info', bytes: bytes.subarray(found.start, found.end) });
  }
  return { kind: 'block', transactions, total };
}

function jsonBlock(bytes: Uint8Array, start: number, end: number): Content | undefined {
  const transactions: BlockTransaction[] = [];
  let total = 0;
  for (const path of [PATHS.transactions, PATHS.signatures]) {
    const list = findMembers(bytes, start, end, path);
    if (list === undefined) continue;
    eachItem(bytes, list.start, list.end, (from, to) => {
      total++;
      const value = total > MAX_BLOCK ? undefined : parsed(bytes, from, to);
      if (value === undefined) return;
      transactions.push(typeof value === 'string' ? { kind: 'signature', signature: value } : { kind: 'json', value });
    });
  }
  return total === 0 ? undefined : { kind: 'block', transactions, total };
}

/** The account of an update; undefined if absent or already decoded by the node. */
export function accountIn(
  { shape, method, watched }: ContentSource,
  bytes: Uint8Array,
  start: number,
  end: number,
): AccountBytes | undefined {
  const text = (field: string): string | undefined => {
    const value = shape.value(field, bytes, start, end);
    return typeof value === 'string' ? value : undefined;
  };
  const owner = text('owner');
  const lamports = shape.value('lamports', bytes, start, end);
  if (owner === undefined || (typeof lamports !== 'number' && typeof lamports !== 'bigint')) return undefined;
  const data = isYellowstone(method) ? yellowstoneData(bytes, start, end) : dataIn(bytes, start, end);
  const address = text('pubkey') ?? watched;
  if (data === undefined) return undefined;
  const executable = shape.value('executable', bytes, start, end) === true;
  return { owner, lamports: BigInt(lamports), data, executable, ...(address !== undefined && { address }) };
}

/** The data of an account update; may be empty. */
function yellowstoneData(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const found = findPath(bytes, start, end, ACCOUNT_DATA);
  return found === undefined ? NOTHING : bytes.subarray(found.start, found.end);
}

/** The chain's limit for account data. base58 is slow to decode, and nodes use it for at most 128 bytes. */
const MAX_ACCOUNT = 10 * 1024 * 1024;
const MAX_BASE58 = 1_024;

/** How nodes write the data of an account. */
export const DATA_ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array | undefined>> = {
  base64: decodeBase64,
  'base64+zstd': (text) => {
    const packed = decodeBase64(text);
    return packed === undefined ? undefined : unzstd(packed, MAX_ACCOUNT);
  },
  base58: (text) => (text.length > MAX_BASE58 ? undefined : decodeBase58(text)),
};

/** The data of an account or program notification, if it is encoded bytes. */
function dataIn(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  for (const path of DATA) {
    const data = jsonAt(bytes, start, end, path);
    if (data === undefined) continue;
    const [text, encoding] = isJsonArray(data) ? data : [data, 'base58'];
    if (typeof text !== 'string' || typeof encoding !== 'string' || !Object.hasOwn(DATA_ENCODINGS, encoding))
      return undefined;
    return DATA_ENCODINGS[encoding]?.(text);
  }
  return undefined;
}
