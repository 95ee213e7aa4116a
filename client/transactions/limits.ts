// Fees and limits for a transaction that was simulated: asks what others recently paid, and writes a number into the request.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { feeLevels, MAX_FEE_ACCOUNTS } from '../../core/explain/recentFees';
import { parseJson } from '../../core/values/json/json';
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
import { askNode } from './askNode';

export interface LimitDeps {
  readonly responses: Responses;
  readonly runs: Runs;
  readonly server: () => Promise<LanguageClient>;
}

/** A node answers with at most 150 slots. Bytes. */
const MAX_ANSWER = 100_000;

/** Recent fees of the accounts that the simulated transaction writes, at the endpoint that simulated it. */
export async function recentFees(deps: LimitDeps, place: ResponsePlace, view: TransactionView): Promise<FeesResult> {
  const { responses, runs } = deps;
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
  if (outcome === undefined || typeof outcome === 'string') return none(outcome ?? '');
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

/** Writes a number into the block that was simulated; the file is not saved. */
export async function writeLimit(
  { responses, server }: LimitDeps,
  place: ResponsePlace,
  { member, value }: SuggestionView,
): Promise<void> {
  const simulated = await responses.outcomeOf(place);
  const edits = simulated === undefined ? null : await editsOf(server, simulated, { member, value });
  if (simulated === undefined || edits === null) {
    await vscode.window.showWarningMessage(
      vscode.l10n.t('There is no "$transaction" to write into where this one was simulated: simulate it again.'),
    );
    return;
  }
  const uri = vscode.Uri.parse(simulated.uri);
  const change = new vscode.WorkspaceEdit();
  for (const { range, newText } of edits) {
    const { start, end } = range;
    change.replace(uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  await vscode.workspace.applyEdit(change);
  vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is written into the request.', member), 5_000);
}

/** Null where the file is gone, or the block sends no `$transaction`. */
async function editsOf(
  server: LimitDeps['server'],
  { uri, line }: KeptOutcome,
  suggestion: SuggestionView,
): Promise<readonly MemberEdit[] | null> {
  // The server reads open files.
  const opened = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(undefined, () => undefined);
  return opened === undefined ? null : (await server()).sendRequest(setLimit, { uri, line, ...suggestion });
}
