// The viewer's page alone in a browser, over real answers: a large response paged, searched and jumped through, while it
// comes in and afterwards, hostile texts, and its looks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { BrokenBody, ResponsePageResult } from '../../protocol/responses';
import { accountText } from '../support/data/accounts';
import { HOSTILE } from '../support/data/hostileTexts';
import { bodyHost, HELLO, storeBody, testBody } from '../support/editor/responseHosts';
import { showPage, type PageHost, type ShownPage, testBrowser } from '../support/editor/webviewPage';

const COUNT = 20_000;
const THEMES = ['dark', 'light', 'highContrast'] as const;
const body = (items: readonly string[]): string => `{"jsonrpc":"2.0","result":[${items.join(',')}],"id":1}`;

const browser = testBrowser();
const accounts = testBody(body(Array.from({ length: COUNT }, (_, at) => accountText(at))));

async function open(
  t: { after(done: () => Promise<void>): void },
  host: PageHost = bodyHost(accounts),
  size = { width: 1100, height: 640 },
): Promise<{ readonly shown: ShownPage; readonly page: Page }> {
  const shown = await showPage(browser, { name: 'body', host, size });
  t.after(() => shown.close());
  return { shown, page: shown.page };
}

const row = (page: Page, index: number) => page.locator(`[aria-posinset="${index + 1}"]`);
const activeRow = (page: Page) => page.locator('[role=option][aria-selected=true]');

interface Growing {
  readonly host: PageHost;
  readonly come: (total: number, isComplete: boolean) => void;
  readonly commands: readonly unknown[];
  /** It did not come whole. */
  readonly breakOff: (why: BrokenBody) => void;
}

/** A response that comes in as the test says. */
function growing(): Growing {
  let total = 0;
  let isComplete = false;
  let broken: BrokenBody | undefined;
  const commands: unknown[] = [];
  const page = (from: number, count: number): ResponsePageResult => ({
    kind: 'page',
    bytes: total * 400,
    isComplete,
    path: ['result'],
    total,
    items: Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, at) => ({
      index: from + at,
      text: accountText(from + at),
      isCut: false,
    })),
  });
  return {
    host: {
      hello: () => ({ ...HELLO, run: { uri: 'file:///a.jsonrpc', line: 3 } }),
      answer: (ask) => {
        const { kind, from, count } = ask as { kind: string; from: number; count: number };
        return kind === 'page' ? (broken ?? page(from, count)) : undefined;
      },
      onCommand: (message) => commands.push(message),
    },
    breakOff: (why) => (broken = why),
    come: (now, done) => {
      total = now;
      isComplete = done;
    },
    commands,
  };
}

