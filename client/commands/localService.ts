// The local service's commands: start, stop, restart, its dashboard.
import * as vscode from 'vscode';
import { LOCAL_PROFILE, type LocalServices } from '../localService';
import type { Profiles } from '../profiles';
import { offerTrust } from '../runs';
import { plain } from '../words';
import type { CommandTable } from './command';

export function localServiceCommands(
  local: LocalServices,
  profiles: Profiles,
  log: vscode.LogOutputChannel,
): CommandTable {
  const start = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted) {
      await offerTrust();
      return;
    }
    const title = vscode.l10n.t('Starting the local service…');
    const state = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      local.start(),
    );
    if (state.kind === 'running') {
      if (profiles.active()?.source !== 'local') await profiles.activate(LOCAL_PROFILE);
    } else if (state.kind === 'failed') {
      const showLog = vscode.l10n.t('Show log');
      if ((await vscode.window.showErrorMessage(plain(state.reason), showLog)) === showLog) log.show();
    }
  };
  return {
    startLocalService: start,
    stopLocalService: () => local.stop(),
    async restartLocalService() {
      await local.stop();
      await start();
    },
    async openDashboard() {
      const active = profiles.active();
      const url = active?.profile.dashboardUrl;
      if (active?.source === 'local') {
        await local.openDashboard();
      } else if (url === undefined) {
        vscode.window.setStatusBarMessage(vscode.l10n.t('This endpoint names no dashboard.'), 5_000);
      } else {
        await vscode.env.openExternal(vscode.Uri.parse(url));
      }
    },
  };
}
