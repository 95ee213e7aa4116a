// A payment and what reads its answer, as a person meets them: it is offered, sent once, read as often as one likes; a run
// of the Test Explorer sends it once more. Transactions are counted by the local service, in the Usage view.
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { prepare } from '../support/shared';

const FILE = 'pay.jsonrpc';
const TEXT = [
  '### Pay',
  '# @name pay',
  '{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5000}}", { "encoding": "base64" }] }',
  '?? result isString',
  '',
  '### Status',
  '{ "method": "getSignatureStatuses", "params": [["{{pay.result}}"]] }',
  '?? result.value isArray',
  '',
].join('\n');

describe('a payment', () => {
  const editor = testEditor({ files: { [FILE]: TEXT } });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.startLocalService();
  });

  /**
   * The local service has counted so many payments, which it does before it answers one. So many readings of the answer
   * show that the numbers are not those of before.
   */
  async function paid(payments: number, readings: number): Promise<void> {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.runCommand('Solana RPC: Refresh Usage');
    await workbench.treeItem('Usage', `getSignatureStatuses, ${readings}`).waitFor();
    await workbench.treeItem('Usage', `sendTransaction, ${payments}`).waitFor();
  }

  test('is offered where its answer is missing, and one click sends it once and reads it', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').nth(1).click();
    const offer = await workbench.notification(/^.*reads the answer of "pay"/);
    await offer.getByRole('button', { name: 'Send "pay" First', exact: true }).click();
    await workbench.lens(/^Uses pay from \d\d:\d\d:\d\d$/).waitFor();
    await workbench.screenshot('payment-read');
    await workbench.closeEditors();
    await paid(1, 1);
  });

  test('is not sent again by requests that read its answer', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lens(/^Uses pay from/).waitFor();
    await workbench.lensAction('Send').nth(1).click();
    await workbench
      .lens(/^✓ 200 · /)
      .first()
      .waitFor();
    await workbench.closeEditors();
    await paid(1, 2);
  });

  test('is sent once by a run of the Test Explorer on the local service', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.openContainer('Testing');
    await workbench.runCommand('Test: Run All Tests');
    const file = workbench.treeItem(/^Test Explorer/, /^pay\.jsonrpc.*Passed/);
    await file.waitFor();
    await workbench.closeEditors();
    await paid(2, 3);
  });
});
