// A pasted curl command becomes a request block. The command is read here and not by the server: its keys must not cross
// LSP, and the extension keeps them only long enough to offer them to the secret storage.
import * as vscode from 'vscode';
import { looksLikeCurl, type PastedRequest } from '../../core/requests/curl/read';
import { readAllCurl } from '../../core/requests/curl/several';
import { plain } from '../shared/words';

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
        const { blocks, reasons } = readAllCurl(text);
        const [reason] = reasons;
        if (reason !== undefined) {
          // Half of a paste would be lost without a word.
          vscode.window.setStatusBarMessage(`$(info) ${vscode.l10n.t('Pasted as text: {0}', plain(reason))}`, 8_000);
          return undefined;
        }
        const inserted = blocks.map((block) => block.text).join('\n');
        const edit = new vscode.DocumentPasteEdit(inserted, vscode.l10n.t('Insert as a request'), KIND);
        if (blocks.some(({ keys }) => keys.length > 0)) queueMicrotask(() => void offerAll(blocks, offerKeys));
        return [edit];
      },
    },
    { providedPasteEditKinds: [KIND], pasteMimeTypes: ['text/plain'] },
  );
}

/** Offers to store the keys of pasted commands, one question after the other and one for each endpoint. */
export async function offerAll(
  blocks: readonly PastedRequest[],
  offerKeys: (pasted: PastedRequest) => Promise<void>,
): Promise<void> {
  const asked: PastedRequest[] = [];
  for (const block of blocks) {
    const [key] = block.keys;
    const isKnown = asked.some(
      ({ host, keys }) => host === block.host && keys.some((known) => key !== undefined && known.equals(key)),
    );
    if (key === undefined || isKnown) continue;
    asked.push(block);
    await offerKeys(block);
  }
}
