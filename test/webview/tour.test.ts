// The page of the tour alone in Chromium: one step is open and moves on when it is done, by keyboard and for screen readers,
// without fetching the focus; themes, widths, policy.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TourView } from '../../protocol/tourPage';
import { violations } from '../support/editor/axe';
import { HOSTILE } from '../support/data/hostileTexts';
import { assertPolicy } from '../support/editor/pagePolicy';
import { showPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

const TITLES = ['Start the service', 'Send a request', 'Land a transaction', 'Read your usage'];
const viewOf = (done: readonly number[], isNew = false): TourView => ({
  title: 'Two minutes',
  steps: TITLES.map((title, at) => ({
    title,
    text: [`What ${title.toLowerCase()} does, in a sentence or two that take more than a line.`],
    actions: [`Do ${at + 1}`],
    isDone: done.includes(at),
  })),
  isNew,
});

const SIZE = { width: 300, height: 420 };

async function show(t: { after(undo: () => Promise<void>): void }, view = viewOf([]), more: Partial<ShowOptions> = {}) {
  const commands: unknown[] = [];
  const host = { hello: () => view, answer: () => undefined, onCommand: (body: unknown) => void commands.push(body) };
  const shown = await showPage(browser, { name: 'tour', host, size: SIZE, ...more });
  t.after(() => shown.close());
  await shown.page.getByRole('list').waitFor();
  return Object.assign(shown, {
    commands,
    update: (next: TourView) => shown.post(next),
    step: (at: number) => shown.page.getByRole('button', { name: new RegExp(`^${TITLES[at]}`) }),
    opened: (at: number) =>
      shown.page.getByRole('button', { name: new RegExp(`^${TITLES[at]}`), expanded: true }).waitFor(),
    act: (at: number) => shown.page.getByRole('button', { name: `Do ${at + 1}`, exact: true }),
    focused: () => shown.page.evaluate<string>('document.activeElement.textContent'),
  });
}

test('the first step that is not done is open, alone; done ones are ticked in words', async (t) => {
  const { page, opened, act } = await show(t, viewOf([0]));
  await opened(1);
  await act(1).waitFor();
  assert.equal(await page.getByRole('button', { expanded: true }).count(), 1);
  assert.equal(await page.getByRole('button', { name: /^Do / }).count(), 1);
  await page.getByRole('button', { name: 'Start the service done', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send a request step 2 of 4', exact: true }).waitFor();
  await page.getByText('1 of 4 done', { exact: true }).waitFor();
});

test('a step that is done closes, the next opens, and that is said; the focus stays where it was', async (t) => {
  const { page, opened, update, step, focused } = await show(t);
  await opened(0);
  assert.equal(await page.getByRole('status').textContent(), '');
  await step(3).focus();
  await update(viewOf([0]));
  await opened(1);
  assert.equal(await page.getByRole('status').textContent(), 'Done: Start the service. Next: Send a request');
  assert.match(await focused(), /^Read your usage/);
  await update(viewOf([0, 1, 2, 3]));
  await page.getByText('You have done every step.', { exact: true }).waitFor();
  assert.equal(
    await page.getByRole('status').textContent(),
    'Done: Send a request, Land a transaction, Read your usage. That was the last step.',
  );
  assert.equal(await page.getByRole('button', { expanded: true }).count(), 0);
});

test('the focus moves on with the step where its own button did it, to the end', async (t) => {
  const { opened, act, update, focused, commands } = await show(t, viewOf([1, 2]));
  await act(0).click();
  assert.deepEqual(commands, [{ kind: 'act', step: 0, action: 0 }]);
  await update(viewOf([0, 1, 2]));
  await opened(3);
  assert.match(await focused(), /^Read your usage/);
  await act(3).focus();
  await update(viewOf([0, 1, 2, 3]));
  await t.test('and there to the button that closes it', async () => {
    while ((await focused()) !== 'End Tour') await act(3).page().evaluate('new Promise(requestAnimationFrame)');
  });
});

test('a step that nobody is at is done without opening another', async (t) => {
  const { opened, step, update } = await show(t);
  await step(2).click();
  await opened(2);
  await update(viewOf([0]));
  await opened(2);
  await update(viewOf([0, 2]));
  await opened(1);
});

test('by keyboard alone: arrows from title to title, Enter opens, Tab to the action', async (t) => {
  const { page, opened, commands, focused, step } = await show(t);
  await step(0).focus();
  for (const [key, at] of [
    ['ArrowDown', 1],
    ['End', 3],
    ['ArrowDown', 3],
    ['ArrowUp', 2],
    ['Home', 0],
    ['ArrowDown', 1],
  ] as const) {
    await page.keyboard.press(key);
    assert.ok((await focused()).startsWith(TITLES[at] ?? '?'), `${key} to ${TITLES[at]}`);
  }
  await page.keyboard.press('Enter');
  await opened(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'End Tour', exact: true }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(commands, [{ kind: 'act', step: 1, action: 0 }, { kind: 'end' }]);
});

test('a tour that was just opened says so; shown again, it says nothing', async (t) => {
  const opening = await show(t, viewOf([], true));
  const said = await opening.page.getByRole('status').textContent();
  assert.equal(said, 'The tour is open in the side bar. It begins with: Start the service');
  const again = await show(t, viewOf([0]));
  assert.equal(await again.page.getByRole('status').textContent(), '');
});

test('what opens comes into view in a view of little height', async (t) => {
  const { page, update, opened, act } = await show(t, viewOf([]), { size: { width: 220, height: 160 } });
  await update(viewOf([0, 1, 2]));
  await opened(3);
  const box = await act(3).boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 160, JSON.stringify(box));
  assert.equal(await page.evaluate('document.documentElement.scrollTop'), 0);
});

for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const)
  describe(`in the theme ${theme}`, () => {
    for (const width of [220, 300, 900])
      test(`has no violations and nothing beyond the edge at ${width} px`, async (t) => {
        const shown = await show(t, viewOf([0]), { theme, size: { width, height: 420 } });
        assert.deepEqual(await violations(shown.page), []);
        assert.equal(await shown.page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await shown.screenshot(`tour-page-${theme}-${width}`);
        await shown.update(viewOf([0, 1, 2, 3]));
        await shown.page.getByText('You have done every step.', { exact: true }).waitFor();
        assert.deepEqual(await violations(shown.page), []);
      });
  });

test('texts are texts', async (t) => {
  for (const hostile of HOSTILE) {
    const text = hostile.slice(0, 1_000);
    const step = { title: text, text: [text], actions: [text], isDone: false };
    const shown = await show(t, { title: text, steps: [step], isNew: true });
    assert.equal(await shown.page.evaluate('window.hacked'), undefined);
    assert.equal(await shown.page.locator('img, script:not([nonce]), a, iframe').count(), 0);
    assert.deepEqual([shown.strays, shown.console], [[], []]);
  }
});

test('loads and runs nothing but its own', async (t) => {
  await assertPolicy(await show(t));
});
