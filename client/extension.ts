// The extension's entry: puts the parts of the client together. Starts, opens and connects nothing before it is needed.
import * as vscode from 'vscode';
import { Server } from './serverProcess';
import type { WindowState } from '../protocol/lsp';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Solana RPC', { log: true });
  const server = new Server({
    module: context.asAbsolutePath('dist/server.js'),
    log,
    answer: ({ id }) => Promise.resolve({ kind: 'denied', id, reason: 'none' }),
    initialization: () => ({ window: windowState(), storage: context.globalStorageUri.fsPath }),
    attach: () => undefined,
  });
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId === 'jsonrpc') server.ready().catch((error: unknown) => log.error(String(error)));
  };
  context.subscriptions.push(log, server, vscode.workspace.onDidOpenTextDocument(startFor));
  vscode.workspace.textDocuments.forEach(startFor);
}

function windowState(): WindowState {
  return {
    trusted: vscode.workspace.isTrusted,
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath),
    profiles: [],
    endpoint: undefined,
    settings: { responseInlineBytes: 8_000_000, respectPlan: true },
  };
}
