// The face of the language: one factory, plain functions over a document. A feature that fails answers empty and is
// reported once; nothing here does input or output.
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Diagnostic,
  type DocumentHighlight,
  type DocumentLink,
  type DocumentSymbol,
  type FoldingRange,
  type FormattingOptions,
  type Hover,
  type InlayHint,
  type Location,
  type Position,
  type Range,
  type SelectionRange,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceSymbol,
} from 'vscode-languageserver-types';
import { placeAt, positionAt, rangeOf } from '../document/lines';
import type { PlacedBlock, Problem, RequestDocument } from '../document/model';
import type { Severity, Code } from '../diagnostics/codes';
import { Scope, type FileContext } from '../document/variables/variables';
import type { EndpointProfile, KeyQuery } from '../../service/profiles/profile';
import { harmless } from '../../service/redaction/redact';
import { NO_ANSWERS, type AnswersPort } from './answers';
import { completionsAt } from './completion/completion';
import { cursorAt, type CursorContext } from './context';
import type { CopyOffers, copyOffers } from './features/copyAs';
import { destinationOf } from './features/destination';
import { examine, together } from '../checks/diagnostics';
import type { PlacedProblem } from '../checks/problem';
import type { FilesPort } from '../checks/analysis';
import { confirmedIn } from '../checks/file/confirmed';
import { expiredIn } from '../checks/file/expiry';
import { Memory } from '../checks/findings';
import { silencingAction, withoutSilenced } from '../checks/file/silence';
import { untippedIn } from '../checks/file/tips';
import { fixAllAction } from '../checks/fixes/fixAll';
import { codeActions, mendsOf } from '../checks/fixes/fixes';
import { formatEdits, typedEdits } from './features/format';
import { hoverAt } from './features/hover';
import { hintsIn, type InlayChoice } from './features/inlay';
import { linksOf, type ResolveUri } from './features/links';
import {
  definitionAt,
  highlightsAt,
  linkedAt,
  referencesAt,
  renameAt,
  renameRange,
  type LinkedEditingRanges,
  type Renaming,
  type Territory,
} from './features/names';
import type { MethodTable } from '../methods';
import { methodsOf, packsAsked } from '../document/packs';
import { relatedTo } from '../checks/related';
import { promptFault, promptHint } from './features/promptFault';
import { selectionAt } from './features/selection';
import { signatureAt } from './features/signature';
import { blocksOf, foldingOf, lensesOf, symbolsOf, workspaceSymbolsOf, type BlockSummary } from './features/structure';
import { tokensOf } from './features/tokens';

/** Provided by the host: variables, files, and a log for failures. */
export interface LanguageHost {
  /** Called for every request: profiles and open files change. */
  surroundings(document: RequestDocument): FileContext;
  readonly files?: FilesPort;
  /** Further files to search for names: open ones and their imports. */
  documents?(): readonly RequestDocument[];
  /** The URI of a path that a file names. */
  readonly resolve?: ResolveUri;
  /** Last answers of requests. */
  readonly answers?: AnswersPort;
  /** Unix milliseconds; without it no age is shown. */
  readonly now?: () => number;
  /** Whether the editor supports `solanaRpc.copyValue`, which copies a text. */
  readonly copies?: boolean;
  /** Called once per feature and message. */
  log(message: string): void;
}

/** A diagnostic with the titles of its fixes; `solana-rpc check --json` prints these. */
export interface Finding {
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly string[];
}

export interface LanguageService {
  diagnostics(document: RequestDocument): Diagnostic[];
  findings(document: RequestDocument): Finding[];
  /** Quick fixes for the range; with `sources` the fixes that are safe for the whole file. */
  codeActions(document: RequestDocument, range: Range, sources?: boolean): CodeAction[];
  completion(document: RequestDocument, position: Position): CompletionItem[];
  hover(document: RequestDocument, position: Position): Hover | undefined;
  codeLenses(document: RequestDocument): CodeLens[];
  symbols(document: RequestDocument): DocumentSymbol[];
  workspaceSymbols(query: string): WorkspaceSymbol[];
  folding(document: RequestDocument): FoldingRange[];
  format(document: RequestDocument, options: FormattingOptions, range?: Range): TextEdit[];
  formatTyped(document: RequestDocument, position: Position, typed: string, options: FormattingOptions): TextEdit[];
  definition(document: RequestDocument, position: Position): Location[];
  references(document: RequestDocument, position: Position, withDefinition: boolean): Location[];
  highlights(document: RequestDocument, position: Position): DocumentHighlight[];
  linkedRanges(document: RequestDocument, position: Position): LinkedEditingRanges | undefined;
  renameRange(document: RequestDocument, position: Position): Range | undefined;
  rename(document: RequestDocument, position: Position, newName: string): Renaming;
  signatureHelp(document: RequestDocument, position: Position): SignatureHelp | undefined;
  /** The numbers of LSP's semantic tokens, for the legend of tokens.ts. */
  semanticTokens(document: RequestDocument, range?: Range): number[];
  selectionRanges(document: RequestDocument, positions: readonly Position[]): SelectionRange[];
  inlayHints(document: RequestDocument, range: Range, choice: InlayChoice): InlayHint[];
  links(document: RequestDocument): DocumentLink[];
  blocks(document: RequestDocument): BlockSummary[];
  /** The problem with a text as the value of the `@prompt` of that name; undefined if none is found. */
  promptFault(document: RequestDocument, name: string, text: string): string | undefined;
  /** Which parameter the value of the `@prompt` fills. */
  promptHint(document: RequestDocument, name: string): string | undefined;
  /**
   * The block at a line as commands and scripts for other tools. `profile`: the endpoint it goes to. `offers`:
   * copyAs.ts, which callers load only when needed: many users never copy.
   */
  copies(
    document: RequestDocument,
    line: number,
    profile: EndpointProfile | undefined,
    offers: typeof copyOffers,
  ): CopyOffers;
  /** The key that the block at a line would be sent with; undefined if it cannot be sent. */
  destination(document: RequestDocument, line: number, profile: EndpointProfile | undefined): KeyQuery | undefined;
}

