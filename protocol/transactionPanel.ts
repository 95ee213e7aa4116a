// What crosses between the page of a transaction and the extension, beside the envelopes of webview.ts. What the page says
// is read before it is believed (client/transactions/transactionMessages.ts).
import type { ExplainResult, FeesResult, SuggestionView, TransactionSource } from './explain';

/** What a page shows first, and keeps for the time after a reload of the window. */
export interface TransactionHello {
  readonly source: TransactionSource;
  readonly title: string;
}

/** What a page keeps beside it. */
export interface TransactionKept extends TransactionHello {
  readonly tab?: TransactionTab;
  /** `path` of the selected call. */
  readonly call?: string;
}
export type TransactionTab = 'calls' | 'accounts' | 'balances' | 'raw';

/** Asks what is to be shown, what others recently paid, or what a simulation shows. */
export interface TransactionAsk {
  readonly kind: 'explain' | 'fees' | 'simulate';
}
export type TransactionAnswer = ExplainResult | FeesResult;

export type TransactionCommand =
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'watch'; readonly address: string }
  /** Writes a number into the request that was simulated. */
  | ({ readonly kind: 'use' } & SuggestionView)
  /** Compares it with another one, which the user chooses. */
  | { readonly kind: 'compare' }
  /** Looks the transaction up by its signature. */
  | { readonly kind: 'lookUp'; readonly signature: string }
  /** Runs the transaction again on a private ledger. */
  | { readonly kind: 'replay'; readonly signature: string }
  /** Changes what is replayed and runs it again, or keeps it as a folder. */
  | { readonly kind: 'replayAgain' | 'saveReplay' };

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
