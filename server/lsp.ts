// LSP's methods, as far as this server speaks them, and a connection that keeps LSP's life cycle. In place of
// vscode-languageserver, which builds every method of the protocol at its start; the types are the protocol's own.
import {
  createMessageConnection,
  NotificationType,
  RequestType,
  RequestType0,
  type Logger,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import type * as lsp from 'vscode-languageserver-protocol';

export { ErrorCodes, ResponseError, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
export type { CancellationToken, ContentTypeEncoder, Message } from 'vscode-jsonrpc/node';
export type {
  ClientCapabilities,
  CodeAction,
  CodeLens,
  InitializeParams,
  InitializeResult,
  MessageActionItem,
  Position,
  ServerCapabilities,
  TextDocumentContentChangeEvent,
  TextDocumentIdentifier,
} from 'vscode-languageserver-protocol';

/** How a client sends changes: the whole text, or what changed. */
export const TextDocumentSyncKind = { Incremental: 2 } as const satisfies Partial<typeof lsp.TextDocumentSyncKind>;
export const DocumentDiagnosticReportKind = { Full: 'full' } as const satisfies Partial<
  typeof lsp.DocumentDiagnosticReportKind
>;
export const MessageType = { Error: 1, Warning: 2, Info: 3, Log: 4, Debug: 5 } as const satisfies Partial<
  typeof lsp.MessageType
>;
export type MessageType = (typeof MessageType)[keyof typeof MessageType];

/** A method of the protocol, as its library describes it. */
interface Method {
  readonly method: string;
  readonly type: object;
}

/** The name is checked against the protocol's types; what it takes and answers is only known to the compiler. */
const request = <M extends Method>(method: M['method']): Pick<M, 'type'> => ({ type: new RequestType(method) });
/** A request without parameters. */
const bare = <M extends Method>(method: M['method']): Pick<M, 'type'> => ({ type: new RequestType0(method) });
const notification = <M extends Method>(method: M['method']): Pick<M, 'type'> => ({
  type: new NotificationType(method),
});

export const CodeActionRequest = request<typeof lsp.CodeActionRequest>('textDocument/codeAction');
export const CodeLensRequest = request<typeof lsp.CodeLensRequest>('textDocument/codeLens');
export const CompletionRequest = request<typeof lsp.CompletionRequest>('textDocument/completion');
export const CompletionResolveRequest = request<typeof lsp.CompletionResolveRequest>('completionItem/resolve');
export const DefinitionRequest = request<typeof lsp.DefinitionRequest>('textDocument/definition');
export const DocumentDiagnosticRequest = request<typeof lsp.DocumentDiagnosticRequest>('textDocument/diagnostic');
export const DocumentFormattingRequest = request<typeof lsp.DocumentFormattingRequest>('textDocument/formatting');
export const DocumentHighlightRequest = request<typeof lsp.DocumentHighlightRequest>('textDocument/documentHighlight');
export const DocumentLinkRequest = request<typeof lsp.DocumentLinkRequest>('textDocument/documentLink');
export const DocumentOnTypeFormattingRequest = request<typeof lsp.DocumentOnTypeFormattingRequest>(
  'textDocument/onTypeFormatting',
);
export const DocumentRangeFormattingRequest =
  request<typeof lsp.DocumentRangeFormattingRequest>('textDocument/rangeFormatting');
export const DocumentSymbolRequest = request<typeof lsp.DocumentSymbolRequest>('textDocument/documentSymbol');
export const ExecuteCommandRequest = request<typeof lsp.ExecuteCommandRequest>('workspace/executeCommand');
export const FoldingRangeRequest = request<typeof lsp.FoldingRangeRequest>('textDocument/foldingRange');
export const HoverRequest = request<typeof lsp.HoverRequest>('textDocument/hover');
export const InlayHintRequest = request<typeof lsp.InlayHintRequest>('textDocument/inlayHint');
export const LinkedEditingRangeRequest = request<typeof lsp.LinkedEditingRangeRequest>(
  'textDocument/linkedEditingRange',
);
export const PrepareRenameRequest = request<typeof lsp.PrepareRenameRequest>('textDocument/prepareRename');
export const ReferencesRequest = request<typeof lsp.ReferencesRequest>('textDocument/references');
export const RenameRequest = request<typeof lsp.RenameRequest>('textDocument/rename');
export const SelectionRangeRequest = request<typeof lsp.SelectionRangeRequest>('textDocument/selectionRange');
export const SemanticTokensRangeRequest = request<typeof lsp.SemanticTokensRangeRequest>(
  'textDocument/semanticTokens/range',
);
export const SemanticTokensRequest = request<typeof lsp.SemanticTokensRequest>('textDocument/semanticTokens/full');
export const ShowDocumentRequest = request<typeof lsp.ShowDocumentRequest>('window/showDocument');
export const ShowMessageRequest = request<typeof lsp.ShowMessageRequest>('window/showMessageRequest');
export const SignatureHelpRequest = request<typeof lsp.SignatureHelpRequest>('textDocument/signatureHelp');
export const WorkspaceSymbolRequest = request<typeof lsp.WorkspaceSymbolRequest>('workspace/symbol');

export const CodeLensRefreshRequest = bare<typeof lsp.CodeLensRefreshRequest>('workspace/codeLens/refresh');
export const DiagnosticRefreshRequest = bare<typeof lsp.DiagnosticRefreshRequest>('workspace/diagnostic/refresh');
export const InlayHintRefreshRequest = bare<typeof lsp.InlayHintRefreshRequest>('workspace/inlayHint/refresh');

export const DidChangeTextDocumentNotification =
  notification<typeof lsp.DidChangeTextDocumentNotification>('textDocument/didChange');
export const DidChangeWatchedFilesNotification = notification<typeof lsp.DidChangeWatchedFilesNotification>(
  'workspace/didChangeWatchedFiles',
);
export const DidCloseTextDocumentNotification =
  notification<typeof lsp.DidCloseTextDocumentNotification>('textDocument/didClose');
export const DidOpenTextDocumentNotification =
  notification<typeof lsp.DidOpenTextDocumentNotification>('textDocument/didOpen');
export const LogMessageNotification = notification<typeof lsp.LogMessageNotification>('window/logMessage');
export const PublishDiagnosticsNotification = notification<typeof lsp.PublishDiagnosticsNotification>(
  'textDocument/publishDiagnostics',
);
export const ShowMessageNotification = notification<typeof lsp.ShowMessageNotification>('window/showMessage');

/** How often a client that gave its process id is looked for: one that was killed says no goodbye. */
const PARENT_CHECK_MS = 3_000;

export interface Connection extends Pick<
  MessageConnection,
  'onRequest' | 'onNotification' | 'sendRequest' | 'sendNotification'
> {
  onInitialize(handler: (params: lsp.InitializeParams) => lsp.InitializeResult): void;
  onInitialized(handler: () => void): void;
  /** What is to end before the process does. */
  onShutdown(handler: () => Promise<void>): void;
  /** From here on messages are read; handlers are there before. */
  listen(): void;
}

/** A connection over streams that ends this process as LSP has it: at `exit`, or when the client's process is gone. */
export function createConnection(reader: MessageReader, writer: MessageWriter): Connection {
  const tell = (type: MessageType, message: string): void => {
    // A connection that is closing takes no more lines; there is nobody left to read them.
    connection.sendNotification(LogMessageNotification.type, { type, message }).catch(() => undefined);
  };
  const logger: Logger = {
    error: (message) => tell(MessageType.Error, message),
    warn: (message) => tell(MessageType.Warning, message),
    info: (message) => tell(MessageType.Info, message),
    log: (message) => tell(MessageType.Log, message),
  };
  const connection = createMessageConnection(reader, writer, logger);
  let isShutDown = false;
  const end = (): never => process.exit(isShutDown ? 0 : 1);
  connection.onNotification('exit', end);
  return {
    onRequest: connection.onRequest.bind(connection),
    onNotification: connection.onNotification.bind(connection),
    sendRequest: connection.sendRequest.bind(connection),
    sendNotification: connection.sendNotification.bind(connection),
    onInitialize(handler) {
      connection.onRequest('initialize', (params: lsp.InitializeParams) => {
        watchParent(params.processId, end);
        return handler(params);
      });
    },
    onInitialized: (handler) => void connection.onNotification('initialized', () => handler()),
    onShutdown(handler) {
      connection.onRequest('shutdown', async () => {
        isShutDown = true;
        await handler();
        return null;
      });
    },
    listen: () => connection.listen(),
  };
}

/** Calls `gone` once no process has this id any more. */
function watchParent(id: number | null, gone: () => void): void {
  if (id === null) return;
  const timer = setInterval(() => {
    try {
      process.kill(id, 0);
    } catch {
      gone();
    }
  }, PARENT_CHECK_MS);
  timer.unref();
}
