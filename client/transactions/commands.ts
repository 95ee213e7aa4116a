// "Explain Transaction": of a response, of the text under the cursor, of what the user types, or of a file. Only a signature
// is looked up, as a getTransaction request that is kept like any other. "Compare With": finds the other transaction alike.
import * as vscode from 'vscode';
import { isSignature } from '../../core/solana/chain/keys';
import { TRANSACTION_METHODS } from '../../protocol/explain';
import { MAX_GIVEN } from '../../protocol/pageLimits';
import { record } from '../../protocol/shapes';
import type { TransactionHello } from '../../protocol/transactionPanel';
import type { CommandTable } from '../shared/command';
import { plain } from '../shared/words';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Profiles } from '../profiles/profiles';
import { responseUriIn } from '../responses/commands';
import type { KeptOutcome, Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { askNode } from './askNode';
import { encodedUnder, shortSignature, sourceOf } from './found';

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
      const hello = typeof given === 'string' ? await helloOf(deps, given) : given;
      if (hello !== undefined) await deps.show(hello);
    },
  };
}

export interface CompareDeps extends Omit<TransactionCommandDeps, 'show'> {
  readonly compare: (first: TransactionHello, second: TransactionHello) => Promise<void>;
}

/** Compares a transaction with another that is shown, or that the user names. */
export async function compareWith(
  deps: CompareDeps,
  first: TransactionHello,
  shown: readonly TransactionHello[],
): Promise<void> {
  const second = await ask(vscode.l10n.t('Compare with'), shown);
  const hello = typeof second === 'string' ? await helloOf(deps, second) : second;
  if (hello !== undefined) await deps.compare(first, hello);
}

/** Of a signature, once it is looked up, or of a transaction as text. */
async function helloOf(
  deps: Omit<TransactionCommandDeps, 'show'>,
  given: string,
): Promise<TransactionHello | undefined> {
  if (isSignature(given)) return lookUp(deps, given);
  return { source: { kind: 'text', text: given }, title: vscode.l10n.t('Transaction') };
}

/** Finds what to show: a source with its title, or a text that is a signature or a transaction. */
async function givenOf(
  { responses }: TransactionCommandDeps,
  named: unknown,
): Promise<TransactionHello | string | undefined> {
  if (typeof named === 'string' && !named.startsWith('solana-response:')) return named;
  const row = rowIn(named);
  if (row !== undefined) return row;
  const editor = vscode.window.activeTextEditor;
  const underCursor = editor === undefined || named !== undefined ? undefined : encodedUnder(editor);
  if (underCursor !== undefined) return underCursor;
  const uri = responseUriIn(named);
  const outcome = uri === undefined ? undefined : await responses.outcome(uri);
  if (outcome !== undefined && TRANSACTION_METHODS.has(outcome.method))
    return { source: sourceOf(outcome), title: titleOf(outcome) };
  return ask(vscode.l10n.t('Explain transaction'), []);
}

const titleOf = ({ title }: KeptOutcome): string => vscode.l10n.t('{0}: transaction', plain(title));

const streamRow = record({ id: 'string', number: 'number' });

/** A row that the page of a stream names. */
function rowIn(named: unknown): TransactionHello | undefined {
  const row = streamRow(named);
  if (row === undefined) return undefined;
  return { source: { kind: 'row', ...row }, title: vscode.l10n.t('Transaction of update {0}', row.number) };
}

interface Choice extends vscode.QuickPickItem {
  readonly hello?: TransactionHello;
}

/** `shown`: transactions that can be chosen as they are. */
async function ask(title: string, shown: readonly TransactionHello[]): Promise<TransactionHello | string | undefined> {
  const file: Choice = { label: vscode.l10n.t('From a file…') };
  const typed: Choice = { label: vscode.l10n.t('A signature, or a transaction in base64 or base58…') };
  const open = shown.map((hello): Choice => ({ label: plain(hello.title), hello }));
  const chosen = await vscode.window.showQuickPick([...open, typed, file], { title });
  if (chosen === undefined) return undefined;
  if (chosen.hello !== undefined) return chosen.hello;
  if (chosen === file) return fromFile(title);
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Only a signature is looked up, at the active endpoint.'),
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

async function fromFile(title: string): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title })) ?? [];
  if (file === undefined) return undefined;
  if ((await vscode.workspace.fs.stat(file)).size <= MAX_GIVEN)
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim();
  await vscode.window.showWarningMessage(vscode.l10n.t('The file is too large for a transaction.'));
  return undefined;
}

/** The name of the active endpoint; asks the user for one if it is missing. */
export async function activeEndpoint({
  endpoints,
  profiles,
}: Pick<TransactionCommandDeps, 'endpoints' | 'profiles'>): Promise<string | undefined> {
  return (await endpoints.settle()) ? profiles.active()?.profile.name : undefined;
}

/** Requests the transaction from the active endpoint; a transaction that was only just sent takes a moment. */
async function lookUp(
  deps: Omit<TransactionCommandDeps, 'show'>,
  signature: string,
): Promise<TransactionHello | undefined> {
  const endpoint = await activeEndpoint(deps);
  if (endpoint === undefined) return undefined;
  const outcome = await askNode(deps.runs, {
    method: 'getTransaction',
    params: [signature, { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
    directive: '# @retry 6 every 500ms while result isNull',
    endpoint,
    progress: vscode.l10n.t('Looking the transaction up'),
  });
  if (typeof outcome !== 'string')
    return { source: sourceOf(outcome), title: vscode.l10n.t('Transaction {0}', shortSignature(signature)) };
  if (outcome !== '')
    await vscode.window.showWarningMessage(vscode.l10n.t('The transaction could not be looked up: {0}', outcome));
  return undefined;
}
