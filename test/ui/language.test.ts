// A flow in a language of long words, from the views to an answer, as narrow as the side bar gets: every text of the extension
// is translated, and none is clipped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { pseudo } from '../support/editor/pseudo';
import type { Workbench } from '../support/editor/workbench';
import { prepare } from '../support/shared';

const REQUESTS = ['### Slot', '# @name slot', '{ "method": "getSlot" }', ''].join('\n');

describe('in a language of long words', () => {
  const editor = testEditor({
    files: { 'slot.jsonrpc': REQUESTS },
    size: { width: 1000, height: 900 },
    pseudo: true,
  });
  let workbench: Workbench;
  prepare(() => {
    ({ workbench } = editor);
  });

  /** Texts of the extension's buttons, rows and messages that overflow their box. */
  const cut = (): Promise<string[]> =>
    workbench.page.evaluate(`
      [...document.querySelectorAll('.monaco-button, .view-welcome p, .notification-list-item-message, .codelens-decoration a')]
        .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .map((one) => one.innerText)`);

  test('the views, as narrow as they get', async () => {
    await workbench.openContainer('Solana RPC');
    await workbench.button(pseudo('Start Local Service')).waitFor();
    for (const width of [420, 220]) {
      await workbench.setSideBarWidth(width);
      await workbench.screenshot(`language-views-${width}px`);
      assert.deepEqual(await cut(), [], `${width} px`);
    }
  });

  test('from the local service to an answer', async () => {
    await workbench.clickFor(
      workbench.button(pseudo('Start Local Service')),
      workbench.treeItem(pseudo('Endpoints'), /^local, ⟦/),
    );
    await workbench.screenshot('language-running');
    assert.deepEqual(await cut(), []);
    await workbench.openFile('slot.jsonrpc');
    // The language server speaks English in every editor.
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('slot.json', /"result": \d+/);
    await workbench.screenshot('language-answer');
    assert.deepEqual(await cut(), []);
    // Its actions, its row, and the lists behind them.
    await workbench.treeItem(pseudo('History'), /^slot/).first().waitFor();
    await workbench.statusItem(/^⟦.*\blocal\b/).click();
    await workbench.quickInput.title(pseudo('Active endpoint')).waitFor();
    await workbench.screenshot('language-list');
    await workbench.quickInput.cancel();
    await workbench.button(pseudo('Load Usage')).click();
    await workbench.treeItem(pseudo('Usage'), /^getSlot, 1/).waitFor();
    await workbench.screenshot('language-usage');
    assert.deepEqual(await cut(), []);
  });
});
