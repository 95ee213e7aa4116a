// The local service's commands: start, stop, restart, its dashboard.
import * as vscode from 'vscode';
import type { LocalServiceState } from '../../process/localService';
import { localHealth } from '../app/health';
import type { LocalServices } from './localService';
import type { Profiles } from '../endpoints/profiles';
import { offerTrust } from '../runs/runs';
import { plain } from '../app/words';
import type { CommandTable } from '../app/command';
import { dashboardOf } from '../keys/rotateKey';

/** Says that the service is off for good, why, and offers the next step. */
export async function showFailure(state: LocalServiceState, log: vscode.LogOutputChannel): Promise<void> {
  const health = state.kind === 'failed' ? localHealth(state, vscode.l10n.t) : undefined;
  if (health?.step === undefined) return;
  const showLog = vscode.l10n.t('Show Log');
  const { command, title } = health.step;
  const choice = await vscode.window.showErrorMessage(health.more.map(plain).join(' '), title, showLog);
  if (choice === title) await vscode.commands.executeCommand(`solanaRpc.${command}`);
  if (choice === showLog) log.show();
}

/** Starts the local service and chooses it for this window; false if it does not run. */
export async function startLocal(local: LocalServices, profiles: Profiles): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return false;
  }
  const title = vscode.l10n.t('Starting the local service…');
  const state = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    local.start(),
  );
  const placed = profiles.list().find(({ source }) => source === 'local');
  if (state.kind !== 'running' || placed === undefined) return false;
  // Chosen also where it is active already: once it stops, nothing meant for it goes elsewhere.
  await profiles.activate(placed.profile.name);
  return true;
}

export function localServiceCommands(local: LocalServices, profiles: Profiles): CommandTable {
  const start = (): Promise<boolean> => startLocal(local, profiles);
  return {
    startLocalService: start,
    stopLocalService: () => local.stop(),
    restartLocalService: () =>
      local.during(async () => {
        await local.stop();
        await start();
      }),
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
