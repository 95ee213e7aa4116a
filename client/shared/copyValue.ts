// Copies what a hover shows. Whatever asks for it can only put a text into the clipboard.
import * as vscode from 'vscode';
import type { CommandTable } from './command';

/** A longer text is no value of a hover. UTF-16 units */
const MAX_COPIED = 10_000;

/** The one command that links of our hovers may run beside `watchAccount`. */
export const COPY_VALUE = 'solanaRpc.copyValue';

export const copyCommands: CommandTable = {
  async copyValue(text) {
    if (typeof text !== 'string' || text === '' || text.length > MAX_COPIED) return;
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied.'), 3_000);
  },
};
