// A transaction from a source, in the requested forms: a panel's view, or lines of text.
import type { Explanation } from '../../core/solana/explain/explanation';
import { explanationLines } from '../../core/solana/explain/text';
import type { ExplainResult, TransactionView } from '../../protocol/explain';
import { transactionView } from './view';

/** A form is made when it is asked for. */
export interface FoundTransaction {
  readonly kind: 'found';
  readonly view: () => TransactionView;
  readonly text: () => string;
}

export type TransactionLookup = FoundTransaction | Exclude<ExplainResult, { readonly kind: 'explained' }>;

/** `more`: members of the view in addition to the explanation. */
export const foundOf = (explanation: Explanation, more: Partial<TransactionView> = {}): FoundTransaction => ({
  kind: 'found',
  view: () => ({ ...transactionView(explanation), ...more }),
  text: () => explanationText(explanation),
});

export const explanationText = (explanation: Explanation): string => explanationLines(explanation).join('\n');

export const notFound = (reason: string): TransactionLookup => ({ kind: 'none', reason });
