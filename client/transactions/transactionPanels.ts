// The panels of transactions: one for each place that a transaction was found at, brought up again rather than opened
// twice, and restored with the window. The page asks; the server explains; nothing is sent.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { explain, type FeesResult, type TransactionView } from '../../protocol/explain';
import type {
  TransactionAnswer,
  TransactionAsk,
  TransactionCommand,
  TransactionHello,
  TransactionUpdate,
} from '../../protocol/transactionPanel';
import { openWithResponse } from '../app/editorGroups';
import { attach, type Page } from '../app/page';
import { plain } from '../app/words';
import type { Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { recentFees, writeLimit, type LimitDeps } from './limits';
import type { Replays } from './replays';
import { readAsk, readCommand, readKept } from './transactionMessages';

const TYPE = 'solanaRpc.transaction';

export interface TransactionPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  readonly responses: Responses;
  readonly runs: () => Runs;
  readonly replays: () => Replays;
  /** Compares a transaction with one that the user chooses; `shown`: those of the other panels. */
  readonly compare: (hello: TransactionHello, shown: readonly TransactionHello[]) => Promise<void>;
}

interface Shown {
  readonly hello: TransactionHello;
  readonly panel: vscode.WebviewPanel;
  readonly page: Page;
}

export class TransactionPanels implements vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #serializer: vscode.Disposable;

  constructor(private readonly deps: TransactionPanelDeps) {
    this.#serializer = vscode.window.registerWebviewPanelSerializer(TYPE, {
      deserializeWebviewPanel: async (panel, state) => {
        const kept = readKept(state);
        if (kept === undefined) panel.dispose();
        else this.#serve(panel, kept);
      },
    });
  }

  dispose(): void {
    // The panels stay: a window that is loaded again restores them.
    this.#serializer.dispose();
  }

  async show(hello: TransactionHello): Promise<void> {
    const known = this.#shown.get(keyOf(hello));
    if (known !== undefined) {
      known.page.post({ kind: 'changed' } satisfies TransactionUpdate);
      known.panel.reveal();
      return;
    }
    await openWithResponse(undefined, (viewColumn) => {
      this.#serve(vscode.window.createWebviewPanel(TYPE, plain(hello.title), { viewColumn }), hello);
      return Promise.resolve();
    });
  }

  /** More is known of programs: what is shown is explained again. */
  decodeAgain(): void {
    for (const { page } of this.#shown.values()) page.post({ kind: 'changed' } satisfies TransactionUpdate);
  }

  #serve(panel: vscode.WebviewPanel, hello: TransactionHello): void {
    const { extensionUri, log } = this.deps;
    /** What the page shows. */
    let view: TransactionView | undefined;
    const page = attach<TransactionAsk, TransactionCommand>(panel.webview, {
      name: 'transaction',
      extensionUri,
      log,
      words: vscode.l10n.bundle ?? {},
      hello: () => hello,
      readAsk,
      answer: async ({ kind }): Promise<TransactionAnswer> => {
        if (kind === 'fees') return this.#fees(hello, view);
        const result = await (await this.deps.server()).sendRequest(explain, { source: hello.source });
        view = result.kind === 'explained' ? result.view : undefined;
        return result;
      },
      readCommand,
      onCommand: (command) => this.#act(hello, command, view),
    });
    const shown = { hello, panel, page };
    const key = keyOf(hello);
    this.#shown.set(key, shown);
    panel.onDidDispose(() => {
      if (this.#shown.get(key) === shown) this.#shown.delete(key);
    });
  }

  async #fees({ source }: TransactionHello, view: TransactionView | undefined): Promise<FeesResult> {
    if (source.kind !== 'response' || view === undefined)
      return { kind: 'none', reason: vscode.l10n.t('Only a simulation has suggestions.') };
    return recentFees(this.#limits, source.place, view);
  }

  get #limits(): LimitDeps {
    const { responses, runs, server } = this.deps;
    return { responses, runs: runs(), server };
  }

  #act(hello: TransactionHello, command: TransactionCommand, view: TransactionView | undefined): void {
    const { source } = hello;
    switch (command.kind) {
      case 'copy':
        void vscode.env.clipboard.writeText(command.text);
        break;
      case 'watch':
        void vscode.commands.executeCommand('solanaRpc.watchAccount', command.address);
        break;
      case 'lookUp':
        void vscode.commands.executeCommand('solanaRpc.explainTransaction', command.signature);
        break;
      case 'replay':
        void vscode.commands.executeCommand('solanaRpc.replayTransaction', command.signature);
        break;
      case 'replayAgain':
        if (source.kind === 'replay') void this.deps.replays().again(source.id, view);
        break;
      case 'saveReplay':
        if (source.kind === 'replay') void this.deps.replays().save(source.id, view);
        break;
      case 'compare': {
        const others = [...this.#shown.values()].map((shown) => shown.hello);
        void this.deps.compare(
          hello,
          others.filter((other) => keyOf(other) !== keyOf(hello)),
        );
        break;
      }
      case 'use':
        if (source.kind === 'response') void writeLimit(this.#limits, source.place, command);
    }
  }
}

const keyOf = ({ source }: TransactionHello): string => JSON.stringify(source);
