// The pages of responses for everyone: no violations of axe-core in any state and theme.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountText } from '../support/data/accounts';
import { violations } from '../support/editor/axe';
import { bodyHost, HELLO, storeBody, tableHost, type StoredBody, testBody } from '../support/editor/responseHosts';
import { assertPolicy } from '../support/editor/pagePolicy';
import { showPage, type PageHost, testBrowser } from '../support/editor/webviewPage';

const COUNT = 500;
const THEMES = ['dark', 'light', 'highContrast'] as const;

const browser = testBrowser();
const items = Array.from({ length: COUNT }, (_, at) => accountText(at));
const accounts = testBody(`{"jsonrpc":"2.0","few":[1],"result":[${items.join(',')}],"id":1}`);

describe('the table has no violations', () => {
  for (const theme of THEMES)
    test(`in the theme ${theme}: full, sorted, with its detail and the choice of columns, and empty`, async (t) => {
      const shown = await showPage(browser, { name: 'table', host: tableHost(accounts), theme });
      t.after(() => shown.close());
      const { page } = shown;
      await page.getByText('Account3', { exact: true }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('columnheader', { name: 'account.lamports', exact: true }).getByRole('button').click();
      await page.getByText('Account3', { exact: true }).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Item 0', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('searchbox').fill('nowhere at all');
      await page.getByText(/^No row contains /).waitFor();
      assert.deepEqual(await violations(page), []);
    });
});

describe('the viewer has no violations', () => {
  for (const theme of THEMES)
    test(`in the theme ${theme}: full, searched with its detail, and without a list`, async (t) => {
      const shown = await showPage(browser, { name: 'body', host: bodyHost(accounts), theme });
      t.after(() => shown.close());
      const { page } = shown;
      await page.getByText(/"Account3"\}$/).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('searchbox').fill('Account123');
      await page.getByRole('heading', { name: 'Item 123', exact: true }).waitFor();
      assert.deepEqual(await violations(page), []);
      const gone: StoredBody = { ...accounts, hello: { ...HELLO, place: { request: 'cc', run: 2 } } };
      const broken = await storeBody('', { isBroken: true, error: { message: 'The run was cancelled.' } });
      t.after(() => broken.dispose());
      for (const [stored, words] of [
        [gone, 'This response is no longer kept.'],
        [broken, 'This response is incomplete: The run was cancelled. The part already received is not kept.'],
      ] as const) {
        const other = await showPage(browser, { name: 'body', host: bodyHost(stored), theme });
        t.after(() => other.close());
        await other.page.getByText(words, { exact: true }).locator('visible=true').first().waitFor();
        assert.deepEqual(await violations(other.page), []);
      }
    });

  test('while a response comes in', async (t) => {
    const host: PageHost = {
      hello: () => ({ ...HELLO, run: { uri: 'file:///a.jsonrpc', line: 0 } }),
      answer: () => ({ kind: 'page', bytes: 5_000, isComplete: false, path: ['result'], total: 0, items: [] }),
    };
    const shown = await showPage(browser, { name: 'body', host });
    t.after(() => shown.close());
    const { page } = shown;
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
  });
});

describe('the policy', () => {
  for (const name of ['table', 'body'] as const)
    test(`of the page ${name} runs no script and loads nothing but its bundle`, async (t) => {
      const host = name === 'table' ? tableHost(accounts) : bodyHost(accounts);
      const shown = await showPage(browser, { name, host });
      t.after(() => shown.close());
      await shown.page
        .getByText(/^"?Account3|"Account3"\}$/)
        .first()
        .waitFor();
      await assertPolicy(shown);
    });
});
