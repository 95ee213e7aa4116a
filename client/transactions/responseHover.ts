// In a response, a transaction or a signature under the mouse in a few lines: what the response itself says of it. Sends
// nothing to any endpoint.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { encodedAt } from '../../core/solana/explain/encodedWord';
import { isSignature } from '../../core/solana/chain/keys';
import { explain, TRANSACTION_METHODS, type TransactionSource, type TransactionView } from '../../protocol/explain';
import { SCHEME, type Responses } from '../responses/responses';
import { sourceOf } from './found';

export function createTransactionHover(responses: Responses, server: () => Promise<LanguageClient>): vscode.Disposable {
  const viewOf = async (source: TransactionSource): Promise<TransactionView | undefined> => {
    const result = await (await server()).sendRequest(explain, { source });
    return result.kind === 'explained' ? result.view : undefined;
  };
  return vscode.languages.registerHoverProvider(
    { scheme: SCHEME },
    {
      async provideHover(document, position) {
        const found = encodedAt(document.lineAt(position.line).text, position.character);
        if (found === undefined) return undefined;
        const { text: word, start } = found;
        const range = new vscode.Range(position.line, start, position.line, start + word.length);
        const written = isSignature(word) ? undefined : await viewOf({ kind: 'text', text: word });
        const signature = isSignature(word) ? word : written?.signature;
        const outcome = await responses.outcome(document.uri);
        const isAbout = signature !== undefined && outcome !== undefined && TRANSACTION_METHODS.has(outcome.method);
        const whole = isAbout ? await viewOf(sourceOf(outcome)) : undefined;
        const view = whole?.signature === signature ? (whole ?? written) : written;
        if (view === undefined) return undefined;
        return new vscode.Hover(new vscode.MarkdownString().appendCodeblock(view.summary.join('\n'), 'text'), range);
      },
    },
  );
}
