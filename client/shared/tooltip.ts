// Tooltips of the views, in markdown that runs nothing and reads every word as text, and their icons.
import * as vscode from 'vscode';
import { markdownText } from '../../core/solana/common/markdown';

export interface ThemeLook {
  /** Name of a theme icon, and of its colour. */
  readonly icon: string;
  readonly color?: string | undefined;
}

export const themeIcon = ({ icon, color }: ThemeLook): vscode.ThemeIcon =>
  new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));

/** A heading and lines under it. Lines that are empty are left out. */
export function tooltip(heading: string, lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', false);
  text.appendMarkdown(`**${markdownText(heading)}**`);
  const under = lines.filter((line) => line !== '').map((line) => markdownText(line));
  // Two spaces at the end of a line keep the next one close under it.
  if (under.length > 0) text.appendMarkdown(`\n\n${under.join('  \n')}`);
  return text;
}
