// The panels of transactions: one for each place that a transaction was found at, brought up again rather than opened
// twice, and restored with the window. The page asks; the server explains; only a simulation
// and a look at recent fees send something, each for its button.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { explain, type ExplainResult, type FeesResult, type TransactionSource } from '../../protocol/explain';
import type { ReadBy } from '../../protocol/shapes';
import {
  keptTransaction,
  transactionAsk,
  transactionCommand,
  type SimulatedView,
  type TransactionAnswer,
  type TransactionAsk,
  type TransactionCommand,
  type TransactionHello,
  type TransactionUpdate,
} from '../../protocol/transactionPanel';
import { openWithResponse } from '../shared/editorGroups';
import type { PageDeps } from '../shared/page';
import { Panels } from '../shared/panels';
import { plain } from '../shared/words';
import type { Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { simulated } from './askNode';
import { LimitWriter, recentFees } from './limits';
import type { ReplayAsk } from './replays';
import { ShownTransaction } from './shownTransaction';

export interface TransactionPanelDeps extends PageDeps {
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  readonly responses: Responses;
  readonly runs: Runs;
  /** The name of the active endpoint; undefined where the user chose none. */
  readonly endpoint: () => Promise<string | undefined>;
  /** Opens the whole log of a transaction as a text. */
  readonly openLog: (hello: TransactionHello) => Promise<void>;
  /** Compares a transaction with another that the user chooses; `shown`: those of the other panels. */
  readonly compare: (hello: TransactionHello, shown: readonly TransactionHello[]) => Promise<void>;
}

/** The transaction of a panel: what it was opened with, and what it shows. */
interface Shown {
  readonly hello: TransactionHello;
  readonly content: ShownTransaction;
}

const CHANGED: TransactionUpdate = { kind: 'changed' };

export class TransactionPanels implements vscode.Disposable {
  readonly #panels: Panels<Shown, TransactionAsk, TransactionCommand>;
  readonly #limits: LimitWriter;
  readonly #asked = new vscode.EventEmitter<ReplayAsk>();

  /** Fires with what the user wants of a replay. */
  readonly onDidAskReplay = this.#asked.event;

  constructor(private readonly deps: TransactionPanelDeps) {
    this.#limits = new LimitWriter(deps);
    this.#panels = new Panels({
      ...deps,
      name: 'transaction',
      type: 'solanaRpc.transaction',
      key: ({ hello }) => keyOf(hello),
      restore: (state) => {
        const kept = keptTransaction(state);
        return kept && this.#content(kept);
      },
      serve: ({ content: shown }) => ({
        hello: () => shown.hello,
        asks: {
          shape: transactionAsk,
          answer: async ({ kind }): Promise<TransactionAnswer> => {
            if (kind === 'fees') return this.#fees(shown);
            return kind === 'simulate' ? this.#simulate(shown) : shown.content.load();
          },
        },
        command: transactionCommand,
        onCommand: (command) => this.#act(shown, command),
      }),
    });
  }

  dispose(): void {
    this.#panels.dispose();
    this.#asked.dispose();
  }

  async show(hello: TransactionHello): Promise<void> {
    const known = this.#panels.of(keyOf(hello));
    if (known !== undefined) {
      known.post(CHANGED);
      known.panel.reveal();
      return;
    }
    await openWithResponse(undefined, async (viewColumn) =>
      this.#panels.open(this.#content(hello), plain(hello.title), { viewColumn }),
    );
  }

  /** More is known of programs: what is shown is explained again. */
  decodeAgain(): void {
    for (const { post } of this.#panels.all) post(CHANGED);
  }

  #content({ shown, ...hello }: ReadBy<typeof keptTransaction>): Shown {
    const load = async (source: TransactionSource): Promise<ExplainResult> =>
      (await this.deps.server()).sendRequest(explain, { source });
    return { hello, content: new ShownTransaction(hello.source, load, shown) };
  }

  /** The name of the endpoint that the transaction was sent to, or looked up or simulated at. */
  async #endpointOf({ content: { source } }: Shown): Promise<string | undefined> {
    return source.kind === 'response' ? (await this.deps.responses.outcomeOf(source.place))?.endpoint : undefined;
  }

  async #simulate(shown: Shown): Promise<ExplainResult | SimulatedView> {
    const { content } = shown;
    const { view } = content;
    const { endpoint, runs } = this.deps;
    const name = (await this.#endpointOf(shown)) ?? (await endpoint());
    const found = view === undefined || name === undefined ? '' : await simulated(runs, view, name);
    if (typeof found === 'string') return { kind: 'none', reason: found };
    const result = await content.move(found);
    return result.kind === 'explained' ? { ...result, kind: 'simulated', source: found } : result;
  }

  async #fees({ content: { source, view } }: Shown): Promise<FeesResult> {
    if (source.kind !== 'response' || view === undefined)
      return { kind: 'none', reason: vscode.l10n.t('Only a simulation has suggestions.') };
    return recentFees(this.deps, source.place, view);
  }

  async #act(shown: Shown, command: TransactionCommand): Promise<void> {
    const { source, view } = shown.content;
    switch (command.kind) {
      case 'copy':
        return vscode.env.clipboard.writeText(command.text);
      case 'copyLog': {
        const call = view?.calls.find(({ path }) => path === command.path);
        if (call !== undefined) await vscode.env.clipboard.writeText(call.logs.join('\n'));
        return;
      }
      case 'openLog':
        return this.deps.openLog(asShown(shown));
      case 'watch':
        return vscode.commands.executeCommand('solanaRpc.watchAccount', command.address);
      case 'fetchIdl':
        return vscode.commands.executeCommand('solanaRpc.fetchIdl', command.program, await this.#endpointOf(shown));
      case 'lookUp':
        return vscode.commands.executeCommand('solanaRpc.explainTransaction', command.signature);
      case 'replay':
        return vscode.commands.executeCommand('solanaRpc.replayTransaction', command.signature);
      case 'replayAgain':
      case 'renewReplay':
      case 'saveReplay':
        if (source.kind === 'replay') this.#asked.fire({ kind: command.kind, source, view });
        return;
      case 'compare': {
        const others = this.#panels.all.map(({ content }) => content).filter((other) => other !== shown);
        return this.deps.compare(asShown(shown), others.map(asShown));
      }
      case 'use': {
        // Writes to the request that the panel was opened from, even if it was simulated since.
        const from = shown.hello.source.kind === 'response' ? shown.hello.source : source;
        if (from.kind === 'response') await this.#limits.write(from.place, command);
      }
    }
  }
}

const asShown = ({ hello, content: { source } }: Shown): TransactionHello => ({ ...hello, source });

/** A replay that was changed or renewed keeps its id, and so its panel. */
const keyOf = ({ source }: TransactionHello): string =>
  source.kind === 'replay' ? `replay ${source.id}` : JSON.stringify(source);
