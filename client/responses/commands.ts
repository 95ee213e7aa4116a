// The commands for a response: compare it with the previous run, read it as a table, browse it, open all of it, save it.
import * as vscode from 'vscode';
import type { ResponsePlace } from '../../protocol/lsp';
import type { ResponsePanels } from './responsePanels';
import type { ResponseTexts } from './responseTexts';
import { runUri, SCHEME, showResponse, type KeptOutcome, type Responses } from './responses';
import { askWhere } from '../shared/saving';
import { plain } from '../shared/words';
import type { CommandTable } from '../shared/command';

export interface ResponseCommandDeps {
  readonly responses: Responses;
  readonly panels: ResponsePanels;
  readonly decoded: ResponseTexts;
  readonly exchanges: ResponseTexts;
}

export function responseCommands({ responses, panels, decoded, exchanges }: ResponseCommandDeps): CommandTable {
  const showPage = (name: 'table' | 'body', { response, title }: KeptOutcome): void =>
    panels.show(name, { place: response, title });
  /** Acts on the response named by a lens or row, else on the active one. */
  const withResponse =
    (act: (outcome: KeptOutcome) => unknown) =>
    async (named?: unknown): Promise<void> => {
      const uri = responseUriIn(named);
      const outcome = uri === undefined ? undefined : await responses.outcome(uri);
      if (outcome !== undefined) await act(outcome);
      else if (uri !== undefined)
        await vscode.window.showInformationMessage(vscode.l10n.t('This response is no longer kept.'));
    };
  return {
    diffWithPrevious: withResponse(async (outcome) => {
      const previous = await responses.previous(outcome.response);
      if (previous === undefined)
        await vscode.window.showInformationMessage(vscode.l10n.t('No earlier response of this request is kept.'));
      else await diffRuns(previous, outcome);
    }),
    openTable: withResponse(async (outcome) => {
      if (outcome.response.items !== undefined) showPage('table', outcome);
      else
        await vscode.window.showInformationMessage(vscode.l10n.t('This response contains no list to show as a table.'));
    }),
    decodeAccounts: withResponse(async (outcome) => {
      if (outcome.response.isDecodable === true) await decoded.show(outcome);
      else
        await vscode.window.showInformationMessage(
          vscode.l10n.t('This response contains neither accounts nor transactions.'),
        );
    }),
    browseResponse: withResponse(async (outcome) => {
      if (outcome.response.fullFile !== undefined) showPage('body', outcome);
      else await vscode.commands.executeCommand('vscode.open', runUri(outcome, outcome.response));
    }),
    openInFull: withResponse(({ response, ...outcome }) =>
      vscode.commands.executeCommand(
        'vscode.open',
        response.fullFile === undefined ? runUri(outcome, response) : vscode.Uri.file(response.fullFile),
      ),
    ),
    showExchange: withResponse((outcome) => exchanges.show(outcome)),
    saveResponse: withResponse(saveResponse),
  };
}

/** The difference of two kept runs, the earlier one on the left. */
export async function diffRuns(left: KeptOutcome, right: KeptOutcome): Promise<void> {
  const [before, after] = [left, right].sort((one, other) => one.response.at - other.response.at);
  if (before === undefined || after === undefined) return;
  const isHead = [before, after].some(({ response }) => response.fullFile !== undefined);
  const times = [before, after].map(({ response }) => new Date(response.at).toLocaleTimeString());
  const name = before.title === after.title ? plain(after.title) : `${plain(before.title)}, ${plain(after.title)}`;
  const title = isHead
    ? vscode.l10n.t('{0}: {1} ↔ {2} (only their beginnings)', name, ...times)
    : vscode.l10n.t('{0}: {1} ↔ {2}', name, ...times);
  await vscode.commands.executeCommand(
    'vscode.diff',
    runUri(before, before.response),
    runUri(after, after.response),
    title,
  );
}

/** Opens the response of one run, which a row of a report names. */
export async function openRunResponse(
  responses: Responses,
  { uri, response }: { readonly uri: string; readonly response?: ResponsePlace },
): Promise<void> {
  if (response === undefined) return;
  const outcome = await responses.outcomeOf(response);
  if (outcome !== undefined) await showResponse(runUri(outcome, outcome.response), vscode.Uri.parse(uri, true));
  else await vscode.window.showInformationMessage(vscode.l10n.t('This response is no longer kept.'));
}

/** The response's document that a command was called for. */
export function responseUriIn(named: unknown): vscode.Uri | undefined {
  const uri =
    typeof named === 'string'
      ? vscode.Uri.parse(named, true)
      : named instanceof vscode.Uri
        ? named
        : typeof named === 'object' && named !== null && 'uri' in named && named.uri instanceof vscode.Uri
          ? named.uri
          : vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === SCHEME ? uri : undefined;
}

/** The whole body, also where the document shows only its head. */
async function saveResponse(outcome: KeptOutcome): Promise<void> {
  const uri = runUri(outcome, outcome.response);
  const target = await askWhere(uri.path.slice(1), vscode.l10n.t('Save response'), { JSON: ['json'] });
  if (target === undefined) return;
  const { fullFile } = outcome.response;
  await vscode.workspace.fs.copy(fullFile === undefined ? uri : vscode.Uri.file(fullFile), target, { overwrite: true });
}
