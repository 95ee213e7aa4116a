// The page of the usage report alone in Chromium: bars and table say the same, exactly; keyboard, words, themes, policy.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { UsageReport } from '../../protocol/usagePanel';
import { assertPolicy } from '../support/editor/pagePolicy';
import { showPage, type ShownPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

const REPORT: UsageReport = {
  endpoint: 'hosted',
  range: 'Last 24 hours',
  isLoading: false,
  age: 'loaded just now',
  isStale: false,
  total: 1_234_567,
  errors: 4_321,
  methods: [
    { name: 'getAccountInfo', count: 1_200_000, errors: 1 },
    { name: 'sendTransaction', count: 30_000, errors: 4_320 },
    { name: 'getSlot', count: 4_567, errors: 0 },
  ],
  keys: [
    { name: 'main', keyId: 'key_1', count: 1_234_567, errors: 4_321 },
    { name: 'key_2', keyId: 'key_2', count: 0, errors: 0, problem: 'The service does not know this key id (404)' },
  ],
  isListed: false,
};

async function show(
  t: { after(undo: () => Promise<void>): void },
  report: UsageReport = REPORT,
  options: Partial<ShowOptions> = {},
): Promise<ShownPage & { readonly commands: readonly unknown[] }> {
  const commands: unknown[] = [];
  const host = { hello: () => report, answer: () => undefined, onCommand: (body: unknown) => void commands.push(body) };
  const shown = await showPage(browser, { name: 'usage', host, ...options });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return Object.assign(shown, { commands });
}

/** An attribute of each of them. */
const attributes = async (all: Locator, name: string): Promise<(string | null)[]> =>
  Promise.all((await all.all()).map((one) => one.getAttribute(name)));

const pressed = ({ page }: ShownPage, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('bars', () => {
  test('say every number exactly, in words too', async (t) => {
    const { page } = await show(t);
    const rows = page.getByRole('list', { name: 'By method', exact: true }).getByRole('listitem');
    assert.deepEqual(await attributes(rows, 'aria-label'), [
      'getAccountInfo: 1,200,000 requests, 1 errors (< 0.1 %)',
      'sendTransaction: 30,000 requests, 4,320 errors (14.4 %)',
      'getSlot: 4,567 requests, 0 errors (0 %)',
    ]);
  });

  test('stack errors on what was answered, and never hide them', async (t) => {
    const { page } = await show(t);
    const rects = page.getByRole('list', { name: 'By method', exact: true }).locator('rect');
    const widths = (await attributes(rects, 'width')).map((width) => parseFloat(width ?? ''));
    const [answered, failed, sends, sendsFailed, , none] = widths;
    assert.equal(Math.round(Number(answered) + Number(failed)), 100);
    assert.ok(Number(failed) >= 0.5);
    assert.ok(Math.abs(Number(sends) + Number(sendsFailed) - 2.5) < 0.2);
    assert.equal(none, 0);
  });

  test('of a key without numbers say why', async (t) => {
    const { page } = await show(t);
    await page
      .getByRole('listitem', { name: 'key_2: The service does not know this key id (404)', exact: true })
      .waitFor();
  });
});

describe('the table', () => {
  test('has the same numbers, and is sorted by any column with the keyboard', async (t) => {
    const shown = await show(t);
    await pressed(shown, 'Show as Table');
    const table = shown.page.getByRole('table', { name: 'By method', exact: true });
    const names = () => table.getByRole('rowheader').allTextContents();
    assert.deepEqual(await names(), ['getAccountInfo', 'sendTransaction', 'getSlot']);
    assert.deepEqual(
      await table
        .getByRole('row', { name: /^sendTransaction/ })
        .getByRole('cell')
        .allTextContents(),
      ['30,000', '2.4 %', '4,320', '14.4 %'],
    );
    const errors = table.getByRole('columnheader', { name: /^Error share/ });
    await errors.getByRole('button').focus();
    await shown.page.keyboard.press('Enter');
    assert.deepEqual(await names(), ['sendTransaction', 'getAccountInfo', 'getSlot']);
    assert.equal(await errors.getAttribute('aria-sort'), 'descending');
    await shown.page.keyboard.press('Enter');
    assert.deepEqual(await names(), ['getSlot', 'getAccountInfo', 'sendTransaction']);
    assert.equal(await errors.getAttribute('aria-sort'), 'ascending');
  });

  test('stays a table when the page is loaded again', async (t) => {
    const shown = await show(t);
    await pressed(shown, 'Show as Table');
    await shown.reload();
    await shown.page.getByRole('table', { name: 'By key', exact: true }).waitFor();
  });

  test('keeps the focus when new numbers come', async (t) => {
    const shown = await show(t);
    await pressed(shown, 'Show as Table');
    const sort = shown.page
      .getByRole('table', { name: 'By key', exact: true })
      .getByRole('button', { name: 'Errors', exact: true });
    await sort.focus();
    await shown.post({ ...REPORT, total: 7 });
    await shown.page.getByText('7', { exact: true }).waitFor();
    await shown.page.locator('#keys-errors:focus').waitFor();
  });
});

/** Two parts, the second with a failure. */
const PARTS = [
  { from: 0, to: 3_599, count: 10, errors: 0, methods: [{ name: 'getSlot', count: 10, errors: 0 }] },
  {
    from: 3_600,
    to: 7_199,
    count: 5,
    errors: 2,
    methods: [
      { name: 'getSlot', count: 1, errors: 0 },
      { name: 'sendTransaction', count: 4, errors: 2 },
    ],
  },
];
const OVER_TIME: UsageReport = { ...REPORT, timeline: { kind: 'loaded', parts: PARTS } };

describe('the time axis', () => {
  test('is asked for by a button that says what it takes, and by nothing else', async (t) => {
    const shown = await show(t, { ...REPORT, timeline: { kind: 'idle', asks: 13 } });
    await shown.page.getByText('Asks the service for each of 13 parts of the range.', { exact: true }).waitFor();
    assert.deepEqual(shown.commands, []);
    await pressed(shown, 'Show Over Time');
    assert.deepEqual(shown.commands, [{ step: 'timeline' }]);
  });

  test('has a column for each part, with errors on what was answered, and says each in words', async (t) => {
    const { page } = await show(t, OVER_TIME);
    const drawn = page.getByRole('img', { name: 'Requests over time', exact: true });
    const titles = await drawn.locator('title').allTextContents();
    assert.equal(titles.length, 2);
    assert.match(titles[0] ?? '', /: 10 requests, 0 errors \(0 %\)$/);
    assert.match(titles[1] ?? '', /: 5 requests, 2 errors \(40 %\)$/);
    const heights = (await attributes(drawn.locator('rect:not(.ground)'), 'height')).map(Number);
    assert.deepEqual(heights, [120, 0, 36, 24]);
  });

  test('shows one method, and asks for a key', async (t) => {
    const shown = await show(t, OVER_TIME);
    await shown.page.getByRole('combobox', { name: 'Method', exact: true }).selectOption('sendTransaction');
    await shown.page.getByText('At most 4 in one part', { exact: true }).waitFor();
    await shown.page.getByRole('combobox', { name: 'Of', exact: true }).selectOption('main');
    assert.deepEqual(shown.commands, [{ step: 'timeline', keyId: 'key_1' }]);
  });

  test('is a table with the same numbers, also where a part is missing', async (t) => {
    const shown = await show(t, {
      ...REPORT,
      timeline: { kind: 'loaded', parts: PARTS.slice(1), keyId: 'key_1', problem: 'Too many requests (429)' },
    });
    await shown.page.getByText('Too many requests (429)', { exact: true }).waitFor();
    assert.equal(await shown.page.getByRole('combobox', { name: 'Of', exact: true }).inputValue(), 'key_1');
    await pressed(shown, 'Show as Table');
    const table = shown.page.getByRole('table', { name: 'Requests over time', exact: true });
    assert.deepEqual(await table.getByRole('cell').allTextContents(), ['5', '2', '40 %']);
  });

  test('is whole in a narrow editor, and in every theme', async (t) => {
    const many = Array.from({ length: 24 }, (_, at) => ({
      from: at * 3_600,
      to: at * 3_600 + 3_599,
      count: (at * 37) % 50,
      errors: at % 5 === 0 ? 3 : 0,
      methods: [{ name: 'getTokenAccountsByDelegateWithAVeryLongName', count: (at * 37) % 50, errors: 0 }],
    }));
    const shown = await show(t, { ...REPORT, timeline: { kind: 'loaded', parts: many } });
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await shown.setTheme(theme);
      await shown.page.locator('.body').waitFor();
      for (const width of [1000, 340]) {
        await shown.page.setViewportSize({ width, height: 640 });
        await shown.screenshot(`usage-timeline-${theme}-${width}px`);
        const { scroll, seen } = await shown.page.evaluate<{ scroll: number; seen: number }>(
          '({ scroll: document.querySelector(".body").scrollWidth, seen: document.querySelector(".body").clientWidth })',
        );
        assert.ok(scroll <= seen, `${theme} ${width}`);
      }
    }
    assert.deepEqual(shown.console, []);
  });
});

describe('the user’s commands', () => {
  test('are sent by the buttons', async (t) => {
    const shown = await show(t, { ...REPORT, notice: { text: 'The key was refused (401)', step: 'Rotate the key…' } });
    for (const name of ['Refresh', 'Range…', 'Export CSV…', 'Rotate the key…', 'Add a Key by Its Id…'])
      await pressed(shown, name);
    assert.deepEqual(
      shown.commands,
      ['refresh', 'range', 'export', 'next', 'addKey'].map((step) => ({ step })),
    );
  });

  test('is possible before anything is loaded, and nothing is shown as nought', async (t) => {
    const { endpoint, range, isLoading, isStale, errors, isListed } = REPORT;
    const before = { endpoint, range, isLoading, isStale, errors, isListed, methods: [], keys: [] };
    const shown = await show(t, { ...before, notice: { text: 'Not loaded yet.', step: 'Load Now' }, total: 0 });
    await shown.page.getByRole('button', { name: 'Load Now', exact: true }).waitFor();
    assert.equal(await shown.page.getByRole('heading', { level: 2 }).count(), 0);
  });
});

describe('the page', () => {
  test('takes hostile words as text', async (t) => {
    const name = '<img src=x onerror=alert(1)>\u202e$(bug)';
    const shown = await show(t, { ...REPORT, endpoint: name, methods: [{ name, count: 1, errors: 1 }] });
    assert.equal(await shown.page.locator('img').count(), 0);
    await pressed(shown, 'Show as Table');
    assert.equal(await shown.page.locator('img').count(), 0);
    assert.deepEqual(shown.strays, []);
  });

  test('runs and loads nothing but its bundle, and breaks no rule of its policy itself', async (t) => {
    await assertPolicy(await show(t));
    const own = await show(t);
    await pressed(own, 'Show as Table');
    assert.deepEqual(own.console, []);
  });

  test('is whole in a narrow editor, and in every theme', async (t) => {
    const long = { name: 'getTokenAccountsByDelegateWithAVeryLongName', count: 9, errors: 4 };
    const shown = await show(t, { ...REPORT, methods: [...REPORT.methods, long] });
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await shown.setTheme(theme);
      await shown.page.getByRole('heading', { level: 2, name: 'By key', exact: true }).waitFor();
      await shown.page.setViewportSize({ width: 1000, height: 640 });
      await shown.screenshot(`usage-report-${theme}`);
      await pressed(shown, 'Show as Table');
      await shown.screenshot(`usage-report-table-${theme}`);
      await pressed(shown, 'Show as Table');
      await shown.page.setViewportSize({ width: 320, height: 640 });
      await shown.screenshot(`usage-report-narrow-${theme}`);
      const wide = await shown.page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(wide) <= 320, String(wide));
    }
  });
});
