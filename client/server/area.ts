// The language server of the window: started with the first request file, and kept up to date about the window.
import * as vscode from 'vscode';
import { windowChanged, type WindowState } from '../../protocol/lsp';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { Server, type ServerDeps } from './serverProcess';
import { WindowUpdates } from './windowUpdates';

export interface ServerPorts extends Pick<ServerDeps, 'answer' | 'deliver'> {
  readonly windowState: () => WindowState;
  /** Fires when the endpoints changed, which are a part of that state. */
  readonly onDidChangeProfiles: vscode.Event<void>;
}

export interface ServerArea {
  readonly server: Server;
  readonly commands: CommandTable;
}

export function createServer({ context, log, storage, own, later }: Host, ports: ServerPorts): ServerArea {
  const { answer, deliver, windowState, onDidChangeProfiles } = ports;
  const updates = new WindowUpdates(windowState);
  const server = own(
    new Server({
      module: context.asAbsolutePath('dist/server.js'),
      log,
      answer,
      deliver,
      initialization: () => ({ window: updates.initial(), storage }),
    }),
  );
  updates.connect(() => {
    const running = server.running();
    return running && ((state) => void running.sendNotification(windowChanged, state));
  });
  const changed = (): void => updates.changed();
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId === 'jsonrpc') server.ready().catch((error: unknown) => log.error(String(error)));
  };
  own(
    server.onDidChangeState((state) => {
      if (state === 'ready') updates.serverRuns();
    }),
  );
  own(onDidChangeProfiles(changed));
  own(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('http')) changed();
    }),
  );
  own(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  own(vscode.workspace.onDidOpenTextDocument(startFor));
  own(
    watchDocuments(() => void server.running()?.sendNotification('workspace/didChangeWatchedFiles', { changes: [] })),
  );
  later(() => vscode.workspace.textDocuments.forEach(startFor));
  return { server, commands: { restartServer: () => server.restart() } };
}

/** OpenRPC documents and rows of `@foreach` are files like any other: the server reads those that it needs again. */
function watchDocuments(changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.{json,csv}');
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  watcher.onDidDelete(changed);
  return watcher;
}
