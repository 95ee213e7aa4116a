// The lenses of a response: its outcome, and the next step after a failure.
import * as vscode from 'vscode';
import type { ExecuteOutcome } from '../../protocol/lsp';
import type { HistoryRun } from './historyRows';
import { SCHEME, type Responses } from './responses';
import { mendingStep, plain } from '../shared/words';
import { summaryRows } from './responseSummary';

export function createResponseLenses(responses: Responses): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const outcome = await responses.outcome(document.uri);
      if (outcome === undefined) return [];
      const run = { ...outcome, state: responses.stateOf(outcome) };
      return [...lensesOf(run, document), ...errorLenses(run, document)];
    },
  };
  return vscode.Disposable.from(
    changed,
    responses.onDidChangeFile(() => changed.fire()),
    // A run that ended without its outcome, as when the language server ends, changes no file.
    responses.onDidChangeHistory(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, provider),
  );
}

/** Facts, one row on each of the first lines: side by side, a narrow editor would cut them off. Actions are in the title. */
function lensesOf(run: HistoryRun, document: vscode.TextDocument): vscode.CodeLens[] {
  return summaryRows(run, vscode.l10n.t).map(({ text, tooltip }, row) => {
    return new vscode.CodeLens(startOf(document, Math.min(row, document.lineCount - 1)), {
      title: text,
      command: '',
      tooltip: tooltip.join('\n'),
    });
  });
}

/**
 * The error and, under it, the next step, each on a separate line at the error in the body: side by side, a narrow editor would
 * cut them off.
 */
function errorLenses(
  { error, endpoint, key, lostSignature }: ExecuteOutcome,
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  if (error === undefined) return [];
  const lines = Array.from(
    { length: Math.min(document.lineCount, HEAD_LINES) },
    (_, line) => document.lineAt(line).text,
  );
  const line = Math.max(
    0,
    lines.findIndex((text) => /^\s*"error":/.test(text)),
  );
  const below = startOf(document, Math.min(line + 1, document.lineCount - 1));
  const { message, hint } = error;
  const step: vscode.Command | undefined =
    lostSignature === undefined
      ? mendingStep(error.kind, plain(endpoint), vscode.l10n.t)
      : {
          title: vscode.l10n.t('Look Up Its Signature…'),
          command: 'solanaRpc.send',
          arguments: [{ lookUp: lostSignature }],
        };
  const lenses = [new vscode.CodeLens(startOf(document, line), inert(`✗ ${plain(message)}`))];
  if (step !== undefined)
    lenses.push(
      new vscode.CodeLens(below, {
        ...step,
        title: `→ ${step.title}`,
        tooltip: plain(hint ?? step.title),
        // The endpoint that the request went to, which need not be the active one; a missing key is for its host alone.
        ...(step.command === 'solanaRpc.addKey' && {
          arguments: [error.kind === 'noKey' && key !== undefined ? { key } : endpoint],
        }),
      }),
    );
  else if (hint !== undefined) lenses.push(new vscode.CodeLens(below, inert(`→ ${plain(hint)}`)));
  return lenses;
}

function startOf(document: vscode.TextDocument, line: number): vscode.Range {
  const column = document.lineAt(line).firstNonWhitespaceCharacterIndex;
  return new vscode.Range(line, column, line, column);
}

/** A narrow editor cuts a lens; its tooltip is the whole. */
const inert = (title: string): vscode.Command => ({ title, command: '', tooltip: title });

/** How far an answer's error is searched: it is near the top. */
const HEAD_LINES = 50;
