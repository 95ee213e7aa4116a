// Send, send all, cancel: on the block a lens names, else on the one under the cursor.
import * as vscode from 'vscode';
import type { Runs } from './runs';
import type { CommandTable } from '../shared/command';

export function runCommands(runs: Runs): CommandTable {
  return {
    async send(uri, line, options) {
      const signature = signatureIn(uri);
      if (signature !== undefined) return ask(signature);
      const place = await lensPlace(uri, line);
      if (place !== undefined) await runs.start(place.document, place.line, { isAgain: isAgain(options) });
    },
    async sendAll() {
      const editor = editorInSight();
      if (editor === undefined) {
        vscode.window.setStatusBarMessage(vscode.l10n.t('Open the request file that you want to send.'), 5_000);
        return;
      }
      // The answers open next to this editor, not next to whichever was in front.
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      await runs.start(editor.document, undefined);
    },
    async updateSnapshot(uri, line) {
      const place = await lensPlace(uri, line);
      if (place !== undefined) await runs.start(place.document, place.line, { updatesSnapshots: true });
    },
    rerun: () => runs.rerun(),
    cancel(uri, line) {
      const named = typeof uri === 'string' ? uri : vscode.window.activeTextEditor?.document.uri.toString();
      if (named !== undefined) runs.cancel(named, typeof line === 'number' ? line : undefined);
    },
  };
}

/** The signature that the lens of a lost answer passes; anything else is a place in a file. */
function signatureIn(named: unknown): string | undefined {
  if (typeof named !== 'object' || named === null || !('lookUp' in named)) return undefined;
  const { lookUp: signature } = named;
  return typeof signature === 'string' && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature) ? signature : undefined;
}

/** The argument that the lens *Run Again* passes. */
const isAgain = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'again' in options && options.again === true;

/** Opens the question; it is sent when the user sends it. */
async function ask(signature: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content: lookUp(signature) });
  await vscode.window.showTextDocument(document);
}

/** The question that a lost answer leaves open. */
const lookUp = (signature: string): string => `### ${vscode.l10n.t('What became of the transaction')}
{
  "method": "getSignatureStatuses",
  "params": [["${signature}"], { "searchTransactionHistory": true }]
}
`;

/** The request file in front; with the walkthrough in front, the only request file next to it. */
function editorInSight(): vscode.TextEditor | undefined {
  const { activeTextEditor: active, visibleTextEditors } = vscode.window;
  const seen = visibleTextEditors.filter(({ document }) => document.languageId === 'jsonrpc');
  return seen.find((editor) => editor === active) ?? (seen.length === 1 ? seen[0] : undefined);
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly line: number;
}

/** The request that a lens names, else the one under the cursor. */
export async function lensPlace(uri: unknown, line: unknown): Promise<Place | undefined> {
  if (typeof uri === 'string' && typeof line === 'number') {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    return document.languageId === 'jsonrpc' ? { document, line } : undefined;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'jsonrpc') return undefined;
  return { document: editor.document, line: editor.selection.active.line };
}
