// Messages between the extension and the pages of a response (table and viewer), in the envelopes of webview.ts.
// Messages from a page are validated first (client/responses/responseMessages.ts).
import type { ResponsePlace } from './lsp';
import type {
  ResponsePageResult,
  ResponseSearchResult,
  TableCsvParams,
  TableItemParams,
  TableItemResult,
  TableOpenParams,
  TableOpenResult,
  TableRowsParams,
  TableRowsResult,
  TableView,
} from './responses';

/** Initial data of a response's page, also kept over a reload of the window. */
export interface ResponseHello {
  readonly place: ResponsePlace;
  readonly title: string;
  /** Where its run started, to cancel it while it is being received. */
  readonly run?: RunPlace;
}
export interface RunPlace {
  readonly uri: string;
  /** Zero-based. */
  readonly line: number;
}

/** The extension to either page: the response is complete, or more of it was received. */
export interface ResponseUpdate {
  readonly kind: 'changed';
}

type OfPlace<Params extends ResponsePlace> = Omit<Params, keyof ResponsePlace>;

/** State that a table keeps over a reload, in addition to `ResponseHello`. */
export interface TableKept extends ResponseHello {
  readonly path?: readonly (string | number)[];
  readonly view?: TableView;
  /** Columns that the user took out or brought in, by their paths. */
  readonly hidden?: readonly (readonly string[])[];
  readonly decode?: boolean;
}

export type TableAsk =
  | ({ readonly kind: 'open' } & OfPlace<TableOpenParams>)
  | ({ readonly kind: 'rows' } & OfPlace<TableRowsParams>)
  | ({ readonly kind: 'item' } & OfPlace<TableItemParams>)
  /** Asks the user for a file and writes there. */
  | ({ readonly kind: 'csv' } & OfPlace<TableCsvParams>);
/** `null`: the item is gone; `done`: the user has seen the outcome of a CSV export. */
export type TableAnswer = TableOpenResult | TableRowsResult | TableItemResult | { readonly kind: 'done' } | null;
export interface CopyCommand {
  readonly kind: 'copy';
  readonly text: string;
}
export type TableCommand = CopyCommand;

export type BodyAsk =
  | { readonly kind: 'page'; readonly from: number; readonly count: number }
  | { readonly kind: 'search'; readonly text: string; readonly from: number; readonly limit: number }
  | ({ readonly kind: 'item' } & OfPlace<TableItemParams>);
export type BodyAnswer = ResponsePageResult | ResponseSearchResult | TableItemResult | null;
export type BodyCommand = CopyCommand | { readonly kind: 'cancel' | 'openInFull' | 'openTable' | 'save' };

/** Longest message from a page, in UTF-16 units. */
export const MAX_WORDS = 20_000;
/** The text that is searched for or filtered by. */
export const MAX_NEEDLE = 500;
