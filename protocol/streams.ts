// Live streams over LSP: opened, listed, paged and exported by name. The server keeps what comes; only what somebody looks
// at crosses. Never a secret, and no key but its id.
import { NotificationType, RequestType0 } from 'vscode-jsonrpc';
import type { ServiceError } from '../core/errors';
import type { KeyQuery } from '../core/profile';
import type { Transport } from '../core/document/model';
import type { StreamState } from '../core/streams/state';
import { CheckedRequest } from './messages';
import type { DetailNode } from './detailNode';
import type { TransactionView } from './explain';
import type { SendFirst } from './lsp';

export type { DetailNode, StreamState };

/** What is to be streamed. */
export type StreamSource =
  /** A subscription of an open file: the block that holds this zero-based line. */
  | {
      readonly kind: 'block';
      readonly uri: string;
      readonly version: number;
      readonly line: number;
      /** Instead of the one that the file names or that is active: a stream that is reopened stays where it was. */
      readonly endpoint?: string;
    }
  /** One account: how it is now, and from then on each update. Without an endpoint the active one. */
  | { readonly kind: 'account'; readonly address: string; readonly endpoint?: string };

export const openStream = new CheckedRequest<OpenStreamParams, OpenStreamResult>('solanaRpc/openStream', {
  source: 'object',
});
export interface OpenStreamParams {
  readonly source: StreamSource;
}
export type OpenStreamResult =
  | { readonly kind: 'opened'; readonly stream: StreamInfo }
  /** Nothing was opened: the block has errors, the window is not trusted, no key, or `sendFirst` has to be sent. */
  | {
      readonly kind: 'refused';
      readonly error: ServiceError;
      readonly line?: number;
      readonly sendFirst?: SendFirst;
    };

/** What does not change while a stream lives. */
export interface StreamInfo {
  /** Names the stream in this server's life; a restarted server never gives an old one again. */
  readonly id: string;
  readonly source: StreamSource;
  readonly title: string;
  readonly method: string;
  readonly transport: Extract<Transport, 'WS' | 'GRPC'>;
  readonly endpoint: string;
  /** Which stored key it was opened with; absent where it goes without one. */
  readonly key?: KeyQuery;
  readonly columns: readonly StreamColumn[];
}

export interface StreamColumn {
  /** The field's name as the filter knows it. */
  readonly field: string;
  readonly title: string;
  readonly align: 'start' | 'end';
}

/** Server to client, at most ten a second for each stream, and none while nothing changes. */
export const streamTick = new NotificationType<StreamTick>('solanaRpc/streamTick');
export interface StreamTick {
  readonly id: string;
  readonly state: StreamState;
  /** Updates that came, duplicates of a replay not counted. */
  readonly total: number;
  /** Number of the oldest row that is kept; rows are numbered from 0 and gap rows count. */
  readonly first: number;
  /** Number behind the newest row. */
  readonly next: number;
  /** Updates that made room for newer ones, or that the service said it left out. Exact. */
  readonly dropped: number;
  /** Bytes that came over the wire, for this stream, since it was opened. */
  readonly bytes: number;
  /** Updates a second, over the last second. */
  readonly rate: number;
  /** Slot of the newest update, as its digits. */
  readonly slot?: string;
  /** How many slots it is behind the newest one, where something tells: server/streams/lag.ts. */
  readonly lag?: number;
  /** Seconds for which the newest slot has stood still, where every slot tells something: core/streams/standstill.ts. */
  readonly still?: number;
  /** Updates of banks that were given up, of slots that had several; absent while there are none. */
  readonly abandoned?: number;
  /** How often it has reconnected. */
  readonly reconnects: number;
  readonly export?: ExportState;
}

/** All streams of the server, also those that ended and are kept. */
export const listStreams = new RequestType0<ListStreamsResult, void>('solanaRpc/streams');
export type ListStreamsResult = readonly { readonly info: StreamInfo; readonly tick: StreamTick }[];

/** Rows as a list shows them. */
export const streamRows = new CheckedRequest<StreamRowsParams, StreamRowsResult>('solanaRpc/streamRows', {
  id: 'string',
  from: 'number',
  count: 'number',
  filter: 'string',
});
export interface StreamRowsParams {
  readonly id: string;
  /** Index of the first row: a row's number, or its place among those that pass the filter. */
  readonly from: number;
  /** At most 500 are told. */
  readonly count: number;
  /** As typed: comparisons of fields joined by `&&`, or a text to find. Empty: all. */
  readonly filter: string;
}
export type StreamRowsResult =
  | {
      readonly kind: 'rows';
      readonly from: number;
      readonly rows: readonly StreamRow[];
      /** Indices there are now: those from `first` on to `next`, exclusive. Under a filter `first` is 0. */
      readonly first: number;
      readonly next: number;
    }
  /** The filter cannot be read. Offsets in UTF-16 units of it. */
  | { readonly kind: 'badFilter'; readonly message: string; readonly start: number; readonly end: number }
  /** No such stream: the server was restarted, or it was closed. */
  | { readonly kind: 'gone' };

