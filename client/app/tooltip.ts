// Tooltips of the views: a heading and lines under it, in markdown that runs nothing and reads every word as text.
import * as vscode from 'vscode';
import { plain } from './words';

/** Lines that are empty are left out. */
export function tooltip(heading: string, lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', false);
  text.appendMarkdown(`**${literal(heading)}**`);
  const under = lines.filter((line) => line !== '').map(literal);
  // Two spaces at the end of a line keep the next one close under it.
  if (under.length > 0) text.appendMarkdown(`\n\n${under.join('  \n')}`);
  return text;
}

/** With every mark of the syntax taken as a character, and no address made a link; `appendText` would also glue all words together. */
function literal(text: string): string {
  return plain(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
