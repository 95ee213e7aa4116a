// Asks for an address; the one under the cursor is ready to take, else another that is likely. Does nothing with it.
import * as vscode from 'vscode';
import { isPublicKey } from '../../core/values/solana/keys';
import { addressAt } from './addressHover';

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
