// The Endpoints view: each endpoint with its state, as far as the user asked for it, and below it the keys that were added
// for it, with type, state and last use. Never shows a secret.
import * as vscode from 'vscode';
import { LOCAL_PROFILE, type PlacedProfile } from '../../core/service/profiles/profile';
import { localHealth, profileHealth, type Health } from '../shared/health';
import { keyItem } from '../keys/keyItems';
import { preferred, type KeyRecord } from '../keys/keyRecord';
import type { KeyVault } from '../keys/keyVault';
import type { LocalServices } from '../localService/localService';
import type { LocalSlot } from '../localService/localSlot';
import { endpointWords, type EndpointWords } from './endpointWords';
import type { EndpointStates } from './endpointStates';
import { SOURCE_ICONS } from '../profiles/chosenEndpoint';
import { hostOf, needsKey } from '../profiles/origins';
import type { Profiles } from '../profiles/profiles';
import { themeIcon, tooltip } from '../shared/tooltip';
import { ends, plain } from '../shared/words';

const TYPES = ['rpc', 'grpc', 'swqos'] as const;

/** In characters: behind it a view of the usual width still has room for more. The tooltip has the whole name. */
const LONGEST_NAME = 20;

export type EndpointsNode =
  /** `health`: what is wrong with the service behind it. */
  | {
      readonly kind: 'endpoint';
      readonly placed: PlacedProfile;
      readonly active: boolean;
      readonly health?: Health;
      /** The result of the last check that the user asked for. */
      readonly said?: EndpointWords;
      /** Of the local service: the endpoint that it is a fork of. */
      readonly fork?: string;
    }
  /** The local service while it has no endpoint: it is being started, or did not start. */
  | { readonly kind: 'local'; readonly health: Health }
  /** `used`: the key that requests use, among several of its type. */
  | { readonly kind: 'key'; readonly record: KeyRecord; readonly used: boolean; readonly rivals: boolean }
  /** Keys whose endpoint this window does not know. */
  | { readonly kind: 'others' }
  | { readonly kind: 'addKey'; readonly profile: string }
  /** Its endpoint was said to need none. */
  | { readonly kind: 'keyless' }
  /** The chosen endpoint, which is not there: requests go to no other one. */
  | { readonly kind: 'absent'; readonly name: string };

export interface EndpointsTreeDeps {
  readonly profiles: Profiles;
  readonly vault: KeyVault;
  readonly local: LocalServices;
  readonly slot: LocalSlot;
  readonly states: EndpointStates;
}

