// The panels of the window's streams: one for each, brought up again rather than opened twice, and restored with the
// window. A stream whose panel is closed is stopped, and stays in the Streams view for a while.
import * as vscode from 'vscode';
import { keptStream } from '../../protocol/streamPanel';
import type { Stream } from './stream';
import type { Streams } from './streams';
import { plain } from '../shared/words';
import { shortTitle } from './streamItems';
import { createPanel, PANELS, StreamPanel, type StreamPanelDeps } from './streamPanel';

/** Stopped streams without a panel that are still kept, the newest ones; each may hold megabytes on the server. */
const KEPT_WITHOUT_PANEL = 4;

export class StreamPanels implements vscode.Disposable {
  readonly #panels = new Map<Stream, StreamPanel>();
  readonly #parts: vscode.Disposable[];

  constructor(
    private readonly streams: Streams,
    private readonly deps: StreamPanelDeps,
  ) {
    const serializer: vscode.WebviewPanelSerializer = {
      deserializeWebviewPanel: async (panel, state) => this.#restore(panel, state),
    };
    this.#parts = Object.values(PANELS).map((type) => vscode.window.registerWebviewPanelSerializer(type, serializer));
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
    for (const panel of this.#panels.values()) panel.dispose();
  }

  /** The stream whose panel is in front. */
  active(): Stream | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active)?.stream;
  }

  /** More is known of programs: rows are decoded again. */
  decodeAnew(): void {
    for (const panel of this.#panels.values()) panel.decodeAnew();
  }

  /** Ends a stream, closes its panel and forgets what it kept. */
  async remove(stream: Stream): Promise<void> {
    if (stream.isRunning) await stream.stop();
    this.#panels.get(stream)?.panel.dispose();
    await this.streams.remove(stream);
  }

  /** Brings its panel up, or opens one. */
  show(stream: Stream): void {
    const shown = this.#panels.get(stream);
    if (shown === undefined) this.#hold(createPanel(stream, this.deps.extensionUri), stream);
    else shown.panel.reveal();
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptStream(state);
    // A page that never came so far has nothing to show.
    if (kept === undefined || PANELS[kept.info.source.kind] !== panel.viewType) {
      panel.dispose();
      return;
    }
    panel.title = plain(shortTitle(kept.info));
    this.#hold(panel, this.streams.restore(kept));
  }

  #hold(panel: vscode.WebviewPanel, stream: Stream): void {
    const shown = new StreamPanel(panel, stream, this.deps);
    this.#panels.set(stream, shown);
    panel.onDidDispose(() => {
      shown.dispose();
      this.#panels.delete(stream);
      void this.#closed(stream);
    });
  }

  async #closed(stream: Stream): Promise<void> {
    if (!stream.isKnown) {
      await this.streams.remove(stream);
      return;
    }
    // An export in progress continues: the Streams view shows it.
    if (stream.tick?.export?.kind !== 'writing') await stream.stop();
    const idle = this.streams.list().filter((other) => !other.isRunning && !this.#panels.has(other));
    for (const other of idle.slice(0, -KEPT_WITHOUT_PANEL)) await this.streams.remove(other);
  }
}