/** Diagnostics of one file; of more, errors come first. Their answer would hold up the editor. */
const MAX_DIAGNOSTICS = 1_000;

/** Different failures beyond this are not reported any more. */
const MAX_REPORTED = 100;

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const satisfies Readonly<Record<Severity, number>>;

/** Shown faded. */
const UNUSED: Code = 'unused-variable';

/** A message repeats names and values of a file, which may be of any length. UTF-16 units */
const LONGEST_MESSAGE = 1_000;

function toLsp(placed: PlacedBlock, { code, severity, message, span }: Problem): Diagnostic {
  const diagnostic = {
    range: rangeOf(placed, span),
    severity: SEVERITIES[severity],
    code,
    source: 'solana-rpc',
    message: harmless(message, { max: LONGEST_MESSAGE }),
  };
  return code === UNUSED ? { ...diagnostic, tags: [DiagnosticTag.Unnecessary] } : diagnostic;
}

/** The diagnostics of a file with very many: its errors first. The last one says how many are left out. */
function bounded(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  if (problems.length <= MAX_DIAGNOSTICS) return problems;
  const errors = problems.filter(({ problem }) => problem.severity === 'error');
  const others = problems.filter(({ problem }) => problem.severity !== 'error');
  const kept = [...errors.slice(0, MAX_DIAGNOSTICS), ...others.slice(0, Math.max(0, MAX_DIAGNOSTICS - errors.length))];
  const last = kept.pop();
  if (last === undefined) return kept;
  const message = `${last.problem.message} ${problems.length - MAX_DIAGNOSTICS} more problems of this file are not shown.`;
  return [...kept, { ...last, problem: { ...last.problem, message } }];
}

/** A diagnostic with the places that explain it. */
function explained(document: RequestDocument, placed: PlacedBlock, problem: Problem, scope: () => Scope): Diagnostic {
  const related = relatedTo(document, placed, problem, scope);
  const diagnostic = toLsp(placed, problem);
  return related.length === 0 ? diagnostic : { ...diagnostic, relatedInformation: [...related] };
}

