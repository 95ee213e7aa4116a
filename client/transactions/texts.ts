// Texts about transactions as documents of the editor that are not saved: what is compared, and logs as they came.
import * as vscode from 'vscode';
import { plain } from '../shared/words';

const SCHEME = 'solana-transaction';
/** Texts of closed documents that are kept. */
const MAX_TEXTS = 20;

export class TransactionTexts implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider: vscode.Disposable;
  #next = 1;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query) ?? '',
    });
  }

  dispose(): void {
    this.#provider.dispose();
  }

  /** Where the text can be opened; `name`: of its tab, with its ending. */
  add(name: string, text: string): vscode.Uri {
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