export type StreamRow =
  | {
      readonly kind: 'update';
      readonly number: number;
      /** When it came, in milliseconds since the epoch. */
      readonly time: number;
      readonly bytes: number;
      /** One for each column. */
      readonly cells: readonly string[];
      /** Its bank was given up: another one of the slot was confirmed, or the slot is dead. */
      readonly isAbandoned?: true;
    }
  /** The connection was away. */
  | {
      readonly kind: 'gap';
      readonly number: number;
      readonly time: number;
      /** The newest slot before and the oldest after, where known. */
      readonly fromSlot?: string;
      readonly toSlot?: string;
      /** Whether the service told what was missed. */
      readonly isFilled: boolean;
      readonly reason: string;
    };

/** One row in full. */
export const streamRow = new CheckedRequest<StreamRowParams, StreamRowResult>('solanaRpc/streamRow', {
  id: 'string',
  number: 'number',
  explain: 'boolean?',
});
export interface StreamRowParams {
  readonly id: string;
  readonly number: number;
  /** With `explained`. */
  readonly explain?: boolean;
}
export type StreamRowResult =
  | {
      readonly kind: 'row';
      readonly number: number;
      /** The update as JSON text, exact digits, cut where it is long. */
      readonly json: string;
      readonly isCut: boolean;
      /** What the bytes mean, as a tree for people; absent where nothing is known of them. */
      readonly decoded?: DetailNode;
      /** What changed since the last update of the same account that is kept. */
      readonly changes?: readonly DetailChange[];
      /** Number of that row. */
      readonly since?: number;
      /** It holds one transaction, which can be explained. */
      readonly isTransaction?: true;
      /** What is said of that transaction, where it was asked for. */
      readonly explained?: TransactionView;
    }
  /** It made room for newer ones. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'gone' };

export interface DetailChange {
  /** Names from the root of the decoded tree on. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

export const stopStream = new CheckedRequest<StreamParams, StreamResult>('solanaRpc/stopStream', { id: 'string' });
/** Opens a stopped, refused or ended stream again under its id, or one that waits at once. */
export const reopenStream = new CheckedRequest<StreamParams, StreamResult>('solanaRpc/reopenStream', { id: 'string' });
/** Forgets a stream and all that is kept of it. */
export const closeStream = new CheckedRequest<StreamParams, StreamResult>('solanaRpc/closeStream', { id: 'string' });
export interface StreamParams {
  readonly id: string;
}
export type StreamResult =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly error: ServiceError } | { readonly kind: 'gone' };

/** All streams that were opened with this key are connected with the one that is stored now, each before its old connection ends. */
export const moveStreams = new CheckedRequest<MoveStreamsParams, MoveStreamsResult>('solanaRpc/moveStreams', {
  key: 'object',
});
export interface MoveStreamsParams {
  readonly key: KeyQuery;
}
export interface MoveStreamsResult {
  readonly moved: number;
  /** Of them, those of which nobody knows whether an update was missed; of the others none was. */
  readonly unsure: number;
  /** Those whose new connection did not open, and whose old one goes on. */
  readonly stayed: readonly StreamFailure[];
  /** Those that do not run. */
  readonly failed: readonly StreamFailure[];
}
export interface StreamFailure {
  readonly id: string;
  readonly title: string;
  readonly error: ServiceError;
}
/** What became of one stream. */
export type MovedStream =
  | { readonly kind: 'moved'; readonly isUnsure: boolean }
  | { readonly kind: 'stayed' | 'failed'; readonly error: ServiceError };

/** Writes what is kept, or what comes from now on, into a file the user chose. Its progress is told by ticks. */
export const exportStream = new CheckedRequest<ExportStreamParams, StreamResult>('solanaRpc/exportStream', {
  id: 'string',
  file: 'string',
  format: 'string',
  filter: 'string',
  what: 'string',
});
export interface ExportStreamParams {
  readonly id: string;
  readonly file: string;
  readonly format: 'ndjson' | 'csv';
  readonly filter: string;
  readonly what: 'kept' | 'fromNow';
}
export const stopExport = new CheckedRequest<StreamParams, StreamResult>('solanaRpc/stopExport', { id: 'string' });
export type ExportState =
  | { readonly kind: 'writing'; readonly file: string; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'written'; readonly file: string; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly file: string; readonly message: string };
