// The panels of the window's streams: one for each, brought up again rather than opened twice, and restored with the
// window. A stream whose panel is closed is stopped, and stays in the Streams view for a while.
import type * as vscode from 'vscode';
import { keptStream, type StreamAsk, type StreamCommand, type StreamUpdate } from '../../protocol/streamPanel';
import type { Stream } from './stream';
import type { WindowStreams } from './streams';
import { columnOfStream } from '../shared/editorGroups';
import { Panels, type ShownPanel } from '../shared/panels';
import { plain } from '../shared/words';
import { shortTitle } from './streamItems';
import { StreamPanel, type StreamPanelDeps } from './streamPanel';

/** Stopped streams without a panel that are still kept, the newest ones; each may hold megabytes on the server. */
const KEPT_WITHOUT_PANEL = 4;

type Kind = Stream['info']['source']['kind'];

export class StreamPanels implements vscode.Disposable {
  readonly #panels: Readonly<Record<Kind, Panels<Stream, StreamAsk, StreamCommand>>>;

  constructor(
    private readonly streams: WindowStreams,
    private readonly deps: StreamPanelDeps,
  ) {
    this.#panels = { block: this.#panelsOf('block', 'stream'), account: this.#panelsOf('account', 'account') };
  }

  dispose(): void {
    for (const panels of Object.values(this.#panels)) panels.dispose();
  }

  get #all(): readonly ShownPanel<Stream>[] {
    return Object.values(this.#panels).flatMap(({ all }) => all);
  }

  /** The stream whose panel is in front. */
  active(): Stream | undefined {
    return this.#all.find(({ panel }) => panel.active)?.content;
  }

  /** More is known of programs: rows are decoded again. */
  decodeAnew(): void {
    const update: StreamUpdate = { kind: 'known' };
    for (const { panel, post } of this.#all) if (panel.visible) post(update);
  }

  /** Ends a stream, closes its panel and forgets what it kept. */
  async remove(stream: Stream): Promise<void> {
    if (stream.isRunning) await stream.stop();
    this.#shown(stream)?.panel.dispose();
    await this.streams.remove(stream);
  }

  /** Brings its panel up, or opens one next to the editor, which keeps the focus. */
  show(stream: Stream): void {
    const { info } = stream;
    const place = { viewColumn: columnOfStream(), preserveFocus: true };
    const shown = this.#shown(stream);
    if (shown === undefined) this.#panels[info.source.kind].open(stream, plain(shortTitle(info)), place);
    else shown.panel.reveal();
  }

  #shown(stream: Stream): ShownPanel<Stream> | undefined {
    return this.#panels[stream.info.source.kind].of(stream);
  }

  #panelsOf(kind: Kind, name: string): Panels<Stream, StreamAsk, StreamCommand> {
    return new Panels({
      ...this.deps,
      name,
      type: `solanaRpc.${name}`,
      key: (stream) => stream,
      // A page that never came so far has nothing to show.
      restore: (state) => {
        const kept = keptStream(state);
        return kept?.info.source.kind === kind ? this.streams.restore(kept) : undefined;
      },
      serve: (shown) => new StreamPanel(shown, this.deps).messages,
      onClose: (stream) => void this.#closed(stream),
    });
  }

  async #closed(stream: Stream): Promise<void> {
    if (!stream.isKnown) return this.streams.remove(stream);
    // An export in progress continues: the Streams view shows it.
    if (stream.tick?.export?.kind !== 'writing') await stream.stop();
    const idle = this.streams.list().filter((other) => !other.isRunning && this.#shown(other) === undefined);
    for (const other of idle.slice(0, -KEPT_WITHOUT_PANEL)) await this.streams.remove(other);
  }
}
