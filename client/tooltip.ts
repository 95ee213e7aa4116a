// Tooltips of the views: a heading and lines under it, in markdown that runs nothing and reads every word as text.
import * as vscode from 'vscode';
import { plain } from './words';

/** Lines that are empty are left out. */
export function tooltip(heading: string, lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', false);
  text.appendMarkdown('**').appendText(plain(heading)).appendMarkdown('**');
  for (const line of lines.filter((line) => line !== '')) text.appendMarkdown('\n\n').appendText(plain(line));
  return text;
}
