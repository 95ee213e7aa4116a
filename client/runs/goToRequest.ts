// Finds the request that a kept response answers, wherever edits have moved it, and brings it up or sends it again.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { blocks, type BlocksResult, type ExecuteOutcome } from '../../protocol/lsp';
import type { Runs } from './runs';

/** The place of a request that was sent: its file, its name or title and the zero-based line that it began on. */
export type SentPlace = Pick<ExecuteOutcome, 'uri' | 'line' | 'title' | 'block'>;

interface RequestPlace {
  readonly document: vscode.TextDocument;
  readonly line: number;
}

/** Undefined, after a word to the user, where the file or the request is not there any more. */
async function requestPlace(server: () => Promise<LanguageClient>, sent: SentPlace): Promise<RequestPlace | undefined> {
  const document = await documentAt(sent.uri);
  if (document === undefined) {
    await vscode.window.showInformationMessage(vscode.l10n.t('The file of this request no longer exists.'));
    return undefined;
  }
  const params = { uri: sent.uri, text: document.getText() };
  const found = blockOf(await (await server()).sendRequest(blocks, params), sent);
  if (found !== undefined) return { document, line: found.line };
  await vscode.window.showInformationMessage(vscode.l10n.t('This request is no longer in its file.'));
  return undefined;
}

/** Brings a request up, with the cursor on its first line. */
export async function goToRequest(server: () => Promise<LanguageClient>, sent: SentPlace): Promise<void> {
  const place = await requestPlace(server, sent);
  if (place === undefined) return;
  const { document, line } = place;
  const start = new vscode.Position(line, 0);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(start, start),
    ...(shown?.viewColumn !== undefined && { viewColumn: shown.viewColumn }),
  });
}

/** Sends a request as its file has it now and as it was sent then: what was simulated is simulated again, never sent. */
export async function sendAgain(
  server: () => Promise<LanguageClient>,
  runs: Pick<Runs, 'start'>,
  sent: SentPlace & Pick<ExecuteOutcome, 'variant'>,
): Promise<void> {
  const place = await requestPlace(server, sent);
  const { variant } = sent;
  if (place !== undefined) await runs.start(place.document, place.line, variant === undefined ? {} : { variant });
}

async function documentAt(uri: string): Promise<vscode.TextDocument | undefined> {
  // An untitled document exists only while it is open and must not be recreated.
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
  const { scheme } = vscode.Uri.parse(uri, true);
  if (open !== undefined || scheme === 'untitled') return open;
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)).then(
    (document) => document,
    () => undefined,
  );
}

/** The nearest one of this name or title. */
function blockOf(all: BlocksResult, { title, block = title, line }: SentPlace): BlocksResult[number] | undefined {
  const called = all.filter(({ name, title: own }) => (name ?? own) === block);
  // A simulation has no separate name: it is called by the title.
  const found = called.length > 0 ? called : all.filter(({ title: own }) => own === block);
  return found.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0];
}
