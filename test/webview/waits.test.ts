// The waits that the tests of the editor are made of: a try that waits for what does not come leaves time for the next one,
// and the box at the top is closed however late it opens.
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

describe('a wait', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  after(() => browser.close());

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
    await page.getByText('It came').waitFor();
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
