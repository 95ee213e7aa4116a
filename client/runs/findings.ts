// Reports a run's failures in a file as problems at their lines.
import * as vscode from 'vscode';
import type { AssertionOutcome } from '../../protocol/lsp';
import { plain } from '../shared/words';
import { SNAPSHOT_CODE } from './snapshotFix';

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
