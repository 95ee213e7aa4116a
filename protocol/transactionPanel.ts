// Messages between the extension and the page of a transaction, in the envelopes of webview.ts.
import type { ExplainResult, FeesResult, TransactionSource, TransactionView } from './explain';
import { MAX_COPIED, MAX_KEPT_TEXT } from './pageLimits';
import { responsePlace } from './responsePanels';
import { count, kinds, oneOf, optional, publicKey, record, signature, text, type ReadBy } from './shapes';

/** Initial data of a page, also kept over a reload of the window. */
export interface TransactionHello {
  readonly source: TransactionSource;
  readonly title: string;
}

/** State that a page keeps in addition to `TransactionHello`. */
export interface TransactionKept extends TransactionHello {
  /** Of a simulation that took the place of `source`. */
  readonly shown?: TransactionSource;
  /** Fees that others recently paid, if requested. */
  readonly fees?: FeesResult;
  readonly tab?: TransactionTab;
  /** `path` of the selected call. */
  readonly call?: string;
  /** Scroll positions, and folded parts of the call (client/webview/transaction/place.ts). */
  readonly scrolled?: Readonly<Record<string, number>>;
  readonly folds?: readonly boolean[];
}
export type TransactionTab = 'calls' | 'accounts' | 'balances' | 'raw';

/** Requests the view, recently paid fees, or a simulation. */
export const transactionAsk = kinds({ explain: {}, fees: {}, simulate: {} });
export type TransactionAsk = ReadBy<typeof transactionAsk>;
export type TransactionAnswer = ExplainResult | FeesResult | SimulatedView;
/** A simulation, and where it is kept. */
export interface SimulatedView {
  readonly kind: 'simulated';
  readonly view: TransactionView;
  readonly source: TransactionSource;
}

export const transactionCommand = kinds({
  copy: { text: text(MAX_COPIED) },
  /** Copies the log of a call, which may exceed the limit of copies from a page. */
  copyLog: { path: text(1_000) },
  /** Opens the whole log as a text. */
  openLog: {},
  watch: { address: publicKey },
  /** Fetches the IDL of a program from the chain. */
  fetchIdl: { program: publicKey },
  /** Writes a number into the request that was simulated. */
  use: { member: oneOf('computeUnitLimit', 'loadedAccountsDataLimit', 'priorityFee'), value: count },
  /** Compares it with another one, which the user chooses. */
  compare: {},
  /** Looks the transaction up by its signature. */
  lookUp: { signature },
  /** Runs the transaction again on a private ledger. */
  replay: { signature },
  /** Changes a replay and runs it again, saves it as a folder, or repeats a replay that is no longer kept. */
  replayAgain: {},
  saveReplay: {},
  renewReplay: {},
});
export type TransactionCommand = ReadBy<typeof transactionCommand>;

/** The extension to the page: the transaction may say more now. */
export interface TransactionUpdate {
  readonly kind: 'changed';
}

const id = text(200);
const source = kinds({
  text: { text: text(MAX_KEPT_TEXT, 1) },
  response: { place: responsePlace, before: optional(responsePlace, 'dropped') },
  row: { id, number: count },
  replay: { id, of: optional(kinds({ signature: { signature }, folder: { folder: text(4_096) } }), 'dropped') },
});
/** The part of a previous window's kept state that the extension needs. */
export const keptTransaction = record({ source, title: text(1_000), shown: optional(source, 'dropped') });
