// The Keys view: per endpoint the keys that were added for it, with type, state and last use. Never shows a secret.
import * as vscode from 'vscode';
import type { PlacedProfile } from '../core/profile';
import { localHealth, type Health } from './health';
import { preferred, type KeyRecord, type KeyState } from './keyRecord';
import type { KeyVault } from './keyVault';
import type { LocalServices } from './localService';
import { hostOf } from './origins';
import type { Profiles } from './profiles';
import { tooltip } from './tooltip';
import { plain, TYPE_NAMES } from './words';

const TYPES = ['rpc', 'grpc', 'swqos'] as const;

export type KeysNode =
  /** `health`: what is wrong with the service behind it. */
  | { readonly kind: 'endpoint'; readonly placed: PlacedProfile; readonly active: boolean; readonly health?: Health }
  /** The local service while it has no endpoint: it is being started, or did not start. */
  | { readonly kind: 'local'; readonly health: Health }
  /** `used`: of several of its type, the one that requests go out with. */
  | { readonly kind: 'key'; readonly record: KeyRecord; readonly used: boolean; readonly rivals: boolean }
  /** Keys whose endpoint this window does not know. */
  | { readonly kind: 'others' }
  | { readonly kind: 'addKey'; readonly profile: string };

export class KeysTree implements vscode.TreeDataProvider<KeysNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscriptions: readonly vscode.Disposable[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly profiles: Profiles,
    private readonly vault: KeyVault,
    private readonly local: LocalServices,
  ) {
    this.#subscriptions = [profiles.onDidChange(() => this.refresh()), local.onDidChange(() => this.refresh())];
  }

  dispose(): void {
    this.#subscriptions.forEach((one) => void one.dispose());
    this.#changed.dispose();
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: KeysNode): Promise<KeysNode[]> {
    const placed = this.profiles.list();
    const known = new Set(placed.map(({ profile }) => profile.name));
    const keys = [...(await this.vault.list()), ...this.vault.removedElsewhere];
    if (node === undefined) {
      const active = this.profiles.active()?.profile.name;
      const health = localHealth(this.local.state, vscode.l10n.t);
      const isShown = placed.some(({ source }) => source === 'local');
      const service: KeysNode[] = health === undefined || isShown ? [] : [{ kind: 'local', health }];
      const endpoints = placed.map((one): KeysNode => ({
        kind: 'endpoint',
        placed: one,
        active: one.profile.name === active,
        ...(one.source === 'local' && health !== undefined && { health }),
      }));
      // Without an endpoint the view's welcome text says more than a group of old keys would.
      const others = endpoints.length > 0 && keys.some(({ profile }) => !known.has(profile));
      return [...service, ...endpoints, ...(others ? [{ kind: 'others' } as const] : [])];
    }
    if (node.kind === 'others') return rows(keys.filter(({ profile }) => !known.has(profile)));
    if (node.kind !== 'endpoint') return [];
    const { name } = node.placed.profile;
    const own = rows(keys.filter(({ profile }) => profile === name));
    return own.length === 0 ? [{ kind: 'addKey', profile: name }] : own;
  }

  getTreeItem(node: KeysNode): vscode.TreeItem {
    switch (node.kind) {
      case 'endpoint':
        return endpointItem(node);
      case 'local':
        return localItem(node.health);
      case 'key':
        return keyItem(node);
      case 'others': {
        const { Collapsed } = vscode.TreeItemCollapsibleState;
        const item = new vscode.TreeItem(vscode.l10n.t('Keys of other endpoints'), Collapsed);
        item.iconPath = new vscode.ThemeIcon('archive');
        item.tooltip = vscode.l10n.t(
          'Their endpoints are not known in this window. A key goes only where it was saved for.',
        );
        return item;
      }
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

/** By type, and of each type the used one first. */
function rows(keys: readonly KeyRecord[]): KeysNode[] {
  return TYPES.flatMap((type) => {
    const all = keys.filter((key) => key.type === type);
    const used = preferred(all.filter(({ state }) => state.kind !== 'removed'));
    return all
      .map((record): Extract<KeysNode, { kind: 'key' }> => ({
        kind: 'key',
        record,
        used: record === used,
        rivals: all.length > 1,
      }))
      .sort((a, b) => Number(b.used) - Number(a.used) || (a.record.label < b.record.label ? -1 : 1));
  });
}

/** A theme icon for each place that an endpoint can come from. */
export const SOURCE_ICONS: Readonly<Record<PlacedProfile['source'], string>> = {
  user: 'plug',
  local: 'vm-running',
  workspace: 'folder',
};

/** A step that mends it is one click away. */
function localItem(health: Health): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Local service'));
  item.id = 'local';
  item.contextValue = health.isOver ? 'local.failed' : 'local';
  item.description = health.words;
  item.iconPath = iconOf(health);
  item.tooltip = tooltip(`${item.label as string}: ${health.words}`, health.more);
  if (health.step !== undefined) {
    const { command, title } = health.step;
    item.command = { command: `solanaRpc.${command}`, title };
  }
  item.accessibilityInformation = { label: [item.label as string, health.words, ...health.more].map(plain).join(', ') };
  return item;
}

const iconOf = ({ icon, color }: Pick<Health, 'icon' | 'color'>): vscode.ThemeIcon =>
  new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));

