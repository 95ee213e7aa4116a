// Responses as tables: the rows in view, in the order and with the filter that were asked for, and all of them as CSV.
// Goes through a list in pages and holds of it no more than what its rows are ordered by.
import { rm } from 'node:fs/promises';
import { csvLine } from '../../core/solana/common/csv';
import { setNewest } from '../../core/solana/common/maps';
import { listsIn } from '../../core/service/response/lists';
import type { StoredResponse } from '../../core/service/response/stored';
import {
  cellAt,
  cellOf,
  columnName,
  columnsOf,
  compareKeys,
  matches,
  sortKeyOf,
  wholeCellText,
  type SortKey,
} from '../../core/service/response/table';
import type { Programs } from '../../core/solana/decode/decoded';
import { jsonOf, printJson, type JsonValue } from '../../core/solana/json/json';
import { writeDraft } from '../../process/leftovers';
import type { ResponsePlace } from '../../protocol/lsp';
import type {
  TableCsvParams,
  TableCsvResult,
  TableItemParams,
  TableItemResult,
  TableOpenParams,
  TableOpenResult,
  TablePlace,
  TableRefusal,
  TableRowsParams,
  TableRowsResult,
  TableView,
} from '../../protocol/responses';
import type { LargeResponses, Opened } from './largeResponses';

/** Above either a list is shown in its own order only. */
const MAX_ORDERED_ITEMS = 500_000;
const MAX_ORDERED_BYTES = 256_000_000;
/** Items read at once: the requests of the editor are answered in between. */
const PIECE_ITEMS = 200;
/** Items whose members become columns: so many at the beginning, in the middle and at the end. */
const SAMPLE_ITEMS = 300;
/** Most rows of one answer. */
const MAX_ROWS = 500;
/** Bytes of one item that are read for its row, and for its detail. */
const MAX_ITEM_BYTES = 2_000_000;
const MAX_DETAIL = 200_000;

type Path = TablePlace['path'];

/** The order that was made last for a response. */
interface Order {
  readonly view: string;
  readonly items: Promise<Uint32Array | TableRefusal>;
  readonly stop: AbortController;
}

export interface TablesDeps {
  readonly large: LargeResponses;
  /** A new file of the storage folder. */
  readonly spillFile: () => string;
  /** The programs whose accounts can be read. */
  readonly programs: (place: ResponsePlace) => Promise<Programs>;
  /** The request that a response answers. */
  readonly requestOf: (place: ResponsePlace) => Promise<JsonValue | undefined>;
}

/** The items of a list as its table reads them. */
type Reader = (from: number, count: number) => Promise<readonly JsonValue[]>;

/** A list as a table shows it. */
interface View {
  readonly kind: 'view';
  readonly opened: Opened;
  /** Items of the list. */
  readonly total: number;
  readonly read: Reader;
  /** The indices of its rows; undefined for the items in their own order. */
  readonly order: Uint32Array | undefined;
}

export class Tables {
  readonly #orders = new Map<string, Order>();

  constructor(private readonly deps: TablesDeps) {}

  async open(params: TableOpenParams): Promise<TableOpenResult> {
    const opened = await this.deps.large.open(params);
    if (opened === undefined) return { kind: 'gone' };
    const { stored } = opened;
    const facts = factsOf(opened);
    const lists = listsIn(opened.root(), stored.bytes);
    const path = params.path ?? lists[0]?.path;
    const total = path === undefined ? undefined : (await stored.page(0, 0, path))?.total;
    if (path === undefined || total === undefined)
      return (await this.deps.large.brokenBy(params)) ?? { kind: 'noItems', ...facts };
    const starts = new Set([0, Math.floor(total / 2), total - SAMPLE_ITEMS].map((start) => Math.max(0, start)));
    const read = await this.#reader(opened, params, path, params.decode);
    const sample: JsonValue[] = [];
    for (const start of starts) sample.push(...(await read(start, SAMPLE_ITEMS)));
    const { areAccounts } = await import('./decodedColumns');
    return {
      kind: 'table',
      ...facts,
      path,
      total,
      columns: columnsOf(sample),
      lists,
      isDecodable: areAccounts(sample),
    };
  }

  async rows(params: TableRowsParams): Promise<TableRowsResult> {
    const viewed = await this.#view(params);
    if (viewed.kind !== 'view') return viewed;
    const { opened, total, read, order } = viewed;
    const from = Math.max(0, params.from);
    const matching = order?.length ?? total;
    const end = Math.min(matching, from + Math.min(Math.max(0, params.count), MAX_ROWS));
    const rows = [];
    for (const { index, item } of await itemsOf(read, order, from, end))
      rows.push({ index, cells: params.columns.map((column) => cellOf(cellAt(item, column))) });
    return { kind: 'rows', ...factsOf(opened), matching, total, rows };
  }

  async item({ path, index, ...place }: TableItemParams): Promise<TableItemResult | null> {
    const opened = await this.deps.large.open(place);
    const [page] = (await opened?.stored.page(index, 1, path))?.items ?? [];
    if (opened === undefined || page === undefined) return null;
    const item = await wholeItem(opened.stored, path, page);
    const text = item === undefined ? page.text : printJson(item, 2);
    return { text: text.slice(0, MAX_DETAIL), isCut: item === undefined || text.length > MAX_DETAIL };
  }

