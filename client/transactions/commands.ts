// "Explain Transaction": of a response, of the text under the cursor, of what the user types, or of a file. Only a signature
// is looked up, as a getTransaction request that is kept like any other.
import * as vscode from 'vscode';
import { isSignature } from '../../core/values/solana/keys';
import { TRANSACTION_METHODS, type TransactionSource } from '../../protocol/explain';
import { MAX_GIVEN, type TransactionHello } from '../../protocol/transactionPanel';
import type { CommandTable } from '../app/command';
import { plain } from '../app/words';
import type { MissingEndpoint } from '../endpoints/missingEndpoint';
import type { Profiles } from '../endpoints/profiles';
import { responseUriIn } from '../responses/commands';
import type { KeptOutcome, Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { askNode } from './askNode';
import { encodedAt } from './underCursor';

export interface TransactionCommandDeps {
  readonly responses: Responses;
  readonly runs: Runs;
  readonly endpoints: MissingEndpoint;
  readonly profiles: Profiles;
  readonly show: (hello: TransactionHello) => Promise<void>;
}

export function transactionCommands(deps: TransactionCommandDeps): CommandTable {
  return {
    async explainTransaction(named) {
      const given = await givenOf(deps, named);
      if (given === undefined) return;
      if (typeof given !== 'string') await deps.show(given);
      else if (isSignature(given)) await lookUp(deps, given);
      else await deps.show({ source: { kind: 'text', text: given }, title: vscode.l10n.t('Transaction') });
    },
  };
}

/** What to show, or a text that is a signature or a transaction. */
async function givenOf(
  { responses }: TransactionCommandDeps,
  named: unknown,
): Promise<TransactionHello | string | undefined> {
  if (typeof named === 'string' && !named.startsWith('solana-response:')) return named;
  const row = rowIn(named);
  if (row !== undefined) return row;
  const editor = vscode.window.activeTextEditor;
  const underCursor = editor === undefined || named !== undefined ? undefined : encodedAt(editor);
  if (underCursor !== undefined) return underCursor;
  const uri = responseUriIn(named);
  const outcome = uri === undefined ? undefined : await responses.outcome(uri);
  if (outcome !== undefined && TRANSACTION_METHODS.has(outcome.method))
    return { source: sourceOf(outcome), title: titleOf(outcome) };
  return ask();
}

const sourceOf = ({ response: { request, run } }: KeptOutcome): TransactionSource => ({
  kind: 'response',
  place: { request, run },
});

const titleOf = ({ title }: KeptOutcome): string => vscode.l10n.t('{0}: transaction', plain(title));

/** A row that the page of a stream names. */
function rowIn(named: unknown): TransactionHello | undefined {
  if (typeof named !== 'object' || named === null || !('id' in named) || !('number' in named)) return undefined;
  const { id, number } = named;
  if (typeof id !== 'string' || typeof number !== 'number') return undefined;
  return { source: { kind: 'row', id, number }, title: vscode.l10n.t('Transaction of update {0}', number) };
}

async function ask(): Promise<string | undefined> {
  const file = vscode.l10n.t('From a file…');
  const typed = vscode.l10n.t('A signature, or a transaction in base64 or base58…');
  const chosen = await vscode.window.showQuickPick([typed, file], { title: vscode.l10n.t('Explain transaction') });
  if (chosen === file) return fromFile();
  if (chosen !== typed) return undefined;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Explain transaction'),
    prompt: vscode.l10n.t('Only a signature is looked up, at the active endpoint.'),
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

async function fromFile(): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Explain transaction') })) ?? [];
  if (file === undefined) return undefined;
  if ((await vscode.workspace.fs.stat(file)).size <= MAX_GIVEN)
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim();
  await vscode.window.showWarningMessage(vscode.l10n.t('The file is too large for a transaction.'));
  return undefined;
}

/** Asks the active endpoint for the transaction; one that was only just sent takes a moment. */
async function lookUp({ runs, endpoints, profiles, show }: TransactionCommandDeps, signature: string): Promise<void> {
  if (!(await endpoints.settle())) return;
  const endpoint = profiles.active()?.profile.name;
  if (endpoint === undefined) return;
  const outcome = await askNode(runs, {
    method: 'getTransaction',
    params: [signature, { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
    directive: '# @retry 6 every 500ms while result isNull',
    endpoint,
    progress: vscode.l10n.t('Looking the transaction up'),
  });
  if (typeof outcome === 'string')
    await vscode.window.showWarningMessage(vscode.l10n.t('The transaction could not be looked up: {0}', outcome));
  else if (outcome !== undefined) await show({ source: sourceOf(outcome), title: vscode.l10n.t('Transaction') });
}
