// Requests of our client about a kept response over LSP: its items, a search, a table, its accounts and transactions.
// Answers contain a part at a time, however large the response is.
import type { DecodedItem } from '../core/service/response/decodable';
import type { ListPlace } from '../core/service/response/lists';
import type { Hits, Page } from '../core/service/response/stored';
import type { Cell, Column, ColumnPath, TableFilter } from '../core/service/response/table';
import type { ResponsePlace } from './lsp';
import { CheckedRequest } from './messages';

/** The shape of a `ResponsePlace`. */
const PLACE = { request: 'string', run: 'number' } as const;

/** Items of a response that lies in a file, also while it streams in. */
export const responsePage = new CheckedRequest<ResponsePageParams, ResponsePageResult>('solanaRpc/responsePage', {
  ...PLACE,
  from: 'number',
  count: 'number',
  path: 'array?',
});
export interface ResponsePageParams extends ResponsePlace {
  /** Index of the first item. */
  readonly from: number;
  /** At most 1,000 are returned. */
  readonly count: number;
  /** Path of the array in the response; default: the largest. */
  readonly path?: readonly (string | number)[];
}
export type ResponsePageResult =
  | (Page & ReceivedBody & { readonly kind: 'page' })
  /** The response has no array at the path, or none at all. */
  | (ReceivedBody & { readonly kind: 'noItems' })
  | BrokenBody
  /** The response was pruned. */
  | { readonly kind: 'gone' };
/** Incomplete: it was cancelled, or the connection broke. None of it is kept. */
export interface BrokenBody {
  readonly kind: 'broken';
  /** The reason and the next step, as sentences. */
  readonly message: string;
  readonly hint?: string;
}
export interface ReceivedBody {
  /** Bytes there are by now. */
  readonly bytes: number;
  /** False while it streams in. */
  readonly isComplete: boolean;
}

/** Finds a text in a response stored in a file. Cancelled by `$/cancelRequest`. */
export const responseSearch = new CheckedRequest<ResponseSearchParams, ResponseSearchResult>(
  'solanaRpc/responseSearch',
  { ...PLACE, text: 'string', from: 'number', limit: 'number' },
);
export interface ResponseSearchParams extends ResponsePlace {
  readonly text: string;
  /** The byte to continue from: 0, or `next` of the previous search. */
  readonly from: number;
  /** At most 200 places per request. */
  readonly limit: number;
}
export type ResponseSearchResult = (Hits & { readonly kind: 'hits' }) | { readonly kind: 'gone' };

/** Opens a list of a response as a table: its size, its columns, and the other lists. */
export const tableOpen = new CheckedRequest<TableOpenParams, TableOpenResult>('solanaRpc/tableOpen', {
  ...PLACE,
  path: 'array?',
  decode: 'boolean',
});
export interface TableOpenParams extends ResponsePlace {
  /** Which of its lists; default: the largest. */
  readonly path?: ListPlace['path'];
  /** With columns for decoded account fields. */
  readonly decode: boolean;
}
export type TableOpenResult =
  | (ReceivedBody & {
      readonly kind: 'table';
      readonly path: ListPlace['path'];
      readonly total: number;
      readonly columns: readonly Column[];
      /** All of the response's lists, this one among them. */
      readonly lists: readonly ListPlace[];
      /** Its items are accounts. */
      readonly isDecodable: boolean;
    })
  /** No list; while it is being received, one may follow. */
  | (ReceivedBody & { readonly kind: 'noItems' })
  | BrokenBody
  | { readonly kind: 'gone' };

/** Which rows of a list, and in which order. */
export interface TableView {
  readonly sort?: { readonly column: ColumnPath; readonly isDescending: boolean };
  readonly filter?: TableFilter;
}
export interface TablePlace extends ResponsePlace {
  readonly path: ListPlace['path'];
  readonly view: TableView;
  /** As the table was opened. */
  readonly decode: boolean;
}
/** Why a list is not sorted or filtered: it still streams in, or it is above the bound. */
export interface TableRefusal {
  readonly kind: 'refused';
  readonly reason: 'incomplete' | 'tooLarge' | 'cancelled';
}

/** Rows of a table. Another view of the same response ends the making of the one before. */
export const tableRows = new CheckedRequest<TableRowsParams, TableRowsResult>('solanaRpc/tableRows', {
  ...PLACE,
  path: 'array',
  view: 'object',
  decode: 'boolean',
  from: 'number',
  count: 'number',
  columns: 'array',
});
export interface TableRowsParams extends TablePlace {
  readonly from: number;
  /** At most 500 are returned. */
  readonly count: number;
  readonly columns: readonly ColumnPath[];
}
export interface TableRow {
  /** Of the item in its list. */
  readonly index: number;
  /** As many as columns were asked for. */
  readonly cells: readonly Cell[];
}
export type TableRowsResult =
  | (ReceivedBody & {
      readonly kind: 'rows';
      /** Rows of this view. */
      readonly matching: number;
      /** Items of the list. */
      readonly total: number;
      readonly rows: readonly TableRow[];
    })
  | TableRefusal
  | { readonly kind: 'gone' };

/** One item of a list as indented JSON, cut if long. */
export const tableItem = new CheckedRequest<TableItemParams, TableItemResult | null>('solanaRpc/tableItem', {
  ...PLACE,
  path: 'array',
  index: 'number',
});
export interface TableItemParams extends ResponsePlace {
  readonly path: ListPlace['path'];
  readonly index: number;
}
export interface TableItemResult {
  readonly text: string;
  readonly isCut: boolean;
}

/** All rows of a view as CSV in a file of the storage folder, for the client to take. Cancelled by `$/cancelRequest`. */
export const tableCsv = new CheckedRequest<TableCsvParams, TableCsvResult>('solanaRpc/tableCsv', {
  ...PLACE,
  path: 'array',
  view: 'object',
  decode: 'boolean',
  columns: 'array',
});
export interface TableCsvParams extends TablePlace {
  readonly columns: readonly ColumnPath[];
}
export type TableCsvResult =
  | { readonly kind: 'written'; readonly file: string; readonly rows: number }
  | TableRefusal
  | { readonly kind: 'gone' };

/** Decodes the accounts or transactions of a response. */
export const decodeAccounts = new CheckedRequest<DecodeAccountsParams, DecodeAccountsResult>(
  'solanaRpc/decodeAccounts',
  { ...PLACE, from: 'number', count: 'number' },
);
export interface DecodeAccountsParams extends ResponsePlace {
  /** Index of the first one. */
  readonly from: number;
  /** At most 100 are returned. */
  readonly count: number;
}
export type DecodeAccountsResult =
  | (ReceivedBody & {
      readonly kind: 'decoded';
      readonly of: 'accounts' | 'transactions';
      readonly total: number;
      readonly items: readonly DecodedItem[];
      /** The same as one text, for a document. */
      readonly text: string;
    })
  /** No accounts or transactions; while it is being received, some may follow. */
  | (ReceivedBody & { readonly kind: 'noItems' })
  | { readonly kind: 'gone' };
