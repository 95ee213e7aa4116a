// Queries a response in a file through its outline: a value by path, a page of an array's items, a text search. Reads
// little beyond what is asked for, in chunks, from a port: opens no file.
import { jsonOf, type JsonValue } from '../../solana/json/json';
import { largestArray, type Items, type BytePart } from './outline';
import { JsonScanner, type Key, type ValueKind, type Visitor } from './scanner';

export interface ByteSource {
  /** Bytes available so far. */
  readonly bytes: number;
  /** Fewer than `length` only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** All bytes in order, for copying. */
export async function* bytesInPieces(source: ByteSource): AsyncIterable<Uint8Array> {
  for (let at = 0; at < source.bytes;) {
    const piece = await source.read(at, PIECE);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** Chunk size of searches, in bytes. */
const PIECE = 256 * 1024;
/** Longest item text on a page, in bytes. */
const ITEM_BYTES = 64 * 1024;
/** Most items on a page, even if more are requested. */
const PAGE_ITEMS = 1_000;
/** Most bytes on a page. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** An item of a page as JSON text, with exact digits. */
export interface PageItem {
  readonly index: number;
  readonly text: string;
  /** The item continues after `text`. */
  readonly isCut: boolean;
}

export interface Page {
  /** The path of the array in the response. */
  readonly path: readonly Key[];
  /** Items of the array; received so far if it is still streaming. */
  readonly total: number;
  /** Fewer than requested at the end of the array, or if the page would become too large. */
  readonly items: readonly PageItem[];
}

export interface Hit {
  /** Byte offset of the text in the body. */
  readonly offset: number;
  /** Index of the item of the largest array that contains it. */
  readonly item?: number;
}

export interface Hits {
  readonly hits: readonly Hit[];
  /** Where to continue; absent at the end of the body. */
  readonly next?: number;
}

/** The value at a path, or a summary if it is too large to read. */
export type Found =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'large'; readonly is: ValueKind; readonly count?: number; readonly bytes: number };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class StoredResponse {
  /** `root`: read on each call, since it grows while the response streams. */
  constructor(
    private readonly source: ByteSource,
    private readonly root: () => BytePart | undefined,
  ) {}

  get bytes(): number {
    return this.source.bytes;
  }

  /** The value at a path; undefined if it does not exist. Values above `maxBytes` are not read. */
  async value(path: readonly (string | number)[], maxBytes: number): Promise<Found | undefined> {
    const part = await this.#part(path);
    if (part === undefined) return path.at(-1) === 'length' ? this.#length(path.slice(0, -1)) : undefined;
    const size = this.#endOf(part) - part.start;
    if (size <= maxBytes) return this.#parsed(part);
    const count = part.kind === 'array' ? await this.#count(part) : undefined;
    return { kind: 'large', is: part.kind, bytes: size, ...(count !== undefined && { count }) };
  }

  /** Whether `test` holds for an item of the array at a path; reads one item at a time. */
  async some(path: readonly (string | number)[], test: (item: JsonValue) => boolean): Promise<boolean> {
    for (let from = 0; ;) {
      const page = await this.page(from, PAGE_ITEMS, path);
      if (page === undefined || page.items.length === 0) return false;
      for (const { text, isCut, index } of page.items) {
        const whole = isCut ? await this.value([...path, index], Number.MAX_SAFE_INTEGER) : undefined;
        const value = whole?.kind === 'value' ? whole.value : isCut ? undefined : jsonOf(text);
        if (value !== undefined && test(value)) return true;
      }
      from += page.items.length;
    }
  }

  /** Items of the array at a path, by default of the largest; undefined if there is no array. */
  async page(from: number, count: number, path?: readonly Key[]): Promise<Page | undefined> {
    const place = path ?? largestArray(this.root(), this.bytes);
    const array = place === undefined ? undefined : await this.#part(place);
    if (place === undefined || array?.kind !== 'array') return undefined;
    const total = await this.#count(array);
    const wanted = Math.min(Math.max(0, count), PAGE_ITEMS);
    const collector = new Collector(Math.max(0, from), wanted);
    if (wanted > 0 && from < total) await this.#walk(array, Math.max(0, from), collector);
    return { path: place, total, items: await this.#items(collector.parts) };
  }

  /** Finds a JSON-escaped text in the body, from a byte on; at most `limit` matches. */
  async search(text: string, from: number, limit: number, isCancelled: () => boolean): Promise<Hits> {
    const needle = encoder.encode(JSON.stringify(text).slice(1, -1));
    const hits: Hit[] = [];
    if (needle.length === 0 || needle.length > PIECE / 2) return { hits };
    for (let offset = Math.max(0, from); offset < this.bytes && !isCancelled();) {
      const piece = await this.source.read(offset, PIECE);
      if (piece.length < needle.length) break;
      for (let at = indexOf(piece, needle, 0); at >= 0; at = indexOf(piece, needle, at + needle.length)) {
        const item = await this.#itemAt(offset + at);
        hits.push({ offset: offset + at, ...(item !== undefined && { item }) });
        if (hits.length >= limit) return { hits, next: offset + at + needle.length };
      }
      // A match cut by the end of this chunk is found in the next.
      offset += piece.length - needle.length + 1;
    }
    return { hits };
  }

  /** Texts of adjacent items in one read; without those that would make the page too large. */
  async #items(parts: readonly BytePart[]): Promise<readonly PageItem[]> {
    const first = parts[0]?.start ?? 0;
    const last = parts.findLast(({ end }) => end !== undefined)?.end ?? first;
    const bytes = await this.source.read(first, Math.min(last - first, PAGE_BYTES));
    const items: PageItem[] = [];
    for (const { key, start, end } of parts) {
      // An item that is still streaming has no end yet, or is beyond the readable bytes.
      if (typeof key !== 'number' || end === undefined || end > this.bytes) break;
      if (end - first > bytes.length && items.length > 0) break;
      const shown = bytes.subarray(start - first, Math.min(end, start + ITEM_BYTES) - first);
      const isCut = shown.length < end - start;
      items.push({ index: key, text: decoder.decode(isCut ? whole(shown) : shown), isCut });
    }
    return items;
  }

  async #length(path: readonly (string | number)[]): Promise<Found | undefined> {
    const part = await this.#part(path);
    return part?.kind === 'array' ? { kind: 'value', value: await this.#count(part) } : undefined;
  }

  async #parsed(part: BytePart): Promise<Found | undefined> {
    const value = jsonOf(decoder.decode(await this.source.read(part.start, this.#endOf(part) - part.start)));
    return value === undefined ? undefined : { kind: 'value', value };
  }

  #endOf({ end }: BytePart): number {
    return end ?? this.bytes;
  }

  async #part(path: readonly Key[]): Promise<BytePart | undefined> {
    let part = this.root();
    for (const step of path) {
      if (part === undefined) return undefined;
      part = await this.#child(part, step);
    }
    return part;
  }

  async #child(parent: BytePart, key: Key): Promise<BytePart | undefined> {
    if (key === undefined || parent.kind !== (typeof key === 'number' ? 'array' : 'object')) return undefined;
    // A repeated name keeps its last value, as in a text that is parsed.
    const known = parent.members?.findLast((member) => member.key === key);
    if (known !== undefined || (parent.members !== undefined && parent.isWhole)) return known;
    if (typeof key === 'number' && parent.items !== undefined && key >= parent.items.count) return undefined;
    const finder = new Collector(key, 1);
    await this.#walk(parent, typeof key === 'number' ? key : 0, finder);
    return finder.parts[0];
  }

  async #count(array: BytePart): Promise<number> {
    if (array.items !== undefined) return array.items.count;
    const counter = new Counter();
    await this.#walk(array, 0, counter);
    return counter.count;
  }

