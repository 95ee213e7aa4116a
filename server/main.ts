// The language server's entry: puts its parts on one connection. LSP on stdio, keys on the IPC channel. Never writes to
// stdout but through the connection.
import { hasChannel } from './parent';
import { randomUUID } from 'node:crypto';
import {
  CodeLensRefreshRequest,
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  type CancellationToken,
  type InitializeParams,
  type InitializeResult,
} from './lsp';
import * as lsp from '../protocol/lsp';
import { Documents } from './documents';
import type { ExecuteDeps } from './execute';
import { createFiles } from './files';
import { Keys, processChannel } from './keys';
import { serveLanguage } from './language';
import { Running } from './lenses';
import { createLog } from './log';
import { Results } from './results';
import { Transports } from './transports';
import { Window } from './window';

/** Set by the bundler from package.json. */
declare const PRODUCT_VERSION: string;

const connection = createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
const window = new Window();
const keys = new Keys(processChannel());
const log = createLog(connection, (text) => keys.redact(text));
const documents = new Documents();
const files = createFiles(window, (uri) => documents.get(uri)?.lines.join('\n'));
const transports = new Transports(window, keys);

connection.onInitialize((params): InitializeResult => {
  const options = params.initializationOptions as lsp.InitializationOptions | undefined;
  if (options !== undefined) {
    window.update(options.window);
    serveRuns(options.storage, refreshLenses(params));
  }
  return {
    serverInfo: { name: 'solana-rpc', version: PRODUCT_VERSION },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      ...language.capabilities(params.capabilities),
    },
  };
});
connection.onInitialized(() => log('info', `Server ${PRODUCT_VERSION} is ready${hasChannel ? '' : ', without keys'}.`));
connection.onNotification(lsp.windowChanged, (state: lsp.WindowState) => {
  window.update(state);
  language.refresh();
});
connection.onShutdown(() => transports.close());

/** Blocks that run have another lens; without the client's support they keep the one they had. */
let drawLenses = (): void => undefined;
const running = new Running(() => drawLenses());
const language = serveLanguage({ connection, documents, files, window, running, log });

function refreshLenses({ capabilities }: InitializeParams): () => void {
  if (capabilities.workspace?.codeLens?.refreshSupport !== true) return () => undefined;
  // A client that is closing draws nothing any more.
  return () => void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
}

/** What the client can ask for beyond LSP; every answer is data, an error among them. Read in when first asked for. */
function serveRuns(storage: string, refresh: () => void): void {
  drawLenses = refresh;
  const deps: ExecuteDeps = {
    window,
    documents,
    files,
    keys,
    transports,
    results: new Results(storage, (text) => keys.redact(text)),
    prompt: async (name, label) =>
      (await connection.sendRequest<string | null>(lsp.prompt, { name, label } satisfies lsp.PromptParams)) ??
      undefined,
    confirm: (question) => connection.sendRequest<boolean>(lsp.confirm, { question } satisfies lsp.ConfirmParams),
    onProgress: (params) => void connection.sendNotification(lsp.progress, params),
  };
  connection.onRequest(lsp.execute, async (params: lsp.ExecuteParams, token: CancellationToken) => {
    const done = running.mark(params.uri, language.requestLines(params.uri, params.lines));
    try {
      const { execute } = await import('./execute');
      return await execute(deps, params, signalOf(token));
    } finally {
      done();
    }
  });
  connection.onRequest(lsp.usage, async (params: lsp.UsageParams, token: CancellationToken) => {
    const { askUsage } = await import('./usage');
    return askUsage(window, transports, params, Math.floor(Date.now() / 1000), signalOf(token));
  });
  connection.onRequest(lsp.testKey, async (params: lsp.TestKeyParams, token: CancellationToken) => {
    const port = params.candidate === undefined ? keys : keys.candidate(params.candidate);
    const { testKey } = await import('./testKey');
    return testKey(window, transports, port, params, signalOf(token));
  });
  connection.onRequest(lsp.rotateLocalKey, async (params: lsp.RotateLocalKeyParams, token: CancellationToken) => {
    const { rotateLocalKey } = await import('./localAdmin');
    return rotateLocalKey(window, keys, params, randomUUID(), signalOf(token));
  });
}

/** `$/cancelRequest` as the signal that reaches the socket. */
function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

connection.listen();
