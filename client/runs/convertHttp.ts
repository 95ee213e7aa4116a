// The command that converts a `.http` file: the open one, the one selected in the Explorer, or the user's choice. The result
// opens as a new, unsaved file; what could not be converted is in comments at its top.
import * as vscode from 'vscode';
import type { CommandTable } from '../shared/command';

const HTTP = /\.(?:http|rest)$/i;

export function convertCommands(): CommandTable {
  return {
    async convertHttp(target) {
      const source = await sourceOf(target);
      if (source === undefined) return;
      const { convertHttp } = await import('../../core/requests/convert/convert');
      const { text, requests, notes } = convertHttp(source.getText());
      if (requests === 0) {
        const [first] = notes;
        const why = first === undefined ? '' : vscode.l10n.t('Line {0}: {1}', first.line, first.message);
        await vscode.window.showWarningMessage(vscode.l10n.t('No request of the file could be converted. {0}', why));
        return;
      }
      const comments = notes.map(({ line, message }) => `# ${vscode.l10n.t('Line {0}: {1}', line, message)}`);
      const head =
        notes.length === 0 ? [] : [`# ${vscode.l10n.t('Not everything could be converted.')}`, ...comments, ''];
      const content = [...head, text].join('\n');
      const document = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content });
      await vscode.window.showTextDocument(document, { preview: false });
    },
  };
}

async function sourceOf(target: unknown): Promise<vscode.TextDocument | undefined> {
  if (target instanceof vscode.Uri) return vscode.workspace.openTextDocument(target);
  const open = vscode.window.activeTextEditor?.document;
  if (open !== undefined && HTTP.test(open.uri.path)) return open;
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Convert an HTTP file'),
      canSelectMany: false,
      filters: { HTTP: ['http', 'rest'] },
    })) ?? [];
  return chosen === undefined ? undefined : vscode.workspace.openTextDocument(chosen);
}
