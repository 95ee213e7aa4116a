// Marks behind the assertions of a file: what each found when its request was last sent, passing ones like failing ones.
// An edit makes them history.
import * as vscode from 'vscode';
import { shortened } from '../../core/solana/common/ends';
import type { AssertionOutcome, ExecuteOutcome } from '../../protocol/lsp';
import { plain } from '../shared/words';

/** A value behind a line. UTF-16 units. */
const LONGEST = 60;

export class AssertionMarks implements vscode.Disposable {
  readonly #found = new Map<string, ReadonlyMap<number, AssertionOutcome>>();
  readonly #types = {
    passed: decoration('terminal.ansiGreen'),
    failed: decoration('editorError.foreground'),
  } as const;
  readonly #parts: readonly vscode.Disposable[];

  constructor() {
    this.#parts = [
      this.#types.passed,
      this.#types.failed,
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.#draw(editor))),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri.toString());
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#found.delete(uri.toString())),
    ];
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
  }

  /** Updates the marks of the requests that ran; those of the file's other requests stay. */
  set(file: string, outcomes: readonly ExecuteOutcome[]): void {
    const found = new Map(this.#found.get(file));
    for (const { assertions } of outcomes) for (const assertion of assertions) found.set(assertion.line, assertion);
    this.#found.set(file, found);
    this.#drawFile(file);
  }

  clear(file: string): void {
    if (this.#found.delete(file)) this.#drawFile(file);
  }

  #drawFile(file: string): void {
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document.uri.toString() === file) this.#draw(editor);
  }

  #draw(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (document.languageId !== 'jsonrpc') return;
    const all = [...(this.#found.get(document.uri.toString())?.values() ?? [])].filter(
      ({ line }) => line < document.lineCount,
    );
    for (const kind of ['passed', 'failed'] as const)
      editor.setDecorations(
        this.#types[kind],
        all.filter(({ passed }) => passed === (kind === 'passed')).map((one) => optionsOf(one, document)),
      );
  }
}

const decoration = (color: string): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 1.5em', color: new vscode.ThemeColor(color) },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

function optionsOf(assertion: AssertionOutcome, document: vscode.TextDocument): vscode.DecorationOptions {
  const { end } = document.lineAt(assertion.line).range;
  return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: markText(assertion) } } };
}

/** "✓", or what there is in place of what was asked for. */
function markText({ passed, actual }: AssertionOutcome): string {
  if (passed) return '✓';
  if (actual === undefined) return `✗ ${vscode.l10n.t('there is no such value')}`;
  const value = plain(actual.replace(/\s+/g, ' '));
  return `✗ ${vscode.l10n.t('it is {0}', shortened(value, LONGEST))}`;
}
