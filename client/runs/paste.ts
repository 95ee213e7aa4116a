// A pasted curl command becomes a request block. The command is read here and not by the server: its keys must not cross
// LSP, and the extension keeps them only long enough to offer them to the secret storage.
import * as vscode from 'vscode';
import { looksLikeCurl, readCurl, type PastedRequest } from '../../core/curl/read';
import { plain } from '../app/words';

const KIND = vscode.DocumentDropOrPasteEditKind.Text.append('solanaRpc', 'curl');

/** `offerKeys` is called when the block goes to the editor: the keys themselves never do. */
export function createPaste(offerKeys: (pasted: PastedRequest) => Promise<void>): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider(
    'jsonrpc',
    {
      async provideDocumentPasteEdits(document, ranges, data, ...[, token]) {
        const text = (await data.get('text/plain')?.asString()) ?? '';
        const [range] = ranges;
        // A command inside a body is text that somebody writes about.
        const before =
          range === undefined ? '' : document.lineAt(range.start.line).text.slice(0, range.start.character);
        if (token.isCancellationRequested || before.trim() !== '' || !looksLikeCurl(text)) return undefined;
        const pasted = readCurl(text);
        if (pasted.kind === 'refused') {
          vscode.window.setStatusBarMessage(
            `$(info) ${vscode.l10n.t('Pasted as text: {0}', plain(pasted.reason))}`,
            8_000,
          );
          return undefined;
        }
        const edit = new vscode.DocumentPasteEdit(pasted.text, vscode.l10n.t('Insert as a request'), KIND);
        if (pasted.keys.length > 0) queueMicrotask(() => void offerKeys(pasted));
        return [edit];
      },
    },
    { providedPasteEditKinds: [KIND], pasteMimeTypes: ['text/plain'] },
  );
}
