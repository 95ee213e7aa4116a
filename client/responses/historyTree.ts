// The History view: the runs that are kept with their responses, by day and file, the newest first. Shows no key, since
// none is kept; reads the disk when it is looked at and not before.
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import {
  daysBack,
  fileName,
  groupRuns,
  responsesText,
  stateText,
  togetherState,
  togetherText,
  type HistoryDay,
  type HistoryFile,
  type HistoryRun,
} from './historyRows';
import { durationText } from './responseSummary';
import { runUri, type Responses } from './responses';
import { Queue } from '../shared/queue';
import { themeIcon, tooltip, type ThemeLook } from '../shared/tooltip';
import { plain, sizeText } from '../shared/words';
import { dotted } from '../../core/solana/common/dotted';

export type HistoryNode =
  | { readonly kind: 'day'; readonly day: HistoryDay }
  | HistoryFileNode
  | HistoryTogetherNode
  /** `uri`: the document of the run. */
  | { readonly kind: 'run'; readonly run: HistoryRun; readonly uri: vscode.Uri; readonly of: HistoryParent };

interface HistoryFileNode {
  readonly kind: 'file';
  readonly day: HistoryDay;
  readonly file: HistoryFile;
}

/** Requests of a file that were sent together. */
interface HistoryTogetherNode {
  readonly kind: 'together';
  readonly id: string;
  readonly runs: readonly HistoryRun[];
  readonly of: HistoryFileNode;
}
type HistoryParent = HistoryFileNode | HistoryTogetherNode;

/** Responses of one run come at the same time. Milliseconds. */
const SETTLE_MS = 300;

export class HistoryTree implements vscode.TreeDataProvider<HistoryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<HistoryNode>;
  readonly #subscriptions: readonly vscode.Disposable[];
  #watching: vscode.Disposable | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Redraws and the focus, one after the other: rows that are drawn again during a reveal lose the row it looks for. */
  readonly #queue = new Queue();
  /** The runs that the rows were last made from. */
  #shown: readonly HistoryRun[] = [];
  /** The day on which they were: "Today" is another one tomorrow. */
  #shownOn = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly responses: Responses) {
    this.#view = vscode.window.createTreeView('solanaRpc.history', {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#subscriptions = [
      this.#view,
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (!visible) return;
        void this.#refresh();
        // Another window on the same folder keeps its responses in the same place.
        this.#watching ??= responses.watchDisk(() => this.#refreshSoon());
      }),
      responses.onDidChangeHistory(() => this.#refreshSoon()),
    ];
  }

  dispose(): void {
    clearTimeout(this.#settling);
    this.#watching?.dispose();
    for (const each of this.#subscriptions) each.dispose();
    this.#changed.dispose();
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    switch (node?.kind) {
      case undefined:
        this.#shown = await this.responses.history();
        this.#shownOn = today();
        return groupRuns(this.#shown).map((day) => ({ kind: 'day', day }));
      case 'day':
        return node.day.files.map((file) => ({ kind: 'file', day: node.day, file }));
      case 'file':
        return node.file.entries.map((entry) =>
          entry.kind === 'run' ? runNode(entry.run, node) : { ...entry, of: node },
        );
      case 'together':
        return node.runs.map((run) => runNode(run, node));
      case 'run':
        return [];
    }
  }

  getParent(node: HistoryNode): HistoryNode | undefined {
    switch (node.kind) {
      case 'day':
        return undefined;
      case 'file':
        return { kind: 'day', day: node.day };
      case 'together':
      case 'run':
        return node.of;
    }
  }

  /** Reveals the view with the focus on the newest run: arrow keys continue from there. */
  focus(): Promise<void> {
    return this.#queue.add(() => this.#focusNewest());
  }

  async #focusNewest(): Promise<void> {
    await vscode.commands.executeCommand('solanaRpc.history.focus');
    // The editor may still be loading the rows for the first time; a reveal waits only for a redraw asked for before it.
    this.#changed.fire(undefined);
    const day = groupRuns(await this.responses.history())[0];
    const file = day?.files[0];
    const entry = file?.entries[0];
    if (day === undefined || file === undefined || entry === undefined) return;
    const of: HistoryFileNode = { kind: 'file', day, file };
    const newest: HistoryNode = entry.kind === 'run' ? runNode(entry.run, of) : { ...entry, of };
    await this.#view.reveal(newest, { focus: true });
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    switch (node.kind) {
      case 'day':
        return dayItem(node.day);
      case 'file':
        return fileItem(node.day, node.file);
      case 'together':
        return togetherItem(node);
      case 'run':
        return runItem(node.run, node.uri);
    }
  }

  #refreshSoon(): void {
    if (!this.#view.visible) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      void this.#refresh();
    }, SETTLE_MS);
  }

  /** A response is reported more than once, and a menu used while rows are redrawn gets no row from the editor. */
  #refresh(): Promise<void> {
    return this.#queue.add(async () => {
      const isSame = isDeepStrictEqual(await this.responses.history(), this.#shown) && this.#shownOn === today();
      if (!isSame) this.#changed.fire(undefined);
    });
  }
}

