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
      const document = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content });
      await vscode.window.showTextDocument(document);
    },
  };
}
