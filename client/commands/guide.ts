// The first steps: the walkthrough, and its sample as a file of the user's own.
import * as vscode from 'vscode';
import type { CommandTable } from './command';

/** `sample`: the file the extension brings; it is opened as a copy, so that it can be edited and thrown away. */
export function guideCommands(extensionId: string, sample: vscode.Uri): CommandTable {
  return {
    openWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false),
    async openSample() {
      const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample));
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const document =
        folder === undefined
          ? await vscode.workspace.openTextDocument({ language: 'jsonrpc', content })
          : await namedCopy(vscode.Uri.joinPath(folder, NAME), content);
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: false });
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