export class EndpointsTree implements vscode.TreeDataProvider<EndpointsNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscriptions: readonly vscode.Disposable[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly deps: EndpointsTreeDeps) {
    const { profiles, vault, local, slot, states } = deps;
    const view = vscode.window.createTreeView('solanaRpc.keys', { treeDataProvider: this });
    const noteVisible = (): void => slot.shownIn('keys', view.visible);
    this.#subscriptions = [
      view,
      profiles.onDidChange(() => this.#refresh()),
      vault.onDidChange(() => this.#refresh()),
      local.onDidChange(() => this.#refresh()),
      states.onDidChange(() => this.#refresh()),
      view.onDidChangeVisibility(noteVisible),
      // Shown in the view's title: redrawing a row would close its tooltip under the pointer.
      slot.onDidChange(() => {
        const words = [slot.words, slot.fetchedWords].filter((one) => one !== undefined).join(' · ');
        view.description = words === '' ? '' : vscode.l10n.t('local: {0}', words);
      }),
    ];
    noteVisible();
  }

  dispose(): void {
    this.#subscriptions.forEach((one) => void one.dispose());
    this.#changed.dispose();
  }

  #refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: EndpointsNode): Promise<EndpointsNode[]> {
    const { profiles, vault, local, states } = this.deps;
    const placed = profiles.list();
    const known = new Set(placed.map(({ profile }) => profile.name));
    const keys = [...(await vault.list()), ...vault.removedElsewhere];
    if (node === undefined) {
      const active = profiles.active()?.profile.name;
      const health = localHealth(local.state, vscode.l10n.t);
      const isShown = placed.some(({ source }) => source === 'local');
      const service: EndpointsNode[] = health === undefined || isShown ? [] : [{ kind: 'local', health }];
      const endpoints = placed.map((one): EndpointsNode => {
        const wrong = one.source === 'local' ? health : profileHealth(one, vscode.l10n.t);
        const state = states.of(one.profile);
        // The view's title shows the local ledger's current slot: an older one would contradict it.
        const isSlotLive = one.source === 'local';
        const fork = isSlotLive ? local.fork : undefined;
        return {
          kind: 'endpoint',
          placed: one,
          active: one.profile.name === active,
          ...(wrong !== undefined && { health: wrong }),
          ...(fork !== undefined && { fork }),
          ...(state !== undefined && { said: endpointWords(state, vscode.l10n.t, isSlotLive) }),
        };
      });
      // Without an endpoint the view's welcome text says more than a group of old keys would.
      const others = endpoints.length > 0 && keys.some(({ profile }) => !known.has(profile));
      const absent = profiles.absent();
      // Without an endpoint, or while the local service is on its way, something else says it.
      const isMissed = absent !== undefined && endpoints.length > 0 && service.length === 0;
      const missing: EndpointsNode[] = isMissed ? [{ kind: 'absent', name: absent }] : [];
      return [...service, ...missing, ...endpoints, ...(others ? [{ kind: 'others' } as const] : [])];
    }
    if (node.kind === 'others') return rows(keys.filter(({ profile }) => !known.has(profile)));
    if (node.kind !== 'endpoint') return [];
    const { profile } = node.placed;
    const own = rows(keys.filter(({ profile: of }) => of === profile.name));
    if (own.length > 0) return own;
    return [needsKey(profile) ? { kind: 'addKey', profile: profile.name } : { kind: 'keyless' }];
  }

  getTreeItem(node: EndpointsNode): vscode.TreeItem {
    switch (node.kind) {
      case 'endpoint':
        return endpointItem(node);
      case 'local':
        return localItem(node.health);
      case 'key':
        return keyTreeItem(node);
      case 'absent':
        return absentItem(node.name);
      case 'others': {
        const { Collapsed } = vscode.TreeItemCollapsibleState;
        const item = new vscode.TreeItem(vscode.l10n.t('Keys of other endpoints'), Collapsed);
        item.iconPath = new vscode.ThemeIcon('archive');
        item.tooltip = vscode.l10n.t(
          'Their endpoints are not known in this window. A key goes only where it was saved for.',
        );
        return item;
      }
      case 'keyless': {
        const item = new vscode.TreeItem(vscode.l10n.t('Needs no key'));
        item.iconPath = new vscode.ThemeIcon('unlock');
        return item;
      }
      case 'addKey': {
        const item = new vscode.TreeItem(vscode.l10n.t('No key yet'));
        const title = vscode.l10n.t('Add Key…');
        item.description = title;
        item.iconPath = new vscode.ThemeIcon('add');
        item.command = { command: 'solanaRpc.addKey', title, arguments: [node] };
        return item;
      }
    }
  }
}

/** By type, and of each type the used one first. */
function rows(keys: readonly KeyRecord[]): EndpointsNode[] {
  return TYPES.flatMap((type) => {
    const all = keys.filter((key) => key.type === type);
    const used = preferred(all.filter(({ state }) => state.kind !== 'removed'));
    return all
      .map((record): Extract<EndpointsNode, { kind: 'key' }> => ({
        kind: 'key',
        record,
        used: record === used,
        rivals: all.length > 1,
      }))
      .sort((a, b) => Number(b.used) - Number(a.used) || (a.record.label < b.record.label ? -1 : 1));
  });
}

/** A step that mends it is one click away. */
function localItem(health: Health): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Local service'));
  item.id = 'local';
  item.contextValue = health.isOver ? 'local.failed' : 'local';
  item.description = health.words;
  item.iconPath = themeIcon(health);
  item.tooltip = tooltip(`${item.label as string}: ${health.words}`, health.more);
  if (health.step !== undefined) {
    const { command, title } = health.step;
    item.command = { command: `solanaRpc.${command}`, title };
  }
  item.accessibilityInformation = { label: [item.label as string, health.words, ...health.more].map(plain).join(', ') };
  return item;
}

