// The page of a transaction that ran again on a private ledger, in Chromium: what is the same, what differs, in every theme;
// and that the keyboard reaches all of the page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PROGRAM, SOURCE } from '../support/data/explainedTransactions';
import { violations } from '../support/editor/axe';
import { FAILED, testTransactionPage, SIZES, THEMES, WRITTEN } from '../support/editor/transactionPage';

const open = testTransactionPage();

/** Visible elements that can be pressed or scrolled, but are reached neither by Tab nor by arrow keys from a tab stop. */
async function reachable(page: Page): Promise<readonly string[]> {
  const mark = `(() => { document.activeElement?.setAttribute('data-reached', ''); })()`;
  const count = await page.evaluate<number>(`(() => {
    for (const one of document.querySelectorAll('[data-reached]')) one.removeAttribute('data-reached');
    document.activeElement?.blur();
    return document.querySelectorAll('button, summary, [tabindex]').length;
  })()`);
  for (let at = 0; at <= count; at++) {
    await page.keyboard.press('Tab');
    await page.evaluate(mark);
  }
  for (const group of ['toolbar', 'tablist'])
    for (const bar of await page.getByRole(group as 'toolbar').all()) {
      await bar.locator('[tabindex="0"]').focus();
      const chosen = await page.evaluate<string>('document.activeElement.textContent');
      await page.keyboard.press('Home');
      await page.evaluate(mark);
      for (let step = await bar.getByRole(group === 'tablist' ? 'tab' : 'button').count(); step > 1; step--) {
        await page.keyboard.press('ArrowRight');
        await page.evaluate(mark);
      }
      // The tab that is looked at stays the chosen one.
      if (group === 'tablist') await page.getByRole('tab', { name: chosen, exact: true }).click();
    }
  return page.evaluate(`[...document.querySelectorAll('button, summary, [tabindex="0"]')]
    .filter((one) => one.offsetParent !== null && !one.hasAttribute('data-reached'))
    .map((one) => one.getAttribute('aria-label') ?? one.textContent)`);
}

describe('a transaction', () => {
  for (const { theme, width, size } of THEMES.flatMap((theme) =>
    Object.entries(SIZES).map(([width, size]) => ({ theme, width, size })),
  ))
    test(`that was replayed says what is the same and what differs, in ${theme}, ${width}`, async (t) => {
      assert.ok(FAILED.kind === 'explained');
      const replay = {
        same: ['error', 'logs'],
        differences: [
          { about: 'error', expected: 'Instruction 1 failed: ConstraintHasOne (error 2001).', local: 'success' },
          { about: 'computeUnits', expected: '21,850', local: '22,000' },
          { about: 'logs', at: 'line 2', expected: `Program ${PROGRAM} consumed 21 of 200000`, local: 'no line' },
          { about: 'lamports', at: SOURCE, expected: '-5,000', local: '0' },
        ],
        overrides: [`code of ${PROGRAM}: counter.so`],
        notes: [`${SOURCE} was named by a transaction at slot 7, after slot 5: its data may be newer.`],
      } as const;
      const { shown, page, commands } = await open(t, { ...FAILED, view: { ...FAILED.view, replay } }, { theme, size });
      await page.getByRole('heading', { name: 'Replay on a private ledger', exact: true }).waitFor();
      const row = page.getByRole('row', { name: /^Compute units (.* )?21,850 (.* )?22,000$/ });
      await row.waitFor();
      await page.getByText(/: its data may be newer\.$/).waitFor();
      await page
        .getByRole('list', { name: 'Changed here', exact: true })
        .getByText(`code of ${PROGRAM}: counter.so`, { exact: true })
        .waitFor();
      assert.equal(await page.getByRole('button', { name: 'Replay Locally', exact: true }).count(), 0);
      // Words are not broken: each is on one line.
      const heights = await page.evaluate<readonly number[]>(
        `[...document.querySelectorAll('.replay th')].filter((one) => /^\\w+$/.test(one.textContent)).map((one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          return words.getClientRects().length;
        })`,
      );
      assert.deepEqual(heights, [1, 1, 1]);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
      assert.deepEqual(await violations(page), []);
      assert.equal(
        await page.evaluate('(box => box.scrollWidth - box.clientWidth)(document.querySelector(".replay"))'),
        0,
      );
      await shown.screenshot(`transaction-replay-${theme}-${width}`);
      await page.getByRole('button', { name: 'Change and Run Again…', exact: true }).click();
      await page.getByRole('button', { name: 'Save as a Folder…', exact: true }).click();
      assert.deepEqual(commands, [{ kind: 'replayAgain' }, { kind: 'saveReplay' }]);
    });

  test('that was replayed in an earlier window is replayed again with a click', async (t) => {
    const of = { kind: 'signature', signature: '1'.repeat(64) } as const;
    for (const [source, isOffered] of [
      [{ kind: 'replay', id: 'x', of }, true],
      [{ kind: 'replay', id: 'x' }, false],
      [{ kind: 'row', id: 'x', number: 1 }, false],
    ] as const) {
      const { shown, page, commands } = await open(t, { kind: 'gone' }, {}, { source });
      await page.getByText(/^This (replay|transaction) is no longer kept\./).waitFor();
      const again = page.getByRole('button', { name: 'Replay Again', exact: true });
      assert.equal(await again.isVisible(), isOffered);
      if (!isOffered) continue;
      await page.getByText(/ Replaying it again starts without your changes\.$/).waitFor();
      assert.deepEqual(await violations(page), []);
      await shown.screenshot('transaction-replay-gone');
      await again.press('Enter');
      assert.deepEqual(commands, [{ kind: 'renewReplay' }]);
    }
  });

  test('is reached whole by the keyboard: every control by Tab, or by arrow keys within its group', async (t) => {
    assert.ok(FAILED.kind === 'explained');
    const replay = { same: ['error'], differences: [], notes: [], overrides: [] } as const;
    const suggested = [{ member: 'computeUnitLimit', value: 23_000 }] as const;
    const view = { ...FAILED.view, replay, suggested, written: WRITTEN, wire: 'AQ==' };
    const { page } = await open(t, { kind: 'explained', view });
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    const missed = new Set<string>();
    for (const [tab, owned] of [
      ['Calls', 'Calls'],
      ['Accounts', 'Accounts'],
      ['Balances', 'Balances'],
      ['Raw', 'The explanation as JSON'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      for (const name of await reachable(page)) missed.add(`${tab}: ${name}`);
      assert.ok(await page.getByLabel(owned, { exact: true }).first().isVisible(), owned);
    }
    assert.deepEqual([...missed], []);
  });

  test('that was replayed is shown whole where there is little room', async (t) => {
    assert.ok(FAILED.kind === 'explained');
    const replay = { same: ['error', 'logs'], differences: [], notes: [], overrides: [] } as const;
    for (const size of [
      { width: 555, height: 490 },
      { width: 1000, height: 500 },
    ]) {
      const { shown, page } = await open(t, { ...FAILED, view: { ...FAILED.view, replay } }, { size });
      await page.getByText('The same as on the chain: Error, Logs', { exact: true }).waitFor();
      assert.equal(
        await page.evaluate("(box => box.scrollHeight - box.clientHeight)(document.querySelector('.replay'))"),
        0,
      );
      await shown.screenshot(`transaction-replay-${size.width}`);
    }
  });
});
