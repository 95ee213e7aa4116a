// The editor's questions about a file, answered by the language core. A question that goes wrong answers empty and is
// logged once; nothing here sends anything.
import {
  CodeLensRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type ClientCapabilities,
  type Connection,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import type { Documents } from './documents';
import { lensesOf, type Running } from './lenses';
import type { Log } from './log';
import type { Window } from './window';

export interface LanguageDeps {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly window: Window;
  readonly running: Running;
  readonly log: Log;
}

export interface Language {
  capabilities(client: ClientCapabilities): ServerCapabilities;
  /** What files mean may have changed: profiles bring variables. */
  refresh(): void;
}

export function serveLanguage({ connection, documents, running, log }: LanguageDeps): Language {
  const complained = new Set<string>();
  /** Answers `empty` when `work` throws; says so once per feature. */
  const guarded = <T>(feature: string, empty: T, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!complained.has(feature)) log('error', `${feature}: ${error instanceof Error ? error.stack : 'failed'}`);
      complained.add(feature);
      return empty;
    }
  };

  connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument: { uri, version, text } }) => {
    documents.open(uri, version, text);
  });
  connection.onNotification(
    DidChangeTextDocumentNotification.type,
    ({ textDocument: { uri, version }, contentChanges }) => {
      documents.change(uri, version, contentChanges);
    },
  );
  connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => documents.close(uri));
  connection.onRequest(CodeLensRequest.type, ({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    return guarded('code lenses', [], () => (document === undefined ? [] : lensesOf(document, running)));
  });

  return {
    capabilities: () => ({ codeLensProvider: {} }),
    refresh: () => undefined,
  };
}
