// Links to watch the account of an address under the mouse and to copy it, in request files and responses. Reads one word of the text
// and nothing else of it.
import * as vscode from 'vscode';
import { addressAt } from '../shared/askAddress';
import { COPY_VALUE } from '../shared/copyValue';
import { SCHEME } from '../responses/responses';

export function createAddressHover(): vscode.Disposable {
  const provider: vscode.HoverProvider = {
    provideHover(document, position) {
      const found = addressAt(document, position);
      if (found === undefined) return undefined;
      const { address, range } = found;
      const args = encodeURIComponent(JSON.stringify([address]));
      const links = [
        `[${vscode.l10n.t('Watch account')}](command:solanaRpc.watchAccount?${args} "${address}")`,
        `[${vscode.l10n.t('Copy')}](command:${COPY_VALUE}?${args} "${address}")`,
      ];
      const text = new vscode.MarkdownString(links.join(' · '));
      // Base58 has no characters that are special in markdown or a link, so no other command can be injected.
      text.isTrusted = { enabledCommands: ['solanaRpc.watchAccount', COPY_VALUE] };
      return new vscode.Hover(text, range);
    },
  };
  return vscode.languages.registerHoverProvider([{ language: 'jsonrpc' }, { scheme: SCHEME }], provider);
}
