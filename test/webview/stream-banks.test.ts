// A slot with two banks on the page of a stream alone in Chromium: the rows of the bank that was given up are marked for eyes
// and for screen readers, in every theme, also where a row is chosen.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { StreamInfo, StreamRow } from '../../protocol/streams';
import { contrast } from '../support/editor/contrast';
import { FakeStream, INFO } from '../support/editor/fakeStream';
import { showPage, type PageTheme, type ShownPage, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

const BANKS: StreamInfo = {
  ...INFO,
  title: 'Slots and blocks',
  method: 'geyser.Geyser/Subscribe',
  transport: 'GRPC',
  columns: [
    { field: 'slot', title: 'Slot', align: 'end' },
    { field: 'kind', title: 'Kind', align: 'start' },
    { field: 'status', title: 'Status', align: 'start' },
    { field: 'bank', title: 'Bank', align: 'end' },
    { field: 'fate', title: 'Fate', align: 'start' },
  ],
};

/** Of slot 280,000,101 two banks came, and bank 7 was given up. */
const ROWS: readonly (readonly [slot: string, kind: string, status: string, bank: string])[] = [
  ['280000100', 'blockMeta', '', '6'],
  ['280000100', 'slot', 'processed', '6'],
  ['280000101', 'blockMeta', '', '7'],
  ['280000101', 'slot', 'processed', '7'],
  ['280000101', 'blockMeta', '', '8'],
  ['280000101', 'slot', 'processed', '8'],
  ['280000101', 'slot', 'confirmed', '8'],
];
const GIVEN_UP = '7';

function rowOf(number: number): StreamRow {
  const cells = ROWS[number] ?? [];
  const isAbandoned = cells[3] === GIVEN_UP;
  const fate = isAbandoned ? 'abandoned' : '';
  const time = Date.UTC(2026, 0, 5, 12, 0, 0, number * 40);
  return { kind: 'update', number, time, bytes: 90, cells: [...cells, fate], ...(isAbandoned && { isAbandoned }) };
}

async function show(t: { after(undo: () => Promise<void>): void }, theme: PageTheme): Promise<ShownPage> {
  const host = new FakeStream();
  host.info = BANKS;
  host.next = ROWS.length;
  host.row = rowOf;
  host.abandoned = 2;
  const shown = await showPage(browser, { name: 'stream', host, theme, size: { width: 900, height: 420 } });
  t.after(() => shown.close());
  await shown.page
    .getByRole('option')
    .nth(ROWS.length - 1)
    .waitFor();
  return shown;
}

/** The parts of the page's window that are used. */
interface Styles {
  getComputedStyle(element: unknown): Readonly<Record<'color' | 'backgroundColor' | 'textDecorationLine', string>>;
}
interface Box {
  readonly parentElement: Box | null;
}

interface Drawn {
  readonly struck: boolean;
  /** Contrast of text and background (WCAG 2). */
  readonly ratio: number;
}

/** How a cell with exactly this text in a row is drawn. */
async function drawn(row: Locator, text: string): Promise<Drawn> {
  const cell = row.getByText(text, { exact: true });
  const { line, color, behind } = await cell.evaluate((shown) => {
    const page = globalThis as unknown as Styles;
    const { textDecorationLine, color: its } = page.getComputedStyle(shown);
    const colors: string[] = [];
    for (let at = shown as unknown as Box | null; at !== null; at = at.parentElement) {
      colors.push(page.getComputedStyle(at).backgroundColor);
    }
    return { line: textDecorationLine, color: its, behind: colors };
  });
  // From the page inwards, each colour over those behind it.
  const background = behind
    .map(parts)
    .reduceRight((under, [r = 0, g = 0, b = 0, alpha = 1]) =>
      [r, g, b].map((part, at) => part * alpha + (under[at] ?? 0) * (1 - alpha)),
    );
  return { struck: line === 'line-through', ratio: contrast(color, `rgb(${background.slice(0, 3).join(', ')})`) };
}

const parts = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);

for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const)
  describe(theme, () => {
    test('two rows say abandoned, with what they held struck through and readable, and no others', async (t) => {
      const shown = await show(t, theme);
      const marked = shown.page.getByRole('option', { name: / abandoned$/ });
      await marked.nth(1).waitFor();
      assert.equal(await marked.count(), 2);
      for (let at = 0; at < 2; at++) {
        const held = await drawn(marked.nth(at), '280,000,101');
        assert.ok(held.struck);
        assert.ok(held.ratio >= 4.5, `${held.ratio}`);
        const fate = await drawn(marked.nth(at), 'abandoned');
        assert.equal(fate.struck, false);
        assert.ok(fate.ratio >= 4.5, `${fate.ratio}`);
      }
      const others = shown.page.getByRole('option').filter({ hasNotText: /abandoned$/ });
      assert.equal(await others.count(), ROWS.length - 2);
      assert.equal((await drawn(others.last(), 'confirmed')).struck, false);
      await shown.page.getByText('Abandoned', { exact: true }).waitFor();
      await shown.screenshot(`stream-banks-${theme}`);
    });

    test('a chosen one stays readable', async (t) => {
      const shown = await show(t, theme);
      const row = shown.page.getByRole('option', { name: / abandoned$/ }).first();
      await row.click();
      const held = await drawn(row, '280,000,101');
      assert.ok(held.struck && held.ratio >= 4.5, `${held.ratio}`);
      await shown.screenshot(`stream-banks-chosen-${theme}`);
    });
  });

test('a row that was shown as confirmed is shown again once its slot is final', async (t) => {
  const host = new FakeStream();
  host.info = BANKS;
  host.next = ROWS.length;
  host.row = rowOf;
  const shown = await showPage(browser, { name: 'stream', host, theme: 'dark', size: { width: 900, height: 420 } });
  t.after(() => shown.close());
  await shown.page.getByText('confirmed', { exact: true }).waitFor();
  host.row = (number) => {
    const row = rowOf(number);
    return row.kind === 'gap'
      ? row
      : { ...row, cells: row.cells.map((cell) => (cell === 'confirmed' ? 'confirmed, finalized' : cell)) };
  };
  host.changed = 1;
  await shown.post(host.news());
  await shown.page.getByText('confirmed, finalized', { exact: true }).waitFor();
});
