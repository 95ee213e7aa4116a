// The program of an extension that works in each new extension host as a person would in its window: requests to two
// endpoints, the local service and a stream. A kill then needs no click, and no page that is loaded again.

/**
 * Where the file `go` is there, which it is once the window is set up: closes what an earlier host left open, and works until
 * its end. Commands are those of the lenses.
 */
export const driver = (go: string): string => `
const vscode = require('vscode');
const { existsSync } = require('node:fs');
const settled = (all) => Promise.allSettled(all);
const run = (command, uri, line) => vscode.commands.executeCommand('solanaRpc.' + command, uri.toString(), line);

exports.activate = () => void work();

async function work() {
  if (!existsSync(${JSON.stringify(go)})) return;
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const [folder] = vscode.workspace.workspaceFolders;
  const [requests, slots] = ['requests.jsonrpc', 'slots.jsonrpc'].map((name) => vscode.Uri.joinPath(folder.uri, name));
  for (const uri of [slots, requests])
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  const kept = async () => {
    for (;;) await settled([run('send', requests, 0), run('send', requests, 4)]);
  };
  const local = async () => {
    await run('startLocalService', requests);
    await settled([run('watch', slots, 0)]);
    for (;;) await settled([run('send', requests, 8)]);
  };
  await settled([kept(), local()]);
}
`;