export function createLanguageService(host: LanguageHost): LanguageService {
  const reported = new Set<string>();
  const memory = new Memory();
  const { answers = NO_ANSWERS } = host;

  /** Runs a feature; on failure, reports it once and returns `empty`. */
  function guarded<T>(feature: string, empty: T, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const message = `${feature}: ${error instanceof Error ? error.message : String(error)}`;
      if (!reported.has(message) && reported.size < MAX_REPORTED) host.log(message);
      reported.add(message);
      return empty;
    }
  }

  const methods = (document: RequestDocument): MethodTable => methodsOf(host.surroundings(document));
  const cursor = (document: RequestDocument, position: Position): CursorContext =>
    cursorAt(document, position, methods(document));
  const scopeOf = (document: RequestDocument): Scope => new Scope(document, host.surroundings(document));
  const problemsOf = (document: RequestDocument): readonly PlacedProblem[] => {
    const { files } = host;
    const surroundings = host.surroundings(document);
    const others = host.documents?.() ?? [];
    const analysis = { document, surroundings, others, ...(files === undefined ? {} : { files }) };
    const { problems, sends } = examine(analysis, memory);
    const scope = new Scope(document, surroundings);
    const apart = [
      ...expiredIn(document, scope, answers.expired()),
      ...untippedIn(scope, sends),
      ...confirmedIn(document, surroundings),
    ];
    return withoutSilenced(document, together(problems, apart));
  };

  const territoryOf = (document: RequestDocument): Territory => ({
    documents: [...new Set([document, ...(host.documents?.() ?? [])])],
    surroundings: (from) => host.surroundings(from),
  });

  return {
    diagnostics: (document) =>
      guarded('diagnostics', [], () => {
        let scope: Scope | undefined;
        const scopeOnce = (): Scope => (scope ??= scopeOf(document));
        return bounded(problemsOf(document)).map(({ placed, problem }) =>
          explained(document, placed, problem, scopeOnce),
        );
      }),
    findings: (document) =>
      guarded('findings', [], () =>
        problemsOf(document).map(({ placed, problem }) => ({
          diagnostic: toLsp(placed, problem),
          fixes: mendsOf(placed, problem).map((mend) => mend.title),
        })),
      ),
    codeActions: (document, range, sources = false) =>
      guarded('code actions', [], () => {
        if (sources) return fixAllAction(document, problemsOf(document));
        return problemsOf(document).flatMap(({ placed, problem }) => {
          const diagnostic = toLsp(placed, problem);
          if (!overlaps(diagnostic.range, range)) return [];
          const mends = codeActions(document.uri, placed, [{ problem, diagnostic }], (at, span, name) => {
            const renaming = renameAt(cursor(document, positionAt(at, span.start)), territoryOf(document), name);
            return renaming.ok ? { ...renaming.changes } : undefined;
          });
          // Last: fixes come before suppressions.
          return [...mends, ...silencingAction(document.uri, { placed, problem }, diagnostic)];
        });
      }),
    completion: (document, position) =>
      guarded('completion', [], () => completionsAt(cursor(document, position), () => scopeOf(document), answers)),
    hover: (document, position) =>
      guarded('hover', undefined, () =>
        hoverAt(cursor(document, position), { ...host, answers, scope: () => scopeOf(document) }),
      ),
    codeLenses: (document) => guarded('code lenses', [], () => lensesOf(document, methods(document))),
    symbols: (document) => guarded('symbols', [], () => symbolsOf(document)),
    workspaceSymbols: (query) =>
      guarded('workspace symbols', [], () => workspaceSymbolsOf(host.documents?.() ?? [], query)),
    format: (document, options, range) => guarded('formatting', [], () => formatEdits(document, options, range)),
    formatTyped: (document, position, typed, options) =>
      guarded('formatting on type', [], () => typedEdits(document, position, typed, options)),
    definition: (document, position) =>
      guarded('definition', [], () => definitionAt(cursor(document, position), territoryOf(document))),
    references: (document, position, withDefinition) =>
      guarded('references', [], () => referencesAt(cursor(document, position), territoryOf(document), withDefinition)),
    highlights: (document, position) =>
      guarded('highlights', [], () => highlightsAt(cursor(document, position), territoryOf(document))),
    linkedRanges: (document, position) =>
      guarded('linked editing', undefined, () => linkedAt(cursor(document, position), territoryOf(document))),
    renameRange: (document, position) =>
      guarded('rename', undefined, () => renameRange(cursor(document, position), territoryOf(document))),
    rename: (document, position, newName) =>
      guarded('rename', { ok: false, reason: 'The name cannot be changed.' }, () =>
        renameAt(cursor(document, position), territoryOf(document), newName),
      ),
    signatureHelp: (document, position) =>
      guarded('signature help', undefined, () => {
        const at = cursor(document, position);
        return signatureAt(at, packsAsked(document, at.block, host.surroundings(document)));
      }),
    semanticTokens: (document, range) =>
      guarded('semantic tokens', [], () => tokensOf(document, scopeOf(document), range)),
    selectionRanges: (document, positions) =>
      guarded('selection ranges', [], () => positions.map((position) => selectionAt(cursor(document, position)))),
    inlayHints: (document, range, choice) =>
      guarded('inlay hints', [], () => hintsIn(document, range, choice, host.surroundings(document))),
    links: (document) =>
      guarded('links', [], () =>
        host.resolve === undefined ? [] : linksOf(document, host.resolve, methods(document)),
      ),
    folding: (document) => guarded('folding', [], () => foldingOf(document)),
    promptFault: (document, name, text) =>
      guarded('prompt', undefined, () => promptFault(document, host.surroundings(document), name, text)),
    promptHint: (document, name) =>
      guarded('prompt', undefined, () => promptHint(document, host.surroundings(document), name)),
    blocks: (document) => guarded('blocks', [], () => blocksOf(document, methods(document))),
    destination: (document, line, profile) =>
      guarded('destination', undefined, () =>
        destinationOf(scopeOf(document), placeAt(document, line).placed, profile),
      ),
    copies: (document, line, profile, offers) =>
      guarded('copy', { kind: 'refused', reason: 'This request cannot be copied.' }, () =>
        offers(scopeOf(document), placeAt(document, line).placed, profile),
      ),
  };
}

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);
const overlaps = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
