// Hostile code inside the editor: an extension that calls our commands and tools in Restricted Mode, and one of our pages
// that somebody took over and that posts arbitrary messages.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { addCompanion } from '../support/editor/companion';
import { openEditor, type Editor } from '../support/editor/editor';
import { filesBelow } from '../support/process/leaks';
import { descendantsOf } from '../support/process/processes';
import { sink as startSink, type Sink } from '../support/wire/hostile';
import { wholeText } from '../support/editor/wholeText';

const COMMANDS = ['send', 'sendAll', 'watch', 'simulate', 'startLocalService', 'refreshUsage', 'checkEndpoint'];
const TOOLS = ['listMethods', 'validate', 'run'];

/** Calls everything at once, writes the results to `file`, and sends again once the window is trusted. */
const STRANGER = (file: string): string => `
const vscode = require('vscode');
const { writeFileSync } = require('node:fs');
exports.activate = () => void work();

async function work() {
  const [folder] = vscode.workspace.workspaceFolders;
  const uri = vscode.Uri.joinPath(folder.uri, 'slot.jsonrpc');
  await vscode.extensions.getExtension('rpc-workbench.solana-rpc-workbench').activate();
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  const call = (name) => vscode.commands.executeCommand('solanaRpc.' + name, uri.toString(), 0);
  vscode.workspace.onDidGrantWorkspaceTrust(() => call('send'));
  const results = {};
  for (const name of ${JSON.stringify(COMMANDS)}) {
      results[name] = 'called';
      // A notification may stay until somebody reads it.
      call(name).then((value) => (results[name] = String(value)), (error) => (results[name] = error.message));
    }
  const input = { text: '{ "method": "getSlot" }', method: 'getSlot', params: [] };
  for (const name of ${JSON.stringify(TOOLS)})
    results[name] = await vscode.lm.invokeTool('solanaRpc_' + name, { input, toolInvocationToken: undefined }).then(
      () => 'answered',
      (error) => error.message,
    );
  writeFileSync(${JSON.stringify(file)}, JSON.stringify(results));
}
`;

describe('another extension in a window that is not trusted', () => {
  let sink: Sink;
  let editor: Editor;
  let file = '';
  before(async () => {
    sink = await startSink();
    editor = await openEditor({
      files: { 'slot.jsonrpc': '### Slot\n{ "method": "getSlot" }\n' },
      trusted: false,
      settings: {
        'solanaRpc.endpoints': [{ name: 'mine', rpcUrl: `${sink.origin}/`, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'mine',
      },
      beside: (extensions) => {
        file = path.join(extensions, 'results.json');
        return addCompanion(extensions, 'stranger', STRANGER(file));
      },
    });
  });
  after(async () => {
    await editor?.close();
    await sink?.close();
  });

  test('calls our commands and tools without effect: each tool refuses, and nobody is connected to', async () => {
    const { workbench } = editor;
    await workbench.until('the stranger has called', () => Promise.resolve(existsSync(file) ? true : undefined));
    const results = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    for (const name of TOOLS) assert.match(String(results[name]), /not trusted/, name);
    // Those that have ended returned nothing.
    const returned = COMMANDS.map((name) => results[name]);
    assert.deepEqual(
      [...new Set(returned)].filter((value) => value !== 'called' && value !== 'undefined'),
      [],
    );
    await workbench.runCommandIn('slot.jsonrpc', 'Solana RPC: Send Request');
    await workbench.notification(/^Nothing is sent in Restricted Mode/);
    assert.equal(sink.connections(), 0);
    assert.deepEqual(
      descendantsOf(process.pid).filter(({ cmdline }) => cmdline.includes('localnet.js')),
      [],
    );
  });

  test('reaches the user’s endpoint by the same command once the user trusts the window', async () => {
    await editor.workbench.trustWorkspace();
    await editor.workbench.until('the stranger sends', () =>
      Promise.resolve(sink.connections() > 0 ? true : undefined),
    );
  });
});

describe('a page that somebody took over', () => {
  let editor: Editor;
  const LONG = 'x'.repeat(5_000_000);
  /** Nothing that a page of a stream says. */
  const HOSTILE: readonly unknown[] = [
    'stop',
    7,
    null,
    [],
    { kind: 'stop' },
    { kind: 'notify' },
    { kind: 'notify', body: { kind: 'runCommand', command: 'workbench.action.closeAllEditors' } },
    { kind: 'notify', body: { kind: 'constructor' } },
    { kind: 'notify', body: { kind: ['stop'] } },
    { kind: 'notify', body: { kind: 'watch', address: 'command:workbench.action.closeAllEditors' } },
    { kind: 'notify', body: { kind: 'watch', address: LONG } },
    { kind: 'notify', body: { kind: 'explain', number: '1' } },
    { kind: 'ask', id: '1', body: { kind: 'rows', from: 0, count: 1, filter: '' } },
    { kind: 'ask', id: 1, body: { kind: 'export', format: 'ndjson', what: LONG, filter: '' } },
    { kind: 'ask', id: 2, body: { kind: 'rows', from: -1, count: 1e99, filter: {} } },
  ];

  before(async () => {
    editor = await openEditor({
      files: { 'slots.jsonrpc': '### Every slot\n# @endpoint local\n{ "method": "slotSubscribe" }\n' },
    });
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', /^local, active/).waitFor();
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await state('Live').waitFor();
  });
  after(() => editor?.close());

  const state = (words: string) => editor.workbench.webview().locator('.state-words', { hasText: wholeText(words) });

  /** Posts as the page's own script does: through the API that the editor puts next to its frame. */
  const post = (messages: readonly unknown[]): Promise<void> =>
    editor.workbench.page
      .locator('iframe.webview.ready')
      .contentFrame()
      .locator('html')
      .evaluate((_element, all) => {
        const outer = globalThis as unknown as {
          readonly __vscode_post_message__: (kind: string, data: { readonly message: unknown }) => void;
        };
        for (const message of all) outer.__vscode_post_message__('onmessage', { message });
      }, messages);

  const logged = (): number =>
    [...filesBelow(editor.profileFolder)]
      .filter((name) => name.endsWith('Solana RPC.log'))
      .flatMap((name) => readFileSync(name, 'utf8').split('\n'))
      .filter((line) => line.includes('a message that is not its own')).length;

  test('posts messages that are not its own: nothing happens, and one line is logged', async () => {
    const { workbench } = editor;
    await post(HOSTILE);
    await workbench.until('it is logged', () => Promise.resolve(logged() > 0 ? true : undefined));
    await state('Live').waitFor();
    assert.equal(await workbench.tab('slots.jsonrpc').count(), 1);
    assert.equal(logged(), 1);
  });

  test('is obeyed in its own messages alone: by the same way Stop stops the stream', async () => {
    await post([{ kind: 'notify', body: { kind: 'stop' } }]);
    await state('Live').waitFor({ state: 'detached' });
    assert.equal(logged(), 1);
  });

  test('nothing left this machine', () => assert.deepEqual(editor.strayRequests, []));
});
