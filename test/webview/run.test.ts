// The page of a run report alone in Chromium: rows with outcome, time and links, filled during the run; words, themes,
// policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRow, RunView } from '../../protocol/runPanel';
import { violations } from '../support/editor/axe';
import { assertPolicy } from '../support/editor/pagePolicy';
import { showPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

const ROW: RunRow = {
  uri: 'file:///a.jsonrpc',
  line: 4,
  title: 'one',
  status: 'passed',
  statusText: 'passed',
  method: 'getSlot',
  time: '12 ms',
  size: '36 B',
  notes: ['✓ 1 assertion holds'],
  response: { request: 'ab', run: 1 },
};
const skipped = { method: '', time: '', size: '', notes: ['Not agreed.'] };
const VIEW: RunView = {
  uri: 'file:///a.jsonrpc',
  file: 'a.jsonrpc',
  endpoint: 'local',
  at: '12:00:00',
  isDone: true,
  rows: [
    ROW,
    { ...ROW, line: 8, title: '<b>two</b>', status: 'failed', statusText: 'failed', notes: ['No.'] },
    { ...ROW, ...skipped, line: 12, title: 'three', status: 'skipped', statusText: 'skipped' },
  ],
};

async function show(t: { after(undo: () => Promise<void>): void }, view = VIEW, options: Partial<ShowOptions> = {}) {
  const sent: unknown[] = [];
  const host = { hello: () => view, answer: () => undefined, onCommand: (body: unknown) => void sent.push(body) };
  const shown = await showPage(browser, { name: 'run', host, ...options });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { name: 'a.jsonrpc', exact: true, level: 1 }).waitFor();
  return Object.assign(shown, { sent });
}

test('every row leads to its request and its response, and the whole file can be sent again', async (t) => {
  const { page, sent } = await show(t);
  await page.getByText('1 passed · 1 failed · 1 skipped · local · 12:00:00', { exact: true }).waitFor();
  const rows = page.getByRole('row');
  await rows.nth(1).getByRole('button', { name: 'one', exact: true }).click();
  await rows.nth(2).getByRole('button', { name: 'Response', exact: true }).click();
  await page.getByRole('button', { name: 'Send All Again', exact: true }).click();
  assert.deepEqual(sent, [{ kind: 'request', row: 0 }, { kind: 'response', row: 1 }, { kind: 'again' }]);
  // Texts from outside are texts.
  assert.equal(await rows.nth(2).locator('b').count(), 0);
});

test('a run in progress is cancelled, a finished one is sent again, and the focus moves along', async (t) => {
  const shown = await show(t, { ...VIEW, isDone: false });
  const { page, sent } = shown;
  const again = page.getByRole('button', { name: 'Send All Again', exact: true });
  assert.equal(await again.count(), 0);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await shown.post(VIEW);
  await again.waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel', exact: true }).count(), 0);
  await page.keyboard.press('Enter');
  assert.deepEqual(sent, [{ kind: 'cancel' }, { kind: 'again' }]);
});

test('a link differs from text where the system chooses the colours', async (t) => {
  const { page } = await show(t);
  const decoration = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('#response-0')).textDecorationLine`);
  assert.equal(await decoration(), 'none');
  await page.emulateMedia({ forcedColors: 'active' });
  assert.equal(await decoration(), 'underline');
});

test('fills during the run, and the focus stays where it is', async (t) => {
  const running: RunView = { ...VIEW, isDone: false, rows: [{ ...ROW, status: 'running', statusText: 'running' }] };
  const shown = await show(t, running);
  const { page } = shown;
  await page.getByRole('button', { name: 'one', exact: true }).focus();
  await shown.post(VIEW);
  await page.getByText('Not agreed.', { exact: true }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'one');
});

for (const theme of ['dark', 'light', 'highContrast'] as const)
  test(`has no violations in the theme ${theme}, wide and narrow`, async (t) => {
    const shown = await show(t, VIEW, { theme });
    assert.deepEqual(await violations(shown.page), []);
    await shown.page.setViewportSize({ width: 340, height: 600 });
    assert.deepEqual(await violations(shown.page), []);
    const overflow = 'document.querySelector(".body").scrollWidth - document.querySelector(".body").clientWidth';
    assert.equal(await shown.page.evaluate(overflow), 0);
    await shown.screenshot(`run-340px-${theme}`);
  });

const LONG: RunView = {
  ...VIEW,
  rows: [
    {
      ...ROW,
      title: '3. The balance again, as a stream: every change',
      method: 'geyser.Geyser/SubscribeReplayInfoOfAllSlots',
    },
    { ...ROW, title: 'a_name_without_any_place_to_break_it_at_all_in_it', time: '12,345.6 s', size: '1,023.9 KB' },
    { ...ROW, status: 'failed', statusText: 'failed', notes: ['https://example.org/' + 'a'.repeat(200)] },
    ROW,
  ],
};

for (const [width, heads] of [
  [340, ['Request', 'Outcome', 'Time']],
  [600, ['Request', 'Outcome', 'Time', 'Size']],
  [1_200, ['Request', 'Outcome', 'Time', 'Size']],
] as const)
  for (const theme of ['dark', 'highContrastLight'] as const)
    test(`shows every column whole at ${width} px in the theme ${theme}, the size last of all`, async (t) => {
      const shown = await show(t, LONG, { theme });
      await shown.page.setViewportSize({ width, height: 700 });
      const columns = shown.page.getByRole('columnheader');
      assert.deepEqual(await columns.allInnerTexts(), heads);
      for (const column of await columns.all()) {
        const box = await column.boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${await column.innerText()} is cut`);
      }
      const overflow = 'document.querySelector(".body").scrollWidth - document.querySelector(".body").clientWidth';
      assert.equal(await shown.page.evaluate(overflow), 0);
      await shown.screenshot(`run-${width}px-${theme}`);
    });

test('loads and runs nothing but its own', async (t) => {
  await assertPolicy(await show(t));
});
