// The editor's questions about a file, answered by the language core. Keeps the open documents up to date and tells
// diagnostics to clients that do not ask for them. Sends nothing to any endpoint.
import {
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  CompletionResolveRequest,
  DiagnosticRefreshRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  PublishDiagnosticsNotification,
  WorkspaceSymbolRequest,
  InlayHintRefreshRequest,
  type ClientCapabilities,
  type CodeAction,
  type CodeLens,
  type Connection,
  type Position,
  type ServerCapabilities,
  type TextDocumentIdentifier,
} from './lsp';
import { parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';
import { placeAt } from '../core/document/lines';
import type { AnswersPort } from '../core/language/answers';
import { CodeActionKind } from '../core/language/kinds';
import { createLanguageService } from '../core/language/service';
import type { EndpointProfile } from '../core/profile';
import type { FilePort } from '../runner/ports';
import {
  blocks,
  copyAs,
  destination,
  listMethods,
  validate,
  type BlocksParams,
  type CopyAsParams,
  type CopyAsResult,
  type DestinationParams,
  type DestinationResult,
  type ListMethodsParams,
  type ValidateParams,
} from '../protocol/lsp';
import { Completions } from './completions';
import type { Documents } from './documents';
import { capabilitiesOfEditing, serveEditing } from './editing';
import { importsOf, uriOf, type Imported } from './imports';
import { withCancel, type Running } from './lenses';
import type { Log } from './log';
import { profileNamed, profileVariables } from './profiles';
import { findingsOf, methodsLike } from './modelTools';
import type { Window } from './window';

export interface LanguageDeps {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly files: FilePort;
  readonly window: Window;
  readonly running: Running;
  readonly answers: AnswersPort;
  readonly log: Log;
  /** What an editor that is not ours can carry out; undefined for our own. */
  readonly adapter: Adapter | undefined;
}

/** Fits lenses and actions to an editor that knows none of our client's commands. */
export interface Adapter {
  lenses(lenses: readonly CodeLens[]): CodeLens[];
  /** Actions for the request at a position, beside the quick fixes. */
  actions(document: RequestDocument, position: Position): CodeAction[];
}

/**
 * `empty` for a file that is not open; else the answer, with what the file imports at hand. With the reach `open` all
 * open files are: they may use its names.
 */
export type Ask = <T>(
  document: TextDocumentIdentifier,
  empty: T,
  answer: (document: RequestDocument) => T,
  reach?: 'file' | 'open',
) => Promise<T>;

export interface Language {
  capabilities(client: ClientCapabilities): ServerCapabilities;
  /** What files mean may have changed: profiles bring variables, trust brings imports. */
  refresh(): void;
  /** The first lines of the requests of an open file; of those that hold one of `lines` where these are given. */
  requestLines(uri: string, lines: readonly number[] | undefined): readonly number[];
}

export function serveLanguage(deps: LanguageDeps): Language {
  const { connection, documents, files, window, running, answers, log } = deps;
  let pulls = false;
  let refreshes = false;
  let redrawsHints = false;
  let resolves = false;
  const completions = new Completions();
  /** Read ahead for each question, since names are looked up at once. */
  let imports: Imported | undefined;
  const service = createLanguageService({
    surroundings: () => ({
      profile: profileVariables(window, undefined),
      ...(imports !== undefined && { imports }),
    }),
    documents: () => imports?.documents ?? [],
    resolve: uriOf,
    answers,
    log: (message) => log('error', message),
  });

  const ask: Ask = async ({ uri }, empty, answer, reach = 'file') => {
    const document = documents.get(uri);
    if (document === undefined) return empty;
    const port = await importsOf(reach === 'file' ? [document] : documents.all(), documents, files);
    // The file may have changed while others were read; the answer is for the text as it is now.
    const current = documents.get(uri);
    if (current === undefined) return empty;
    imports = port;
    return answer(current);
  };

  /** The endpoint that the block at a line goes to. */
  const profileAt = (document: RequestDocument, line: number): EndpointProfile | undefined => {
    const { settings } = placeAt(document, line).placed.block;
    return profileNamed(window, settings.endpoint ?? document.first.settings.endpoint)?.profile;
  };

  const publish = async (uri: string): Promise<void> => {
    const version = documents.get(uri)?.version;
    const diagnostics = await ask({ uri }, [], (document) => service.diagnostics(document));
    if (documents.get(uri)?.version !== version) return;
    await connection.sendNotification(PublishDiagnosticsNotification.type, { uri, diagnostics });
  };
  const changed = (uri: string): void => {
    if (!pulls) void publish(uri);
  };

  connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument: { uri, version, text } }) => {
    documents.open(uri, version, text);
    changed(uri);
  });
  connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) => {
    documents.change(textDocument.uri, textDocument.version, contentChanges);
    changed(textDocument.uri);
  });
  connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
    documents.close(uri);
    changed(uri);
  });

  connection.onRequest(DocumentDiagnosticRequest.type, async ({ textDocument }) => ({
    kind: DocumentDiagnosticReportKind.Full,
    items: await ask(textDocument, [], (document) => service.diagnostics(document)),
  }));
  connection.onRequest(CompletionRequest.type, async ({ textDocument, position }) => {
    const items = await ask(textDocument, [], (document) => service.completion(document, position));
    return resolves ? completions.brief(items) : items;
  });
  connection.onRequest(CompletionResolveRequest.type, (item) => completions.resolve(item));
  connection.onRequest(HoverRequest.type, ({ textDocument, position }) =>
    ask(textDocument, null, (document) => service.hover(document, position) ?? null),
  );
  connection.onRequest(CodeActionRequest.type, ({ textDocument, range, context }) => {
    const isAsked = (kind: string): boolean =>
      context.only?.some((one) => kind === one || kind.startsWith(`${one}.`)) === true;
    const quick = context.only === undefined || isAsked(CodeActionKind.QuickFix);
    return ask(textDocument, [], (document) => [
      ...(quick ? service.codeActions(document, range) : []),
      ...(isAsked(CodeActionKind.SourceFixAll) ? service.codeActions(document, range, true) : []),
      ...(deps.adapter?.actions(document, range.start) ?? []),
    ]);
  });
  connection.onRequest(DocumentSymbolRequest.type, ({ textDocument }) =>
    ask(textDocument, [], (document) => service.symbols(document)),
  );
  connection.onRequest(FoldingRangeRequest.type, ({ textDocument }) =>
    ask(textDocument, [], (document) => service.folding(document)),
  );
  connection.onRequest(CodeLensRequest.type, ({ textDocument }) =>
    ask(textDocument, [], (document) => {
      const lenses = withCancel(service.codeLenses(document), document.uri, running);
      return deps.adapter?.lenses(lenses) ?? lenses;
    }),
  );
  connection.onRequest(WorkspaceSymbolRequest.type, async ({ query }) => {
    imports = await importsOf(documents.all(), documents, files);
    return service.workspaceSymbols(query);
  });
  serveEditing(connection, service, ask, () => window.state.settings.inlayHints);
  connection.onRequest(copyAs, async ({ uri, line }: CopyAsParams) => {
    const { copyOffers } = await import('../core/language/copyAs');
    return ask<CopyAsResult>({ uri }, { kind: 'refused', reason: 'The file is not open.' }, (document) =>
      service.copies(document, line, profileAt(document, line), copyOffers),
    );
  });
  connection.onRequest(destination, ({ uri, line }: DestinationParams) =>
    ask<DestinationResult>(
      { uri },
      null,
      (document) => service.destination(document, line, profileAt(document, line)) ?? null,
    ),
  );
  connection.onRequest(listMethods, ({ query }: ListMethodsParams) => methodsLike(query));
  connection.onRequest(validate, ({ text }: ValidateParams) => findingsOf(service, text));
  connection.onRequest(blocks, ({ uri, text }: BlocksParams) => service.blocks(parseDocument(uri, 0, text)));

  return {
    capabilities(client) {
      pulls = client.textDocument?.diagnostic !== undefined;
      refreshes = client.workspace?.diagnostics?.refreshSupport === true;
      const lazy = client.textDocument?.completion?.completionItem?.resolveSupport?.properties ?? [];
      resolves = lazy.includes('documentation');
      redrawsHints = client.workspace?.inlayHint?.refreshSupport === true;
      return {
        codeLensProvider: {},
        completionProvider: {
          resolveProvider: true,
          triggerCharacters: ['"', '{', '@', '$', '[', ',', ':', ' ', '?', '.'],
        },
        hoverProvider: true,
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        workspaceSymbolProvider: true,
        ...capabilitiesOfEditing,
        codeActionProvider: {
          codeActionKinds: [
            CodeActionKind.QuickFix,
            CodeActionKind.SourceFixAll,
            ...(deps.adapter === undefined ? [] : [CodeActionKind.Source]),
          ],
        },
        ...(pulls && { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } }),
      };
    },
    requestLines(uri, lines) {
      const document = documents.get(uri);
      const all = document === undefined ? [] : service.blocks(document);
      return all
        .filter((block) => lines === undefined || lines.some((line) => block.line <= line && line <= block.endLine))
        .map((block) => block.line);
    },
    refresh() {
      if (redrawsHints) void connection.sendRequest(InlayHintRefreshRequest.type).catch(() => undefined);
      if (!pulls) documents.all().forEach(({ uri }) => void publish(uri));
      // A client that is closing asks for nothing any more.
      else if (refreshes) void connection.sendRequest(DiagnosticRefreshRequest.type).catch(() => undefined);
    },
  };
}
