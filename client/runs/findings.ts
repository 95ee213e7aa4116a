// Reports a run's failures in a file as problems at their lines. The quick fix of a `matchesSnapshot` that failed sends the
// request again and keeps what it finds.
import * as vscode from 'vscode';
import type { AssertionOutcome } from '../../protocol/lsp';
import { plain } from '../shared/words';

/** The code of the findings that the quick fix mends. */
const SNAPSHOT_CODE = 'snapshot';

/** An error over a whole line, zero-based; one behind the end of the file counts as its last. */
export function finding(document: vscode.TextDocument, line: number, message: string): vscode.Diagnostic {
  const { range } = document.lineAt(Math.min(Math.max(0, line), document.lineCount - 1));
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'Solana RPC';
  return diagnostic;
}

/** A failed assertion at its line, with where the values differ. */
export function failedFinding(
  document: vscode.TextDocument,
  { line, text, differences = [], isSnapshot }: AssertionOutcome,
): vscode.Diagnostic {
  const failed = vscode.l10n.t('Failed: {0}', text);
  const why = differences.slice(0, MOST_DIFFERENCES).map(plain).join('; ');
  const diagnostic = finding(document, line, why === '' ? failed : `${failed}: ${why}`);
  if (isSnapshot === true) diagnostic.code = SNAPSHOT_CODE;
  return diagnostic;
}

/** Differences in a message; the report and the test have all of them. */
const MOST_DIFFERENCES = 5;

export function registerSnapshotFix(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    'jsonrpc',
    {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics.filter(({ code }) => code === SNAPSHOT_CODE).map((diagnostic) => fixOf(document, diagnostic)),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function fixOf({ uri }: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Send Again and Update Snapshot');
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const { line } = diagnostic.range.start;
  fix.command = { title, command: 'solanaRpc.updateSnapshot', arguments: [uri.toString(), line] };
  fix.diagnostics = [diagnostic];
  return fix;
}
