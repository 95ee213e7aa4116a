// The HTTP exchange of a response as a read-only document next to it: made from what is kept, so that it survives a reload.
// Keeps nothing.
import * as vscode from 'vscode';
import { exchangeText } from './exchangeText';
import { runUri, type KeptOutcome, type Responses } from './responses';
import { openWithResponse } from '../shared/editorGroups';
import { plain } from '../shared/words';

const SCHEME = 'solana-exchange';

export class ExchangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly responses: Responses) {}

  dispose(): void {
    this.#registered.dispose();
  }

  /** Opens the document of a run. */
  async show(outcome: KeptOutcome): Promise<void> {
    const { response } = outcome;
    const name = runUri(outcome, response).path.replace(/^\/|\.(?:json|txt)$/g, '');
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      authority: response.request,
      path: `/${vscode.l10n.t('{0}, exchange', plain(name))}.txt`,
      query: `run=${response.run}`,
    });
    // As a preview it would take the tab of the response itself.
    await openWithResponse(undefined, (viewColumn) =>
      vscode.window.showTextDocument(uri, { viewColumn, preview: false }),
    );
  }

  async provideTextDocumentContent({ authority, query }: vscode.Uri): Promise<string> {
    const run = vscode.Uri.from({ scheme: 'solana-response', authority, path: '/', query });
    const outcome = await this.responses.outcome(run);
    if (outcome === undefined) return `${vscode.l10n.t('This response is no longer kept.')}\n`;
    return exchangeText(outcome, vscode.l10n.t);
  }
}
