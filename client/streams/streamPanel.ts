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
import { mendingStep, plain } from '../shared/words';
import type { PageDeps, PageMessages } from '../shared/page';
import type { ShownPanel } from '../shared/panels';

export interface StreamPanelDeps extends PageDeps {
  /** Asks for a file and has it written. */
  readonly onExport: (stream: Stream, choice: Omit<Extract<StreamAsk, { kind: 'export' }>, 'kind'>) => Promise<void>;
  readonly onReopen: (stream: Stream) => Promise<void>;
}

/** Between two updates of the state, in milliseconds. */
const POST_EVERY_MS = 100;

export class StreamPanel {
  /** The messages of its page. */
  readonly messages: PageMessages<StreamAsk, StreamCommand> = {
    hello: () => this.#hello(),
    asks: { shape: streamAsk, answer: (ask) => this.#answer(ask) },
    command: streamCommand,
    onCommand: (command) => this.#onCommand(command),
  };
  #postedAt = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly shown: ShownPanel<Stream>,
    private readonly deps: StreamPanelDeps,
  ) {
    const { panel, content: stream } = shown;
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(deps.extensionUri, 'media', `jsonrpc-file-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    panel.title = plain(shortTitle(stream.info));
    const subscription = stream.onDidChange((change) => {
      if (change === 'opened') {
        panel.title = plain(shortTitle(stream.info));
        this.#post({ kind: 'opened', hello: this.#hello() });
      } else this.#postSoon();
    });
    panel.onDidDispose(() => {
      clearTimeout(this.#waiting);
      subscription.dispose();
    });
  }

  get #stream(): Stream {
    return this.shown.content;
  }

  #hello(): StreamHello {
    const { info, state, tick } = this.#stream;
    return { info, state: viewState(state, vscode.l10n.t, tick), ...(tick !== undefined && { tick }) };
  }

  #postSoon(): void {
    // A hidden page does not exist: it asks again when it is shown.
    if (!this.shown.panel.visible || this.#waiting !== undefined) return;
    const wait = Math.max(0, this.#postedAt + POST_EVERY_MS - performance.now());
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      const { state, tick } = this.#hello();
      this.#post({ kind: 'tick', state, ...(tick !== undefined && { tick }) });
    }, wait);
  }

  #post(update: StreamUpdate): void {
    if (!this.shown.panel.visible) return;
    this.#postedAt = performance.now();
    this.shown.post(update);
  }

  async #answer(ask: StreamAsk): Promise<StreamAnswer> {
    switch (ask.kind) {
      case 'rows': {
        const { from, count, filter } = ask;
        return this.#stream.ask('streamRows', { from, count, filter });
      }
      case 'row':
        return this.#stream.ask('streamRow', { number: ask.number });
      case 'export': {
        const { format, what, filter } = ask;
        await this.deps.onExport(this.#stream, { format, what, filter });
        return { kind: 'done' };
      }
    }
  }

  async #onCommand(command: StreamCommand): Promise<void> {
    switch (command.kind) {
      case 'stop':
        return this.#stream.stop();
      case 'reopen':
        return this.deps.onReopen(this.#stream);
      case 'stopExport':
        await this.#stream.ask('stopExport', {});
        return;
      case 'mend':
        return this.#mend();
      case 'copy':
        return vscode.env.clipboard.writeText(command.text);
      case 'watch':
        return vscode.commands.executeCommand('solanaRpc.watchAccount', command.address);
      case 'explain': {
        const row = { id: this.#stream.info.id, number: command.number };
        return vscode.commands.executeCommand('solanaRpc.explainTransaction', row);
      }
      case 'fetchIdl':
        return vscode.commands.executeCommand('solanaRpc.fetchIdl', command.program, this.#stream.info.endpoint);
    }
  }

  /** The next step of the refusal that is shown; the page does not choose the command. */
  async #mend(): Promise<void> {
    const { state, info } = this.#stream;
    if (state.kind !== 'refused') return;
    const step = mendingStep(state.error.kind, info.endpoint, vscode.l10n.t);
    if (step !== undefined) await vscode.commands.executeCommand(step.command, info.endpoint);
  }
}
