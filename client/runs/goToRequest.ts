// Finds the request that a kept response answers, wherever edits have moved it, and brings it up.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { blocks, type BlocksResult, type ExecuteOutcome } from '../../protocol/lsp';

/** What is known of a request that was sent: its file, its title and the zero-based line that it began on. */
export type SentPlace = Pick<ExecuteOutcome, 'uri' | 'line' | 'title'>;

export interface RequestPlace {
  readonly document: vscode.TextDocument;
  readonly line: number;
}

/** Undefined, after a word to the user, where the file or the request is not there any more. */
export async function requestPlace(
  server: () => Promise<LanguageClient>,
  sent: SentPlace,
): Promise<RequestPlace | undefined> {
  const document = await documentAt(sent.uri);
  if (document === undefined) {
    await vscode.window.showInformationMessage(vscode.l10n.t('The file of this request is not there any more.'));
    return undefined;
  }
  const params = { uri: sent.uri, text: document.getText() };
  const found = blockOf(await (await server()).sendRequest(blocks, params), sent);
  if (found !== undefined) return { document, line: found.line };
  await vscode.window.showInformationMessage(vscode.l10n.t('This request is not in its file any more.'));
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

async function documentAt(uri: string): Promise<vscode.TextDocument | undefined> {
  // One that was never saved is there while it is open, and is not created again.
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
  const { scheme } = vscode.Uri.parse(uri, true);
  if (open !== undefined || scheme === 'untitled') return open;
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)).then(
    (document) => document,
    () => undefined,
  );
}

/** The nearest one of this title; a variant has its mark behind the title. */
function blockOf(all: BlocksResult, { title, line }: SentPlace): BlocksResult[number] | undefined {
  const titled = all.filter(({ name, title: own }) => {
    const called = name ?? own;
    return title === called || title.startsWith(`${called} (`);
  });
  return titled.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0];
}
