// "Explain Transaction" as a person meets it: of a payment that failed its preflight, of one that landed, found by its
// signature under the cursor, with keyboard and after a reload. Transactions run on the local service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';

const PROBE = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const pay = (name: string, lamports: number): string => {
  const instructions = [{ memo: 'thanks' }, { transfer: { to: PROBE, lamports } }];
  const transaction = { version: 0, computeUnitLimit: 120_000, instructions };
  const body = { method: 'sendTransaction', params: [{ $transaction: transaction }, { encoding: 'base64' }] };
  return `### ${name}\n# @name ${name}\n${JSON.stringify(body)}\n`;
};
const FILES = { 'poor.jsonrpc': pay('poor', 9e15), 'paid.jsonrpc': pay('paid', 5_000_000) };
const NARROW = { width: 800, height: 700 };
const NORMAL = { width: 1280, height: 800 };

describe('transactions explained', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ files: FILES });
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.button('Start Local Service').click();
    await workbench.statusItem(/Solana RPC endpoint: local/).waitFor();
  });
  after(() => editor.close());

  test('a payment that failed its preflight says which instruction, why, and what to do', async () => {
    const { workbench } = editor;
    await workbench.openFile('poor.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('poor.json', '"error"');
    await (await workbench.titleAction('poor.json', 'Explain Transaction…')).click();
    const page = workbench.webview();
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    await page.getByText(/^Instruction 3 failed: /).waitFor();
    await page
      .getByRole('listbox', { name: 'Calls' })
      .getByRole('option', { name: /^3 .*failed/ })
      .waitFor();
    await workbench.pictures('explain-failed');
    await workbench.closeEditors();
  });

  test('a payment that was sent is looked up with one click, and each tab says its part', async () => {
    const { workbench } = editor;
    await workbench.openFile('paid.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('paid.json', '"result"');
    await (await workbench.titleAction('paid.json', 'Explain Transaction…')).click();
    const sent = workbench.webview();
    await sent.getByRole('heading', { name: 'Outcome unknown' }).waitFor();
    await workbench.screenshot('explain-sent');
    await sent.getByRole('button', { name: 'Look It Up on the Chain' }).click();
    await workbench.tab(/^Transaction/).waitFor();
    const landed = workbench.webview();
    await landed.getByRole('heading', { name: 'Succeeded' }).waitFor();
    assert.match(await landed.locator('.facts').innerText(), /Fee\s+5,000 lamports/);
    for (const tab of ['Calls', 'Accounts', 'Balances', 'Raw']) {
      await landed.getByRole('tab', { name: tab }).click();
      await workbench.screenshot(`explain-landed-${tab.toLowerCase()}`);
    }
    await landed.getByRole('tab', { name: 'Raw' }).press('ArrowLeft');
    await landed
      .getByRole('row', { name: new RegExp(PROBE) })
      .getByText('+0.005 SOL')
      .waitFor();
    await workbench.pictures('explain-landed');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('explain-landed-narrow');
    await workbench.page.setViewportSize(NORMAL);
    await workbench.closeEditors();
  });

  test('a simulation suggests numbers, and one click each writes them into the request', async () => {
    const { workbench } = editor;
    await workbench.openFile('paid.jsonrpc');
    await workbench.lensAction('Simulate').click();
    await workbench.waitForText('paid (simulated).json', '"result"');
    await (await workbench.titleAction('paid (simulated).json', 'Explain Transaction…')).click();
    const page = workbench.webview();
    await page.getByRole('heading', { name: 'Succeeded' }).waitFor();
    await page.getByRole('button', { name: /^Use: Compute unit limit/ }).click();
    await page.getByRole('button', { name: /^Use: Loaded account data/ }).click();
    await page.getByRole('button', { name: 'Ask for Recent Fees' }).click();
    await page.getByRole('button', { name: /^Use: Priority fee, 75th/ }).click();
    await workbench.pictures('explain-simulated');
    await page.getByRole('button', { name: 'Simulate with Accounts' }).press('Enter');
    await page.getByText('Simulated. Nothing was sent.').waitFor();
    await page.getByRole('heading', { name: 'Accounts after the simulation' }).waitFor();
    await page.getByRole('cell', { name: 'balance', exact: true }).first().waitFor();
    await workbench.pictures('explain-accounts-after');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('explain-accounts-after-narrow');
    await workbench.page.setViewportSize(NORMAL);
    await page.getByRole('button', { name: /^Use: Compute unit limit/ }).click();
    const text = await workbench.visibleText('paid.jsonrpc');
    assert.match(text, /"computeUnitLimit":1880\b/);
    await workbench.closeEditors();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
