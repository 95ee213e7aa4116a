// The page of a stream alone in Chromium: what it asks and how often, its list at any length, filter, detail, state.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { StreamKept } from '../../protocol/streamPanel';
import { FakeStream, updateRow } from '../support/editor/fakeStream';
import { showPage, type ShownPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

let stream: FakeStream;
beforeEach(() => {
  stream = new FakeStream();
});

/** Shows the stream's page until the test is over. */
async function show(
  t: { after(undo: () => Promise<void>): void },
  options: Partial<ShowOptions> = {},
): Promise<ShownPage> {
  const shown = await showPage(browser, { name: 'stream', host: stream, ...options });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return shown;
}

const options = ({ page }: ShownPage): Locator => page.getByRole('option');
const button = ({ page }: ShownPage, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
const passing = ({ page }: ShownPage, count: number) =>
  page.getByText(`Rows pass the filter: ${count}`, { exact: true }).waitFor({ state: 'attached' });
const rowsAsked = (): number => stream.asked.filter(({ kind }) => kind === 'rows').length;

describe('the list', () => {
  test('follows the newest rows, and no others are asked for', async (t) => {
    stream.next = 1_000_000;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^999,999 / }).waitFor();
    stream.next += 5;
    await shown.post(stream.news());
    await shown.page.getByRole('option', { name: /^1,000,004 / }).waitFor();
    for (const ask of stream.asked) if (ask.kind === 'rows') assert.ok(ask.count <= 60, String(ask.count));
    assert.deepEqual(stream.asked.at(-1), { kind: 'rows', filter: '', from: 1_000_000, count: 5 });
  });

  test('says why it is empty by the count of the header', async (t) => {
    const answer = stream.answer.bind(stream);
    stream.answer = () => undefined;
    const shown = await show(t);
    const says = (text: string) => shown.page.getByText(text, { exact: true }).waitFor();
    await says('Nothing received yet.');
    stream.next = 10;
    await shown.post(stream.news());
    await says('Reading the newest updates…');
    await button(shown, 'Pause').click();
    await says('Paused before the first row. Follow shows what came.');
    stream.answer = answer;
    await button(shown, /^Follow/).click();
    await shown.page.getByRole('option', { name: /^9 / }).waitFor();
    await shown.page.locator('.empty').waitFor({ state: 'hidden' });
  });

  test('says that rows were not kept where only their count is', async (t) => {
    stream.state = { kind: 'restored' };
    stream.next = 10;
    await (await show(t)).page.getByText('The rows of this stream were not kept.', { exact: true }).waitFor();
  });

  test('holds only the rows in view of a million', async (t) => {
    stream.next = 1_000_000;
    const shown = await show(t);
    await options(shown).first().waitFor();
    assert.ok((await options(shown).count()) < 60);
    assert.equal(await options(shown).first().getAttribute('aria-setsize'), '1000000');
  });

  test('reaches any row of a million by keyboard, and names it', async (t) => {
    stream.next = 1_000_000;
    const shown = await show(t);
    await options(shown).first().waitFor();
    const list = shown.page.getByRole('listbox');
    await list.focus();
    await list.press('Home');
    await shown.page.getByRole('option', { name: /^0 / }).waitFor();
    await list.press('PageDown');
    const active = await list.getAttribute('aria-activedescendant');
    const row = shown.page.locator(`[id="${active}"]`);
    assert.equal(await row.getAttribute('aria-selected'), 'true');
    await list.press('End');
    await shown.page.getByRole('option', { name: /^999,999 / }).waitFor();
  });

  test('stays in place while paused, counts newer rows, and resumes on request', async (t) => {
    stream.next = 500;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^499 / }).waitFor();
    await button(shown, 'Pause').click();
    stream.next = 1_500;
    await shown.post(stream.news());
    await button(shown, 'Follow, 1,000 newer').waitFor();
    await shown.page.locator('.state-words', { hasText: /^Paused · Live$/ }).waitFor();
    await shown.page.getByRole('option', { name: /^499 / }).waitFor();
    await button(shown, /^Follow/).click();
    await shown.page.getByRole('option', { name: /^1,499 / }).waitFor();
  });

  test('pauses where the user scrolls back, and pulls what comes into view', async (t) => {
    stream.next = 5_000;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^4,999 / }).waitFor();
    await shown.page.getByRole('listbox').hover();
    await shown.page.mouse.wheel(0, -30_000);
    await button(shown, /^Follow/).waitFor();
    await shown.page
      .getByRole('option', { name: /^3,6\d\d / })
      .first()
      .waitFor();
  });

  test('marks rows that were dropped for newer ones', async (t) => {
    stream.next = 5_000;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^4,999 / }).waitFor();
    await button(shown, 'Pause').click();
    stream.first = 4_000;
    stream.next = 9_000;
    stream.dropped = 4_000;
    await shown.post(stream.news());
    const list = shown.page.getByRole('listbox');
    await list.focus();
    await list.press('Home');
    await shown.page.getByText('dropped to make room for newer rows', { exact: true }).first().waitFor();
    await list.press('End');
    await shown.page.getByRole('option', { name: /^4,999 / }).waitFor();
  });

  test('shows a gap as a separate row, with its slots', async (t) => {
    stream.next = 3;
    stream.row = (number) =>
      number === 1
        ? { kind: 'gap', number, time: 0, fromSlot: '100', toSlot: '140', isFilled: false, reason: 'connection reset' }
        : updateRow(number);
    const shown = await show(t);
    const gap = shown.page.getByRole('option', { name: /Disconnected from slot 100 to 140: connection reset\..*$/ });
    await gap.waitFor();
    assert.match((await gap.textContent()) ?? '', /Updates in between are missing/);
  });

  test('is what the window kept, stopped, after a reload', async (t) => {
    stream.next = 300;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^299 / }).waitFor();
    await button(shown, 'Pause').click();
    const kept = await shown.kept<StreamKept>(({ rows, isPaused }) => isPaused && rows.length > 0);
    assert.ok(kept.rows.length <= 200);
    stream.state = { kind: 'restored' };
    const asked = stream.asked.length;
    await shown.reload();
    await shown.page.getByText(/^The window was reloaded/).waitFor();
    await shown.page.getByRole('option', { name: /^299 / }).waitFor();
    assert.equal(stream.asked.length, asked);
    await button(shown, 'Reopen').click();
    assert.deepEqual(stream.commands, [{ kind: 'reopen' }]);
    stream.info = { ...stream.info, id: 's2' };
    stream.state = { kind: 'live' };
    stream.next = 2;
    await shown.post({ kind: 'opened', hello: stream.hello() });
    await shown.page.getByRole('option', { name: /^1 / }).waitFor();
    await options(shown).nth(1).waitFor();
    assert.equal(await options(shown).count(), 2);
  });

  test('is paused where it was after the page was hidden for a while', async (t) => {
    stream.next = 300;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^299 / }).waitFor();
    await button(shown, 'Pause').click();
    await shown.kept<StreamKept>(({ isPaused }) => isPaused);
    stream.next = 900;
    await shown.reload();
    await button(shown, 'Follow, 600 newer').waitFor();
    await shown.page.getByRole('option', { name: /^299 / }).waitFor();
  });
});

