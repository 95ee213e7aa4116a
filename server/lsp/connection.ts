// The connection to the editor: vscode-languageserver over stdio, with exact numbers on the way out and a checked session
// on the way in. Keys never cross it; the IPC channel that carries them is not LSP's.
import {
  createConnection,
  StreamMessageWriter,
  TextDocuments,
  type Connection,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver/node';
import { applyEdit, parseDocument } from '../../core/requests/document/document';
import type { RequestDocument } from '../../core/requests/document/model';
import { exactEncoder } from './exact';
import { SessionReader } from './session';

/** The open files as parsed documents, kept up to date edit by edit. */
export type Documents = TextDocuments<RequestDocument>;

/**
 * A connection over this process's standard streams. Reader and writer are given, so that no argument of the process can
 * choose another transport.
 */
export function connect(): Connection {
  const writer = new StreamMessageWriter(process.stdout, { charset: 'utf-8', contentTypeEncoder: exactEncoder });
  return createConnection(new SessionReader(process.stdin, writer), writer);
}

export const openDocuments = (): Documents =>
  new TextDocuments({
    create: (uri, _language, version, text) => parseDocument(uri, version, text),
    update: (document, changes, version) =>
      changes.reduce((before, change) => changed(before, change, version), document),
  });

const changed = (document: RequestDocument, change: TextDocumentContentChangeEvent, version: number): RequestDocument =>
  'range' in change
    ? applyEdit(document, version, change.range, change.text)
    : parseDocument(document.uri, version, change.text);
