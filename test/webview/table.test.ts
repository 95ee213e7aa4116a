// The table's page alone in a browser, over real answers: rows in view, sorting, filter, columns, detail, keyboard, words
// for screen readers, hostile texts, and its looks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { tableAsk } from '../../protocol/responsePanels';
import { accountText } from '../support/data/accounts';
import { HOSTILE } from '../support/data/hostileTexts';
import { storeBody, tableHost, type StoredBody, testBody } from '../support/editor/responseHosts';
import { showPage, type PageHost, type ShownPage, testBrowser } from '../support/editor/webviewPage';
import { wholeText } from '../support/editor/wholeText';

const COUNT = 20_000;
const THEMES = ['dark', 'light', 'highContrast'] as const;
const body = (items: readonly string[]): string => `{"jsonrpc":"2.0","result":[${items.join(',')}],"id":1}`;
const ACCOUNTS = body(Array.from({ length: COUNT }, (_, at) => accountText(at)));
const EPOCH = '18446744073709551615';

const browser = testBrowser();
const accounts = testBody(ACCOUNTS);

interface Shown {
  readonly shown: ShownPage;
  readonly page: Page;
  readonly exported: unknown[];
}

async function open(
  t: { after(done: () => Promise<void>): void },
  stored: StoredBody = accounts,
  size = { width: 1100, height: 640 },
): Promise<Shown> {
  const exported: unknown[] = [];
  const shown = await showPage(browser, { name: 'table', host: tableHost(stored, (ask) => exported.push(ask)), size });
  t.after(() => shown.close());
  return { shown, page: shown.page, exported };
}

const cells = (page: Page, row: number) => page.locator(`[aria-rowindex="${row + 2}"] [role=gridcell]`);
const column = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const count = (page: Page, words: string) =>
  page
    .getByRole('status')
    .filter({ hasText: wholeText(words) })
    .first()
    .waitFor();

