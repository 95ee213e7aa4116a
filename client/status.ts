// The one item of the status bar: the active endpoint; a click switches.
import * as vscode from 'vscode';
import type { Profiles } from './profiles';
import { plain } from './words';

export function createStatus(profiles: Profiles): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('solanaRpc.endpoint', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Solana RPC endpoint');
  item.command = 'solanaRpc.switchEndpoint';
  const update = (): void => {
    const active = profiles.active();
    const name = active?.profile.name ?? vscode.l10n.t('no endpoint');
    item.text = `$(plug) ${plain(name)}`;
    item.tooltip = vscode.l10n.t('Solana RPC endpoint: {0}. Click to switch.', plain(name));
    item.accessibilityInformation = { label: item.tooltip, role: 'button' };
    if (vscode.window.activeTextEditor?.document.languageId === 'jsonrpc' || active?.source === 'local') item.show();
    else item.hide();
  };
  update();
  return vscode.Disposable.from(item, profiles.onDidChange(update), vscode.window.onDidChangeActiveTextEditor(update));
}
