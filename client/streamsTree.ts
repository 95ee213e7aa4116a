// The Streams view: every stream of this window with its state, rate and drops. Drawn again once a second at most.
import * as vscode from 'vscode';
import type { Stream } from './stream';
import { streamItem } from './streamItems';
import type { Streams } from './streams';
import { viewState } from './streamState';
import { tooltip } from './tooltip';
import { plain } from './words';

/** Between two drawings, in milliseconds; a change of state is drawn at once. */
const DRAW_EVERY_MS = 1_000;

export class StreamsTree implements vscode.TreeDataProvider<Stream>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<Stream>;
  readonly #subscription: vscode.Disposable;
  readonly #states = new Map<Stream, string>();
  #drawing: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly streams: Streams) {
    this.#view = vscode.window.createTreeView('solanaRpc.streams', { treeDataProvider: this });
    this.#subscription = streams.onDidChange((stream) => this.#noted(stream));
  }

  dispose(): void {
    clearTimeout(this.#drawing);
    this.#subscription.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getChildren(stream?: Stream): Stream[] {
    return stream === undefined ? [...this.streams.list()] : [];
  }

  getTreeItem(stream: Stream): vscode.TreeItem {
    const { info, state, tick } = stream;
    const row = streamItem(info, viewState(state, vscode.l10n.t), tick, vscode.l10n.t);
    const item = new vscode.TreeItem(plain(row.label));
    item.description = plain(row.description);
    item.tooltip = tooltip(row.title, [row.description, ...row.tooltip]);
    item.iconPath = new vscode.ThemeIcon(
      row.icon,
      row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
    );
    item.contextValue = row.context;
    item.command = { command: 'solanaRpc.watch', title: vscode.l10n.t('Show stream'), arguments: [stream] };
    item.accessibilityInformation = { label: plain(`${row.title}, ${row.description}`) };
    return item;
  }

  #noted(stream: Stream): void {
    const known = this.streams.list().includes(stream);
    const before = this.#states.get(stream);
    if (known) this.#states.set(stream, stream.state.kind);
    else this.#states.delete(stream);
    if (before !== stream.state.kind || !known) this.#draw();
    else this.#drawing ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    const streams = this.streams.list();
    void vscode.commands.executeCommand('setContext', 'solanaRpc.watching', streams.length > 0);
    const running = streams.filter(({ isRunning }) => isRunning).length;
    this.#view.badge =
      running === 0 ? undefined : { value: running, tooltip: vscode.l10n.t('Streams that run: {0}', running) };
    this.#changed.fire(undefined);
  }
}
