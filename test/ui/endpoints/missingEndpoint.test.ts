// Without an endpoint every way of sending leads to one question, and continues once it is answered; without a key for the
// host of a request, to one offer.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openEditor, type Editor, testEditor } from '../../support/editor/editor';
import { namesDuring } from '../../support/editor/labels';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { prepare } from '../../support/shared';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';
const QUESTION = 'There is no endpoint to send to.';

describe('a window without an endpoint', () => {
  const editor = testEditor({ files: { 'slot.jsonrpc': SLOT } });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.button('Start Local Service').waitFor();
  });

  test('Watch Account asks, and leaving the question does nothing', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Watch Account');
    const question = workbench.dialog(QUESTION);
    await question.getByRole('button', { name: 'Add Endpoint', exact: true }).waitFor();
    await workbench.screenshot('no-endpoint');
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await question.waitFor({ state: 'detached' });
  });

  /** Another question comes and is left: what an earlier command had still to show would be there by then. */
  async function isAskedAgain(): Promise<void> {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Watch Account');
    const question = workbench.dialog(QUESTION);
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await question.waitFor({ state: 'detached' });
  }

  const WAYS = [
    ['Send All Requests in File', QUESTION],
    ['Compare Endpoints', 'Comparing takes two endpoints.'],
    ['Fetch IDL from Chain', QUESTION],
    ['Open Usage Report', QUESTION],
  ] as const;
  for (const [command, words] of WAYS)
    test(`${command} asks, and leaving the question sends nothing`, async () => {
      const { workbench } = editor;
      await workbench.runCommandIn('slot.jsonrpc', `Solana RPC: ${command}`);
      const question = workbench.dialog(words);
      await question.getByRole('button', { name: 'Start Local Service', exact: true }).waitFor();
      const names = await namesDuring(workbench, async () => {
        await question.getByRole('button', { name: 'Cancel', exact: true }).click();
        await question.waitFor({ state: 'detached' });
        await isAskedAgain();
      });
      // The palette, from which it is asked again, closes a list that was open.
      assert.deepEqual(
        names.filter((name) => name.endsWith('Compare: the first endpoint')),
        [],
      );
      assert.equal(await workbench.tab(/^(slot\.json(?!rpc)|Usage|Run:|Compare)/).count(), 0);
    });

  test('a test run asks, and its tests are errors where the question is left', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Test: Run All Tests');
    await workbench.dialog(QUESTION).getByRole('button', { name: 'Cancel', exact: true }).click();
    await workbench.openContainer('Testing');
    await workbench.treeItem(/^Test Explorer/, /^slot\.jsonrpc.*(Errored|Failed)/).waitFor();
    await workbench.screenshot('no-endpoint-tests');
  });

  test('nothing that was not sent is in the history', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.page.getByText(/^Responses of requests that you send are kept here/).waitFor();
  });

  test('Send that is not answered leaves no response; the file says why', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.dialog(QUESTION).getByRole('button', { name: 'Cancel', exact: true }).click();
    await workbench.statusItem(/^Errors: 1/).waitFor();
    await isAskedAgain();
    assert.equal(await workbench.tab(/^slot\.json(?!rpc)/).count(), 0);
  });

  test('Send starts the local service and then brings its answer', async () => {
    const { workbench } = editor;
    await workbench.lensAction('Send').click();
    await workbench.dialog(QUESTION).getByRole('button', { name: 'Start Local Service', exact: true }).click();
    await workbench.waitForText('slot.json', /"result": \d+/);
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });

  /** Asks by a command, starts the service from the question. */
  const goOn = async (command: string, isOfFile = false): Promise<void> => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Stop Local Service');
    await workbench.treeItem('Endpoints', /^local/).waitFor({ state: 'detached' });
    await (isOfFile ? workbench.runCommandIn('slot.jsonrpc', command) : workbench.runCommand(command));
    await workbench
      .dialog(/^(There is no endpoint to send to|The local service is not running)\.$/)
      .getByRole('button', { name: 'Start Local Service', exact: true })
      .click();
  };

  test('the usage report opens once the local service is there', async () => {
    await goOn('Solana RPC: Open Usage Report');
    await editor.workbench.tab(/^Usage/).waitFor();
    await editor.workbench.closeEditors();
  });

  test('Send All brings its answers once the local service is there', async () => {
    const { workbench } = editor;
    await goOn('Solana RPC: Send All Requests in File', true);
    await workbench
      .webview()
      .getByText(/^1 passed · local · /)
      .waitFor();
    await workbench.closeEditors();
  });

  test('tests run once the local service is there', async () => {
    const { workbench } = editor;
    await goOn('Test: Run All Tests');
    await workbench.openContainer('Testing');
    await workbench.treeItem(/^Test Explorer/, /^slot\.jsonrpc.*Passed/).waitFor();
  });
});

describe('a request to a host without a key', () => {
  let editor: Editor;
  let service: Localnet;
  prepare(async () => {
    service = await startTestLedger([], { clock: 'running' });
    const { rpcUrl } = service.ready;
    editor = await openEditor({
      files: { 'own.jsonrpc': `### Slot\n# @name answer\nPOST ${rpcUrl}\n\n{ "method": "getSlot" }\n` },
    });
  });
  after(async () => {
    await editor.close();
    await service.stop();
  });

  test('offers to add a key for that host, and sends the request once it is stored', async () => {
    const { workbench } = editor;
    const { host } = new URL(service.ready.rpcUrl);
    await workbench.openFile('own.jsonrpc');
    await workbench.lensAction('Send').click();
    const offer = await workbench.notification(`No RPC key for ${host}.`);
    await offer.getByRole('button', { name: `Add Key for ${host}`, exact: true }).click();
    await workbench.quickInput.title('A label for this key').waitFor();
    await workbench.quickInput.answer('mine');
    await workbench.quickInput.input.and(workbench.page.locator('[type=password]')).waitFor();
    await workbench.quickInput.answer(service.ready.keys.rpc.key);
    await workbench.waitForText('answer.json', /"result": \d+/);
    await workbench.lens(/^✓ /).first().waitFor();
    assert.equal(await workbench.lens(/^✗ /).count(), 0);
    await workbench.screenshot('key-added-and-sent');
  });
});
