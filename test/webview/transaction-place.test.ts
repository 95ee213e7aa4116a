// The page of a transaction that is hidden and shown again: tab, selected call, folds and scrolled parts are as they were;
// and the log that is too long for the page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TransactionKept } from '../../protocol/transactionPanel';
import { nestedTransaction } from '../support/data/explainedTransactions';
import { violations } from '../support/editor/axe';
import { explained, testTransactionPage, SIZES, SUCCEEDED, WRITTEN } from '../support/editor/transactionPage';

const open = testTransactionPage();

const logLines = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `Program log: line ${at}`);
const LONG = explained(nestedTransaction({ isFailed: false, lines: logLines(500) }));

/** Pixels from the beginning of each part that is scrolled. */
const scrolled = (page: Page) =>
  page.evaluate<Readonly<Record<string, number>>>(
    `Object.fromEntries([...document.querySelectorAll('[data-place]')]
      .filter((part) => part.scrollTop > 0).map((part) => [part.dataset.place, part.scrollTop]))`,
  );
/** Scrolls a part of which more is out of sight, and waits until the page has taken note. */
const scrollTo = (page: Page, place: string, top: number): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const part = document.querySelector('[data-place="${place}"]');
    part.addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true });
    part.scrollTop = ${top};
    if (part.scrollTop !== ${top}) throw new Error('${place} is at ' + part.scrollTop);
  })`);
const logOf = (page: Page) => page.getByRole('listbox', { name: 'Log of this call', exact: true });

describe('a transaction', () => {
  test('that is hidden and shown again is where it was: call, folds, and how far each part was scrolled', async (t) => {
    const size = { width: 1200, height: 480 };
    const { shown, page } = await open(t, LONG, { size });
    await page.getByRole('option', { name: /^2 / }).click();
    await page.getByText('Log, 500 lines', { exact: true }).click();
    await logOf(page).waitFor();
    await scrollTo(page, 'log', 4_000);
    await scrollTo(page, 'call', 60);
    const before = await scrolled(page);
    assert.deepEqual([before['log'], before['call']], [4_000, 60]);
    await shown.kept<TransactionKept>((kept) => kept.scrolled?.['call'] === 60 && kept.scrolled['log'] === 4_000);
    await shown.reload();
    await logOf(page).getByText('line 205', { exact: true }).waitFor();
    assert.deepEqual(await scrolled(page), before);
    assert.equal(await page.getByRole('option', { name: /^2 / }).getAttribute('aria-selected'), 'true');
    // A redraw, because more is known of programs, keeps the place too.
    const asked = shown.sent.length;
    await shown.post({ kind: 'changed' });
    await page.waitForFunction(`document.querySelector('.logs')?.open === true`);
    assert.ok(shown.sent.length > asked);
    assert.deepEqual(await scrolled(page), before);
    // Another call begins at its beginning.
    await page.getByRole('option', { name: /^2\.1\.1 / }).click();
    await page.getByRole('option', { name: /^2 / }).click();
    assert.equal(await page.locator('.logs').getAttribute('open'), null);
    assert.equal((await scrolled(page))['call'], undefined);
  });

  test('a part that was hidden when the page was shown again is scrolled once it comes into view', async (t) => {
    const size = { width: 1200, height: 480 };
    const { shown, page } = await open(t, LONG, { size });
    await page.getByRole('tab', { name: 'Raw', exact: true }).click();
    await scrollTo(page, 'raw', 1_000);
    await page.getByRole('tab', { name: 'Accounts', exact: true }).click();
    await shown.kept<TransactionKept>(({ tab, scrolled: kept }) => tab === 'accounts' && kept?.['raw'] === 1_000);
    await shown.reload();
    await page.getByRole('table', { name: 'Accounts', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Raw', exact: true }).click();
    assert.deepEqual((await scrolled(page))['raw'], 1_000);
  });

  test('in a narrow panel the page itself is where it was', async (t) => {
    const { shown, page } = await open(t, LONG, { size: SIZES.narrow });
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await scrollTo(page, 'page', 120);
    await shown.kept<TransactionKept>((kept) => kept.scrolled?.['page'] === 120);
    await shown.reload();
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    assert.equal((await scrolled(page))['page'], 120);
  });

  test('that was simulated keeps where the simulation is, for a window that is loaded again', async (t) => {
    assert.ok(SUCCEEDED.kind === 'explained');
    const { view } = SUCCEEDED;
    const source = {
      kind: 'response',
      place: { request: 'bb', run: 2 },
      before: { request: 'cc', run: 3 },
    } as const;
    const { shown, page } = await open(
      t,
      { kind: 'explained', view: { ...view, wire: 'AQ==', outcome: { kind: 'notExecuted' } } },
      {},
      { simulated: { kind: 'simulated', source, view: { ...view, wire: 'AQ==', written: WRITTEN } } },
    );
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('Simulated. Nothing was sent.', { exact: true }).waitFor();
    const kept = await shown.kept<TransactionKept>(({ shown: simulation }) => simulation !== undefined);
    assert.deepEqual([kept.source, kept.shown], [{ kind: 'response', place: { request: 'aa', run: 1 } }, source]);
  });

  test('whose log is longer than any that can be paid for says how many lines are left out, and opens all', async (t) => {
    const log = explained(nestedTransaction({ isFailed: false, lines: logLines(20_000) }));
    const { shown, page, commands } = await open(t, log);
    await page.getByRole('option', { name: /^2 / }).click();
    await page.getByText('Log, 16,381 lines', { exact: true }).click();
    await page.getByText('3,628 more lines of the log are not shown.', { exact: true }).waitFor();
    assert.ok((await logOf(page).getByRole('option').count()) < 40);
    await page.getByRole('button', { name: 'Copy Log', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Open Whole Log as Text', exact: true }).press('Enter');
    assert.deepEqual(commands, [{ kind: 'copyLog', path: '2' }, { kind: 'openLog' }]);
    assert.deepEqual(await violations(page), []);
    await shown.screenshot('transaction-log-cut');
  });
});
