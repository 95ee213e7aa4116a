// An endpoint forked into the local service, in the real editor: from the row's menu, with the endpoint's key, which the
// service never sees; its accounts are there when a request first needs them, and the view says where they are from.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../../support/editor/editor';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { assertNoLeak, filesWith } from '../../support/process/leaks';
import { descendantsOf } from '../../support/process/processes';

const THERE = 'Vote111111111111111111111111111111111111117';
const FILES = {
  'balance.jsonrpc': `### Balance\n# @name balance\n{ "method": "getBalance", "params": ["${THERE}"] }\n`,
};

describe('an endpoint that is forked', () => {
  let source: Localnet;
  let editor: Editor;
  before(async () => {
    source = await startTestLedger(['--plan', 'Pro', '--warp-slot', '4000'], { clock: 'running' });
    await source.cheat('fund', { address: THERE, lamports: 123_456_789 });
    editor = await openEditor({
      files: FILES,
      settings: {
        'solanaRpc.trace.server': 'verbose',
        'solanaRpc.endpoints': [{ name: 'elsewhere', rpcUrl: source.ready.rpcUrl }],
      },
      size: { width: 1200, height: 800 },
    });
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    const adding = workbench.quickInput.title('Add a key for elsewhere');
    await workbench.clickFor(workbench.treeItem('Endpoints', /^No key yet/), adding);
    await workbench.quickInput
      .options(/^RPC key, /)
      .first()
      .click();
    await workbench.quickInput.title('A label for this key').waitFor();
    await workbench.quickInput.answer('mine');
    await workbench.quickInput.input.and(workbench.page.locator('[type=password]')).waitFor();
    await workbench.quickInput.answer(source.ready.keys.rpc.key);
    await workbench.treeItem('Endpoints', /^RPC key, mine/).waitFor();
  });
  after(async () => {
    await editor?.close();
    await source?.stop();
  });

  const row = (name: RegExp) => editor.workbench.treeItem('Endpoints', name);
  const count = async (): Promise<number> => {
    const { methods } = JSON.parse((await source.rest('/v1/usage')).text) as {
      methods: readonly { method: string; count: number }[];
    };
    return methods.filter(({ method }) => method === 'getMultipleAccounts').reduce((sum, one) => sum + one.count, 0);
  };

  test('is one click in its menu, and the view says of what the local service is a fork', async () => {
    const { workbench } = editor;
    await workbench.chooseFromMenu(row(/^elsewhere/), 'Fork Endpoint Into Local Service');
    await row(/^local, active · fork of elsewhere$/).waitFor();
    await workbench.page.locator('.pane-header .description', { hasText: /^local: slot 4,\d+ · 0 fetched$/ }).waitFor();
    await workbench.pictures('fork-started');
  });

  test('has its accounts where a request needs them, read once', async () => {
    const { workbench } = editor;
    // The features of the source, a hundred at a time.
    assert.equal(await count(), 3);
    await workbench.openFile('balance.jsonrpc');
    for (let again = 0; again < 2; again++) {
      await workbench.lensAction('Send').click();
      await workbench.waitForText('balance.json', /"value": 123456789/);
    }
    assert.equal(await count(), 4);
    await workbench.page
      .locator('.pane-header .description', { hasText: /^local: slot [\d,]+ · 1 fetched$/ })
      .waitFor();
    await workbench.pictures('fork-fetched');
  });

  test('gives its key to nobody: not to the local service, and not into a trace', () => {
    const { key } = source.ready.keys.rpc;
    const service = descendantsOf(process.pid).find(
      ({ pid, cmdline }) => pid !== source.process.pid && cmdline.includes('dist/localnet.js'),
    );
    assert.ok(service !== undefined);
    assert.ok(service.cmdline.includes('--fork=elsewhere'), service.cmdline);
    assert.ok(!service.cmdline.includes(new URL(source.ready.rpcUrl).host), service.cmdline);
    assertNoLeak([service.cmdline, ...service.environ].join('\n'), [key], 'what the service was started with');
    assert.deepEqual(filesWith(editor.profileFolder, [key]), []);
  });

  test('starts again as a fork, and needs a stop to start a fresh ledger', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Restart Local Service');
    await workbench.page
      .locator('.pane-header .description', { hasText: /^local: slot [\d,]+ · 0 fetched$/ })
      .waitFor();
    await row(/^local, active · fork of elsewhere$/).waitFor();
    await workbench.chooseFromMenu(row(/^elsewhere/), 'Fork Endpoint Into Local Service');
    const question = workbench.dialog('Start the local service again, as a fork of “elsewhere”?');
    await question.waitFor();
    await workbench.screenshot('fork-question');
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('Solana RPC: Stop Local Service');
    await row(/^local, not running/).waitFor();
    await workbench.runCommand('Solana RPC: Start Local Service');
    await row(/^local, active$/).waitFor();
    assert.deepEqual(editor.strayRequests, []);
  });
});
