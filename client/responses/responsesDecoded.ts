// The decoded accounts or transactions of a response as a read-only document next to it: requested from the server whenever it
// is shown, so that it survives a reload. Keeps nothing.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { decodeAccounts, type DecodeAccountsParams } from '../../protocol/responses';
import type { KeptOutcome } from './responses';
import { openWithResponse } from '../shared/editorGroups';
import { plain } from '../shared/words';

const SCHEME = 'solana-decoded';
/** Accounts or transactions of one document, and of one question. */
const SHOWN = 500;
const PAGE = 100;

export class DecodedResponses implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly server: () => Promise<LanguageClient>) {}

  dispose(): void {
    this.#registered.dispose();
  }

  /** Opens the document of a response. */
  async show({ response, title }: KeptOutcome): Promise<void> {
    const name = title.replace(/[\p{Cc}\p{Cf}/\\?#:]+/gu, ' ').trim();
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      authority: response.request,
      path: `/${vscode.l10n.t('{0}, decoded', plain(name))}.txt`,
      query: `run=${response.run}`,
    });
    // As a preview it would take the tab of the response itself.
    await openWithResponse(undefined, (viewColumn) =>
      vscode.window.showTextDocument(uri, { viewColumn, preview: false }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const run = Number(/^run=(\d+)$/.exec(uri.query)?.[1]);
    const client = await this.server();
    const texts: string[] = [];
    let total = 0;
    for (let from = 0; from < SHOWN && (from === 0 || from < total); from += PAGE) {
      const params: DecodeAccountsParams = { request: uri.authority, run, from, count: PAGE };
      const answer = await client.sendRequest(decodeAccounts, params, token);
      if (answer.kind === 'gone') return `${vscode.l10n.t('This response is no longer kept.')}\n`;
      if (answer.kind === 'noItems')
        return `${vscode.l10n.t('This response contains neither accounts nor transactions.')}\n`;
      texts.push(answer.text);
      total = answer.total;
    }
    if (total > SHOWN)
      texts.push(
        vscode.l10n.t('{0} more follow. The table of the response decodes all of its accounts.', total - SHOWN),
        '',
      );
    return texts.join('\n');
  }
}
