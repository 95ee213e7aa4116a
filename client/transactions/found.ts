// How a signature or a transaction is found in a text, and named as the source of an explanation.
import type * as vscode from 'vscode';
import type { TransactionSource } from '../../protocol/explain';
import type { KeptOutcome } from '../responses/responses';

/** Base58 and base64 as long as a signature or a transaction. */
export const ENCODED = /[A-Za-z0-9+/]{64,16384}={0,2}/;

export const sourceOf = ({ response: { request, run } }: KeptOutcome): TransactionSource => ({
  kind: 'response',
  place: { request, run },
});

/** What is selected, else the word under the cursor; only what is as long as a signature. */
export function encodedAt({ document, selection }: vscode.TextEditor): string | undefined {
  const range = document.getWordRangeAtPosition(selection.active, ENCODED);
  const selected = document.getText(selection).trim();
  return selected === '' ? range && document.getText(range) : ENCODED.exec(selected)?.[0];
}
