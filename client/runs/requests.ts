// Commands for one request other than sending it: simulate, compare at two endpoints, copy as a command, paste one.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PastedRequest } from '../../core/requests/curl/read';
import { readAllCurl } from '../../core/requests/curl/several';
import { copyAs } from '../../protocol/lsp';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Profiles } from '../profiles/profiles';
import type { Responses } from '../responses/responses';
import type { Runs } from './runs';
import { offerTrust } from '../shared/refusal';
import { plain } from '../shared/words';
import type { CommandTable } from '../shared/command';
import { copyOneOf } from './copyAs';
import { offerAll } from './paste';
import { lensPlace } from './run';

export interface RequestCommandDeps {
  readonly runs: Runs;
  readonly responses: Responses;
  readonly profiles: Profiles;
  readonly endpoints: MissingEndpoint;
  readonly server: () => Promise<LanguageClient>;
  /** Offers to store the keys that a pasted command held. */
  readonly offerKeys: (pasted: PastedRequest) => Promise<void>;
}

export function requestCommands(deps: RequestCommandDeps): CommandTable {
  return {
    async simulate(uri, line) {
      const place = await lensPlace(uri, line);
      if (place !== undefined) await deps.runs.start(place.document, place.line, { variant: { kind: 'simulation' } });
    },
    async compareEndpoints(uri, line) {
      const place = await lensPlace(uri, line);
      if (place !== undefined) await compare(deps, place.document, place.line);
    },
    async copyAs(uri, line) {
      const place = await lensPlace(uri, line);
      if (place === undefined) return;
      const params = { uri: place.document.uri.toString(), line: place.line };
      await copyOneOf(await (await deps.server()).sendRequest(copyAs, params));
    },
    async pasteCurl() {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.languageId !== 'jsonrpc') return;
      const { blocks, reasons } = readAllCurl(await vscode.env.clipboard.readText());
      const [reason] = reasons;
      if (reason !== undefined) {
        await vscode.window.showWarningMessage(vscode.l10n.t('The clipboard contains no request: {0}', plain(reason)));
        return;
      }
      const { document, selection } = editor;
      const blank = document.lineAt(selection.active.line).isEmptyOrWhitespace;
      const at = blank ? selection.active : document.lineAt(document.lineCount - 1).range.end;
      const pasted = blocks.map((block) => block.text).join('\n');
      const text = at.character === 0 ? pasted : `\n\n${pasted}`;
      await editor.edit((edit) => edit.insert(at, text));
      await offerAll(blocks, deps.offerKeys);
    },
  };
}

/** The same request at two endpoints, and the difference of their answers. */
async function compare(
  { runs, responses, profiles, endpoints }: RequestCommandDeps,
  document: vscode.TextDocument,
  line: number,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return offerTrust();
  while (profiles.list().length < 2)
    if (!(await endpoints.another(vscode.l10n.t('Comparing takes two endpoints.')))) return;
  const names = profiles.list().map(({ profile }) => profile.name);
  const first = await pick(names, vscode.l10n.t('Compare: the first endpoint'));
  if (first === undefined) return;
  const others = names.filter((name) => name !== first);
  const second = await pick(others, vscode.l10n.t('Compare: the second endpoint'));
  if (second === undefined) return;
  const uris: vscode.Uri[] = [];
  for (const name of [first, second]) {
    const result = await runs.offering(document, [line], { variant: { kind: 'endpoint', name }, isShown: false });
    const outcome = result.kind === 'done' ? result.outcomes.at(-1) : undefined;
    if (outcome?.response === undefined) {
      const error = result.kind === 'refused' ? result.error : outcome?.error;
      const why = error?.message ?? vscode.l10n.t('There was no answer.');
      await vscode.window.showWarningMessage(`${plain(name)}: ${plain(why)}`);
      return;
    }
    uris.push(responses.refresh(outcome, outcome.response));
  }
  const title = vscode.l10n.t('{0} ↔ {1}', plain(first), plain(second));
  await vscode.commands.executeCommand('vscode.diff', uris[0], uris[1], title);
}

async function pick(names: readonly string[], title: string): Promise<string | undefined> {
  const rows = names.map((name) => ({ label: plain(name), name }));
  return (await vscode.window.showQuickPick(rows, { title }))?.name;
}
