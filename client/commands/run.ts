// Send, send all, cancel: on the block a lens names, else on the one under the cursor.
import * as vscode from 'vscode';
import type { Runs } from '../runs';
import type { CommandTable } from './command';

export function runCommands(runs: Runs): CommandTable {
  return {
    async send(uri, line) {
      const place = await placeOf(uri, line);
      if (place !== undefined) await runs.start(place.document, place.line);
    },
    async sendAll() {
      const place = await placeOf(undefined, undefined);
      if (place !== undefined) await runs.start(place.document, undefined);
    },
    cancel(uri, line) {
      const named = typeof uri === 'string' ? uri : vscode.window.activeTextEditor?.document.uri.toString();
      if (named !== undefined) runs.cancel(named, typeof line === 'number' ? line : undefined);
    },
  };
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