describe('a slot that stays the same', () => {
  test('is reported next to the state, spoken once, and cleared by the next slot', async (t) => {
    stream.next = 3;
    const shown = await show(t);
    const line = shown.page.locator('.state');
    await line.getByText('Live', { exact: true }).waitFor();
    for (const still of [12, 13]) {
      stream.still = still;
      await shown.post(stream.news());
      await line
        .getByText(`No slot after 280000003 for ${still} s, although the connection is open.`, { exact: true })
        .waitFor();
    }
    assert.equal(await line.getAttribute('data-tone'), 'warn');
    assert.match((await shown.page.getByRole('status').first().textContent()) ?? '', /no new slot.* for 12 s/i);
    stream.still = undefined;
    await shown.post(stream.news());
    await line.getByText('Live', { exact: true }).waitFor();
  });
});

describe('messages', () => {
  const SECONDS = 3;

  /** The page under a clock of the test: `SECONDS` pass in steps, `ticks` of them a second with news. */
  async function pass(
    t: { after(undo: () => Promise<void>): void },
    before?: (shown: ShownPage) => Promise<unknown>,
    reducedMotion = false,
  ) {
    stream.next = 50_000;
    const shown = await show(t, { prepare: (page) => page.clock.install(), reducedMotion });
    await shown.page.clock.runFor(1_000);
    await options(shown).first().waitFor();
    // An installed clock runs by itself until it is paused.
    await shown.page.clock.pauseAt((await shown.page.evaluate<number>('Date.now()')) + 1_000);
    await before?.(shown);
    const counts = { asked: rowsAsked(), received: shown.received };
    for (let step = 0; step < SECONDS * 20; step++) {
      stream.next += 2_500;
      stream.first = stream.next - 50_000;
      if (step % 2 === 0) await shown.post(stream.news());
      await shown.page.clock.runFor(50);
    }
    return { shown, asked: rowsAsked() - counts.asked, received: shown.received - counts.received };
  }

  test('at 50,000 updates a second are at most 25 a second to the page, and the newest rows are shown', async (t) => {
    const { shown, asked, received } = await pass(t);
    assert.ok(asked > SECONDS * 5 && asked <= SECONDS * 10 + 1, String(asked));
    assert.ok(received <= SECONDS * 25, String(received));
    await shown.page.clock.runFor(1_000);
    await shown.page.getByRole('option', { name: /^199,999 / }).waitFor();
  });

  test('while the page cannot be seen it asks for nothing', async (t) => {
    const { asked } = await pass(t, ({ page }) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'))`),
    );
    assert.equal(asked, 0);
  });

  test('while paused the page asks for nothing', async (t) => {
    const { asked } = await pass(t, async (shown) => {
      await button(shown, 'Pause').click();
      await shown.page.clock.runFor(300);
    });
    assert.equal(asked, 0);
  });

  test('come once a second where motion is not wanted', async (t) => {
    const { asked } = await pass(t, undefined, true);
    assert.ok(asked > 0 && asked <= SECONDS + 1, String(asked));
  });
});

