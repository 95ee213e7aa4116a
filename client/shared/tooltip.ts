// Tooltips of the views: a heading and lines under it, in markdown that runs nothing and reads every word as text.
import * as vscode from 'vscode';
import { markdownText } from '../../core/solana/common/markdown';

/** Lines that are empty are left out. */
export function tooltip(heading: string, lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', false);
  text.appendMarkdown(`**${markdownText(heading)}**`);
  const under = lines.filter((line) => line !== '').map((line) => markdownText(line));
  // Two spaces at the end of a line keep the next one close under it.
  if (under.length > 0) text.appendMarkdown(`\n\n${under.join('  \n')}`);
  return text;
}