  /** Visits the members or items of a value; of an array, from the indexed position nearest to item `from`. */
  async #walk(parent: BytePart, from: number, visitor: Collector | Counter): Promise<void> {
    const jump = parent.items === undefined ? undefined : jumpTo(parent.items, from);
    const start = jump?.offset ?? parent.start;
    const scanner =
      jump === undefined ? new JsonScanner(visitor, start) : JsonScanner.inArray(visitor, jump.offset, jump.index);
    visitor.isInside = jump !== undefined;
    const end = this.#endOf(parent);
    // One page first, then twice as much each time: most targets are near.
    for (let at = start, size = PIECE / 8; at < end && !visitor.isDone; size = Math.min(2 * size, PIECE)) {
      const piece = await this.source.read(at, Math.min(size, end - at));
      if (piece.length === 0) return;
      scanner.push(piece);
      at += piece.length;
    }
  }

  async #itemAt(offset: number): Promise<number | undefined> {
    const path = largestArray(this.root(), this.bytes);
    const array = path === undefined ? undefined : await this.#part(path);
    if (array?.items === undefined || offset < array.start || offset >= this.#endOf(array)) return undefined;
    const { starts, stride } = array.items;
    let low = 0;
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const collector = new Collector(low * stride, stride);
    await this.#walk(array, low * stride, collector);
    const key = collector.parts.findLast(({ start }) => start <= offset)?.key;
    return typeof key === 'number' ? key : undefined;
  }
}

