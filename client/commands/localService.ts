// The local service's commands: start, stop, restart, its dashboard.
import * as vscode from 'vscode';
import type { LocalServiceState } from '../../process/localService';
import { localHealth } from '../health';
import { LOCAL_PROFILE, type LocalServices } from '../localService';
import type { Profiles } from '../profiles';
import { offerTrust } from '../runs';
import { plain } from '../words';
import type { CommandTable } from './command';
import { dashboardOf } from './rotateKey';

/** Says that the service is off for good, why, and offers the next step. */
export async function tellFailed(state: LocalServiceState, log: vscode.LogOutputChannel): Promise<void> {
  const health = state.kind === 'failed' ? localHealth(state, vscode.l10n.t) : undefined;
  if (health?.step === undefined) return;
  const showLog = vscode.l10n.t('Show log');
  const { command, title } = health.step;
  const choice = await vscode.window.showErrorMessage(health.more.map(plain).join(' '), title, showLog);
  if (choice === title) await vscode.commands.executeCommand(`solanaRpc.${command}`);
  if (choice === showLog) log.show();
}

export function localServiceCommands(local: LocalServices, profiles: Profiles): CommandTable {
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
      const url = active === undefined ? undefined : dashboardOf(active);
      if (active?.source === 'local') {
        await local.openDashboard();
      } else if (url === undefined) {
        vscode.window.setStatusBarMessage(vscode.l10n.t('This endpoint names no dashboard.'), 5_000);
      } else {
        await vscode.env.openExternal(url);
      }
    },
  };
}
