// The local service's commands: start, stop, restart, its dashboard.
import * as vscode from 'vscode';
import type { LocalServiceState } from '../../process/localService';
import { localHealth } from '../shared/health';
import type { LocalServices } from './localService';
import type { Profiles } from '../profiles/profiles';
import { offerTrust } from '../shared/refusal';
import { plain } from '../shared/words';
import type { CommandTable } from '../shared/command';
import { chosenEndpoint } from '../profiles/chosenEndpoint';
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

/** Starts the local service, as a fork where an endpoint is named, and chooses it for this window; false if it does not run. */
export async function startLocal(local: LocalServices, profiles: Profiles, fork?: string): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return false;
  }
  const title =
    fork === undefined
      ? vscode.l10n.t('Starting the local service…')
      : vscode.l10n.t('Starting the local service as a fork of “{0}”…', plain(fork));
  const state = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    local.start(fork),
  );
  const placed = profiles.list().find(({ source }) => source === 'local');
  if (state.kind !== 'running' || placed === undefined) return false;
  // Chosen also where it is active already: once it stops, nothing meant for it goes elsewhere.
  await profiles.activate(placed.profile.name);
  return true;
}

const again = <T>(local: LocalServices, start: () => Promise<T>): Promise<T> =>
  local.during(async () => {
    await local.stop();
    return start();
  });

/** The ledger that runs goes with its transactions, accounts and keys. */
async function agreesToEnd(name: string): Promise<boolean> {
  const fork = vscode.l10n.t('Start Fork');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Start the local service again, as a fork of “{0}”?', plain(name)),
    { modal: true, detail: vscode.l10n.t('It is running: its ledger and its keys end with it.') },
    fork,
  );
  return choice === fork;
}

export function localServiceCommands(local: LocalServices, profiles: Profiles): CommandTable {
  return {
    // A failed fork is retried as a fork.
    startLocalService: () => startLocal(local, profiles, local.fork),
    stopLocalService: () => local.stop(),
    restartLocalService: () => {
      const { fork } = local;
      return again(local, () => startLocal(local, profiles, fork));
    },
    async forkEndpoint(target) {
      const placed = await chosenEndpoint(profiles, target, vscode.l10n.t('Fork which endpoint?'));
      if (placed === undefined) return;
      const { name, rpcUrl } = placed.profile;
      if (rpcUrl === undefined) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('“{0}” has no rpcUrl: a fork reads accounts over JSON-RPC.', plain(name)),
        );
        return;
      }
      if (local.state.kind !== 'stopped' && local.state.kind !== 'failed' && !(await agreesToEnd(name))) return;
      await again(local, () => startLocal(local, profiles, name));
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