describe('the filter', () => {
  test('offers the fields that begin with what is typed, and puts the one that is taken', async (t) => {
    stream.next = 3;
    stream.passes = (filter, number) => filter === 'slot > 1 && lamports > 5' && number > 0;
    const shown = await show(t);
    const box = shown.page.getByRole('searchbox');
    const fields = shown.page.locator('.filter-help button');
    await box.fill('slot > 1 && ');
    assert.deepEqual(await fields.allTextContents(), ['slot', 'pubkey', 'lamports', 'owner']);
    await box.pressSequentially('la');
    assert.deepEqual(await fields.allTextContents(), ['lamports']);
    await shown.screenshot('stream-filter-fields');
    await shown.page.keyboard.press('Tab');
    await shown.page.keyboard.press('Enter');
    assert.equal(await box.inputValue(), 'slot > 1 && lamports ');
    await shown.page.keyboard.type('> 5');
    assert.equal(await box.inputValue(), 'slot > 1 && lamports > 5');
    await passing(shown, 2);
  });

  test('shows only what passes, and follows it', async (t) => {
    stream.next = 1_000;
    stream.passes = (filter, number) => filter === 'lamports > 5' && number % 10 === 0;
    const shown = await show(t);
    await shown.page.getByRole('searchbox').fill('lamports > 5');
    await shown.page.getByRole('option', { name: /^990 / }).waitFor();
    await passing(shown, 100);
    stream.next = 2_001;
    await shown.post(stream.news());
    await shown.page.getByRole('option', { name: /^2,000 / }).waitFor();
    await shown.page.getByRole('searchbox').press('Escape');
    await shown.page.getByRole('option', { name: /^1,999 / }).waitFor();
  });

  test('that cannot be read is marked at its place, with the reason', async (t) => {
    stream.next = 10;
    const shown = await show(t);
    const box = shown.page.getByRole('searchbox');
    await box.fill('lamports === 5');
    await shown.page.getByRole('alert').getByText('Use == to compare.', { exact: true }).waitFor();
    assert.equal(await box.getAttribute('aria-invalid'), 'true');
    assert.equal(await shown.page.locator('.filter-place mark').textContent(), '===');
    await box.fill('lamports == 5');
    await shown.page.getByRole('alert').waitFor({ state: 'hidden' });
    assert.equal(await box.getAttribute('aria-invalid'), null);
  });

  test('that nothing passes says so', async (t) => {
    stream.next = 10;
    stream.passes = () => false;
    const shown = await show(t);
    await shown.page.getByRole('searchbox').fill('nothing');
    await shown.page.getByText('No row passes the filter yet.', { exact: true }).waitFor();
  });
});

