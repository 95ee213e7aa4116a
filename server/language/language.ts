// Answers the editor's requests about a file with the language core. Keeps the open documents up to date and pushes
// diagnostics to clients that do not pull them. Sends nothing to any endpoint.
import {
  CodeActionKind,
  type ClientCapabilities,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Connection,
  type HoverParams,
  type Position,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { parseDocument } from '../../core/requests/document/document';
import type { RequestDocument } from '../../core/requests/document/model';
import { placeAt } from '../../core/requests/document/lines';
import type { AnswersPort } from '../../core/requests/language/answers';
import { createLanguageService } from '../../core/requests/language/service';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { FilePort } from '../../runner/ports';
import type { MemberEdit } from '../../core/requests/language/features/transactionMembers';
import { setLimit } from '../../protocol/explain';
import type { CopyOffers } from '../../core/requests/language/features/copyAs';
import {
  blocks,
  checkPrompt,
  copyAs,
  destination,
  listMethods,
  requestLines,
  validate,
  type DestinationResult,
} from '../../protocol/lsp';
import { Completions } from './completions';
import { capabilitiesOfEditing, serveEditing } from './editing';
import type { ProgramTable } from './programTable';
import { importsOf, uriOf, type Imported } from '../lsp/imports';
import { RowFiles } from './rowFiles';
import type { UsedAnswers } from '../run/reuse';
import { usedLenses, withCancel, type Running } from './lenses';
import type { Log } from '../lsp/log';
import type { Documents } from '../lsp/connection';
import { PushedDiagnostics } from './pushed';
import { requireMembers, type InFile, type Serve } from '../lsp/serve';
import type { EndpointValues } from '../../core/requests/document/variables/variables';
import { holdsTransactions, profileFacts } from '../../core/requests/document/packs';
import { LOCAL_PROFILE, type PlacedProfile } from '../../core/service/profiles/profile';
import { environmentVariables, packsOf, profileNamed, profileVariables } from '../profiles';
import { encodedWordAt } from '../explain/encodedWord';
import type { JsonValue } from '../../core/solana/json/json';
import type { MethodTable } from '../../core/requests/methods';
import { checkAnswer } from '../../core/requests/tools/check';
import { methodsLike } from '../../core/requests/tools/methods';
import { MAX_TEXT } from '../../core/requests/tools/limits';
import type { Window } from '../window';

export interface LanguageDeps {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly files: FilePort;
  readonly window: Window;
  readonly running: Running;
  readonly answers: AnswersPort;
  /** The methods that are known now. */
  readonly methods: () => MethodTable;
  /** The answers that the requests of a file read if they are sent now. */
  readonly usedAnswers: (document: RequestDocument, imports: Imported) => Promise<readonly UsedAnswers[]>;
  /** The IDLs that transactions are checked against. */
  readonly programs: ProgramTable;
  readonly log: Log;
  readonly serve: Serve;
  /** The adapter for another editor; undefined for our own. */
  readonly adapter: Adapter | undefined;
}

/** Fits lenses and actions to an editor that knows none of our client's commands. */
export interface Adapter {
  lenses(lenses: readonly CodeLens[]): CodeLens[];
  /** Actions for the request at a position, in addition to the quick fixes. */
  actions(document: RequestDocument, position: Position): CodeAction[];
}

export interface Language {
  capabilities(client: ClientCapabilities): ServerCapabilities;
  /** The meaning of files may have changed: profiles add variables, trust allows imports. */
  refresh(): void;
  /** The first lines of the requests of an open file; of those that hold one of `lines` where these are given. */
  requestLines(uri: string, lines: readonly number[] | undefined): readonly number[];
  /** Which parameter the value of a `@prompt` of an open file fills. */
  promptHint(uri: string, name: string): string | undefined;
}

/** Facts about an endpoint: its packs, and its answers. The local service has methods of several releases. */
function factsOf(answers: AnswersPort, placed: PlacedProfile | undefined): EndpointValues {
  const agave = placed === undefined || placed.source === 'local' ? undefined : answers.release(placed.profile.name);
  const slot = placed === undefined ? undefined : answers.newestSlot?.(placed.profile.name, Date.now());
  return {
    ...profileFacts(placed?.profile),
    ...(agave === undefined ? {} : { agave }),
    ...(slot === undefined ? {} : { slot }),
    ...(placed !== undefined && answers.chain !== undefined && { chain: answers.chain(placed.profile.name) }),
  };
}

/** The endpoints that a file may name. Before the window has said which there are, nobody knows. */
function endpointNames({ state }: Window): { readonly endpoints?: readonly string[] } {
  const names = state.profiles.map(({ profile }) => profile.name);
  return names.length === 0 ? {} : { endpoints: [...names, LOCAL_PROFILE] };
}

/** The last outcomes of a file's named requests. */
const heldAnswers = (answers: AnswersPort, document: RequestDocument): readonly JsonValue[] =>
  document.blocks.flatMap(({ block: { settings } }) => {
    const name = settings.name?.text;
    const body = name === undefined ? undefined : answers.lastAnswer(document.uri, name)?.body;
    return body === undefined ? [] : [body];
  });

export function serveLanguage(deps: LanguageDeps): Language {
  const { connection, documents, files, window, running, answers, methods, log, serve } = deps;
  let pulls = false;
  let refreshes = false;
  let redrawsHints = false;
  let resolves = false;
  const completions = new Completions();
  /** Read ahead for each question, since names are looked up at once. */
  let imports: Imported | undefined;
  const rowFiles = new RowFiles(files, () => window.permit().ok);
  const service = createLanguageService({
    surroundings: (document) => ({
      environment: environmentVariables(window),
      profile: profileVariables(window, undefined),
      packs: packsOf(window),
      methods: holdsTransactions(document) ? deps.programs.with(methods()) : methods(),
      endpoint: (name) => factsOf(answers, profileNamed(window, name)),
      ...endpointNames(window),
      ...(imports !== undefined && { imports }),
    }),
    documents: () => imports?.documents ?? [],
    files: rowFiles,
    resolve: uriOf,
    answers,
    now: Date.now,
    copies: deps.adapter === undefined,
    log: (message) => log('error', message),
  });
  const failed = once((message) => log('error', message));

  /** Queries an open file once its imports are read; returns `empty` on failure. */
  async function ask<T>(uri: string, empty: T, answer: (document: RequestDocument) => T, roots = [uri]): Promise<T> {
    try {
      const port = await importsOf(
        roots.flatMap((root) => documents.get(root) ?? []),
        documents,
        files,
      );
      const before = documents.get(uri);
      if (before !== undefined && holdsTransactions(before)) await deps.programs.load();
      if (before !== undefined) await rowFiles.load(before);
      // The file may have changed while others were read; the answer is for the text as it is now.
      const document = documents.get(uri);
      if (document === undefined) return empty;
      imports = port;
      return answer(document);
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      return empty;
    }
  }

  const inFile: InFile =
    (members, empty, answer, reach = 'file') =>
    (params) => {
      requireMembers(params, ['textDocument', ...members]);
      const { uri } = params.textDocument;
      return ask(uri, empty, (document) => answer(document, params), reach === 'file' ? [uri] : documents.keys());
    };

  /** The endpoint of the block at a line. */
  const profileAt = (document: RequestDocument, line: number): EndpointProfile | undefined => {
    const { settings } = placeAt(document, line).placed.block;
    return profileNamed(window, settings.endpoint ?? document.first.settings.endpoint)?.profile;
  };

  const pushed = new PushedDiagnostics((uri) => void publish(uri));
  async function publish(uri: string): Promise<void> {
    const before = documents.get(uri);
    const diagnostics = await ask(uri, [], (document) => service.diagnostics(document));
    // A text that changed meanwhile is described after its own pause.
    if (documents.get(uri) !== before) return;
    await connection.sendDiagnostics({ uri, diagnostics, ...(before && { version: before.version }) });
  }
  documents.onDidOpen(({ document: { uri } }) => pulls || pushed.now(uri));
  documents.onDidChangeContent(({ document: { uri } }) => pulls || pushed.soon(uri));
  documents.onDidClose(({ document: { uri } }) => pulls || pushed.now(uri));

  connection.languages.diagnostics.on(
    inFile([], { kind: 'full', items: [] }, (document) => ({ kind: 'full', items: service.diagnostics(document) })),
  );
  connection.onCompletion(
    inFile(['position'], [], (document, { position }) => {
      const offered = service.completion(document, position);
      const items = deps.adapter === undefined ? offered : offered.map(withoutCommand);
      return resolves ? completions.brief(items) : items;
    }),
  );
  connection.onCompletionResolve((item) => {
    requireMembers(item, ['label']);
    return completions.resolve(item);
  });
  const hovered = inFile(['position'], null, (document, { position }: HoverParams) => ({
    hover: service.hover(document, position),
    word: encodedWordAt(document.lines, position),
    held: heldAnswers(answers, document),
  }));
  connection.onHover(async (params) => {
    const found = await hovered(params);
    if (found?.word === undefined) return found?.hover ?? null;
    const { withSummary } = await import('../explain/hover');
    return withSummary({ ...found, word: found.word, programs: await deps.programs.known() }) ?? null;
  });
  connection.onCodeAction(
    inFile(['range', 'context'], [], (document, { range, context }) => {
      const isAsked = (kind: string): boolean =>
        context.only?.some((one) => kind === one || kind.startsWith(`${one}.`)) === true;
      const quick = context.only === undefined || isAsked(CodeActionKind.QuickFix);
      return [
        ...(quick ? service.codeActions(document, range) : []),
        ...(isAsked(CodeActionKind.SourceFixAll) ? service.codeActions(document, range, true) : []),
        ...(deps.adapter?.actions(document, range.start) ?? []),
      ];
    }),
  );
  connection.onDocumentSymbol(inFile([], [], (document) => service.symbols(document)));
  connection.onFoldingRanges(inFile([], [], (document) => service.folding(document)));
  const lensesOf = inFile([], [], (document) => {
    const usual = withCancel(service.codeLenses(document), document.uri, running);
    return deps.adapter?.lenses(usual) ?? usual;
  });
  connection.onCodeLens(async (params) => {
    const lenses = await lensesOf(params);
    const { uri } = params.textDocument;
    const document = documents.get(uri);
    if (document === undefined || lenses.length === 0 || deps.adapter !== undefined) return lenses;
    const used = await deps.usedAnswers(document, await importsOf([document], documents, files));
    return [...lenses, ...usedLenses(uri, used, running, new Date())];
  });
  connection.onWorkspaceSymbol(async (params) => {
    requireMembers(params, ['query']);
    imports = await importsOf(documents.all(), documents, files);
    return service.workspaceSymbols(params.query);
  });
  serveEditing(connection, service, inFile, () => {
    const { settings } = window.state;
    return {
      lamports: settings['inlayHints.lamports'],
      units: settings['inlayHints.units'],
      addresses: settings['inlayHints.addresses'],
      defaults: settings['inlayHints.defaults'],
    };
  });
  serve(copyAs, async ({ uri, line }) => {
    const { copyOffers } = await import('../../core/requests/language/features/copyAs');
    return ask<CopyOffers>(uri, { kind: 'refused', reason: 'The file is not open.' }, (document) =>
      service.copies(document, line, profileAt(document, line), copyOffers),
    );
  });
  serve(setLimit, async ({ uri, line, member, value }) => {
    const { transactionMemberEdits } = await import('../../core/requests/language/features/transactionMembers');
    const written = member === 'priorityFee' ? { microLamports: value } : value;
    return ask<readonly MemberEdit[] | null>(
      uri,
      null,
      (document) => transactionMemberEdits(document, line, { [member]: written }) ?? null,
    );
  });
  serve(destination, ({ uri, line }) =>
    ask<DestinationResult>(
      uri,
      null,
      (document) => service.destination(document, line, profileAt(document, line)) ?? null,
    ),
  );
  serve(checkPrompt, ({ uri, name, text }) =>
    ask<string | null>(uri, null, (document) => service.promptFault(document, name, text) ?? null),
  );
  serve(listMethods, ({ query }) => methodsLike(methods(), query));
  serve(
    validate,
    ({ text }) => checkAnswer(service, parseDocument('untitled:checked.jsonrpc', 0, text.slice(0, MAX_TEXT))).findings,
  );
  serve(blocks, ({ uri, text }) => service.blocks(parseDocument(uri, 0, text)));

  const beginnings = (uri: string, lines: readonly number[] | undefined): readonly number[] => {
    const document = documents.get(uri);
    const all = document === undefined ? [] : service.blocks(document);
    return all
      .filter((block) => lines === undefined || lines.some((line) => block.line <= line && line <= block.endLine))
      .map((block) => block.line);
  };
  serve(requestLines, ({ uri, lines }) => beginnings(uri, lines));

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
    requestLines: beginnings,
    promptHint(uri, name) {
      const document = documents.get(uri);
      return document === undefined ? undefined : service.promptHint(document, name);
    },
    refresh() {
      // A client that is closing asks for nothing any more.
      if (redrawsHints) void connection.languages.inlayHint.refresh().catch(() => undefined);
      if (!pulls) documents.keys().forEach((uri) => pushed.soon(uri));
      else if (refreshes) void connection.languages.diagnostics.refresh().catch(() => undefined);
    },
  };
}

/** The commands of items are VS Code's. */
function withoutCommand(item: CompletionItem): CompletionItem {
  const { command, ...rest } = item;
  return command === undefined ? item : rest;
}

/** Most distinct failures reported. */
const MAX_REPORTED = 100;

/** Reports each message once. */
function once(report: (message: string) => void): (message: string) => void {
  const reported = new Set<string>();
  return (message) => {
    if (!reported.has(message) && reported.size < MAX_REPORTED) report(message);
    reported.add(message);
  };
}
