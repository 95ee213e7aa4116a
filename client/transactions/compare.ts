// Compares two transactions as the difference of their explanations, in the editor's own view of differences: what it does
// for keyboard and screen reader holds here.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { transactionText, type TransactionSource } from '../../protocol/explain';
import type { TransactionHello } from '../../protocol/transactionPanel';
import { plain } from '../shared/words';
import type { TransactionTexts } from './texts';

export class TransactionComparisons {
  constructor(
    private readonly server: () => Promise<LanguageClient>,
    private readonly texts: TransactionTexts,
  ) {}

  async show(first: TransactionHello, second: TransactionHello): Promise<void> {
    const [left, right] = [await this.#open(first), await this.#open(second)];
    if (left === undefined || right === undefined) return;
    const title = vscode.l10n.t('{0} ↔ {1}', plain(first.title), plain(second.title));
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  async #open({ source, title }: TransactionHello): Promise<vscode.Uri | undefined> {
    const text = await this.#textOf(source);
    return text === undefined ? undefined : this.texts.add(`${title}.txt`, text);
  }

  async #textOf(source: TransactionSource): Promise<string | undefined> {
    const result = await (await this.server()).sendRequest(transactionText, { source });
    if (result.kind === 'text') return `${result.text}\n`;
    const why =
      result.kind === 'none' ? result.reason : vscode.l10n.t('This transaction is no longer kept: run it again.');
    await vscode.window.showWarningMessage(vscode.l10n.t('The transactions cannot be compared: {0}', why));
    return undefined;
  }
}
