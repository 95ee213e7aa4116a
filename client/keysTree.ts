// The Keys view: per endpoint the keys that were added for it, with type, state and last use. Never shows a secret.
import * as vscode from 'vscode';
import type { PlacedProfile } from '../core/profile';
import type { KeyRecord, KeyState, KeyVault } from './keyVault';
import { hostOf } from './origins';
import type { Profiles } from './profiles';
import { plain } from './words';

export type KeysNode =
  | { readonly kind: 'endpoint'; readonly placed: PlacedProfile; readonly active: boolean }
  | { readonly kind: 'key'; readonly record: KeyRecord }
  | { readonly kind: 'addKey'; readonly profile: string };

export class KeysTree implements vscode.TreeDataProvider<KeysNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly profiles: Profiles,
    private readonly vault: KeyVault,
  ) {
    this.#subscription = profiles.onDidChange(() => this.refresh());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: KeysNode): Promise<KeysNode[]> {
    if (node === undefined) {
      const active = this.profiles.active()?.profile.name;
      return this.profiles
        .list()
        .map((placed) => ({ kind: 'endpoint', placed, active: placed.profile.name === active }));
    }
    if (node.kind !== 'endpoint') return [];
    const profile = node.placed.profile.name;
    const keys = (await this.vault.list()).filter((record) => record.profile === profile);
    return keys.length === 0 ? [{ kind: 'addKey', profile }] : keys.map((record) => ({ kind: 'key', record }));
  }

  getTreeItem(node: KeysNode): vscode.TreeItem {
    switch (node.kind) {
      case 'endpoint':
        return endpointItem(node.placed, node.active);
      case 'key':
        return keyItem(node.record);
      case 'addKey': {
        const item = new vscode.TreeItem(vscode.l10n.t('No key yet'));
        const title = vscode.l10n.t('Add key…');
        item.description = title;
        item.iconPath = new vscode.ThemeIcon('add');
        item.command = { command: 'solanaRpc.addKey', title, arguments: [node] };
        return item;
      }
    }
  }
}

function endpointItem({ profile, source }: PlacedProfile, active: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(profile.name), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `endpoint:${profile.name}`;
  item.contextValue = `endpoint.${source}`;
  item.iconPath = new vscode.ThemeIcon(source === 'local' ? 'vm-running' : 'plug');
  item.description = active ? vscode.l10n.t('active') : '';
  item.tooltip = plain(hostOf(profile.rpcUrl ?? ''));
  return item;
}

const ICONS: Readonly<Record<KeyState['kind'], string>> = {
  untested: 'key',
  active: 'pass',
  rejected: 'error',
  wrongType: 'error',
  suspended: 'circle-slash',
};

function keyItem(record: KeyRecord): vscode.TreeItem {
  const type = { rpc: 'RPC', grpc: 'gRPC', swqos: 'SWQoS' }[record.type];
  const item = new vscode.TreeItem(`${type}: ${plain(record.label)}`);
  item.id = `key:${record.id}`;
  item.contextValue = 'key';
  item.iconPath = new vscode.ThemeIcon(ICONS[record.state.kind]);
  const state = stateText(record.state);
  item.description = record.keyId === undefined ? state : `${plain(record.keyId)}, ${state}`;
  const hosts = [...new Set(Object.values(record.origins).map(hostOf))].map(plain).join(', ');
  const used =
    record.lastUsed === undefined
      ? vscode.l10n.t('Not used yet.')
      : vscode.l10n.t('Last used {0}.', new Date(record.lastUsed).toLocaleString());
  item.tooltip = `${vscode.l10n.t('Goes only to {0}.', hosts)} ${used}`;
  item.accessibilityInformation = { label: `${item.label as string}, ${state}` };
  return item;
}

function stateText(state: KeyState): string {
  switch (state.kind) {
    case 'untested':
      return vscode.l10n.t('untested');
    case 'active':
      return vscode.l10n.t('active');
    case 'rejected':
      return vscode.l10n.t('refused by the service (401)');
    case 'wrongType':
      return vscode.l10n.t('of another type (403)');
    case 'suspended':
      return suspensionText(state.until, Date.now());
  }
}

/** The service lifts a suspension by itself; times in Unix milliseconds. */
function suspensionText(until: number | undefined, now: number): string {
  if (until === undefined) return vscode.l10n.t('suspended');
  const time = new Date(until).toLocaleTimeString();
  return until > now ? vscode.l10n.t('suspended until {0}', time) : vscode.l10n.t('was suspended until {0}', time);
}
