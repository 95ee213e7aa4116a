// The first steps: the walkthrough, and its sample as a file of the user's own.
import * as vscode from 'vscode';
import type { CommandTable } from './command';

export interface GuideDeps {
  readonly extensionId: string;
  /** The file the extension brings; it is opened as a copy, so that it can be edited and thrown away. */
  readonly sample: vscode.Uri;
  /** Sends every request of a file. */
  readonly sendAll: (document: vscode.TextDocument) => Promise<void>;
}

export function guideCommands({ extensionId, sample, sendAll }: GuideDeps): CommandTable {
  /** In a window without a folder: the copy that is open already, so that it is not opened twice. */
  let unnamed: vscode.TextDocument | undefined;
  const opened = async (): Promise<vscode.TextDocument> => {
    if (unnamed?.isClosed === false) return unnamed;
    const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample));
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder !== undefined) return namedCopy(vscode.Uri.joinPath(folder, NAME), content);
    unnamed = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content });
    return unnamed;
  };
  return {
    openWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false),
    async openSample() {
      await vscode.window.showTextDocument(await opened(), { viewColumn: vscode.ViewColumn.Active, preview: false });
    },
    async sendSample() {
      const document = await opened();
      const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
      const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
      await vscode.window.showTextDocument(document, { viewColumn, preview: false });
      await sendAll(document);
    },
  };
}

const NAME = 'quickstart.jsonrpc';

/** A copy that saving puts at `file`; the one that is there already where it was saved before. */
async function namedCopy(file: vscode.Uri, content: string): Promise<vscode.TextDocument> {
  const saved = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (saved) return vscode.workspace.openTextDocument(file);
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled', authority: '' }));
  if (document.getText() === '') {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), content);
    await vscode.workspace.applyEdit(edit);
  }
  return vscode.languages.setTextDocumentLanguage(document, 'jsonrpc');
}
