// Messages between the extension and the page of a stream, in the envelopes of webview.ts. Messages from the page are
// validated first (client/streams/streamMessages.ts).
import type {
  ExportStreamParams,
  StreamInfo,
  StreamRow,
  StreamRowResult,
  StreamRowsParams,
  StreamRowsResult,
  StreamState,
  StreamTick,
} from './streams';

/** A stream's state as a window sees it. */
export type ShownState =
  | StreamState
  /** The server ended, and the stream's rows with it. */
  | { readonly kind: 'interrupted' }
  /** Shown again after the window was reloaded, as it was then. */
  | { readonly kind: 'restored' };

/** A state in words of the user's language. */
export interface StateView {
  readonly kind: ShownState['kind'];
  /** One character, another one for each tone. */
  readonly mark: string;
  readonly tone: 'good' | 'busy' | 'warn' | 'bad' | 'quiet';
  readonly words: string;
  /** Details: an error with the next step, or a slot. */
  readonly more?: string;
  /** From the time of the message; the page counts down. */
  readonly nextInMs?: number;
  readonly canStop: boolean;
  readonly canReopen: boolean;
  /** The command that remedies the error, if there is one. */
  readonly mend?: string;
}

/** Initial data of a page. */
export interface StreamHello {
  readonly info: StreamInfo;
  readonly state: StateView;
  /** Absent before the first one. */
  readonly tick?: StreamTick;
}

/** The extension to the page: at most ten per second, and only on changes. */
export type StreamUpdate =
  | { readonly kind: 'tick'; readonly state: StateView; readonly tick?: StreamTick }
  /** More is known of programs: rows and details say more than they did. */
  | { readonly kind: 'known' }
  /** It was opened again: another stream with its own rows. */
  | { readonly kind: 'opened'; readonly hello: StreamHello };

export type StreamAsk =
  | ({ readonly kind: 'rows' } & Omit<StreamRowsParams, 'id'>)
  | { readonly kind: 'row'; readonly number: number }
  /** Asks the user for a file and writes there. */
  | ({ readonly kind: 'export' } & Pick<ExportStreamParams, 'format' | 'filter' | 'what'>);

/** Of `rows`, `row` and `export`; ticks report the progress of an export. */
export type StreamAnswer = StreamRowsResult | StreamRowResult | { readonly kind: 'done' };

export type StreamCommand =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'stopExport' }
  /** The next step after the error of the state: a key to add or to rotate. */
  | { readonly kind: 'mend' }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'watch'; readonly address: string }
  /** Explains the transaction of a row. */
  | { readonly kind: 'explain'; readonly number: number }
  /** Fetches the IDL that this program published. */
  | { readonly kind: 'fetchIdl'; readonly program: string };

/** State that a page keeps over a reload of the window, and while hidden. */
export interface StreamKept {
  readonly info: StreamInfo;
  readonly tick?: StreamTick;
  /** Those it showed last, in their order. */
  readonly rows: readonly StreamRow[];
  readonly filter: string;
  readonly isPaused: boolean;
}

/** The most characters that a page may have copied. */
export const MAX_COPIED = 1_000_000;
/** UTF-16 units of a filter. */
export const MAX_FILTER = 2_000;
/** Rows that one question asks for. */
export const MAX_ROWS = 500;
