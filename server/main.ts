// The language server's entry: puts its parts on one connection. LSP on stdio, keys on the IPC channel. Never logs to stdout.
import { hasChannel } from './parent';
import { createConnection, ProposedFeatures, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { windowChanged, type InitializationOptions, type WindowState } from '../protocol/lsp';
import { createLog } from './log';
import { Window } from './window';

/** Set by the bundler from package.json. */
declare const PRODUCT_VERSION: string;

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const window = new Window();
const log = createLog(connection, (text) => text);

connection.onInitialize((params) => {
  const options = params.initializationOptions as InitializationOptions | undefined;
  if (options !== undefined) window.update(options.window);
  return {
    serverInfo: { name: 'solana-rpc', version: PRODUCT_VERSION },
    capabilities: { textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental } },
  };
});
connection.onInitialized(() =>
  log('info', `Server ${PRODUCT_VERSION} is ready${hasChannel ? '' : ' (no key channel)'}.`),
);
connection.onNotification(windowChanged, (state: WindowState) => window.update(state));
connection.onDidOpenTextDocument(() => undefined);
connection.listen();
