// Endpoints: add, edit, remove, and choose which one is active.
import * as vscode from 'vscode';
import { keyWords } from '../keys/keyItems';
import { chosenEndpoint, SOURCE_ICONS } from '../profiles/chosenEndpoint';
import { endpointWords } from './endpointWords';
import type { EndpointStates } from './endpointStates';
import { openEndpointSettings, type Profiles } from '../profiles/profiles';
import { plain } from '../shared/words';
import { addEndpoint } from './addEndpoint';
import type { AddKeyDeps } from '../keys/addKey';
import { moveSettingsKeys } from '../keys/settingsKeys';
import { profileNameIn, type CommandTable } from '../shared/command';

export interface EndpointCommandDeps extends AddKeyDeps {
  readonly states: EndpointStates;
  /** Asks the user for an endpoint if it is missing; true once there is one. */
  readonly settle: () => Promise<boolean>;
}

export function endpointCommands(deps: EndpointCommandDeps): CommandTable {
  const { profiles, vault, states, settle } = deps;
  return {
    async useEndpoint(target) {
      const name = profileNameIn(target) ?? '';
      if (profiles.find(name) !== undefined) await profiles.activate(name);
    },
    async checkEndpoint(target) {
      const name = profileNameIn(target);
      if (name === undefined && !(await settle())) return;
      const placed = name === undefined ? profiles.active() : profiles.find(name);
      if (placed === undefined) return;
      await states.ask(placed.profile);
      const state = states.of(placed.profile);
      if (state === undefined || state.kind === 'asking') return;
      const { words, icon } = endpointWords(state, vscode.l10n.t);
      vscode.window.setStatusBarMessage(`$(${icon ?? 'pass'}) ${plain(placed.profile.name)}: ${words}`, 8_000);
    },
    addEndpoint: () => addEndpoint(deps),
    moveSettingsKeys: () => moveSettingsKeys(deps),
    async editEndpoint(target) {
      const placed = await chosenEndpoint(profiles, target, vscode.l10n.t('Edit which endpoint?'));
      if (placed?.source === 'user') await openEndpointSettings();
      else if (placed?.source === 'workspace') await openWorkspaceFile();
    },
    async removeEndpoint(target) {
      const placed = await chosenEndpoint(profiles, target, vscode.l10n.t('Remove which endpoint?'), ['user']);
      if (placed === undefined || !(await profiles.isWritable())) return;
      const { name } = placed.profile;
      const keys = (await vault.list()).filter(({ profile }) => profile === name);
      const remove = vscode.l10n.t('Remove');
      const detail =
        keys.length === 0
          ? vscode.l10n.t('It has no keys here.')
          : [
              vscode.l10n.t('These keys are deleted from the secret storage; they stay valid at the service:'),
              ...keys.map((key) => `• ${keyWords(key, vscode.l10n.t)}`),
            ].join('\n');
      const question = vscode.l10n.t('Remove the endpoint “{0}”?', plain(name));
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
      // Settings that cannot be written, as unsaved ones, keep the endpoint, and it keeps its keys.
      await profiles.remove(name);
      for (const { id } of keys) await vault.remove(id);
    },
    async switchEndpoint() {
      const active = profiles.active()?.profile.name;
      const endpoints = profiles.list().map(({ profile, source }): Row => ({
        label: `$(${SOURCE_ICONS[source]}) ${plain(profile.name)}`,
        description: profile.name === active ? vscode.l10n.t('active') : '',
        detail: plain(profile.rpcUrl ?? ''),
        run: () => profiles.activate(profile.name),
      }));
      const more = [
        command('$(add)', vscode.l10n.t('Add Endpoint…'), 'addEndpoint'),
        ...(profiles.list().some(({ source }) => source === 'local')
          ? []
          : [command('$(vm)', vscode.l10n.t('Start Local Service'), 'startLocalService')]),
      ];
      const line: Row = { label: '', kind: vscode.QuickPickItemKind.Separator };
      const choice = await vscode.window.showQuickPick([...endpoints, ...environmentRows(profiles), line, ...more], {
        title: vscode.l10n.t('Active endpoint'),
        matchOnDetail: true,
      });
      await choice?.run?.();
    },
  };
}

/** The environments of the project, where it has some. */
function environmentRows(profiles: Profiles): readonly Row[] {
  const { environments } = profiles.named;
  if (environments.length === 0) return [];
  const chosenName = profiles.environment()?.name;
  const active = (name: string | undefined): string => (name === chosenName ? vscode.l10n.t('active') : '');
  return [
    { label: vscode.l10n.t('Environment'), kind: vscode.QuickPickItemKind.Separator },
    ...environments.map((environment) => ({
      label: `$(layers) ${plain(environment.name)}`,
      description: active(environment.name),
      detail: plain(environment.endpoint ?? ''),
      run: () => profiles.chooseEnvironment(environment),
    })),
    {
      label: `$(circle-slash) ${vscode.l10n.t('No Environment')}`,
      description: active(undefined),
      run: () => profiles.chooseEnvironment(undefined),
    },
  ];
}

async function openWorkspaceFile(): Promise<void> {
  const [file] = await vscode.workspace.findFiles('solana-rpc.json', undefined, 1);
  if (file !== undefined) await vscode.window.showTextDocument(file);
}

interface Row extends vscode.QuickPickItem {
  readonly run?: () => Thenable<unknown>;
}

function command(icon: string, label: string, name: string): Row {
  return { label: `${icon} ${label}`, run: () => vscode.commands.executeCommand(`solanaRpc.${name}`) };
}