function absentItem(name: string): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(ends(name, LONGEST_NAME)));
  const isLocal = name === LOCAL_PROFILE;
  const state = isLocal ? vscode.l10n.t('not running') : vscode.l10n.t('not found');
  item.id = 'absent';
  item.contextValue = 'absent';
  item.description = state;
  item.iconPath = themeIcon({ icon: 'warning', color: 'problemsWarningIcon.foreground' });
  const [step, command] = isLocal
    ? [vscode.l10n.t('Start Local Service'), 'startLocalService']
    : [vscode.l10n.t('Choose Another Endpoint…'), 'switchEndpoint'];
  item.command = { command: `solanaRpc.${command}`, title: step };
  const lines = [
    vscode.l10n.t('The chosen endpoint “{0}” does not exist.', plain(name)),
    vscode.l10n.t('Click: {0}', step),
  ];
  item.tooltip = tooltip(`${name}: ${state}`, lines);
  item.accessibilityInformation = { label: [plain(name), state, step].join(', ') };
  return item;
}

function endpointItem(node: Extract<EndpointsNode, { kind: 'endpoint' }>): vscode.TreeItem {
  const { placed, active, health, said, fork } = node;
  const { profile, source } = placed;
  const use = vscode.l10n.t('Use This Endpoint');
  const item = new vscode.TreeItem(plain(ends(profile.name, LONGEST_NAME)), vscode.TreeItemCollapsibleState.Expanded);
  const host = hostOf(profile.rpcUrl ?? profile.restUrl ?? profile.grpcUrl ?? '').split('/')[0] ?? '';
  item.id = `endpoint:${profile.name}`;
  const failed = source === 'local' && health?.isOver === true ? '.failed' : '';
  item.contextValue = `endpoint.${source}${failed}${active ? '.active' : ''}`;
  if (placed.fault !== undefined && health?.step !== undefined)
    item.command = { command: `solanaRpc.${health.step.command}`, title: health.step.title, arguments: [node] };
  else if (!active) item.command = { command: 'solanaRpc.useEndpoint', title: use, arguments: [node] };
  // A view as narrow as it gets has no room for the word behind a long name: then the icon says it.
  const icon = active && source !== 'local' ? 'target' : SOURCE_ICONS[source];
  const saidIcon = said?.icon;
  const shown = saidIcon === undefined ? undefined : { icon: saidIcon, color: said?.color };
  item.iconPath = themeIcon(health ?? shown ?? { icon, ...(active && { color: 'charts.green' }) });
  const at = active ? vscode.l10n.t('active') : plain(host);
  const place = fork === undefined ? at : `${at} · ${vscode.l10n.t('fork of {0}', plain(fork))}`;
  // Problems come first, because a narrow view cuts off the rest.
  const words =
    health !== undefined
      ? [health.words, place]
      : said === undefined
        ? [place]
        : active && saidIcon === undefined
          ? [place, said.words]
          : [said.words];
  item.description = words.join(' · ');
  item.tooltip = tooltip(profile.name, [
    ...(health?.more ?? []),
    active ? vscode.l10n.t('The active endpoint: requests go here.') : vscode.l10n.t('Click: {0}', use),
    fork === undefined
      ? ''
      : vscode.l10n.t('A fork of “{0}”: accounts are read there when something first needs them.', plain(fork)),
    ...(said?.lines ?? []),
    host,
    profile.plan === undefined ? '' : vscode.l10n.t('Plan: {0}', profile.plan),
    source === 'workspace' ? vscode.l10n.t('From solana-rpc.json of this project.') : '',
  ]);
  item.accessibilityInformation = {
    label: [profile.name, item.description, ...(health?.more ?? [])].map(plain).join(', '),
  };
  return item;
}

function keyTreeItem({ record, used, rivals }: Extract<EndpointsNode, { kind: 'key' }>): vscode.TreeItem {
  const row = keyItem(record, { used, rivals }, Date.now(), vscode.l10n.t);
  const item = new vscode.TreeItem(row.label);
  item.id = `key:${record.id}`;
  item.contextValue = row.context;
  item.iconPath = themeIcon(row);
  item.description = plain(row.description);
  item.tooltip = tooltip(row.heading, row.lines);
  item.accessibilityInformation = { label: plain(row.spoken) };
  return item;
}
