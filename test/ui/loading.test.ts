// Loading states while the service takes its time: the usage and its report, a stream that
// connects, a local service that starts. Every state leaves its pictures.
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';
import { keyboardIn } from '../support/editor/keyboard';
import { httpServer, tcpServer, type Hostile } from '../support/wire/hostile';

const SLOTS = '### Every slot\n{ "method": "slotSubscribe" }\n';
const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n';

describe('while the service takes its time', () => {
  let service: Hostile;
  let silent: Hostile;
  let editor: Editor;
  /** Lets the answers go. */
  let go = (): void => undefined;
  before(async () => {
    const held = new Promise<void>((resolve) => (go = resolve));
    service = await httpServer(async (_request, response) => {
      await held;
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","result":1,"id":1}');
    });
    // Takes connections and says nothing.
    silent = await tcpServer(() => undefined);
    const slow = {
      name: 'slow',
      rpcUrl: service.origin,
      restUrl: service.origin,
      wsUrl: silent.origin.replace('http', 'ws'),
      auth: { rpc: 'none', ws: 'none', rest: 'none' },
    };
    editor = await openEditor({
      files: { 'slots.jsonrpc': SLOTS, 'slot.jsonrpc': SLOT },
      settings: { 'solanaRpc.endpoints': [slow], 'solanaRpc.endpoint': 'slow' },
      size: { width: 1500, height: 850 },
    });
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.treeItem('Endpoints', /^slow, active/).waitFor();
  });
  after(async () => {
    go();
    await editor.close();
    await service.close();
    await silent.close();
  });

  test('the usage says that it loads, in its tree and in its report', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Refresh Usage');
    await workbench.treeItem('Usage', /^Loading usage…/).waitFor();
    await workbench.runCommand('Solana RPC: Open Usage Report');
    await workbench.webview().locator('.loading').waitFor();
    await workbench.pictures('loading-usage');
    await workbench.closeEditors();
  });

  test('a stream says that it connects, and no row is there yet', async () => {
    const { workbench } = editor;
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.tab('Every slot').waitFor();
    await workbench
      .webview()
      .locator('.state-words', { hasText: /^Connecting$/ })
      .waitFor();
    await workbench.treeItem('Streams', /^Every slot, Connecting/).waitFor();
    await workbench.pictures('loading-stream');
    await workbench.runCommand('Solana RPC: Stop Stream');
    await workbench.treeItem('Streams', /^Every slot, Stopped/).waitFor();
    await workbench.closeEditors();
  });

  test('Cancel above a request ends its run, also if it was started by the key from a line inside', async () => {
    const { workbench } = editor;
    const { keyboard } = workbench.page;
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').waitFor();
    await keyboardIn(workbench, 'slot.jsonrpc');
    await keyboard.press('ControlOrMeta+End');
    await keyboard.press('ArrowUp');
    await keyboard.press('Control+Alt+R');
    await workbench.lensAction('Cancel').click();
    await workbench.lensAction('Cancel').waitFor({ state: 'detached' });
    await workbench.lensAction('Send').waitFor();
  });

  test('a request that was sent can be cancelled above its line, until its answer is here', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.lensAction('Cancel').waitFor();
    await workbench.pictures('loading-request');
    go();
    await workbench.waitForText('slot.json', '"result": 1');
    await workbench.lensAction('Send').waitFor();
  });
});
