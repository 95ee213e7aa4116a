// The extension wakes when a .jsonrpc file opens.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const extension = () => {
  const found = vscode.extensions.getExtension('rpc-workbench.solana-rpc-workbench');
  assert.ok(found, 'the extension is installed');
  return found;
};

/** Context keys that the palette uses, and that a window remembers after its extension host is gone. */
const STATES = ['localService', 'running', 'watching', 'repeated', 'tables', 'decodable', 'large', 'transactions'];

describe('activation', () => {
  const contexts = new Map<unknown, unknown>();
  const { executeCommand } = vscode.commands;
  before(() => {
    const noted = (command: string, ...args: readonly unknown[]): unknown => {
      const [name, value] = args;
      // The first word on each: what a state says of itself later is another one's test.
      if (command === 'setContext' && !contexts.has(name)) contexts.set(name, value);
      return executeCommand(command, ...args);
    };
    (vscode.commands as { executeCommand: unknown }).executeCommand = noted;
  });
  after(() => {
    (vscode.commands as { executeCommand: unknown }).executeCommand = executeCommand;
  });

  it('gives a .jsonrpc file the language id jsonrpc and activates for it', async () => {
    const [file] = await vscode.workspace.findFiles('*.jsonrpc');
    assert.ok(file, 'the workspace has a request file');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, 'jsonrpc');
    await until(() => extension().isActive);
  });

  it('takes back what an extension host that ended had said of its service, runs, streams and responses', async () => {
    await until(() => STATES.every((name) => contexts.has(`solanaRpc.${name}`)));
    for (const name of STATES) assert.equal(contexts.get(`solanaRpc.${name}`), undefined, name);
  });

  it('registers exactly the commands that it contributes', async () => {
    const { contributes } = extension().packageJSON as {
      readonly contributes: { readonly commands: readonly { readonly command: string }[] };
    };
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      // Those of a view, such as `solanaRpc.keys.focus`, are the editor's.
      registered.filter((name) => /^solanaRpc\.\w+$/.test(name)).sort(),
      contributes.commands.map(({ command }) => command).sort(),
    );
  });
});

/** Activation has no event: polls until the condition holds, or mocha's time limit fails the test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
