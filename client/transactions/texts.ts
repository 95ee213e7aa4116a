// Texts about transactions as documents of the editor that are not saved: whole logs, and explanations of which two are
// compared in the editor's own view of differences: what it does for keyboard and screen reader holds here.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { transactionLog, transactionText } from '../../protocol/explain';
import type { TransactionHello } from '../../protocol/transactionPanel';
import { plain } from '../shared/words';

const SCHEME = 'solana-transaction';
/** Texts of closed documents that are kept. */
const MAX_TEXTS = 20;

export class TransactionTexts implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider: vscode.Disposable;
  #next = 1;

  constructor(private readonly server: () => Promise<LanguageClient>) {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query) ?? '',
    });
  }

  dispose(): void {
    this.#provider.dispose();
  }

  /** Every line of a log as the node gave it. */
  async openLog({ source, title }: TransactionHello): Promise<void> {
    const log = await (await this.server()).sendRequest(transactionLog, { source });
    if (log === null) {
      await vscode.window.showWarningMessage(vscode.l10n.t('The log of this transaction is no longer kept.'));
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.#add(`${title}.log`, log));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows how two explanations differ. */
  async compare(first: TransactionHello, second: TransactionHello): Promise<void> {
    const [left, right] = [await this.#explained(first), await this.#explained(second)];
    if (left === undefined || right === undefined) return;
    const title = vscode.l10n.t('{0} ↔ {1}', plain(first.title), plain(second.title));
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  async #explained({ source, title }: TransactionHello): Promise<vscode.Uri | undefined> {
    const result = await (await this.server()).sendRequest(transactionText, { source });
    if (result.kind === 'text') return this.#add(`${title}.txt`, `${result.text}\n`);
    const why =
      result.kind === 'none' ? result.reason : vscode.l10n.t('This transaction is no longer kept: run it again.');
    await vscode.window.showWarningMessage(vscode.l10n.t('The transactions cannot be compared: {0}', why));
    return undefined;
  }

  /** Where the text can be opened; `name`: of its tab, with its ending. */
  #add(name: string, text: string): vscode.Uri {
    const query = String(this.#next++);
    this.#texts.set(query, text);
    for (const old of this.#texts.keys()) {
      if (this.#texts.size <= MAX_TEXTS) break;
      const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === SCHEME && uri.query === old);
      if (!isOpen) this.#texts.delete(old);
    }
    return vscode.Uri.from({ scheme: SCHEME, path: plain(name).replaceAll('/', ' '), query });
  }
}