describe('the detail', () => {
  test('shows the decoded value, what changed, and the JSON with exact digits', async (t) => {
    stream.next = 40;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^39 / }).click();
    const detail = shown.page.getByRole('region', { name: 'Update 39', exact: true });
    await detail.getByText('Changed since update 38', { exact: true }).waitFor();
    assert.equal(await detail.locator('.changes ins').textContent(), '1,250.5 USDC');
    assert.equal(await detail.locator('.decoded-text.changed').textContent(), '1,250.5 USDC');
    await detail.getByText('JSON', { exact: true }).click();
    assert.match((await detail.locator('pre').textContent()) ?? '', /18446744073709551615/);
  });

  test('copies and watches an address through the extension', async (t) => {
    stream.next = 4;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^3 / }).click();
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    await button(shown, `Copy ${mint}`).click();
    await button(shown, `Watch account ${mint}`).click();
    await button(shown, 'Copy JSON').click();
    assert.deepEqual(stream.commands.slice(0, 2), [
      { kind: 'copy', text: mint },
      { kind: 'watch', address: mint },
    ]);
    assert.equal(stream.commands[2]?.kind, 'copy');
  });

  test('of a row that is gone by now says so', async (t) => {
    stream.next = 4;
    stream.detail = () => ({ kind: 'dropped' });
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^3 / }).click();
    await shown.page.getByText('This row was dropped to make room for newer ones.', { exact: true }).waitFor();
  });

  test('opens and closes by keyboard, and the focus goes back to the list', async (t) => {
    stream.next = 4;
    const shown = await show(t);
    await options(shown).first().waitFor();
    const list = shown.page.getByRole('listbox');
    await list.focus();
    await list.press('Home');
    await list.press('Enter');
    await shown.page.locator('.detail-body:focus').waitFor();
    await shown.page.keyboard.press('Escape');
    await shown.page.locator('.list:focus').waitFor();
  });
});

describe('the export', () => {
  test('is asked for with format, extent and the filter', async (t) => {
    stream.next = 4;
    const shown = await show(t);
    await shown.page.getByRole('searchbox').fill('slot > 1');
    await shown.page.getByRole('searchbox').press('Enter');
    await button(shown, 'Export…').click();
    await shown.page.getByLabel('What to export', { exact: true }).selectOption('fromNow');
    await shown.page.getByLabel('Format', { exact: true }).selectOption('csv');
    await button(shown, 'Choose File…').click();
    assert.deepEqual(
      stream.asked.find(({ kind }) => kind === 'export'),
      { kind: 'export', filter: 'slot > 1', what: 'fromNow', format: 'csv' },
    );
  });

  test('says how far it is, can be stopped, and where it failed', async (t) => {
    const shown = await show(t);
    stream.exporting = { kind: 'writing', file: '/tmp/rows.csv', rows: 1_200, bytes: 96_000 };
    await shown.post(stream.news());
    await shown.page.getByText('Writing /tmp/rows.csv: 1,200 rows, 96 kB', { exact: true }).waitFor();
    await button(shown, 'Stop Writing').click();
    assert.deepEqual(stream.commands, [{ kind: 'stopExport' }]);
    stream.exporting = { kind: 'failed', file: '/tmp/rows.csv', message: 'The disk is full.' };
    await shown.post(stream.news());
    await shown.page.getByText('Not written to /tmp/rows.csv: The disk is full.', { exact: true }).waitFor();
  });
});
