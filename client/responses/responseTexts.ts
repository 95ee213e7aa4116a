// Texts about a response as read-only documents next to it: its decoded accounts or transactions, and its HTTP exchange.
// Each is made whenever it is shown, so that it survives a reload. Keeps nothing.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { decodeAccounts, type DecodeAccountsParams } from '../../protocol/responses';
import { exchangeText } from './exchangeText';
import { runUri, SCHEME, type KeptOutcome, type Responses } from './responses';
import { openWithResponse } from '../shared/editorGroups';
import { plain } from '../shared/words';

/** Accounts or transactions of one document, and of one question. */
const SHOWN = 500;
const PAGE = 100;

/** The accounts or transactions of responses, decoded. */
export const decodedTexts = (server: () => Promise<LanguageClient>): ResponseTexts =>
  new ResponseTexts(
    'solana-decoded',
    (name) => vscode.l10n.t('{0}, decoded', name),
    async ({ authority: request, query }, token) => {
      const run = Number(/^run=(\d+)$/.exec(query)?.[1]);
      const client = await server();
      const texts: string[] = [];
      let total = 0;
      for (let from = 0; from < SHOWN && (from === 0 || from < total); from += PAGE) {
        const params: DecodeAccountsParams = { request, run, from, count: PAGE };
        const answer = await client.sendRequest(decodeAccounts, params, token);
        if (answer.kind === 'gone') return gone();
        if (answer.kind === 'noItems')
          return `${vscode.l10n.t('This response contains neither accounts nor transactions.')}\n`;
        texts.push(answer.text);
        total = answer.total;
      }
      if (total <= SHOWN) return texts.join('\n');
      const more = vscode.l10n.t(
        '{0} more follow. The table of the response decodes all of its accounts.',
        total - SHOWN,
      );
      return [...texts, more, ''].join('\n');
    },
  );

/** The HTTP exchanges of responses. */
export const exchangeTexts = (responses: Responses): ResponseTexts =>
  new ResponseTexts(
    'solana-exchange',
    (name) => vscode.l10n.t('{0}, exchange', name),
    async (uri) => {
      const outcome = await responses.outcome(uri.with({ scheme: SCHEME }));
      return outcome === undefined ? gone() : exchangeText(outcome, vscode.l10n.t);
    },
  );

const gone = (): string => `${vscode.l10n.t('This response is no longer kept.')}\n`;

export class ResponseTexts implements vscode.Disposable {
  readonly #registered: vscode.Disposable;

  /** `titled`: the name of a document, by that of the response. */
  constructor(
    private readonly scheme: string,
    private readonly titled: (name: string) => string,
    textOf: (uri: vscode.Uri, token: vscode.CancellationToken) => Promise<string>,
  ) {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: textOf,
    });
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** Opens the document of a response. */
  async show(outcome: KeptOutcome): Promise<void> {
    const of = runUri(outcome, outcome.response);
    const name = of.path.replace(/^\/|\.(?:json|txt)$/g, '');
    const uri = of.with({ scheme: this.scheme, path: `/${this.titled(plain(name))}.txt` });
    // As a preview it would take the tab of the response itself.
    await openWithResponse(undefined, (viewColumn) =>
      vscode.window.showTextDocument(uri, { viewColumn, preview: false }),
    );
  }
}
