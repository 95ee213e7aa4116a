// Live streams over LSP: opened, paged and exported by their ids. The server keeps what comes; only what somebody looks
// at crosses. Never a secret, and no key but its id.
import { NotificationType } from 'vscode-jsonrpc';
import type { ServiceError } from '../core/service/errors';
import type { KeyQuery } from '../core/service/profiles/profile';
import type { Transport } from '../core/requests/document/model';
import type { StreamState } from '../core/service/streams/state';
import { CheckedRequest, type ParamsOf, type ResultOf } from './messages';
import type { DetailNode } from './detailNode';
import type { TransactionView } from './explain';
import type { ExecuteResult } from './lsp';

export type { DetailNode, StreamState };

/** The stream to open. */
export type StreamSource =
  /** A subscription of an open file: the block that contains this zero-based line. */
  | {
      readonly kind: 'block';
      readonly uri: string;
      readonly version: number;
      readonly line: number;
      /** Overrides the file's and the active endpoint: a reopened stream keeps its own. */
      readonly endpoint?: string;
    }
  /** One account: how it is now, and from then on each update. Without an endpoint the active one. */
  | { readonly kind: 'account'; readonly address: string; readonly endpoint?: string };

export interface OpenStreamParams {
  readonly source: StreamSource;
}
export type OpenStreamResult =
  | { readonly kind: 'opened'; readonly stream: StreamInfo }
  /** Not opened: the block has errors, the window is not trusted, no key, or `sendFirst` has to be sent. */
  | Extract<ExecuteResult, { readonly kind: 'refused' }>;

/** Facts that do not change during a stream. */
export interface StreamInfo {
  /** Names the stream in this server's life; a restarted server never gives an old one again. */
  readonly id: string;
  readonly source: StreamSource;
  readonly title: string;
  readonly method: string;
  readonly transport: Extract<Transport, 'WS' | 'GRPC'>;
  readonly endpoint: string;
  /** The stored key it was opened with; absent if it needs none. */
  readonly key?: KeyQuery;
  readonly columns: readonly StreamColumn[];
}

export interface StreamColumn {
  /** The field's name as the filter knows it. */
  readonly field: string;
  readonly title: string;
  readonly align: 'start' | 'end';
}

/** Server to client, at most ten per second and stream, and only on changes. */
export const streamTick = new NotificationType<StreamTick>('solanaRpc/streamTick');
export interface StreamTick {
  readonly id: string;
  readonly state: StreamState;
  /** Updates received, without duplicates from replays. */
  readonly total: number;
  /** Number of the oldest row that is kept; rows are numbered from 0 and gap rows count. */
  readonly first: number;
  /** Number after the newest row's. */
  readonly next: number;
  /** Updates that were dropped for newer ones, or that the service reported as left out. Exact. */
  readonly dropped: number;
  /** Bytes received for this stream since it was opened. */
  readonly bytes: number;
  /** Updates a second, over the last second. */
  readonly rate: number;
  /** Slot of the newest update, as its digits. */
  readonly slot?: string;
  /** Slots behind the newest one, if known (runner/streams/lag.ts). */
  readonly lag?: number;
  /** Seconds without a new slot, for streams that hear of every slot (runner/streams/standstill.ts). */
  readonly still?: number;
  /** Seconds in which new slots came and none became final, for streams that report it (runner/streams/standstill.ts). */
  readonly notFinal?: number;
  /** Rows that changed after they were shown, as their slot became final; absent while zero. */
  readonly changed?: number;
  /** Updates of abandoned banks, in slots with several; absent while zero. */
  readonly abandoned?: number;
  /** How often it has reconnected. */
  readonly reconnects: number;
  readonly export?: ExportState;
}