  async csv(params: TableCsvParams, isCancelled: () => boolean): Promise<TableCsvResult> {
    const viewed = await this.#view(params);
    if (viewed.kind !== 'view') return viewed;
    const { total, read, order } = viewed;
    const count = order?.length ?? total;
    const file = this.deps.spillFile();
    async function* lines(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(csvLine(params.columns.map(columnName)));
      for (let from = 0; from < count && !isCancelled(); from += PIECE_ITEMS) {
        const items = await itemsOf(read, order, from, Math.min(count, from + PIECE_ITEMS));
        const text = items.map(({ item }) =>
          csvLine(params.columns.map((column) => wholeCellText(cellAt(item, column)))),
        );
        yield Buffer.from(text.join(''));
      }
    }
    try {
      await writeDraft(file, lines(), 0o600);
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    if (!isCancelled()) return { kind: 'written', file, rows: count };
    await rm(file, { force: true });
    return { kind: 'refused', reason: 'cancelled' };
  }

  /** The list of a table, in the order and with the filter that is asked for. */
  async #view(params: TablePlace): Promise<View | TableRefusal | { readonly kind: 'gone' }> {
    const opened = await this.deps.large.open(params);
    if (opened === undefined) return { kind: 'gone' };
    const total = (await opened.stored.page(0, 0, params.path))?.total ?? 0;
    const read = await this.#reader(opened, params, params.path, params.decode);
    const order = await this.#orderOf(opened, params, total, read);
    if (order !== undefined && !(order instanceof Uint32Array)) return order;
    return { kind: 'view', opened, total, read, order };
  }

  /** Reads items of a list, with decoded account fields if requested. */
  async #reader({ stored }: Opened, place: ResponsePlace, path: Path, decode: boolean): Promise<Reader> {
    const plain: Reader = (from, count) => itemsAt(stored, path, from, count);
    if (!decode) return plain;
    const [{ withDecoded }, known, request] = await Promise.all([
      import('./decodedColumns'),
      this.deps.programs(place),
      this.deps.requestOf(place),
    ]);
    return async (from, count) => withDecoded(await plain(from, count), from, request, known);
  }

  /** The indices of a view's rows; undefined for the unchanged list. */
  async #orderOf(
    opened: Opened,
    place: TablePlace,
    total: number,
    read: Reader,
  ): Promise<Uint32Array | TableRefusal | undefined> {
    const { view, path } = place;
    if (view.sort === undefined && (view.filter === undefined || view.filter.text === '')) return undefined;
    if (!opened.isComplete()) return { kind: 'refused', reason: 'incomplete' };
    if (total > MAX_ORDERED_ITEMS || opened.stored.bytes > MAX_ORDERED_BYTES)
      return { kind: 'refused', reason: 'tooLarge' };
    const name = `${place.request}-${place.run}`;
    // The document of a live stream grows under the same name.
    const wanted = JSON.stringify([path, view, place.decode, opened.stored.bytes]);
    const known = this.#orders.get(name);
    if (known?.view === wanted) return known.items;
    known?.stop.abort();
    const stop = new AbortController();
    const order: Order = { view: wanted, items: makeOrder(read, view, total, stop.signal), stop };
    setNewest(this.#orders, name, order, KEPT_ORDERS);
    // The next request tries again after a failure.
    order.items.catch(() => this.#orders.delete(name));
    return order.items;
  }
}

/** The items of rows `from` to `end`, in the rows' order. */
async function itemsOf(
  read: Reader,
  order: Uint32Array | undefined,
  from: number,
  end: number,
): Promise<readonly { readonly index: number; readonly item: JsonValue }[]> {
  const found: { index: number; item: JsonValue }[] = [];
  for (let row = from; row < end;) {
    const start = order?.[row] ?? row;
    // Neighbours in the list are read together.
    let count = 1;
    while (row + count < end && (order?.[row + count] ?? row + count) === start + count) count++;
    const items = await read(start, count);
    if (items.length === 0) break;
    for (const [at, item] of items.entries()) found.push({ index: start + at, item });
    row += items.length;
  }
  return found;
}

/** Orders kept, one for each response; one has up to two megabytes. */
const KEPT_ORDERS = 4;

const factsOf = ({ stored, isComplete }: Opened): { readonly bytes: number; readonly isComplete: boolean } => ({
  isComplete: isComplete(),
  bytes: stored.bytes,
});

async function makeOrder(
  read: Reader,
  { sort, filter }: TableView,
  total: number,
  signal: AbortSignal,
): Promise<Uint32Array | TableRefusal> {
  const kept: number[] = [];
  const keys: SortKey[] = [];
  for (let from = 0; from < total;) {
    if (signal.aborted) return { kind: 'refused', reason: 'cancelled' };
    const items = await read(from, PIECE_ITEMS);
    if (items.length === 0) break;
    for (const [at, item] of items.entries()) {
      if (filter !== undefined && filter.text !== '' && !matches(item, filter)) continue;
      kept.push(from + at);
      if (sort !== undefined) keys.push(sortKeyOf(cellAt(item, sort.column)));
    }
    from += items.length;
  }
  if (sort === undefined) return Uint32Array.from(kept);
  const places = Uint32Array.from(kept, (_, at) => at);
  // Equal ones stay in the order of the list.
  places.sort((left, right) => compareKeys(keys[left], keys[right], sort.isDescending) || left - right);
  return places.map((place) => kept[place] ?? 0);
}

/** Parsed items of a list from an index on; fewer than requested if they are large. */
async function itemsAt(stored: StoredResponse, path: Path, from: number, count: number): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  for (const item of (await stored.page(from, count, path))?.items ?? [])
    items.push((await wholeItem(stored, path, item)) ?? item.text);
  return items;
}

/** An item with all its members; undefined if it is too large for a row. */
async function wholeItem(
  stored: StoredResponse,
  path: Path,
  { index, text, isCut }: { readonly index: number; readonly text: string; readonly isCut: boolean },
): Promise<JsonValue | undefined> {
  if (!isCut) return jsonOf(text);
  const whole = await stored.value([...path, index], MAX_ITEM_BYTES);
  return whole?.kind === 'value' ? whole.value : undefined;
}
