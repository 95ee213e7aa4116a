// The Usage view: asks the server when the user opens the view or refreshes it, and shows what came back as rows.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../core/errors';
import { originOf } from '../core/origin';
import type { KeyQuery } from '../core/profile';
import { usage, type UsageParams, type UsageResult } from '../protocol/lsp';
import type { Profiles } from './profiles';
import { usageItems, type LoadedUsage, type UsageItem, type UsageState } from './usageState';
import { tooltip } from './tooltip';
import { plain } from './words';

/** The ranges on offer, in seconds back from now. */
export const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;

/** The ranges in words, for the view's title and for choosing. */
export const rangeNames = (): Readonly<Record<RangeName, string>> => ({
  hour: vscode.l10n.t('Last hour'),
  day: vscode.l10n.t('Last 24 hours'),
  week: vscode.l10n.t('Last 7 days'),
  month: vscode.l10n.t('Last 30 days'),
});

export interface UsageRange {
  readonly range: RangeName;
  readonly keyId?: string;
}

/** The numbers of last time, for the window that is loaded again. Counts only; no key has a place here. */
interface Remembered {
  readonly endpoint: string;
  readonly range: UsageRange;
  readonly last: LoadedUsage;
}

const MEMORY = 'solanaRpc.usage';

export interface UsageTreeDeps {
  readonly profiles: Profiles;
  readonly server: () => Promise<LanguageClient>;
  readonly memory: vscode.Memento;
  /** Told of every answer, so that what it says of the key is noted. */
  readonly onAnswer: (query: KeyQuery | undefined, error: ServiceError | undefined) => void;
}

export class UsageTree implements vscode.TreeDataProvider<UsageItem>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #parts: vscode.Disposable[] = [];
  readonly #view: vscode.TreeView<UsageItem>;
  #state: UsageState = { kind: 'idle' };
  #range: UsageRange = { range: 'day' };
  #endpoint: string | undefined;
  #loading: vscode.CancellationTokenSource | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly deps: UsageTreeDeps) {
    const { profiles } = deps;
    this.#view = vscode.window.createTreeView('solanaRpc.usage', { treeDataProvider: this });
    this.#endpointChanged();
    this.#parts.push(
      this.#changed,
      this.#view,
      profiles.onDidChange(() => this.#endpointChanged()),
      // A view restored with the window is visible from the start and waits; one the user opens loads.
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#state.kind === 'idle') void this.load();
      }),
    );
  }

  dispose(): void {
    this.#loading?.cancel();
    this.#parts.forEach((part) => void part.dispose());
  }

  get state(): UsageState {
    return this.#state;
  }

  get range(): UsageRange {
    return this.#range;
  }

  async setRange(range: UsageRange): Promise<void> {
    this.#range = range;
    await this.load();
  }

  /** Loads anew; a load that is under way is cancelled. */
  async load(): Promise<void> {
    if (this.#endpoint === undefined) return;
    this.#loading?.cancel();
    const cancel = new vscode.CancellationTokenSource();
    this.#loading = cancel;
    const last = this.#last();
    this.#set({ kind: 'loading', ...last });
    const to = Math.floor(Date.now() / 1000);
    const { range, keyId } = this.#range;
    const params: UsageParams = { from: to - RANGES[range], to, ...(keyId !== undefined && { keyId }) };
    const result = await vscode.window.withProgress({ location: { viewId: 'solanaRpc.usage' } }, () =>
      this.#ask(params, cancel.token),
    );
    if (this.#loading !== cancel) return;
    this.#loading = undefined;
    cancel.dispose();
    this.deps.onAnswer(this.#query(), result.kind === 'failed' ? result.error : undefined);
    if (result.kind === 'failed') {
      this.#set({ kind: 'failed', error: result.error, ...last });
      return;
    }
    const loaded = { ...result, at: Date.now() };
    this.#set({ kind: 'loaded', last: loaded });
    const remembered: Remembered = { endpoint: this.#endpoint, range: this.#range, last: loaded };
    await this.deps.memory.update(MEMORY, remembered);
  }

  getChildren(item?: UsageItem): UsageItem[] {
    const items = item === undefined ? usageItems(this.#state, Date.now(), vscode.l10n.t) : (item.children ?? []);
    return [...items];
  }

  getTreeItem(row: UsageItem): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(plain(row.label), row.children === undefined ? None : Expanded);
    item.iconPath = new vscode.ThemeIcon(
      row.icon,
      row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
    );
    item.description = plain(row.description ?? '');
    item.tooltip = tooltip(row.label, [row.description ?? '', row.tooltip ?? '']);
    if (row.command !== undefined) item.command = { command: row.command.id, title: row.command.title };
    item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
    return item;
  }

  async #ask(params: UsageParams, token: vscode.CancellationToken): Promise<UsageResult> {
    try {
      const client = await this.deps.server();
      return await client.sendRequest<UsageResult>(usage, params, token);
    } catch {
      return {
        kind: 'failed',
        error: { kind: 'network', message: vscode.l10n.t('The language server did not answer.') },
      };
    }
  }

  /** Which key the usage is asked with. */
  #query(): KeyQuery | undefined {
    const profile = this.deps.profiles.active()?.profile;
    const origin = originOf(profile?.restUrl ?? '');
    if (profile === undefined || origin === undefined) return undefined;
    return { type: 'rpc', interface: 'rest', profile: profile.name, origin };
  }

  #endpointChanged(): void {
    const endpoint = this.deps.profiles.active()?.profile.name;
    if (endpoint === this.#endpoint && this.#state.kind !== 'idle') return;
    this.#endpoint = endpoint;
    this.#loading?.cancel();
    this.#loading = undefined;
    if (endpoint === undefined) {
      this.#set({ kind: 'noEndpoint' });
      return;
    }
    const remembered = this.deps.memory.get<Remembered>(MEMORY);
    if (remembered?.endpoint !== endpoint) {
      // A key id of one endpoint means nothing to another.
      this.#range = { range: this.#range.range };
      this.#set({ kind: 'idle' });
      return;
    }
    this.#range = remembered.range;
    this.#set({ kind: 'idle', last: remembered.last });
  }

  #last(): { readonly last?: LoadedUsage } {
    return 'last' in this.#state && this.#state.last !== undefined ? { last: this.#state.last } : {};
  }

  #set(state: UsageState): void {
    this.#state = state;
    void vscode.commands.executeCommand('setContext', 'solanaRpc.usage', state.kind);
    this.#view.description =
      this.#endpoint === undefined ? '' : `${this.#endpoint} · ${rangeNames()[this.#range.range]}`;
    this.#changed.fire(undefined);
  }
}
