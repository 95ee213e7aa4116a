// Steps that the suites inside the editor share: a request file, its answer, a condition that comes true.
import * as vscode from 'vscode';

/** Opens a request file with this text, in the first column. */
export async function show(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language: 'jsonrpc', content });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

/** Sends the block and gives the document that shows the answer. */
export async function send(document: vscode.TextDocument, line: number): Promise<vscode.TextDocument> {
  const name = /@name (\w+)/.exec(document.getText())?.[1] ?? '';
  await vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), line);
  return responseNamed(name);
}

/** The open document that shows the answer to a request of this name. */
export function responseNamed(name: string): Promise<vscode.TextDocument> {
  return eventually(() =>
    vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => uri.scheme === 'solana-response' && uri.path.endsWith(`/${name}.json`) && !isClosed,
    ),
  );
}

/** Polls until there is something, or mocha's time limit fails the test. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
