// What the tests of the editor find things by and wait for them with: names are whole names, a try that waits for what does
// not come leaves time for the next one, and the box at the top is closed however late it opens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/editor/webviewPage';
import { Workbench } from '../support/editor/workbench';

/** A box like the editor’s, that takes no notice of so many presses of Escape. */
const box = (deaf: number): string => `
  <div class="quick-input-widget"><input class="input"></div>
  <script type="module">
    let deaf = ${deaf};
    const box = document.querySelector('.quick-input-widget');
    box.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && deaf-- <= 0) box.style.display = 'none';
    });
  </script>`;

/** What has a name in the window, beside things whose names begin or end alike, or differ in case. */
const NAMES = `
  <div class="tabs-container">
    <div role="tab">flood.jsonrpc</div><div role="tab">Flood, preview, Editor Group 2</div><div role="tab">Flood 2</div>
  </div>
  <div role="tree" aria-label="Streams"><div role="treeitem">flood, live</div><div role="treeitem">Flood, live · 2</div>
  <div role="treeitem">Flood, live</div></div>
  <div role="tree" aria-label="My streams"><div role="treeitem">Flood, live</div></div>
  <div id="workbench.parts.statusbar"><a role="button">JSON</a><a role="button">Solana JSON-RPC</a></div>`;

describe('a wait', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  after(() => browser.close());

  test('a name finds the one thing that has it', async () => {
    await page.setContent(NAMES);
    const workbench = new Workbench(page);
    const found = [workbench.tab('Flood'), workbench.treeItem('Streams', 'Flood, live'), workbench.statusItem('JSON')];
    const texts = await Promise.all(found.map((one) => one.allInnerTexts()));
    assert.deepEqual(texts, [['Flood, preview, Editor Group 2'], ['Flood, live'], ['JSON']]);
  });

  test('a click on what is not there ends its own try alone', async () => {
    await page.setContent('<p>Nothing to click</p>');
    let tries = 0;
    const found = await new Workbench(page).until('the second try is better', async () => {
      if (++tries === 1) await page.locator('button').click();
      return tries;
    });
    assert.equal(found, 2);
  });

  test('after it a wait has the patience of before', async () => {
    const workbench = new Workbench(page);
    await workbench.until('it is there', () => Promise.resolve(true));
    await page.setContent('<script>setTimeout(() => document.body.append("It came"), 4_000)</script>');
    await page.getByText('It came', { exact: true }).waitFor();
  });

  test('the box that takes no notice of the first Escape is closed by another', async () => {
    await page.setContent(box(1));
    const { quickInput } = new Workbench(page);
    assert.equal(await quickInput.close(), true);
    assert.equal(await quickInput.input.isVisible(), false);
  });

  test('a box that stays is said to be open, and the loop around it has its next try', async () => {
    await page.setContent(box(4));
    const { quickInput } = new Workbench(page);
    assert.equal(await quickInput.close(), false);
    assert.equal(await quickInput.close(), true);
  });
});
