// The finders and waits of the editor tests: names are whole names, an attempt that waits for an element that does
// not come leaves time for the next one, and the box at the top is closed however late it opens.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testBrowser } from '../support/editor/webviewPage';
import { Workbench } from '../support/editor/workbench';
import { prepare } from '../support/shared';

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

/** A box whose rows are those of its words, over an editor that takes the focus as an editor that loads late does. */
const PALETTE = `
  <div class="quick-input-widget"><input class="input"><div role="option">Send</div></div>
  <textarea></textarea>
  <script type="module">
    const input = document.querySelector('input');
    input.addEventListener('focus', () => document.querySelector('textarea').focus());
    input.addEventListener('input', () => (document.querySelector('[role=option]').textContent = input.value));
  </script>`;

/** A file of the list, whose first click is lost; the second selects its tab. */
const FILES = `
  <div class="tabs-container"><div role="tab" aria-selected="false">slot.jsonrpc</div><div role="tab">Trust</div></div>
  <div class="quick-input-widget" style="display: none"><input class="input"><div role="option">slot.jsonrpc</div></div>
  <script type="module">
    const box = document.querySelector('.quick-input-widget');
    const show = (isShown) => (box.style.display = isShown ? 'block' : 'none');
    let lost = 1;
    document.addEventListener('keydown', ({ key, ctrlKey }) => {
      if (key === 'Escape') show(false);
      if (key === 'P' && ctrlKey) show(true);
    });
    document.querySelector('[role=option]').addEventListener('click', () => {
      if (lost-- > 0) return;
      show(false);
      document.querySelector('[role=tab]').ariaSelected = 'true';
    });
  </script>`;

/** A list of files that takes what was typed and the first Enter away, and a line that asks for more under the same title. */
const FOLDER = `
  <div class="quick-input-widget">
    <div class="quick-input-title">Compare with</div><input class="input">
    <div class="quick-input-list" style=""><div role="option">open.so</div></div>
  </div>
  <script type="module">
    const list = document.querySelector('.quick-input-list');
    const [row] = list.children;
    document.querySelector('input').addEventListener('keydown', ({ key }) => {
      if (key !== 'Enter') return;
      document.title += document.querySelector('input').value;
      if (document.title.endsWith('open.soopen.so')) return (list.style.display = 'none');
      document.querySelector('input').value = '/';
      row.remove();
      setTimeout(() => list.append(row), 500);
    });
  </script>`;

/** A row with a menu that closes under the mouse, the first time; a view whose button loses its first click. */
const VIEW = `
  <div role="treeitem">three</div><a role="button">Start</a><div role="menuitem" style="display: none">Remove</div>
  <p hidden>It runs</p>
  <script type="module">
    const [row, start, item] = document.querySelectorAll('[role]');
    row.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      item.style.display = 'block';
    });
    let closes = 1;
    item.addEventListener('mouseenter', () => closes-- > 0 && (item.style.display = 'none'));
    item.addEventListener('click', () => {
      item.style.display = 'none';
      row.remove();
    });
    let lost = 1;
    start.addEventListener('click', () => lost-- > 0 || (document.querySelector('p').hidden = false));
  </script>`;

/** Named elements of the window, next to others whose names begin or end alike, or differ in case. */
const NAMES = `
  <div class="tabs-container">
    <div role="tab">flood.jsonrpc</div><div role="tab">Flood, preview, Editor Group 2</div><div role="tab">Flood 2</div>
  </div>
  <div role="tree" aria-label="Streams"><div role="treeitem">flood, live</div><div role="treeitem">Flood, live · 2</div>
  <div role="treeitem">Flood, live</div></div>
  <div role="tree" aria-label="My streams"><div role="treeitem">Flood, live</div></div>
  <div id="workbench.parts.statusbar"><a role="button">JSON</a><a role="button">Solana JSON-RPC</a></div>`;

describe('a wait', () => {
  const browser = testBrowser();
  let page: Page;
  prepare(async () => {
    page = await browser.newPage();
  });

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

  test('words go into the box though something else takes the focus', async () => {
    await page.setContent(PALETTE);
    const { quickInput } = new Workbench(page);
    await quickInput.fill('>Send');
    assert.deepEqual(await quickInput.options().allInnerTexts(), ['>Send']);
    assert.equal(await page.locator('textarea').inputValue(), '');
  });

  test('what a box lets go is given again, and not to the box that follows', async () => {
    await page.setContent(FOLDER);
    const { quickInput } = new Workbench(page);
    await quickInput.give('open.so', /^open/);
    assert.equal(await page.title(), 'open.soopen.so');
    assert.equal(await page.locator('.quick-input-list').isVisible(), false);
  });

  test('a click that a list has lost is made again, and a file is open when its tab is selected', async () => {
    await page.setContent(FILES);
    const workbench = new Workbench(page);
    await workbench.openFile('slot.jsonrpc');
    assert.equal(await workbench.tab('slot.jsonrpc').getAttribute('aria-selected'), 'true');
    assert.equal(await workbench.quickInput.input.isVisible(), false);
  });

  test('a menu that closed too early is opened again, and its item chosen', async () => {
    await page.setContent(VIEW);
    const row = page.getByRole('treeitem', { name: 'three', exact: true });
    await new Workbench(page).chooseFromMenu(row, 'Remove');
    assert.equal(await row.count(), 0);
  });

  test('a click that a view has lost is made again until what comes of it shows', async () => {
    await page.setContent(VIEW);
    const workbench = new Workbench(page);
    const runs = page.getByText('It runs', { exact: true });
    await workbench.clickFor(workbench.button('Start'), runs);
    assert.equal(await runs.isVisible(), true);
  });
});
