// From an open file to an answer on screen, in the real editor with the real local service.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerDialogs } from './dialogs';
import { eventually, responseNamed, send, show } from './steps';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n';

describe('editing', () => {
  it('shows the fault of a faulty file at its place', async () => {
    const { uri } = await show('### A\n{ "method": "getBalanec", "params": [] }\n');
    const found = await eventually(() => {
      const all = vscode.languages.getDiagnostics(uri);
      return all.some(({ code }) => code === 'unknown-method') ? all : undefined;
    });
    assert.equal(found.find(({ code }) => code === 'unknown-method')?.range.start.line, 1);
  });

  it('offers the methods of the contract', async () => {
    const { uri } = await show('### A\n{ "method": "" }\n');
    const place = new vscode.Position(1, 13);
    const list = await eventually(async () => {
      const items = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        place,
      );
      return items.items.length > 0 ? items : undefined;
    });
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      labels.some((label) => label.includes('getBalance')),
      labels.slice(0, 20).join(' '),
    );
  });

  it('puts a Send lens above each request', async () => {
    const { uri } = await show(`${SLOT}${SLOT.replaceAll('slot', 'again')}`);
    const lenses = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(
      lenses.filter(({ command }) => command?.command === 'solanaRpc.send').map(({ range }) => range.start.line),
      [0, 3],
    );
  });
});

describe('sending', () => {
  before(async () => {
    await vscode.commands.executeCommand('solanaRpc.startLocalService');
  });
  after(async () => {
    await vscode.commands.executeCommand('solanaRpc.stopLocalService');
  });

  it('shows the answer next to the file, as a read-only document titled by the name of the request', async () => {
    const document = await show(SLOT);
    const response = await send(document, 0);
    assert.match(response.uri.path, /\/slot\.json$/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('solana-response'), false);
    assert.match(response.getText(), /"result": \d+/);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
  });

  it('reuses the document of a request that is sent again', async () => {
    const document = await show(SLOT);
    const first = await send(document, 0);
    const second = await send(document, 0);
    assert.equal(second.uri.toString(), first.uri.toString());
  });

  it('shows the responses of requests that are sent at the same time, without a word', async () => {
    const names = ['one', 'two', 'three'];
    const document = await show(names.map((name) => SLOT.replaceAll('slot', name)).join(''));
    const dialogs = answerDialogs();
    for (let times = 0; times < 3; times++)
      await Promise.all(
        names.map((_, at) => vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 3 * at)),
      );
    dialogs.restore();
    assert.deepEqual(dialogs.questions, []);
    for (const name of names) assert.match((await responseNamed(name)).getText(), /"result": \d+/);
  });

  it('uses the new key after the key was rotated by command', async () => {
    const document = await show(SLOT.replaceAll('slot', 'rotated'));
    await send(document, 0);
    const dialogs = answerDialogs([undefined, 'Rotate']);
    for (let n = 0; n < 2; n++) await vscode.commands.executeCommand('solanaRpc.rotateKey', 'local-rpc');
    dialogs.restore();
    // One click rotates nothing: the question names the key, which all endpoints call “default”, by its id as well.
    for (const question of dialogs.questions)
      assert.match(question, /^Rotate the RPC key “default” \(id \S+\) of local\?$/);
    await vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 0);
    const response = await responseNamed('rotated');
    assert.match(response.getText(), /"result": \d+/);
    assert.doesNotMatch(response.getText(), /error/);
  });

  it('says in the file why nothing was sent', async () => {
    const document = await show('### A\n{ "method": "getBalance", "params": ["{{nobody}}"] }\n');
    await vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 0);
    const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Solana RPC');
    assert.equal(found.length, 1);
    assert.match(found[0]?.message ?? '', /nobody/);
  });

  it('marks an assertion that does not hold at its line', async () => {
    const document = await show('### A\n# @name low\n{ "method": "getSlot" }\n?? result < 0\n');
    await send(document, 0);
    const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Solana RPC');
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      [3],
    );
  });

  it('ends a run that is cancelled while the request waits to be repeated', async () => {
    const document = await show(
      '### A\n# @name waits\n# @retry 1000 every 60s while result >= 0\n{ "method": "getSlot" }\n',
    );
    const running = vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 0);
    await eventually(async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        9,
      );
      return lenses.some(({ command }) => command?.command === 'solanaRpc.cancel') ? lenses : undefined;
    });
    await vscode.commands.executeCommand('solanaRpc.cancel', document.uri.toString(), 0);
    await running;
  });
});
