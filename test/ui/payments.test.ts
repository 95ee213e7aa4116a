// A payment and what reads its answer, as a person meets them: it is offered, sent once, read as often as one likes; a run
// of the Test Explorer sends it once more. Transactions are counted on the local service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';

const FILE = 'pay.jsonrpc';
const COUNT = 'count.jsonrpc';
const FILES = {
  [FILE]: [
    '### Pay',
    '# @name pay',
    '{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5000}}", { "encoding": "base64" }] }',
    '?? result isString',
    '',
    '### Status',
    '{ "method": "getSignatureStatuses", "params": [["{{pay.result}}"]] }',
    '?? result.value isArray',
    '',
  ].join('\n'),
  [COUNT]: [
    '### Count',
    '# @name count',
    '# @retry 40 every 250ms while result length 0',
    '{ "method": "getSignaturesForAddress", "params": ["{{$wallet}}", { "commitment": "confirmed" }] }',
    '',
  ].join('\n'),
};

describe('a payment', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ files: FILES });
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.button('Start Local Service').click();
    await editor.workbench.statusItem(/Solana RPC endpoint: local/).waitFor();
  });
  after(() => editor.close());

  /** Waits until the local service knows of so many payments, and of no more. */
  async function paid(count: number): Promise<void> {
    const { workbench } = editor;
    const known = await workbench.until(`${count} payments are known`, async () => {
      await workbench.openFile(COUNT);
      await workbench.lensAction('Send').click();
      const text = await workbench.waitForText('count.json', /"result"/);
      const found = text.split('"signature"').length - 1;
      return found >= count ? found : undefined;
    });
    assert.equal(known, count);
    await workbench.closeEditors();
  }

  test('is offered where its answer is missing, and one click sends it once and reads it', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').nth(1).click();
    const offer = await workbench.notification(/reads the answer of "pay"/);
    await offer.getByRole('button', { name: 'Send "pay" first' }).click();
    await workbench.lens(/^Uses pay from \d\d:\d\d:\d\d$/).waitFor();
    await workbench.screenshot('payment-read');
    await workbench.closeEditors();
    await paid(1);
  });

  test('is not sent again by whatever reads its answer', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lens(/^Uses pay from/).waitFor();
    await workbench.lensAction('Send').nth(1).click();
    await workbench
      .lens(/^✓ 200 · /)
      .first()
      .waitFor();
    await workbench.closeEditors();
    await paid(1);
  });

  test('is sent once by a run of the Test Explorer on the local service', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.openContainer('Testing');
    await workbench.runCommand('Test: Run All Tests');
    const file = workbench.treeItem(/Test Explorer/, /^pay\.jsonrpc.*Passed/);
    await file.waitFor();
    await workbench.closeEditors();
    await paid(2);
  });
});
