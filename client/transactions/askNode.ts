// Asks a node what a panel of a transaction needs, as a request that is kept like any other. Only where the user asks for it.
import * as vscode from 'vscode';
import { offerTrust } from '../shared/refusal';
import { plain } from '../shared/words';
import type { KeptOutcome } from '../responses/responses';
import type { Runs } from '../runs/runs';

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

/** The outcome with its kept response, or the reason for its absence; undefined if the workspace has to be trusted first. */
export async function askNode(runs: Runs, question: NodeQuestion): Promise<KeptOutcome | string | undefined> {
  const { method, params, directive = '', endpoint, progress } = question;
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
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
