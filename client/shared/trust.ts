// Says why nothing is sent in Restricted Mode, and offers the way out.
import * as vscode from 'vscode';

/** Why nothing is sent here, and what to do. */
export const restrictedText = (): string =>
  vscode.l10n.t('Nothing is sent in Restricted Mode. Trust this workspace to send requests from it.');

/** The user asked for something that Restricted Mode keeps back: says so, and offers the way out. */
export async function offerTrust(): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showInformationMessage(restrictedText(), manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}