const today = (): string => new Date().toDateString();

const runNode = (run: HistoryRun, of: HistoryParent): HistoryNode => ({
  kind: 'run',
  run,
  uri: runUri(run, run.response),
  of,
});

function dayItem({ start, files }: HistoryDay): vscode.TreeItem {
  const back = daysBack(start, Date.now());
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(dayName(start, back), back === 0 ? Expanded : Collapsed);
  const runs = files.reduce((sum, file) => sum + file.runs.length, 0);
  item.id = `day:${start}`;
  item.contextValue = 'day';
  item.description = responsesText(runs, vscode.l10n.t);
  item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
  return item;
}

function dayName(start: number, back: number): string {
  if (back === 0) return vscode.l10n.t('Today');
  if (back === 1) return vscode.l10n.t('Yesterday');
  return new Date(start).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
}

function fileItem(day: HistoryDay, { uri, runs }: HistoryFile): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(fileName(uri)), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `file:${day.start}:${uri}`;
  item.contextValue = 'file';
  item.iconPath = new vscode.ThemeIcon('file');
  item.tooltip = tooltip(fileName(uri), [vscode.workspace.asRelativePath(vscode.Uri.parse(uri))]);
  item.accessibilityInformation = { label: `${item.label as string}, ${responsesText(runs.length, vscode.l10n.t)}` };
  return item;
}

function togetherItem({ id, runs }: HistoryTogetherNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Send All'), vscode.TreeItemCollapsibleState.Collapsed);
  const time = new Date(Math.max(...runs.map(({ response }) => response.at))).toLocaleTimeString();
  item.id = `together:${id}`;
  item.contextValue = 'together';
  item.iconPath = themeIcon(LOOKS[togetherState(runs)]);
  item.description = `${time} · ${togetherText(runs, vscode.l10n.t)}`;
  item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
  return item;
}

/** The outcome is also given in words. */
const LOOKS: Readonly<Record<HistoryRun['state'], ThemeLook>> = {
  running: { icon: 'sync~spin' },
  unfinished: { icon: 'circle-outline' },
  passed: { icon: 'pass', color: 'charts.green' },
  failed: { icon: 'error', color: 'problemsErrorIcon.foreground' },
};

function runItem(run: HistoryRun, uri: vscode.Uri): vscode.TreeItem {
  const { title, state, status, httpStatus, response, durationMs, bytes, method, endpoint, transport, error } = run;
  const item = new vscode.TreeItem(plain(title));
  const time = new Date(response.at).toLocaleTimeString();
  item.id = `run:${response.request}-${response.run}`;
  // For the menus: every run can be compared and saved; a list can be shown as a table.
  item.contextValue = `run${response.items === undefined ? '' : '.table'}`;
  item.iconPath = themeIcon(LOOKS[state]);
  const said = stateText(state, vscode.l10n.t);
  const came =
    state === 'failed' ? plain(error?.message ?? said) : state === 'passed' ? durationText(durationMs) : said;
  // When it was comes first: a narrow view cuts the rest.
  const size = state === 'running' ? '' : sizeText(bytes);
  item.description = dotted([time, came, size]);
  item.tooltip = tooltip(title, [
    `${method} · ${transport} · ${endpoint}`,
    new Date(response.at).toLocaleString(),
    `${httpStatus ?? status} · ${durationText(durationMs)} · ${sizeText(bytes)}`,
    error?.message ?? '',
  ]);
  item.accessibilityInformation = { label: `${plain(title)}, ${said}, ${time}, ${sizeText(bytes)}` };
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open Response'),
    arguments: [uri, { preview: true, preserveFocus: true } satisfies vscode.TextDocumentShowOptions],
  };
  return item;
}
