// Fees and limits for a transaction that was simulated: asks what others recently paid, and writes a number into the request.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { feeLevels, MAX_FEE_ACCOUNTS } from '../../core/solana/explain/recentFees';
import { parseJson } from '../../core/solana/json/json';
import {
  setLimit,
  type FeesResult,
  type MemberEdit,
  type SuggestionView,
  type TransactionView,
} from '../../protocol/explain';
import type { ResponsePlace } from '../../protocol/lsp';
import type { KeptOutcome, Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { Queue } from '../shared/queue';
import { askNode } from './askNode';

export interface LimitDeps {
  readonly responses: Pick<Responses, 'outcomeOf'>;
  readonly server: () => Promise<LanguageClient>;
}

/** A node answers with at most 150 slots. Bytes. */
const MAX_ANSWER = 100_000;

/** Recent fees of the accounts that the simulated transaction writes, at the endpoint that simulated it. */
export async function recentFees(
  { responses, runs }: { readonly responses: Responses; readonly runs: Runs },
  place: ResponsePlace,
  view: TransactionView,
): Promise<FeesResult> {
  const simulated = await responses.outcomeOf(place);
  if (simulated === undefined) return none(vscode.l10n.t('This simulation is no longer kept.'));
  const written = view.accounts.flatMap(({ address, isWritable }) =>
    address !== undefined && isWritable ? [address] : [],
  );
  const outcome = await askNode(runs, {
    method: 'getRecentPrioritizationFees',
    params: [written.slice(0, MAX_FEE_ACCOUNTS)],
    endpoint: simulated.endpoint,
    progress: vscode.l10n.t('Asking for recent fees'),
  });
  if (typeof outcome === 'string') return none(outcome);
  const levels = levelsIn(await responses.head(outcome, outcome.response, MAX_ANSWER));
  if (levels === undefined) return none(vscode.l10n.t('The node knows no recent fees of these accounts.'));
  return {
    kind: 'fees',
    levels: levels.map(({ percentile, microLamports }) => ({ percentile, microLamports: Number(microLamports) })),
  };
}

const none = (reason: string): FeesResult => ({ kind: 'none', reason });

function levelsIn(text: string): ReturnType<typeof feeLevels> {
  try {
    return feeLevels(parseJson(text));
  } catch {
    return undefined;
  }
}

/**
 * Writes numbers into requests, one after the other, however fast they are chosen: each edit is of the text that the one
 * before it left.
 */
export class LimitWriter {
  readonly #queue = new Queue();

  constructor(private readonly deps: LimitDeps) {}

  /**
   * Writes into the block that was simulated; the file is not saved. Resolves once it is written, or the user was informed why
   * not.
   */
  write(place: ResponsePlace, { member, value }: SuggestionView): Promise<void> {
    return this.#queue.add(() => this.#write(place, { member, value }));
  }

  async #write(place: ResponsePlace, suggestion: SuggestionView): Promise<void> {
    const simulated = await this.deps.responses.outcomeOf(place);
    const document = simulated === undefined ? undefined : await openedAt(vscode.Uri.parse(simulated.uri));
    const edits =
      simulated === undefined || document === undefined ? null : await this.#edits(document, simulated, suggestion);
    if (document === undefined || edits === null) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('There is no "$transaction" to write into where this one was simulated: simulate it again.'),
      );
      return;
    }
    const { member } = suggestion;
    const change = new vscode.WorkspaceEdit();
    for (const { range, newText } of edits) {
      const { start, end } = range;
      change.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
    }
    if (await vscode.workspace.applyEdit(change))
      vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is written into the request.', member), 5_000);
    else
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} could not be written into the request: the editor did not change the file.', member),
      );
  }

  /** Of the text as it is when they come; null where the block sends no `$transaction`. */
  async #edits(
    document: vscode.TextDocument,
    { uri, line }: KeptOutcome,
    suggestion: SuggestionView,
  ): Promise<readonly MemberEdit[] | null> {
    for (;;) {
      const { version } = document;
      const edits = await (await this.deps.server()).sendRequest(setLimit, { uri, line, ...suggestion });
      // Somebody typed meanwhile.
      if (document.version === version) return edits;
    }
  }
}

/** The server reads open files. Undefined where the file is gone. */
const openedAt = async (uri: vscode.Uri): Promise<vscode.TextDocument | undefined> =>
  vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
