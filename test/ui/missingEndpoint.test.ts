// Without an endpoint every way of sending leads to one question, and goes on once it is answered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';
const QUESTION = 'There is no endpoint to send to.';

describe('a window without an endpoint', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ files: { 'slot.jsonrpc': SLOT } });
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.button('Start Local Service').waitFor();
  });
  after(() => editor.close());

  test('Watch Account asks, and leaving the question does nothing', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Watch Account');
    const question = workbench.dialog(QUESTION);
    await question.getByRole('button', { name: 'Add Endpoint' }).waitFor();
    await workbench.screenshot('no-endpoint');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
  });

  test('Send that is not answered leaves no response; the file says why', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.dialog(QUESTION).getByRole('button', { name: 'Cancel' }).click();
    await workbench.statusItem(/Errors: 1/).waitFor();
    assert.equal(await workbench.tab(/^slot\.json(?!rpc)/).count(), 0);
  });

  test('Send starts the local service and then brings its answer', async () => {
    const { workbench } = editor;
    await workbench.lensAction('Send').click();
    await workbench.dialog(QUESTION).getByRole('button', { name: 'Start Local Service' }).click();
    await workbench.waitForText('slot.json', /"result": \d+/);
    await workbench.treeItem('Keys', 'local, active').waitFor();
  });
});
