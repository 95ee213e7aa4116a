// Decorates a response's document: links addresses and signatures to the user's explorer, and marks lines of a program's log
// that report a failure. Opens nothing by itself.
import * as vscode from 'vscode';
import { answeringAddress, type Clusters } from '../profiles/clusters';
import type { Profiles } from '../profiles/profiles';
import { ownSetting } from '../shared/settings';
import { SCHEME, type Responses } from './responses';
import { chainPlaces, explorerUrl, markedLogLines, type LedgerPlace, type LogMark } from './responseText';

/** Links of addresses and signatures. */
export function createExplorerLinks(responses: Responses, profiles: Profiles, clusters: Clusters): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: SCHEME },
    {
      async provideDocumentLinks(document) {
        const template = ownSetting('explorer');
        const outcome = template === '' ? undefined : await responses.outcome(document.uri);
        if (outcome === undefined) return [];
        const { rpcUrl, address } = answeringAddress(outcome, profiles.find(outcome.endpoint)?.profile);
        const at = outcome.response?.at ?? Date.now();
        const ledger: LedgerPlace = { rpcUrl, cluster: address === undefined ? undefined : clusters.of(address, at) };
        return chainPlaces(document.getText()).flatMap((place) => {
          const url = explorerUrl(template, place, ledger);
          if (url === undefined) return [];
          const range = new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
          const link = new vscode.DocumentLink(range, vscode.Uri.parse(url, true));
          link.tooltip =
            place.kind === 'tx'
              ? vscode.l10n.t('Show the transaction in the explorer')
              : vscode.l10n.t('Show the account in the explorer');
          return [link];
        });
      },
    },
  );
}

/** Colours log lines that report a failure, and those of programs that ended. */
export function createLogMarks(): vscode.Disposable {
  const types: Readonly<Record<LogMark, vscode.TextEditorDecorationType>> = {
    failed: vscode.window.createTextEditorDecorationType({
      color: new vscode.ThemeColor('editorError.foreground'),
      fontWeight: 'bold',
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.errorForeground'),
    }),
    succeeded: vscode.window.createTextEditorDecorationType({
      // A log is read as in a terminal, whose green is dark enough for words on a light ground.
      color: new vscode.ThemeColor('terminal.ansiGreen'),
    }),
  };
  const draw = (editor: vscode.TextEditor): void => {
    const { document } = editor;
    if (document.uri.scheme !== SCHEME) return;
    const lines = Array.from({ length: Math.min(document.lineCount, MAX_LINES) }, (_, at) => document.lineAt(at).text);
    const marked = markedLogLines(lines);
    for (const mark of ['failed', 'succeeded'] as const)
      editor.setDecorations(
        types[mark],
        marked.filter((each) => each.mark === mark).map(({ line }) => textRange(document, line)),
      );
  };
  const drawAll = (): void => vscode.window.visibleTextEditors.forEach(draw);
  drawAll();
  return vscode.Disposable.from(
    types.failed,
    types.succeeded,
    vscode.window.onDidChangeVisibleTextEditors(drawAll),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === SCHEME) drawAll();
    }),
  );
}

const MAX_LINES = 5_000;

function textRange(document: vscode.TextDocument, line: number): vscode.Range {
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(line);
  return range.with(range.start.translate(0, firstNonWhitespaceCharacterIndex));
}
