// Messages between the extension and the page of a stream, in the envelopes of webview.ts.
import { MAX_COPIED, MAX_FILTER, MAX_ROWS } from './pageLimits';
import { count, kinds, list, oneOf, optional, publicKey, record, text, upTo, type ReadBy } from './shapes';
import type { StreamInfo, StreamRow, StreamRowResult, StreamRowsResult, StreamState, StreamTick } from './streams';

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

const filter = text(MAX_FILTER);

export const streamAsk = kinds({
  rows: { from: count, count: upTo(MAX_ROWS), filter },
  row: { number: count },
  /** Asks the user for a file and writes there. */
  export: { format: oneOf('ndjson', 'csv'), what: oneOf('kept', 'fromNow'), filter },
});
export type StreamAsk = ReadBy<typeof streamAsk>;

/** Of `rows`, `row` and `export`; ticks report the progress of an export. */
export type StreamAnswer = StreamRowsResult | StreamRowResult | { readonly kind: 'done' };

export const streamCommand = kinds({
  stop: {},
  reopen: {},
  stopExport: {},
  /** The next step after the error of the state: a key to add or to rotate. */
  mend: {},
  copy: { text: text(MAX_COPIED) },
  watch: { address: publicKey },
  /** Explains the transaction of a row. */
  explain: { number: count },
  /** Fetches the IDL that this program published. */
  fetchIdl: { program: publicKey },
});
export type StreamCommand = ReadBy<typeof streamCommand>;

/** State that a page keeps over a reload of the window, and while hidden. */
export interface StreamKept {
  readonly info: StreamInfo;
  readonly tick?: StreamTick;
  /** Those it showed last, in their order. */
  readonly rows: readonly StreamRow[];
  readonly filter: string;
  readonly isPaused: boolean;
}

/** A title, a method, a name. */
const words = text(1_000);
const endpoint = optional(words);

/** The part of a previous window's kept state that the extension itself needs; the rest is for the page. */
export const keptStream = record({
  info: record({
    id: words,
    source: kinds({
      block: { uri: text(4_000), version: count, line: count, endpoint },
      account: { address: publicKey, endpoint },
    }),
    title: words,
    method: words,
    transport: oneOf('WS', 'GRPC'),
    endpoint: words,
    columns: list(record({ field: words, title: words, align: oneOf('start', 'end') }), 50),
  }),
});
