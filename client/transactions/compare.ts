// Compares two transactions as the difference of their explanations, in the editor's own view of differences: what it does
// for keyboard and screen reader holds here.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { explain, type TransactionSource } from '../../protocol/explain';
import type { TransactionHello } from '../../protocol/transactionPanel';
import { plain } from '../app/words';

const SCHEME = 'solana-transaction';
/** Texts of closed documents that are kept. */
const MAX_TEXTS = 20;

export class Comparisons implements vscode.Disposable {
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

  async show(first: TransactionHello, second: TransactionHello): Promise<void> {
    const [left, right] = [await this.#open(first), await this.#open(second)];
    if (left === undefined || right === undefined) return;
    const title = vscode.l10n.t('{0} ↔ {1}', plain(first.title), plain(second.title));
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  async #open({ source, title }: TransactionHello): Promise<vscode.Uri | undefined> {
    const text = await this.#textOf(source);
    if (text === undefined) return undefined;
    const query = String(this.#next++);
    this.#texts.set(query, text);
    for (const old of this.#texts.keys()) {
      if (this.#texts.size <= MAX_TEXTS) break;
      const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === SCHEME && uri.query === old);
      if (!isOpen) this.#texts.delete(old);
    }
    return vscode.Uri.from({ scheme: SCHEME, path: `${plain(title).replaceAll('/', ' ')}.txt`, query });
  }

  async #textOf(source: TransactionSource): Promise<string | undefined> {
    const result = await (await this.server()).sendRequest(explain, { source });
    if (result.kind === 'explained') return `${result.view.text}\n`;
    const why =
      result.kind === 'none' ? result.reason : vscode.l10n.t('This transaction is no longer kept: run it again.');
    await vscode.window.showWarningMessage(vscode.l10n.t('The transactions cannot be compared: {0}', why));
    return undefined;
  }
}