export interface StreamRowsParams extends StreamParams {
  /** Index of the first row: a row's number, or its place among those that pass the filter. */
  readonly from: number;
  /** At most 500 are returned. */
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
  | Gone;

export type StreamRow =
  | {
      readonly kind: 'update';
      readonly number: number;
      /** When it was received, in milliseconds since the epoch. */
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
      /** The newest slot before and the oldest after, if known. */
      readonly fromSlot?: string;
      readonly toSlot?: string;
      /** Whether the service replayed what was missed. */
      readonly isFilled: boolean;
      readonly reason: string;
    };

export interface StreamRowParams extends StreamParams {
  readonly number: number;
  /** With `explained`. */
  readonly explain?: boolean;
}
export type StreamRowResult =
  | {
      readonly kind: 'row';
      readonly number: number;
      /** The update as JSON text, exact digits, cut if long. */
      readonly json: string;
      readonly isCut: boolean;
      /** The decoded bytes as a tree for people; absent if they cannot be decoded. */
      readonly decoded?: DetailNode;
      /** Changes since the last kept update of the same account. */
      readonly changes?: readonly DetailChange[];
      /** Number of that row. */
      readonly since?: number;
      /** It contains a transaction that can be explained. */
      readonly isTransaction?: true;
      /** The explanation of that transaction, if requested; also as lines of text. */
      readonly explained?: { readonly view: TransactionView; readonly text: string };
    }
  /** It was dropped to make room for newer rows. */
  | { readonly kind: 'dropped' }
  | Gone;

export interface DetailChange {
  /** Names from the root of the decoded tree on. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

export interface StreamParams {
  readonly id: string;
}
export type StreamResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | Gone;
/** No such stream: the server was restarted, or it was closed. */
export interface Gone {
  readonly kind: 'gone';
}

export interface MoveStreamsParams {
  readonly key: KeyQuery;
}
export interface MoveStreamsResult {
  readonly moved: number;
  /** How many of them may have missed updates; the others missed none. */
  readonly unsure: number;
  /** Those whose new connection did not open, and whose old one continues. */
  readonly stayed: readonly StreamFailure[];
  /** Those that do not run. */
  readonly failed: readonly StreamFailure[];
}
export interface StreamFailure {
  readonly id: string;
  readonly title: string;
  readonly error: ServiceError;
}
/** The failure of one stream. */
export type MovedStream =
  | { readonly kind: 'moved'; readonly isUnsure: boolean }
  | { readonly kind: 'stayed' | 'failed'; readonly error: ServiceError };

export interface ExportStreamParams extends StreamParams {
  readonly file: string;
  readonly format: 'ndjson' | 'csv';
  readonly filter: string;
  readonly what: 'kept' | 'fromNow';
}
export type ExportState =
  | { readonly kind: 'writing'; readonly file: string; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'written'; readonly file: string; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly file: string; readonly message: string };

const VERBS = {
  openStream: new CheckedRequest<OpenStreamParams, OpenStreamResult>('solanaRpc/openStream', { source: 'object' }),
  stopStream: new CheckedRequest<StreamParams, StreamResult>('solanaRpc/stopStream', { id: 'string' }),
  /** Reopens a stopped, refused or ended stream under its id; a waiting one reconnects at once. */
  reopenStream: new CheckedRequest<StreamParams, StreamResult>('solanaRpc/reopenStream', { id: 'string' }),
  /** Forgets a stream and all that is kept of it. */
  closeStream: new CheckedRequest<StreamParams, StreamResult>('solanaRpc/closeStream', { id: 'string' }),
  /** Moves every stream opened with this key to the stored one; each new connection opens before the old one closes. */
  moveStreams: new CheckedRequest<MoveStreamsParams, MoveStreamsResult>('solanaRpc/moveStreams', { key: 'object' }),
  /** Rows as a list shows them. */
  streamRows: new CheckedRequest<StreamRowsParams, StreamRowsResult>('solanaRpc/streamRows', {
    id: 'string',
    from: 'number',
    count: 'number',
    filter: 'string',
  }),
  /** One row in full. */
  streamRow: new CheckedRequest<StreamRowParams, StreamRowResult>('solanaRpc/streamRow', {
    id: 'string',
    number: 'number',
    explain: 'boolean?',
  }),
  /** Writes the kept rows, or rows from now on, to a file the user chose. Ticks report its progress. */
  exportStream: new CheckedRequest<ExportStreamParams, StreamResult>('solanaRpc/exportStream', {
    id: 'string',
    file: 'string',
    format: 'string',
    filter: 'string',
    what: 'string',
  }),
  stopExport: new CheckedRequest<StreamParams, StreamResult>('solanaRpc/stopExport', { id: 'string' }),
};

export type StreamVerb = keyof typeof VERBS;
export type StreamVerbParams = { readonly [V in StreamVerb]: ParamsOf<(typeof VERBS)[V]> };
export type StreamVerbResults = { readonly [V in StreamVerb]: ResultOf<(typeof VERBS)[V]> };
/** Verbs about one stream, named by `id`; without that stream the result is `gone`. */
export type OneStreamVerb = {
  [V in StreamVerb]: StreamVerbParams[V] extends StreamParams ? (Gone extends StreamVerbResults[V] ? V : never) : never;
}[StreamVerb];

/**
 * All requests about streams. The server's registration, the messages to its worker and the worker's handlers derive
 * from this table (server/streams/).
 */
export const STREAM_VERBS: {
  readonly [V in StreamVerb]: CheckedRequest<StreamVerbParams[V], StreamVerbResults[V]>;
} = VERBS;
