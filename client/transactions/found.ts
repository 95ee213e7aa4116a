// How a signature or a transaction is found in a text, and named as the source of an explanation.
import type * as vscode from 'vscode';
import { encodedAt, encodedIn } from '../../core/solana/explain/encodedWord';
import type { TransactionSource } from '../../protocol/explain';
import type { KeptOutcome } from '../responses/responses';

export const sourceOf = ({ response: { request, run } }: KeptOutcome): TransactionSource => ({
  kind: 'response',
  place: { request, run },
});

/** Distinguishes the tabs of several transactions. */
export const shortSignature = (signature: string): string => `${signature.slice(0, 8)}…`;

/** The selection, else the text under the cursor; only texts as long as a signature. */
export function encodedUnder({ document, selection }: vscode.TextEditor): string | undefined {
  const { active } = selection;
  const selected = document.getText(selection).trim();
  return selected === '' ? encodedAt(document.lineAt(active.line).text, active.character)?.text : encodedIn(selected);
}
