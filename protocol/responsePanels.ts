// Messages between the extension and the pages of a response (table and viewer), in the envelopes of webview.ts.
import type {
  ResponsePageResult,
  ResponseSearchResult,
  TableItemResult,
  TableOpenResult,
  TableRowsResult,
  TableView,
} from './responses';
import { MAX_NEEDLE } from './pageLimits';
import { count, either, kinds, list, optional, record, text, type ReadBy, type Reader } from './shapes';

/** Longest text that a page may have copied, in UTF-16 units. */
const MAX_WORDS = 20_000;

/** The name of a request's folder, of hexadecimal digits: no path. */
const request: Reader<string> = (value) =>
  typeof value === 'string' && /^[0-9a-f]{1,64}$/.test(value) ? value : undefined;
/** The place of a kept response as pages name it. */
export const responsePlace = record({ request, run: count });

/** Where a run started; the line is zero-based. */
const runPlace = record({ uri: text(MAX_WORDS), line: count });
export type RunPlace = ReadBy<typeof runPlace>;

/**
 * Initial data of a response's page, also kept over a reload of the window. `run`: to cancel it while it is being
 * received.
 */
export const responseHello = record({ place: responsePlace, title: text(1_000), run: optional(runPlace, 'dropped') });
export type ResponseHello = ReadBy<typeof responseHello>;

/** The extension to either page: the response is complete, or more of it was received. */
export interface ResponseUpdate {
  readonly kind: 'changed';
}

/** State that a table keeps over a reload, in addition to `ResponseHello`. */
export interface TableKept extends ResponseHello {
  readonly path?: readonly (string | number)[];
  readonly view?: TableView;
  /** Columns that the user took out or brought in, by their paths. */
  readonly hidden?: readonly (readonly string[])[];
  readonly decode?: boolean;
}

const name = text(1_000);
const column = list(name, 16);
const columns = list(column, 200);
const path = list(either(count, name), 16);
const decode: Reader<boolean> = (value) => value === true;
const needle = text(MAX_NEEDLE);
const view = record({
  sort: optional(record({ column, isDescending: 'boolean' })),
  filter: optional(record({ text: needle, column: optional(column) })),
});

export const tableAsk = kinds({
  open: { path: optional(path), decode },
  rows: { path, view, columns, from: count, count, decode },
  item: { path, index: count },
  /** Asks the user for a file and writes there. */
  csv: { path, view, columns, decode },
});
export type TableAsk = ReadBy<typeof tableAsk>;
/** `done`: the user has seen the outcome of a CSV export. */
export type TableAnswer = TableOpenResult | TableRowsResult | ItemAnswer | { readonly kind: 'done' };
/** An item in full, if it is still kept. */
type ItemAnswer = ({ readonly kind: 'item' } & TableItemResult) | { readonly kind: 'gone' };
export const itemAnswer = (item: TableItemResult | null): ItemAnswer =>
  item === null ? { kind: 'gone' } : { kind: 'item', ...item };
const copy = { text: text(MAX_WORDS) };
export const copyCommand = kinds({ copy });
export type CopyCommand = ReadBy<typeof copyCommand>;

export const bodyAsk = kinds({
  page: { from: count, count },
  search: { text: needle, from: count, limit: count },
  item: { path, index: count },
});
export type BodyAsk = ReadBy<typeof bodyAsk>;
export type BodyAnswer = ResponsePageResult | ResponseSearchResult | ItemAnswer;
export const bodyCommand = kinds({ copy, cancel: {}, openInFull: {}, openTable: {}, save: {} });
export type BodyCommand = ReadBy<typeof bodyCommand>;
