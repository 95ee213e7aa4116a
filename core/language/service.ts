// The face of the language: one factory, plain functions over a document. A feature that fails answers empty and is
// reported once; nothing here does input or output.
import {
  DiagnosticSeverity,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type Position,
  type Range,
} from 'vscode-languageserver-types';
import { rangeOf } from '../document/lines';
import type { PlacedBlock, Problem, RequestDocument, Severity } from '../document/model';
import { Scope, type Surroundings } from '../document/variables';
import { completionsAt } from './completion';
import { cursorAt } from './context';
import { diagnose, type FilesPort } from './diagnostics';
import { Memory } from './findings';
import { codeActions, mendsOf } from './fixes';
import { hoverAt } from './hover';
import { blocksOf, foldingOf, lensesOf, symbolsOf, type BlockSummary } from './structure';

/** What the host gives: where variables and files come from, and where a failure is told. */
export interface LanguageHost {
  /** Asked anew for every request: profiles and open files change. */
  surroundings(document: RequestDocument): Surroundings;
  readonly files?: FilesPort;
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
  codeActions(document: RequestDocument, range: Range): CodeAction[];
  completion(document: RequestDocument, position: Position): CompletionItem[];
  hover(document: RequestDocument, position: Position): Hover | undefined;
  codeLenses(document: RequestDocument): CodeLens[];
  symbols(document: RequestDocument): DocumentSymbol[];
  folding(document: RequestDocument): FoldingRange[];
  blocks(document: RequestDocument): BlockSummary[];
}

/** Different failures beyond this are not reported any more. */
const MAX_TOLD = 100;

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function toLsp(placed: PlacedBlock, { code, severity, message, span }: Problem): Diagnostic {
  return { range: rangeOf(placed, span), severity: SEVERITIES[severity], code, source: 'solana-rpc', message };
}

export function createLanguageService(host: LanguageHost): LanguageService {
  const told = new Set<string>();
  const memory = new Memory();

  /** Runs a feature; a failure is told once and gives `empty`. */
  function guarded<T>(feature: string, empty: T, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const message = `${feature}: ${error instanceof Error ? error.message : String(error)}`;
      if (!told.has(message) && told.size < MAX_TOLD) host.log(message);
      told.add(message);
      return empty;
    }
  }

  const scopeOf = (document: RequestDocument): Scope => new Scope(document, host.surroundings(document));
  const problemsOf = (document: RequestDocument): ReturnType<typeof diagnose> => {
    const { files } = host;
    const surroundings = host.surroundings(document);
    return diagnose({ document, surroundings, ...(files === undefined ? {} : { files }) }, memory);
  };

  return {
    diagnostics: (document) =>
      guarded('diagnostics', [], () => problemsOf(document).map(({ placed, problem }) => toLsp(placed, problem))),
    findings: (document) =>
      guarded('findings', [], () =>
        problemsOf(document).map(({ placed, problem }) => ({
          diagnostic: toLsp(placed, problem),
          fixes: mendsOf(placed, problem).map((mend) => mend.title),
        })),
      ),
    codeActions: (document, range) =>
      guarded('code actions', [], () =>
        problemsOf(document).flatMap(({ placed, problem }) => {
          const diagnostic = toLsp(placed, problem);
          return overlaps(diagnostic.range, range) ? codeActions(document.uri, placed, [{ problem, diagnostic }]) : [];
        }),
      ),
    completion: (document, position) =>
      guarded('completion', [], () => completionsAt(cursorAt(document, position), () => scopeOf(document))),
    hover: (document, position) =>
      guarded('hover', undefined, () => hoverAt(cursorAt(document, position), () => scopeOf(document))),
    codeLenses: (document) => guarded('code lenses', [], () => lensesOf(document)),
    symbols: (document) => guarded('symbols', [], () => symbolsOf(document)),
    folding: (document) => guarded('folding', [], () => foldingOf(document)),
    blocks: (document) => guarded('blocks', [], () => blocksOf(document)),
  };
}

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);
const overlaps = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