describe('a table', () => {
  test('shows the rows in view and no others, every digit of theirs', async (t) => {
    const { page, shown } = await open(t);
    await count(page, '20,000 rows');
    await page.getByText('Account3', { exact: true }).waitFor();
    assert.ok((await page.getByRole('row').count()) < 60);
    assert.equal(await cells(page, 3).nth(4).textContent(), EPOCH);
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), String(COUNT + 1));
    assert.deepEqual([shown.strays, shown.console], [[], []]);
  });

  test('reaches its last row by key, and requests only the rows in view', async (t) => {
    const { page, shown } = await open(t);
    await count(page, '20,000 rows');
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByText(`Account${COUNT - 1}`, { exact: true }).waitFor();
    const asked = shown.sent.filter((message) => message.kind === 'ask').length;
    assert.ok(asked < 12, String(asked));
  });

  test('is sorted by a header, the other way and back, and says so', async (t) => {
    const { page } = await open(t);
    const header = column(page, 'account.lamports');
    await header.getByRole('button').click();
    await page.getByText('Account0', { exact: true }).waitFor();
    assert.equal(await header.getAttribute('aria-sort'), 'ascending');
    await header.getByRole('button').click();
    await page.getByText(`Account${COUNT - 1}`, { exact: true }).waitFor();
    assert.equal(await header.getAttribute('aria-sort'), 'descending');
    await header.getByRole('button').click();
    await page.getByText('Account0', { exact: true }).waitFor();
    assert.equal(await header.getAttribute('aria-sort'), 'none');
  });

  test('is filtered, in every column or in one, and says how many rows are left', async (t) => {
    const { page } = await open(t);
    await count(page, '20,000 rows');
    await page.getByRole('searchbox').fill('account1999');
    await count(page, '11 of 20,000 rows');
    await page.getByLabel('Column to filter by', { exact: true }).selectOption({ label: 'in account.owner' });
    await page.getByText('No row contains “account1999”.', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('');
    await count(page, '20,000 rows');
  });

  test('shows the columns that the user wants, and keeps the choice over a reload', async (t) => {
    const { page, shown } = await open(t);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('checkbox', { name: 'account.owner', exact: true }).uncheck();
    await column(page, 'account.owner').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'account.owner', exact: true }).waitFor({ state: 'hidden' });
    await column(page, 'account.lamports').getByRole('button').click();
    await page.getByText('Account0', { exact: true }).waitFor();
    await shown.reload();
    await page.getByText('Account0', { exact: true }).waitFor();
    assert.equal(await column(page, 'account.owner').count(), 0);
    assert.equal(await column(page, 'account.lamports').getAttribute('aria-sort'), 'ascending');
  });

  test('opens an item in full by key, and gives the focus back', async (t) => {
    const { page } = await open(t);
    await page.getByText('Account3', { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Item 1', exact: true }).waitFor();
    assert.match((await page.locator('.item pre').textContent()) ?? '', /"rentEpoch": 18446744073709551615,/);
    await page.getByRole('button', { name: 'Close detail', exact: true }).focus();
    await page.keyboard.press('Escape');
    await page.locator('.item').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Item 1', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.item').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'grid');
  });

  test('opens a row, and copies a cell of it, also when the key was faster than the row', async (t) => {
    const real = tableHost(accounts);
    let isHeld = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let onCommand: (body: unknown) => void = () => undefined;
    const command = new Promise((resolve) => (onCommand = resolve));
    const host: PageHost = {
      ...real,
      onCommand: (body) => onCommand(body),
      answer: async (body) => {
        const ask = tableAsk(body);
        if (isHeld && ask?.kind === 'rows' && ask.count > 0) await released;
        return real.answer(body);
      },
    };
    const shown = await showPage(browser, { name: 'table', host });
    t.after(() => shown.close());
    const { page } = shown;
    await page.getByText('Account3', { exact: true }).waitFor();
    isHeld = true;
    await column(page, 'account.lamports').getByRole('button').click();
    await page.getByLabel('Loading', { exact: true }).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+c');
    release();
    await page.getByRole('heading', { name: 'Item 0', exact: true }).waitFor();
    assert.deepEqual(await command, { kind: 'copy', text: '2039280' });
  });

  test('goes from cell to cell by key, names the active one, and copies it', async (t) => {
    const { page, shown } = await open(t);
    await page.getByText('Account3', { exact: true }).waitFor();
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    const active = await grid.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`[id="${active}"]`).textContent(), EPOCH);
    await page.keyboard.press('Control+c');
    const notifications = () => shown.sent.filter((message) => message.kind === 'notify');
    await page.waitForFunction('true');
    assert.deepEqual(
      notifications().map((message) => (message.kind === 'notify' ? message.body : undefined)),
      [{ kind: 'copy', text: EPOCH }],
    );
  });

  test('exports what is shown, in its order', async (t) => {
    const { page, exported } = await open(t);
    await count(page, '20,000 rows');
    await column(page, 'pubkey').getByRole('button').click();
    await page.getByText('Account0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export CSV…', exact: true }).click();
    await page.getByRole('button', { name: 'Export CSV…', exact: true, disabled: false }).waitFor();
    const [ask] = exported as [{ view: unknown; columns: string[][] }];
    assert.deepEqual(ask.view, { sort: { column: ['pubkey'], isDescending: false } });
    assert.equal(ask.columns.length, 7);
  });

  test('shows what accounts say as columns by a button, and takes them away again', async (t) => {
    const { page } = await open(t);
    const decode = page.getByRole('button', { name: 'Decode', exact: true });
    await decode.click();
    await column(page, 'decoded.kind').waitFor();
    await page.getByRole('gridcell', { name: 'SPL Token account', exact: true }).first().waitFor();
    assert.equal(await decode.getAttribute('aria-pressed'), 'true');
    await decode.click();
    await column(page, 'decoded.kind').waitFor({ state: 'detached' });
  });

  test('says of a response that broke off why it did not come whole', async (t) => {
    const broken = await storeBody('', { isBroken: true, error: { message: 'The run was cancelled.' } });
    t.after(() => broken.dispose());
    const { page } = await open(t, broken);
    await page.getByText(/^This response is incomplete: The run was cancelled\./).waitFor();
  });

  test('says what became of a response that is gone', async (t) => {
    const gone = await storeBody('{"result":1}');
    t.after(() => gone.dispose());
    const { page } = await open(t, { ...gone, hello: { ...gone.hello, place: { request: 'bb', run: 7 } } });
    await page.getByText('This response is no longer kept.', { exact: true }).waitFor();
  });

  test('shows hostile texts as texts: in cells, names of columns, titles and the detail', async (t) => {
    const rows = HOSTILE.map((text) => JSON.stringify({ memo: text, [`${text}`.slice(0, 200)]: 1 }));
    const stored = await storeBody(body(rows));
    t.after(() => stored.dispose());
    const { page, shown } = await open(t, stored);
    await count(page, `${HOSTILE.length} rows`);
    await page
      .getByRole('gridcell', { name: /^<img src=x/ })
      .first()
      .waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Item 0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    assert.equal(await page.locator('img, script:not([nonce]), iframe, a, [onerror], style').count(), 0);
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.match(await page.locator('.list').innerText(), /\\u202eright to left\\u202c/);
    assert.deepEqual([shown.strays, shown.console], [[], []]);
    await shown.screenshot('table-hostile');
  });

  test('stays readable in every theme, wide and narrow', async (t) => {
    for (const [size, width, height] of [
      ['wide', 1200, 640],
      ['narrow', 420, 640],
    ] as const) {
      const { page, shown } = await open(t, accounts, { width, height });
      for (const theme of THEMES) {
        await shown.setTheme(theme);
        await page.getByText('Account3', { exact: true }).waitFor();
        await page.getByRole('grid').focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
        await shown.screenshot(`table-${size}-${theme}`);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Item 0', exact: true }).waitFor();
        await page.getByRole('button', { name: 'Columns', exact: true }).click();
        await shown.screenshot(`table-${size}-${theme}-detail`);
        const decode = page.getByRole('button', { name: 'Decode', exact: true });
        await decode.click();
        await column(page, 'decoded.kind').waitFor();
        await shown.screenshot(`table-${size}-${theme}-decoded`);
        await decode.click();
        await column(page, 'decoded.kind').waitFor({ state: 'detached' });
      }
    }
  });
});
