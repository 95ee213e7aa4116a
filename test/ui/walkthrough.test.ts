// A newcomer's first minutes along the walkthrough alone: every step by its own button, in an empty profile without a
// folder's files, until a transaction landed, a stream is live and the usage is there. Each step marks itself as done.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor/editor';

describe('the walkthrough', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ size: { width: 1700, height: 1000 } });
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.runCommand('Solana RPC: Open Walkthrough');
    await step('Start the local service').waitFor();
  });
  after(() => editor.close());

  const step = (title: string): Locator => editor.workbench.page.getByRole('button', { name: title }).first();
  const tick = (title: string): Locator =>
    editor.workbench.page.locator(`[role="checkbox"][aria-label="${title}: Completed"]`);

  /** Opens a step, where its own mark of what is done has not opened it already, and presses its button. */
  async function take(title: string, button: string): Promise<void> {
    const { workbench } = editor;
    const press = workbench.page.locator('.getting-started-step.expanded').getByRole('button', { name: button });
    await workbench.until(`the step "${title}" is open`, async () => {
      if (await press.isVisible()) return true;
      await step(title).click();
      return undefined;
    });
    await press.click();
  }

  test('one click starts the local service', async () => {
    const { workbench } = editor;
    await take('Start the local service', 'Start Local Service');
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    await tick('Start the local service').waitFor();
    await workbench.screenshot('walkthrough-1-started');
  });

  test('the sample opens beside it, and Send brings the first answer', async () => {
    const { workbench } = editor;
    await take('Send the first request', 'Open the Sample');
    await workbench.waitForText('quickstart.jsonrpc', '"getBalance"');
    await workbench.tab(/^(Welcome|Walkthrough)/).waitFor();
    await workbench.lens('Send').first().click();
    await workbench.waitForText('balance.json', /"value": \d+/);
    await tick('Send the first request').waitFor();
    await workbench.screenshot('walkthrough-2-answered');
  });

  test('the whole sample runs from the walkthrough, and its transaction lands', async () => {
    const { workbench } = editor;
    await workbench.tab('quickstart.jsonrpc').click();
    await take('Land a transaction', 'Send the Whole Sample');
    await workbench.statusText(/(\d+) of \1 requests passed/).waitFor();
    // The walkthrough's picture is a page, and the first.
    await workbench
      .webview(1)
      .getByText(/finalized after/)
      .first()
      .waitFor();
    await tick('Land a transaction').waitFor();
    await workbench.screenshot('walkthrough-3-landed');
  });

  test('the wallet is watched live, its address ready to take', async () => {
    const { workbench } = editor;
    await take('Watch it live', 'Watch the Wallet');
    await workbench.quickInput.title('Watch account').waitFor();
    const address = await workbench.quickInput.input.inputValue();
    assert.match(address, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    await workbench.quickInput.input.press('Enter');
    await workbench.treeItem('Streams', /, Live/).waitFor();
    // A tab has room for the two ends of an address.
    await workbench.tab(`${address.slice(0, 5)}…${address.slice(-5)}`).waitFor();
    await workbench.pageHeading(address);
    await tick('Watch it live').waitFor();
    await workbench.screenshot('walkthrough-4-live');
  });

  test('the usage view fills with what was sent', async () => {
    const { workbench } = editor;
    await take('Read your usage', 'Load Usage');
    await workbench.treeItem('Usage', /^Account, \d+/).waitFor();
    await workbench.treeItem('Usage', /^sendTransaction, 2$/).waitFor();
    await tick('Read your usage').waitFor();
    await workbench.screenshot('walkthrough-5-usage');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
