// Finds the address at a place of a text, and asks for one; the one under the cursor is ready to take, else another that is likely. Does nothing with it.
import * as vscode from 'vscode';
import { isPublicKey } from '../../core/solana/chain/keys';

/** Base58 as long as 32 bytes can be. */
const ADDRESS = /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![1-9A-HJ-NP-Za-km-z])/;

export function addressAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): { readonly address: string; readonly range: vscode.Range } | undefined {
  const range = document.getWordRangeAtPosition(position, ADDRESS);
  if (range === undefined) return undefined;
  const address = document.getText(range);
  return isPublicKey(address) ? { address, range } : undefined;
}

/** The address that was typed; undefined where the user thought better of it. */
export async function askAddress(title: string, likely?: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const under = editor === undefined ? undefined : addressAt(editor.document, editor.selection.active)?.address;
  const address = under ?? likely;
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Its address, in base58.'),
    ...(address !== undefined && { value: address }),
    validateInput: (typed) =>
      isPublicKey(typed.trim()) ? undefined : vscode.l10n.t('An address is 32 bytes in base58.'),
  });
  return text?.trim();
}
