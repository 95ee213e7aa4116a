// Messages between the extension and the page of a transaction, in the envelopes of webview.ts. Messages from the page
// are validated first (client/transactions/transactionMessages.ts).
import type { ExplainResult, FeesResult, SuggestionView, TransactionSource, TransactionView } from './explain';

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
export interface TransactionAsk {
  readonly kind: 'explain' | 'fees' | 'simulate';
}
export type TransactionAnswer = ExplainResult | FeesResult | SimulatedView;
/** A simulation, and where it is kept. */
export interface SimulatedView {
  readonly kind: 'simulated';
  readonly view: TransactionView;
  readonly source: TransactionSource;
}

export type TransactionCommand =
  | { readonly kind: 'copy'; readonly text: string }
  /** Copies the log of a call, which may exceed the limit of copies from a page. */
  | { readonly kind: 'copyLog'; readonly path: string }
  /** Opens the whole log as a text. */
  | { readonly kind: 'openLog' }
  | { readonly kind: 'watch'; readonly address: string }
  /** Fetches the IDL of a program from the chain. */
  | { readonly kind: 'fetchIdl'; readonly program: string }
  /** Writes a number into the request that was simulated. */
  | ({ readonly kind: 'use' } & SuggestionView)
  /** Compares it with another one, which the user chooses. */
  | { readonly kind: 'compare' }
  /** Looks the transaction up by its signature. */
  | { readonly kind: 'lookUp'; readonly signature: string }
  /** Runs the transaction again on a private ledger. */
  | { readonly kind: 'replay'; readonly signature: string }
  /** Changes a replay and runs it again, saves it as a folder, or repeats a replay that is no longer kept. */
  | { readonly kind: 'replayAgain' | 'saveReplay' | 'renewReplay' };

/** The extension to the page: the transaction may say more now. */
export interface TransactionUpdate {
  readonly kind: 'changed';
}

/** A text that is given as a transaction. UTF-16 units. */
export const MAX_GIVEN = 20_000_000;
/** The most characters that a page may have copied. */
export const MAX_COPIED = 1_000_000;
/** A longer text is not kept over a reload of the window. UTF-16 units. */
export const MAX_KEPT_TEXT = 200_000;
