// The part of the extension that every area gets: its context, log and storage, and when its parts start and end.
import * as vscode from 'vscode';
import { Contexts } from './contexts';
import { storageFor } from './storage';

export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly contexts: Contexts;
  /** The folder on disk that the windows on the opened folder share. */
  readonly storage: string;
  /** The same if a folder is open, else undefined. */
  readonly place: string | undefined;
  /** Disposes a part with the extension, before the parts it was made of. */
  readonly own: <T extends vscode.Disposable>(part: T) => T;
  /** Defers reads and server start until activation has returned. */
  readonly later: (work: () => void) => void;
}

export function createHost(context: vscode.ExtensionContext): Host {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.unshift(part);
    return part;
  };
  const shared = context.globalStorageUri.fsPath;
  const storage = storageFor(shared, {
    file: vscode.workspace.workspaceFile,
    folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  });
  return {
    context,
    log: own(vscode.window.createOutputChannel('Solana RPC', { log: true })),
    contexts: own(new Contexts()),
    storage,
    place: storage === shared ? undefined : storage,
    own,
    later(work) {
      const first = setImmediate(work);
      own({ dispose: () => clearImmediate(first) });
    },
  };
}
