// The panels of transactions: one for each place that a transaction was found at, brought up again rather than opened
// twice, and restored with the window. The page asks; the server explains; only a simulation
// and a look at recent fees send something, each for its button.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  explain,
  type ExplainResult,
  type FeesResult,
  type TransactionSource,
  type TransactionView,
} from '../../protocol/explain';
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
import { simulated } from './simulate';
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
  /** The name of the active endpoint; undefined where the user chose none. */
  readonly endpoint: () => Promise<string | undefined>;
  /** Compares a transaction with one that the user chooses; `shown`: those of the other panels. */
  readonly compare: (hello: TransactionHello, shown: readonly TransactionHello[]) => Promise<void>;
}

interface Shown {
  readonly hello: TransactionHello;
  readonly panel: vscode.WebviewPanel;
  readonly page: Page;
  /** What the page shows, and from where: a simulation takes the place of what has not run. */
  view?: TransactionView | undefined;
  source: TransactionSource;
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
    const page = attach<TransactionAsk, TransactionCommand>(panel.webview, {
      name: 'transaction',
      extensionUri,
      log,
      words: vscode.l10n.bundle ?? {},
      hello: () => hello,
      readAsk,
      answer: async ({ kind }): Promise<TransactionAnswer> => {
        if (kind === 'fees') return this.#fees(shown);
        return kind === 'simulate' ? this.#simulate(shown) : this.#explain(shown, shown.source);
      },
      readCommand,
      onCommand: (command) => this.#act(shown, command),
    });
    const shown: Shown = { hello, panel, page, source: hello.source };
    const key = keyOf(hello);
    this.#shown.set(key, shown);
    panel.onDidDispose(() => {
      if (this.#shown.get(key) === shown) this.#shown.delete(key);
    });
  }

  async #explain(shown: Shown, source: TransactionSource): Promise<ExplainResult> {
    const result = await (await this.deps.server()).sendRequest(explain, { source });
    shown.view = result.kind === 'explained' ? result.view : undefined;
    return result;
  }

  /** At the endpoint that the transaction was sent to, or simulated at. */
  async #simulate(shown: Shown): Promise<ExplainResult> {
    const { view, source } = shown;
    const { endpoint, responses, runs } = this.deps;
    const kept = source.kind === 'response' ? await responses.outcomeOf(source.place) : undefined;
    const name = kept?.endpoint ?? (await endpoint());
    const found = view === undefined || name === undefined ? '' : await simulated(runs(), view, name);
    if (typeof found === 'string') return { kind: 'none', reason: found };
    shown.source = found;
    return this.#explain(shown, found);
  }

  async #fees({ source, view }: Shown): Promise<FeesResult> {
    if (source.kind !== 'response' || view === undefined)
      return { kind: 'none', reason: vscode.l10n.t('Only a simulation has suggestions.') };
    return recentFees(this.#limits, source.place, view);
  }

  get #limits(): LimitDeps {
    const { responses, runs, server } = this.deps;
    return { responses, runs: runs(), server };
  }

  #act(shown: Shown, command: TransactionCommand): void {
    const { hello, source, view } = shown;
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
        const others = [...this.#shown.values()].filter((other) => other !== shown);
        void this.deps.compare(asShown(shown), others.map(asShown));
        break;
      }
      case 'use': {
        // Into the request that it came from, whatever was simulated of it since.
        const from = hello.source.kind === 'response' ? hello.source : source;
        if (from.kind === 'response') void writeLimit(this.#limits, from.place, command);
      }
    }
  }
}

const asShown = ({ hello, source }: Shown): TransactionHello => ({ ...hello, source });

const keyOf = ({ source }: TransactionHello): string => JSON.stringify(source);
