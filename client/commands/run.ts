// Send, send all, cancel: on the block a lens names, else on the one under the cursor.
import * as vscode from 'vscode';
import { SCHEME, type Responses } from '../responses';
import type { Runs } from '../runs';
import type { CommandTable } from './command';

export function runCommands(runs: Runs, responses: Responses): CommandTable {
  return {
    async send(uri, line) {
      const place = await placeOf(uri, line);
      if (place !== undefined) await runs.start(place.document, place.line);
    },
    async sendAll() {
      const place = await placeOf(undefined, undefined);
      if (place !== undefined) await runs.start(place.document, undefined);
    },
    rerun: () => runs.rerun(),
    async saveResponse(named) {
      const uri =
        typeof named === 'string' ? vscode.Uri.parse(named, true) : vscode.window.activeTextEditor?.document.uri;
      if (uri?.scheme === SCHEME) await saveResponse(responses, uri);
    },
    async lookUpSignature(signature) {
      if (typeof signature !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return;
      const document = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content: lookUp(signature) });
      await vscode.window.showTextDocument(document);
    },
    cancel(uri, line) {
      const named = typeof uri === 'string' ? uri : vscode.window.activeTextEditor?.document.uri.toString();
      if (named !== undefined) runs.cancel(named, typeof line === 'number' ? line : undefined);
    },
  };
}

/** The question that a lost answer leaves open; it is sent when the user sends it. */
const lookUp = (signature: string): string => `### ${vscode.l10n.t('What became of the transaction')}
{
  "method": "getSignatureStatuses",
  "params": [["${signature}"], { "searchTransactionHistory": true }]
}
`;

/** The whole body, also where the document shows only its head. */
async function saveResponse(responses: Responses, uri: vscode.Uri): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = uri.path.slice(1);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save response'),
    filters: { JSON: ['json'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return;
  const whole = (await responses.outcome(uri))?.response?.fullFile;
  await vscode.workspace.fs.copy(whole === undefined ? uri : vscode.Uri.file(whole), target, { overwrite: true });
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly line: number;
}

async function placeOf(uri: unknown, line: unknown): Promise<Place | undefined> {
  if (typeof uri === 'string' && typeof line === 'number') {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    return document.languageId === 'jsonrpc' ? { document, line } : undefined;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'jsonrpc') return undefined;
  return { document: editor.document, line: editor.selection.active.line };
}
