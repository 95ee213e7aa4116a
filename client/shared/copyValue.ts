// Copies a value shown in a hover. A caller can only put text on the clipboard.
import * as vscode from 'vscode';
import type { CommandTable } from './command';

/** Longer text cannot come from a hover. UTF-16 units */
const MAX_COPIED = 10_000;

/** Besides `watchAccount`, the only command that links in our hovers may run. */
export const COPY_VALUE = 'solanaRpc.copyValue';

export const copyCommands: CommandTable = {
  async copyValue(text) {
    if (typeof text !== 'string' || text === '' || text.length > MAX_COPIED) return;
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied.'), 3_000);
  },
};
