// The panel of one stream: answers its page's requests, and posts changes at most ten times a second while it
// can be seen. The stream lives on without it.
import * as vscode from 'vscode';
import {
  streamAsk,
  streamCommand,
  type StreamAnswer,
  type StreamAsk,
  type StreamCommand,
  type StreamHello,
  type StreamUpdate,
} from '../../protocol/streamPanel';
import type { Stream } from './stream';
import { shortTitle } from './streamItems';
import { viewState } from './streamState';
import { plain } from '../shared/words';
import { columnOfStream } from '../shared/editorGroups';
import { attach, type PanelPage } from '../shared/page';

export interface StreamPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Asks for a file and has it written. */
  readonly onExport: (stream: Stream, choice: Omit<Extract<StreamAsk, { kind: 'export' }>, 'kind'>) => Promise<void>;
  readonly onReopen: (stream: Stream) => Promise<void>;
}

/** Between two updates of the state, in milliseconds. */
const POST_EVERY_MS = 100;

/** The types of panel: their names stay, since restored windows ask for them. */
export const PANELS = { block: 'solanaRpc.stream', account: 'solanaRpc.account' } as const;
const PAGES = { block: 'stream', account: 'account' } as const;

/** Creates a panel next to the editor, which keeps the focus. */
export function createPanel(stream: Stream, extensionUri: vscode.Uri): vscode.WebviewPanel {
  const { source } = stream.info;
  const place = { viewColumn: columnOfStream(), preserveFocus: true };
  const panel = vscode.window.createWebviewPanel(PANELS[source.kind], plain(shortTitle(stream.info)), place);
  const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', `jsonrpc-file-${theme}.svg`);
  panel.iconPath = { light: icon('light'), dark: icon('dark') };
  return panel;
}

export class StreamPanel {
  readonly #page: PanelPage;
  readonly #parts: vscode.Disposable[] = [];
  #postedAt = 0;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly stream: Stream,
    private readonly deps: StreamPanelDeps,
  ) {
    this.#page = attach(panel.webview, {
      name: PAGES[stream.info.source.kind],
      extensionUri: deps.extensionUri,
      log: deps.log,
      words: vscode.l10n.bundle ?? {},
      hello: () => this.#hello(),
      asks: { shape: streamAsk, answer: (ask) => this.#answer(ask) },
      command: streamCommand,
      onCommand: (command) => void this.#onCommand(command).catch((error: unknown) => deps.log.error(String(error))),
    });
    this.#parts.push(
      stream.onDidChange((change) => {
        if (change === 'opened') {
          panel.title = plain(shortTitle(stream.info));
          this.#post({ kind: 'opened', hello: this.#hello() });
        } else this.#postSoon();
      }),
    );
  }

  /** More is known of programs than what is shown was decoded with. */
  decodeAnew(): void {
    this.#post({ kind: 'known' });
  }

  dispose(): void {
    clearTimeout(this.#telling);
    this.#parts.forEach((part) => void part.dispose());
  }

  #hello(): StreamHello {
    const { info, state, tick } = this.stream;
    return { info, state: viewState(state, vscode.l10n.t, tick), ...(tick !== undefined && { tick }) };
  }

  #postSoon(): void {
    // A hidden page does not exist: it asks again when it is shown.
    if (!this.panel.visible || this.#telling !== undefined) return;
    const wait = Math.max(0, this.#postedAt + POST_EVERY_MS - performance.now());
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      const { state, tick } = this.#hello();
      this.#post({ kind: 'tick', state, ...(tick !== undefined && { tick }) });
    }, wait);
  }

  #post(update: StreamUpdate): void {
    if (!this.panel.visible) return;
    this.#postedAt = performance.now();
    this.#page.post(update);
  }

  async #answer(ask: StreamAsk): Promise<StreamAnswer> {
    switch (ask.kind) {
      case 'rows': {
        const { from, count, filter } = ask;
        return this.stream.ask('streamRows', { from, count, filter });
      }
      case 'row':
        return this.stream.ask('streamRow', { number: ask.number });
      case 'export': {
        const { format, what, filter } = ask;
        await this.deps.onExport(this.stream, { format, what, filter });
        return { kind: 'done' };
      }
    }
  }

  async #onCommand(command: StreamCommand): Promise<void> {
    switch (command.kind) {
      case 'stop':
        return this.stream.stop();
      case 'reopen':
        return this.deps.onReopen(this.stream);
      case 'stopExport':
        await this.stream.ask('stopExport', {});
        return;
      case 'mend':
        return this.#mend();
      case 'copy':
        return vscode.env.clipboard.writeText(command.text);
      case 'watch':
        return vscode.commands.executeCommand('solanaRpc.watchAccount', command.address);
      case 'explain': {
        const row = { id: this.stream.info.id, number: command.number };
        return vscode.commands.executeCommand('solanaRpc.explainTransaction', row);
      }
      case 'fetchIdl':
        return vscode.commands.executeCommand('solanaRpc.fetchIdl', command.program, this.stream.info.endpoint);
    }
  }

  /** The next step of the refusal that is shown; the page does not choose the command. */
  async #mend(): Promise<void> {
    const { state, info } = this.stream;
    if (state.kind !== 'refused') return;
    const command = MENDING[state.error.kind];
    if (command !== undefined) await vscode.commands.executeCommand(command, info.endpoint);
  }
}

const MENDING: Readonly<Record<string, string>> = {
  noKey: 'solanaRpc.addKey',
  wrongKeyType: 'solanaRpc.addKey',
  keyRejected: 'solanaRpc.rotateKey',
};
