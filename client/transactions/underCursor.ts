// A signature or a transaction in the text of an editor.
import type * as vscode from 'vscode';

/** Base58 and base64 as long as a signature or a transaction. */
const ENCODED = /[A-Za-z0-9+/]{64,16384}={0,2}/;

/** What is selected, else the word under the cursor; only what is as long as a signature. */
export function encodedAt({ document, selection }: vscode.TextEditor): string | undefined {
  const range = document.getWordRangeAtPosition(selection.active, ENCODED);
  const selected = document.getText(selection).trim();
  return selected === '' ? range && document.getText(range) : ENCODED.exec(selected)?.[0];
}
