// Endpoints: add a hosted one by its host, and choose which one is active.
import * as vscode from 'vscode';
import { hostedProfile } from '../profileList';
import type { Profiles } from '../profiles';
import { plain } from '../words';
import type { CommandTable } from './command';

export function endpointCommands(profiles: Profiles): CommandTable {
  return {
    async addEndpoint() {
      const address = await vscode.window.showInputBox({
        title: vscode.l10n.t('Add endpoint (1 of 2): where is it?'),
        prompt: vscode.l10n.t('A host, or a complete URL. Keys are asked for separately and never stand in a URL.'),
        placeHolder: 'https://host.example/sol',
        ignoreFocusOut: true,
        validateInput: (text) =>
          hostedProfile('new', text.trim()) === undefined ? vscode.l10n.t('Not a host or an http(s) URL.') : undefined,
      });
      if (address === undefined) return;
      const name = await vscode.window.showInputBox({
        title: vscode.l10n.t('Add endpoint (2 of 2): its name'),
        value: hostedProfile('new', address.trim())?.restUrl?.replace(/^https?:\/\//, '') ?? '',
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A name is needed.') : undefined),
      });
      const profile = name === undefined ? undefined : hostedProfile(name.trim(), address.trim());
      if (profile === undefined) return;
      await profiles.add(profile);
      await vscode.commands.executeCommand('solanaRpc.addKey', profile.name);
    },
    async switchEndpoint() {
      const active = profiles.active()?.profile.name;
      const endpoints = profiles.list().map(({ profile, source }) => ({
        label: plain(profile.name),
        description: profile.name === active ? vscode.l10n.t('active') : source,
        detail: plain(profile.rpcUrl ?? ''),
        run: (): Thenable<unknown> => profiles.activate(profile.name),
      }));
      const more = [
        command('$(add)', vscode.l10n.t('Add endpoint…'), 'addEndpoint'),
        command('$(vm)', vscode.l10n.t('Start local service'), 'startLocalService'),
      ];
      const choice = await vscode.window.showQuickPick([...endpoints, ...more], {
        title: vscode.l10n.t('Active endpoint'),
        matchOnDetail: true,
      });
      await choice?.run();
    },
  };
}

interface Pick extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

function command(icon: string, label: string, name: string): Pick {
  return { label: `${icon} ${label}`, run: () => vscode.commands.executeCommand(`solanaRpc.${name}`) };
}
