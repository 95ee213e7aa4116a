// The Usage view: the account, its methods and its keys as rows; loads when the user opens the view. Computes no
// numbers.
import * as vscode from 'vscode';
import type { TrafficView } from './traffic';
import { themeIcon, tooltip } from '../shared/tooltip';
import type { UsageModel } from './usageModel';
import type { RangeName, ChosenRange } from './usageRange';
import { ageText, isStale, keysItem, lastOf, trafficItem, usageItems, withSteps, type UsageItem } from './usageState';
import { ends, plain } from '../shared/words';

/** The ranges in words, for the view's title and for choosing. */
export const rangeNames = (): Readonly<Record<RangeName, string>> => ({
  hour: vscode.l10n.t('Last hour'),
  day: vscode.l10n.t('Last 24 hours'),
  week: vscode.l10n.t('Last 7 days'),
  month: vscode.l10n.t('Last 30 days'),
});

export function rangeText(range: ChosenRange): string {
  if (range.kind !== 'custom') return rangeNames()[range.kind];
  const [from, to] = [range.from, range.to].map((seconds) => new Date(seconds * 1000).toLocaleString());
  return vscode.l10n.t('{0} – {1}', from ?? '', to ?? '');
}

/** How often the age of the numbers is drawn again, in milliseconds. */
const AGE_MS = 60_000;
const TRAFFIC_MS = 1_000;
/** In characters. */
const LONGEST_NAME = 22;

export class UsageTree implements vscode.TreeDataProvider<UsageItem>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<UsageItem | undefined>();
  readonly #view: vscode.TreeView<UsageItem>;
  readonly #parts: vscode.Disposable[];
  #later: ReturnType<typeof setTimeout> | undefined;
  /** The row of what was sent, and what it shows now. */
  #sent: UsageItem | undefined;
  #drawn: UsageItem | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly model: UsageModel,
    private readonly traffic: () => TrafficView | undefined,
  ) {
    this.#view = vscode.window.createTreeView('solanaRpc.usage', { treeDataProvider: this });
    const clock = setInterval(() => {
      if (this.#view.visible) this.refresh();
    }, AGE_MS);
    this.#parts = [
      this.#changed,
      this.#view,
      { dispose: () => [clock, this.#later].forEach((timer) => clearTimeout(timer)) },
      model.onDidChange(() => this.refresh()),
      // A view restored with the window is visible from the start and waits; one the user opens loads.
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && model.state.kind === 'idle') void model.load();
      }),
      this.#view.onDidExpandElement(({ element: { opens } }) => {
        if (opens?.kind === 'keys') void model.openKeys();
        else if (opens?.kind === 'key' && this.#isIdle(opens.keyId)) void model.openKey(opens.keyId);
      }),
    ];
    this.#describe();
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
  }

  /** The counts of what is sent changed: drawn at most once a second, and only where somebody looks. */
  trafficChanged(): void {
    if (this.#later !== undefined || !this.#view.visible) return;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      this.#refreshSent();
    }, TRAFFIC_MS);
  }

  /** Draws that row alone: what is read in the others, a tooltip of theirs, stays. */
  #refreshSent(): void {
    const sent = this.#sentNow();
    if (this.#sent === undefined || sent === undefined) this.refresh();
    else if (JSON.stringify(sent) !== JSON.stringify(this.#drawn)) this.#changed.fire(this.#sent);
  }

  #sentNow(): UsageItem | undefined {
    return trafficItem(this.traffic(), vscode.l10n.t);
  }

  /** Draws the rows again. */
  refresh(): void {
    this.#describe();
    this.#changed.fire(undefined);
  }

  getChildren(item?: UsageItem): UsageItem[] {
    if (item !== undefined) return [...(item.children ?? [])];
    const { model } = this;
    const now = Date.now();
    const subject = { query: model.query };
    const items = withSteps(usageItems(model.state, now, vscode.l10n.t, subject));
    // Without any numbers the welcome text has the view for itself.
    if (items.length === 0) return [];
    this.#sent = this.#sentNow();
    const sent = this.#sent === undefined ? [] : [this.#sent];
    return [...items, keysItem(model.keys, now, vscode.l10n.t, subject), ...sent];
  }

  getTreeItem(known: UsageItem): vscode.TreeItem {
    const row = known === this.#sent ? (this.#sentNow() ?? known) : known;
    if (known === this.#sent) this.#drawn = row;
    const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
    const state = row.opens !== undefined ? Collapsed : row.children === undefined ? None : Expanded;
    const item = new vscode.TreeItem(plain(row.isName === true ? ends(row.label, LONGEST_NAME) : row.label), state);
    // Rows that the user expanded stay expanded when they are redrawn.
    if (row.opens !== undefined) item.id = row.opens.kind === 'keys' ? 'keys' : `key:${row.opens.keyId}`;
    item.iconPath = themeIcon(row);
    item.description = plain(row.description ?? '');
    item.tooltip = tooltip(row.label, [row.description ?? '', ...(row.tooltip ?? '').split('\n')]);
    if (row.contextValue !== undefined) item.contextValue = row.contextValue;
    if (row.command !== undefined) {
      const { id, title, arguments: args } = row.command;
      item.command = { command: id, title, ...(args !== undefined && { arguments: [...args] }) };
    }
    item.accessibilityInformation = { label: [plain(row.label), item.description].filter(Boolean).join(', ') };
    return item;
  }

  #isIdle(keyId: string): boolean {
    const { keys } = this.model;
    return keys.kind === 'known' && keys.keys.find((key) => key.keyId === keyId)?.usage.kind === 'idle';
  }

  /** Which range, and how old: a narrow view cuts the end. */
  #describe(): void {
    const { state, range, endpoint } = this.model;
    const last = lastOf(state);
    const now = Date.now();
    const age =
      last === undefined ? [] : [`${isStale(last.at, now) ? '⚠ ' : ''}${ageText(last.at, now, vscode.l10n.t)}`];
    this.#view.description = endpoint === undefined ? '' : [rangeText(range), ...age, plain(endpoint)].join(' · ');
  }
}
