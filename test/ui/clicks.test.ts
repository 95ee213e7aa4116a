// How far a newcomer gets with how many clicks, from a window without a folder: every click of the mouse is counted in the
// window itself.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor/editor';
import type { Workbench } from '../support/editor/workbench';

const COUNT = 'addEventListener("mousedown", () => { globalThis.clicks = (globalThis.clicks ?? 0) + 1; }, true)';

describe('the way from an empty window', () => {
  let editor: Editor;
  let workbench: Workbench;
  before(async () => {
    editor = await openEditor({ size: { width: 1700, height: 1000 } });
    await editor.workbench.page.close();
    workbench = await editor.openWindow({ isEmpty: true });
    await workbench.page.evaluate(COUNT);
  });
  after(() => editor.close());

  const clicks = (): Promise<number> => workbench.page.evaluate<number>('globalThis.clicks ?? 0');
  const inTour = (name: string): Locator =>
    workbench.page.locator('.gettingStartedContainer').getByRole('button', { name }).first();
  const tick = (title: string): Locator =>
    workbench.page.locator(`[role="checkbox"][aria-label="${title}: Completed"]`);

  test('three clicks to the first answer', async () => {
    await workbench.page.locator('[id="workbench.parts.activitybar"]').getByRole('tab', { name: 'Solana RPC' }).click();
    await workbench.button('Start Tour').click();
    await tick('Start the local service').waitFor();
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('balance.json', /"value": \d+/);
    await workbench.screenshot('clicks-1-answer');
    assert.equal(await clicks(), 3);
    await tick('Send the first request').waitFor();
  });

  test('four until a transaction has landed', async () => {
    await workbench.page.getByRole('button', { name: 'Send All Requests in File' }).first().click();
    await workbench.statusText(/(\d+) of \1 requests passed/).waitFor();
    await tick('Land a transaction').waitFor();
    await workbench.screenshot('clicks-2-landed');
    assert.equal(await clicks(), 4);
  });

  test('six to a live stream', async () => {
    await inTour('Watch it live').click();
    await inTour('Watch the Wallet').click();
    await workbench.quickInput.title('Watch account').waitFor();
    await workbench.quickInput.input.press('Enter');
    await workbench.treeItem('Streams', /, Live/).waitFor();
    await tick('Watch it live').waitFor();
    await workbench.screenshot('clicks-3-live');
    assert.equal(await clicks(), 6);
  });

  test('eight to the usage', async () => {
    await inTour('Read your usage').click();
    await inTour('Load Usage').click();
    await workbench.treeItem('Usage', /^Account, \d+/).waitFor();
    await tick('Read your usage').waitFor();
    await workbench.screenshot('clicks-4-usage');
    assert.equal(await clicks(), 8);
  });
});

describe('the first request file after the installation', () => {
  let editor: Editor;
  before(async () => {
    const text = '### Slot\n{ "method": "getSlot" }\n';
    editor = await openEditor({
      files: { 'first.jsonrpc': text, 'second.jsonrpc': text },
      settings: { 'workbench.startupEditor': 'welcomePageInEmptyWorkbench' },
    });
  });
  after(() => editor.close());

  test('offers the tour, which a click starts; the file keeps the keyboard', async () => {
    const { workbench } = editor;
    await workbench.openFile('first.jsonrpc');
    await workbench.lens('Send').waitFor();
    await workbench.page.keyboard.type('# mine');
    await workbench.waitForText('first.jsonrpc', '# mine');
    const offer = await workbench.notification('The two-minute tour runs on a ledger of this machine');
    await workbench.screenshot('tour-offer');
    await offer.getByRole('button', { name: 'Start Tour' }).click();
    await workbench.page.locator('h2', { hasText: 'Solana RPC in two minutes' }).waitFor();
    await workbench.tab('quickstart.jsonrpc').waitFor();
    await workbench
      .treeItem('Endpoints', 'local, active')
      .or(workbench.statusItem(/endpoint: local/))
      .first()
      .waitFor();
  });
});