function endpointItem({ placed, active, health }: Extract<KeysNode, { kind: 'endpoint' }>): vscode.TreeItem {
  const { profile, source } = placed;
  const item = new vscode.TreeItem(plain(profile.name), vscode.TreeItemCollapsibleState.Expanded);
  const host = hostOf(profile.rpcUrl ?? profile.restUrl ?? profile.grpcUrl ?? '').split('/')[0] ?? '';
  item.id = `endpoint:${profile.name}`;
  item.contextValue = `endpoint.${source}${health?.isOver === true ? '.failed' : ''}`;
  item.iconPath = iconOf(health ?? { icon: SOURCE_ICONS[source], ...(active && { color: 'charts.green' }) });
  const place = active ? vscode.l10n.t('active') : plain(host);
  // What is wrong comes first: a narrow view cuts the rest.
  item.description = health === undefined ? place : `${health.words} · ${place}`;
  item.tooltip = tooltip(profile.name, [
    ...(health?.more ?? []),
    active ? vscode.l10n.t('The active endpoint: requests go here.') : '',
    host,
    profile.plan === undefined ? '' : vscode.l10n.t('Plan: {0}', profile.plan),
    source === 'workspace' ? vscode.l10n.t('From solana-rpc.json of this project.') : '',
  ]);
  item.accessibilityInformation = {
    label: [profile.name, item.description, ...(health?.more ?? [])].map(plain).join(', '),
  };
  return item;
}

/** Icon and colour of a state; what they tell is also said in words. */
const LOOKS: Readonly<Record<KeyState['kind'], readonly [icon: string, color?: string]>> = {
  untested: ['key'],
  active: ['pass', 'testing.iconPassed'],
  rejected: ['error', 'problemsErrorIcon.foreground'],
  wrongType: ['error', 'problemsErrorIcon.foreground'],
  suspended: ['circle-slash', 'problemsWarningIcon.foreground'],
  removed: ['circle-large-outline', 'disabledForeground'],
};

function keyItem({ record, used, rivals }: Extract<KeysNode, { kind: 'key' }>): vscode.TreeItem {
  const type = TYPE_NAMES[record.type];
  const item = new vscode.TreeItem(vscode.l10n.t('{0} key', type));
  item.id = `key:${record.id}`;
  const isGone = record.state.kind === 'removed';
  item.contextValue = isGone ? 'keyRemoved' : rivals ? (used ? 'key.used' : 'key.other') : 'key';
  const [icon, color] = LOOKS[record.state.kind];
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  const state = stateText(record.state);
  const label = plain(record.label);
  // What is wrong with a key comes first: a narrow view cuts the rest.
  item.description = [record.state.kind === 'active' ? '' : state, label, rivals && used ? vscode.l10n.t('used') : '']
    .filter((part) => part !== '')
    .join(' · ');
  const lastUsed =
    record.lastUsed === undefined
      ? vscode.l10n.t('Not used yet.')
      : vscode.l10n.t('Last used {0}.', new Date(record.lastUsed).toLocaleString());
  item.tooltip = tooltip(vscode.l10n.t('{0} key “{1}”: {2}', type, record.label, state), [
    isGone ? vscode.l10n.t('Its secret is no longer in the storage. Add it again, or remove this entry.') : '',
    rivals && used ? vscode.l10n.t('Requests go out with this one where a file names none.') : '',
    record.keyId === undefined ? '' : vscode.l10n.t('Key id: {0}', record.keyId),
    vscode.l10n.t('Goes only to {0}.', [...new Set(Object.values(record.origins).map(hostOf))].join(', ')),
    lastUsed,
  ]);
  item.accessibilityInformation = { label: `${item.label as string}, ${item.description}, ${state}` };
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
    case 'removed':
      return vscode.l10n.t('removed');
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
