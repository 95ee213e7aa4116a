// The quick fix of a `matchesSnapshot` that failed: sends the request again and keeps what it finds.
import * as vscode from 'vscode';

/** The code of the findings that it mends. */
export const SNAPSHOT_CODE = 'snapshot';

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