describe('the viewer of a large response', () => {
  test('shows the items in view and no others, and how many there are', async (t) => {
    const { page, shown } = await open(t);
    await page.getByText(/^20,000 items · 8\.\d MB$/).waitFor();
    await page.getByText(/"Account3"\}$/).waitFor();
    assert.ok((await page.getByRole('option').count()) < 60);
    assert.equal(await row(page, 3).getAttribute('aria-setsize'), String(COUNT));
    assert.deepEqual([shown.strays, shown.console], [[], []]);
  });

  test('goes to an item by its number, and marks an invalid number', async (t) => {
    const { page } = await open(t);
    await page.getByText(/"Account3"\}$/).waitFor();
    const jump = page.getByRole('textbox', { name: 'Go to item', exact: true });
    await jump.fill('99999');
    await jump.press('Enter');
    assert.equal(await jump.getAttribute('aria-invalid'), 'true');
    await jump.fill('12345');
    await jump.press('Enter');
    await row(page, 12_345)
      .getByText(/"Account12345"\}$/)
      .waitFor();
    assert.equal(await activeRow(page).getAttribute('aria-posinset'), '12346');
  });

  test('finds a text in the whole response, steps forward and back, and opens the match', async (t) => {
    const { page } = await open(t);
    const search = page.getByRole('searchbox');
    await search.fill('Account1777');
    await page.getByText('1 of 11', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Item 1777', exact: true }).waitFor();
    assert.equal(await page.locator('.item mark').textContent(), 'Account1777');
    await page.getByRole('button', { name: 'Next place', exact: true }).click();
    await page.getByRole('heading', { name: 'Item 17770', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Previous place', exact: true }).click();
    await page.getByRole('heading', { name: 'Item 1777', exact: true }).waitFor();
    await search.press('Enter');
    await page.getByText('2 of 11', { exact: true }).waitFor();
    await search.fill('nowhere at all');
    await page.getByText('Not found', { exact: true }).waitFor();
  });

  test('keeps counting until the search is complete', async (t) => {
    const { page } = await open(t);
    await page.getByRole('searchbox').fill('rentEpoch');
    await page.getByText('1 of 100+', { exact: true }).waitFor();
    for (let step = 0; step < 100; step++) await page.getByRole('button', { name: 'Next place', exact: true }).click();
    await page.getByText('101 of 200+', { exact: true }).waitFor();
    assert.equal(await activeRow(page).getAttribute('aria-posinset'), '101');
  });

  test('follows a response that comes in, and says when all of it is here', async (t) => {
    const { host, come } = growing();
    come(250, false);
    const { page } = await open(t, host);
    await page.getByText('Receiving: 250 items, 100 kB', { exact: true }).first().waitFor();
    await page.getByRole('progressbar', { name: 'Receiving', exact: true }).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await page.getByText(/"Account249"\}$/).waitFor();
    come(600, false);
    await page.getByText('Receiving: 600 items, 240 kB', { exact: true }).first().waitFor();
    await row(page, 252)
      .getByText(/"Account252"\}$/)
      .waitFor();
    come(1_000, true);
    await page.getByRole('progressbar').waitFor({ state: 'hidden' });
    await page.getByText('1,000 items · 400 kB', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByText(/"Account999"\}$/).waitFor();
  });

  test('cancels what comes in, once', async (t) => {
    const { host, come, commands } = growing();
    come(10, false);
    const { page } = await open(t, host);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true, disabled: true }).waitFor();
    assert.deepEqual(commands, [{ kind: 'cancel' }]);
  });

  test('says of a response that broke off that it did not come whole, and shows nothing of it as if it had', async (t) => {
    const { host, come, breakOff } = growing();
    come(250, false);
    const { page } = await open(t, host);
    await page.getByText('Receiving: 250 items, 100 kB', { exact: true }).first().waitFor();
    await row(page, 2)
      .getByText(/"Account2"\}$/)
      .waitFor();
    breakOff({ kind: 'broken', message: 'The run was cancelled.', hint: 'Send it <b>again</b>.' });
    await page
      .getByText(
        'This response is incomplete: The run was cancelled. Send it <b>again</b>. The part already received is not kept.',
        { exact: true },
      )
      .locator('visible=true')
      .first()
      .waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('option').count(), 0);
    for (const name of ['Table', 'Open in Full', 'Save…'])
      assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);
    assert.equal(await page.getByRole('searchbox').isDisabled(), true);
  });

  test('says what to do where there is no list, and where nothing is left', async (t) => {
    const none = await storeBody('{"jsonrpc":"2.0","result":"a long text","id":1}');
    t.after(() => none.dispose());
    const { page } = await open(t, bodyHost(none));
    await page
      .getByText('This response contains no list to page through. Open it in full, or save it.', { exact: true })
      .waitFor();
    const gone = bodyHost({ ...none, hello: { ...HELLO, place: { request: 'cc', run: 2 } } });
    const { page: other } = await open(t, gone);
    await other.getByText('This response is no longer kept.', { exact: true }).waitFor();
  });

  test('shows hostile texts as texts: in rows and in the detail', async (t) => {
    const stored = await storeBody(body(HOSTILE.map((text) => JSON.stringify({ memo: text }))));
    t.after(() => stored.dispose());
    const { page, shown } = await open(t, bodyHost(stored));
    await page.getByText(/^\{"memo":"<img src=x/).waitFor();
    await page.getByRole('searchbox').fill('<script>');
    await page.getByRole('heading', { name: 'Item 1', exact: true }).waitFor();
    assert.equal(await page.locator('.item mark').textContent(), '<script>');
    assert.equal(await page.locator('img, script:not([nonce]), iframe, a, [onerror], style').count(), 0);
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.match(await page.locator('.list').innerText(), /\\u202eright to left\\u202c/);
    assert.deepEqual([shown.strays, shown.console], [[], []]);
    await shown.screenshot('body-hostile');
  });

  test('stays readable in every theme, wide and narrow', async (t) => {
    for (const [size, width, height] of [
      ['wide', 1200, 640],
      ['narrow', 420, 640],
    ] as const) {
      const { host, come } = growing();
      come(4_321, false);
      const coming = await open(t, host, { width, height });
      const { page, shown } = await open(t, bodyHost(accounts), { width, height });
      for (const theme of THEMES) {
        await coming.shown.setTheme(theme);
        await coming.page.getByText(/"Account3"\}$/).waitFor();
        await coming.shown.screenshot(`body-${size}-${theme}-receiving`);
        await shown.setTheme(theme);
        await page.getByText(/"Account3"\}$/).waitFor();
        await page.getByRole('searchbox').fill('Account1777');
        await page.getByRole('heading', { name: 'Item 1777', exact: true }).waitFor();
        await shown.screenshot(`body-${size}-${theme}`);
      }
    }
  });
});
