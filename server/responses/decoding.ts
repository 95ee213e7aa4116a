// Decodes the accounts or transactions of responses in pages. Reads only the requested items; loaded on first use.
import {
  decodablePlace,
  decodeItems,
  type DecodablePlace,
  type DecodedItem,
} from '../../core/service/response/decodable';
import type { StoredResponse } from '../../core/service/response/stored';
import type { Programs } from '../../core/solana/decode/decoded';
import { rowLine } from '../../core/solana/decode/decodedText';
import { isJsonArray, jsonOf, type JsonValue } from '../../core/solana/json/json';
import type { DecodeAccountsParams, DecodeAccountsResult } from '../../protocol/responses';
import type { Results } from './results';

/** A response up to so many bytes is read whole; of a larger one, the items that are asked for. */
const MAX_WHOLE = 16_000_000;
/** Bytes of one item. */
const MAX_ITEM = 32_000_000;
/** Most items of one answer, even if more are requested. */
const MAX_ITEMS = 100;
/** Rows of one item; the others are counted. */
const MAX_ROWS = 2_000;

export async function decodeResponse(
  results: Results,
  known: Programs,
  { from, count, ...place }: DecodeAccountsParams,
): Promise<DecodeAccountsResult> {
  const opened = await results.large.open(place);
  if (opened === undefined) return { kind: 'gone' };
  const { stored, isComplete } = opened;
  const facts = { bytes: stored.bytes, isComplete: isComplete() };
  const first = Math.max(0, Math.floor(from));
  const wanted = Math.min(Math.max(0, Math.floor(count)), MAX_ITEMS);
  const slice = await sliceOf(stored, first, wanted);
  if (slice === undefined) return { kind: 'noItems', ...facts };
  const request = await results.requestOf(place);
  const items = decodeItems({ ...slice, from: first, request }, known).map(cut);
  return { kind: 'decoded', of: slice.kind, ...facts, total: slice.total, items, text: items.map(textOf).join('\n') };
}

interface Slice {
  readonly kind: DecodablePlace['kind'];
  readonly total: number;
  readonly items: readonly JsonValue[];
}

async function sliceOf(stored: StoredResponse, from: number, count: number): Promise<Slice | undefined> {
  const whole = await stored.value([], MAX_WHOLE);
  if (whole?.kind !== 'value') return largeSlice(stored, from, count);
  const place = decodablePlace(whole.value);
  if (place === undefined) return undefined;
  const found = await stored.value(place.path, MAX_WHOLE);
  if (found?.kind !== 'value') return undefined;
  const list = place.isSingle || !isJsonArray(found.value) ? [found.value] : found.value;
  return { kind: place.kind, total: list.length, items: list.slice(from, from + count) };
}

/** The items of its largest list, when the first of them is an account or a transaction. */
async function largeSlice(stored: StoredResponse, from: number, count: number): Promise<Slice | undefined> {
  const page = await stored.page(from, count);
  if (page === undefined) return undefined;
  // A key that is too long to be kept names no list of a node's.
  const path = page.path.filter((key) => key !== undefined);
  const items: JsonValue[] = [];
  for (const { index, text, isCut } of page.items) {
    const whole = isCut ? await stored.value([...path, index], MAX_ITEM) : undefined;
    items.push(whole?.kind === 'value' ? whole.value : isCut ? null : (jsonOf(text) ?? null));
  }
  const kind = decodablePlace({ result: items })?.kind;
  return kind === undefined ? undefined : { kind, total: page.total, items };
}

function cut(item: DecodedItem): DecodedItem {
  const more = item.rows.length - MAX_ROWS;
  if (more <= 0) return item;
  return { ...item, rows: [...item.rows.slice(0, MAX_ROWS), { depth: 0, name: '…', value: `${more} more rows` }] };
}

function textOf({ index, title, what, rows }: DecodedItem): string {
  const head = `${index + 1}. ${what}${title === '' ? '' : ` ${title}`}`;
  return [head, ...rows.map((row) => `   ${rowLine(row)}`), ''].join('\n');
}
