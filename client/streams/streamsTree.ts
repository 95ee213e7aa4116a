// The Streams view: every stream of this window with its state, rate and drops. A row is drawn again only where it reads
// otherwise, and once in two seconds at most: a redrawn row loses its tooltip.
import * as vscode from 'vscode';
import type { Stream } from './stream';
import { streamItem, type StreamItem } from './streamItems';
import type { WindowStreams } from './streams';
import { viewState } from './streamState';
import type { SetContext } from '../shared/contexts';
import { themeIcon, tooltip } from '../shared/tooltip';
import { plain } from '../shared/words';

/** Between two drawings, in milliseconds; a change of state is drawn at once. */
const DRAW_EVERY_MS = 2_000;

export class StreamsTree implements vscode.TreeDataProvider<Stream>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Stream | undefined>();
  readonly #view: vscode.TreeView<Stream>;
  readonly #subscription: vscode.Disposable;
  readonly #states = new Map<Stream, string>();
  /** Each row as it was drawn last. */
  readonly #drawn = new Map<Stream, string>();
  #drawing: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly streams: WindowStreams,
    private readonly setContext: SetContext,
  ) {
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
    const row = rowOf(stream);
    const item = new vscode.TreeItem(plain(row.label));
    item.description = plain(row.description);
    item.iconPath = themeIcon(row);
    item.contextValue = row.context;
    item.command = { command: 'solanaRpc.watch', title: vscode.l10n.t('Show Stream'), arguments: [stream] };
    item.accessibilityInformation = { label: plain(`${row.title}, ${row.description}`) };
    return item;
  }

  /** With the counts of the moment at which somebody looks. */
  resolveTreeItem(item: vscode.TreeItem, stream: Stream): vscode.TreeItem {
    const row = rowOf(stream);
    item.tooltip = tooltip(row.title, [row.description, ...row.tooltip]);
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
    this.setContext('solanaRpc.watching', streams.length > 0);
    const running = streams.filter(({ isRunning }) => isRunning).length;
    this.#view.badge =
      running === 0 ? undefined : { value: running, tooltip: vscode.l10n.t('Running streams: {0}', running) };
    const rows = streams.map((stream) => [stream, shownOf(stream)] as const);
    const isOther = rows.length !== this.#drawn.size || rows.some(([stream]) => !this.#drawn.has(stream));
    const changed = rows.filter(([stream, row]) => this.#drawn.get(stream) !== row);
    this.#drawn.clear();
    rows.forEach(([stream, row]) => this.#drawn.set(stream, row));
    if (isOther) this.#changed.fire(undefined);
    else changed.forEach(([stream]) => this.#changed.fire(stream));
  }
}

const rowOf = ({ info, state, tick }: Stream): StreamItem =>
  streamItem(info, viewState(state, vscode.l10n.t, tick), tick, vscode.l10n.t);

/** The visible parts of a row, without its tooltip. */
const shownOf = (stream: Stream): string => JSON.stringify({ ...rowOf(stream), tooltip: undefined });
