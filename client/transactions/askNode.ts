// Asks a node what a panel of a transaction needs, a simulation for example, as requests that are kept like any other. Only
// where the user asks for it.
import * as vscode from 'vscode';
import { offerTrust } from '../shared/refusal';
import { plain } from '../shared/words';
import type { KeptOutcome } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { simulationRequests } from '../../core/solana/explain/simulationRequests';
import type { TransactionSource, TransactionView } from '../../protocol/explain';

export interface NodeQuestion {
  readonly method: string;
  readonly params: readonly unknown[];
  /** A directive of the request, with its `#`. */
  readonly directive?: string;
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** While it is asked. */
  readonly progress: string;
}

/** The outcome with its kept response, or the reason for its absence; empty if the user was shown it. */
export async function askNode(runs: Runs, question: NodeQuestion): Promise<KeptOutcome | string> {
  const { method, params, directive = '', endpoint, progress } = question;
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return '';
  }
  const place = { uri: vscode.Uri.from({ scheme: 'solana-explain', path: `/${method}` }), version: 0 };
  const text = `### ${method}\n${directive}\n${JSON.stringify({ method, params })}\n`;
  const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: progress }, () =>
    runs.execute(place, undefined, { variant: { kind: 'text', text, endpoint } }),
  );
  const outcome = result.kind === 'refused' ? undefined : result.outcomes.at(-1);
  const error = result.kind === 'refused' ? result.error : outcome?.error;
  const { response } = outcome ?? {};
  if (outcome === undefined || response === undefined || error !== undefined)
    return error === undefined ? vscode.l10n.t('There was no answer.') : plain(error.message);
  return { ...outcome, response };
}

/**
 * Asks for the accounts of a transaction as they are, then for a simulation that answers with them. Returns the kept simulation
 * with the accounts before it, or the reason for its failure. `endpoint`: its name.
 */
export async function simulated(
  runs: Runs,
  { wire, accounts }: TransactionView,
  endpoint: string,
): Promise<Extract<TransactionSource, { kind: 'response' }> | string> {
  if (wire === undefined) return vscode.l10n.t('The bytes of this transaction are not known.');
  const { before, simulation } = simulationRequests(wire, accounts);
  const asked = { endpoint, progress: vscode.l10n.t('Simulating the transaction') };
  const held = await askNode(runs, { ...before, ...asked });
  if (typeof held === 'string') return held;
  const run = await askNode(runs, { ...simulation, ...asked });
  return typeof run === 'string' ? run : { kind: 'response', place: run.response, before: held.response };
}