/** The nearest known offset before an item. */
function jumpTo(
  { starts, stride }: Items,
  item: number,
): { readonly offset: number; readonly index: number } | undefined {
  const nearest = Math.min(Math.floor(item / stride), starts.length - 1);
  const offset = starts[nearest];
  return offset === undefined ? undefined : { offset, index: nearest * stride };
}

/** Collects `count` items of an array from `wanted` on, or the member of that name of an object. */
class Collector implements Visitor {
  readonly parts: BytePart[] = [];
  /** False until the value to visit has begun. */
  isInside = false;
  isDone = false;
  #taking: BytePart | undefined;
  #isPassing = false;

  constructor(
    private readonly wanted: string | number,
    private readonly count: number,
  ) {}

  begin(key: Key, kind: ValueKind, offset: number): boolean {
    if (!this.isInside) {
      this.isInside = true;
      return true;
    }
    this.#isPassing = true;
    if (!this.#wants(key)) return false;
    this.#taking = { key, kind, start: offset, end: undefined, isWhole: false };
    this.parts.push(this.#taking);
    return false;
  }

  end(offset: number): boolean {
    // The end of the value around them.
    if (!this.#isPassing) this.isDone = true;
    this.#isPassing = false;
    if (this.#taking !== undefined) {
      this.#taking.end = offset;
      this.#taking = undefined;
      if (this.parts.length >= this.count) this.isDone = true;
    }
    return !this.isDone;
  }

  #wants(key: Key): boolean {
    if (this.isDone) return false;
    return typeof this.wanted === 'number' ? typeof key === 'number' && key >= this.wanted : key === this.wanted;
  }
}

class Counter implements Visitor {
  count = 0;
  isInside = false;
  readonly isDone = false;

  begin(): boolean {
    if (this.isInside) {
      this.count++;
      return false;
    }
    this.isInside = true;
    return true;
  }

  end(): boolean {
    // Items are counted when they begin.
    return true;
  }
}

/** Drops a character that the end cuts in two. */
function whole(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end > 0 && bytes.length - end + 1 < needed ? bytes.subarray(0, end - 1) : bytes;
}

function indexOf(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  const first = needle[0] ?? 0;
  const last = bytes.length - needle.length;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < needle.length && bytes[at + same] === needle[same]) same++;
    if (same === needle.length) return at;
  }
  return -1;
}
