// The page of a transaction in Chromium, over what the server says of a node's answer: outcome, flame, calls, tabs, a long
// log, by mouse and by keyboard. Every theme leaves its picture.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JsonValue } from '../../core/solana/json/json';
import type { TransactionKept } from '../../protocol/transactionPanel';
import { transactionView } from '../../server/explain/view';
import { MINT, nestedTransaction, PAYER, PROGRAM, SOURCE } from '../support/data/explainedTransactions';
import { HOSTILE } from '../support/data/hostileTexts';
import { explained as ranTransaction, nestedCalls } from '../support/data/ranTransaction';
import { violations } from '../support/editor/axe';
import { assertPolicy } from '../support/editor/pagePolicy';
import {
  explained,
  FAILED,
  testTransactionPage,
  SIZES,
  SUCCEEDED,
  THEMES,
  WRITTEN,
} from '../support/editor/transactionPage';

const open = testTransactionPage();

const call = (page: Page, path: string) =>
  page
    .getByRole('listbox', { name: 'Calls', exact: true })
    .getByRole('option', { name: new RegExp(`^${path.replaceAll('.', '\\.')} `) });

/** Parts of which some is to be seen only by scrolling to the side. */
const CLIPPED = `[...document.querySelectorAll('.transaction-head, .call-body, .scrolled')]
  .filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.className)`;

/** Actions of an address that are spread over two lines. */
const SPLIT = `[...document.querySelectorAll('button[aria-label^="Watch account"]')]
  .filter((watch) => watch.offsetTop !== watch.previousElementSibling.offsetTop).map((watch) => watch.title)`;

describe('a transaction', () => {
  for (const theme of THEMES)
    for (const [width, size] of Object.entries(SIZES))
      test(`that failed, with each of its tabs, in ${theme}, ${width}`, async (t) => {
        const { shown, page } = await open(t, FAILED, { theme, size });
        await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
        for (const tab of ['Calls', 'Accounts', 'Balances', 'Raw']) {
          await page.getByRole('tab', { name: tab, exact: true }).click();
          assert.deepEqual(await violations(page), [], tab);
          assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, tab);
          assert.deepEqual(await page.evaluate(CLIPPED), [], tab);
          await shown.screenshot(`transaction-${tab.toLowerCase()}-${theme}-${width}`);
        }
        assert.deepEqual([shown.strays, shown.console], [[], []]);
      });

  test('keeps what can be done with an address on one line, however wide it is', async (t) => {
    const { page } = await open(t, FAILED);
    await page
      .getByRole('button', { name: /^Watch account/ })
      .first()
      .waitFor();
    for (let width = 340; width <= 720; width += 20) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await page.evaluate(SPLIT), [], `${width} px`);
      assert.deepEqual(await page.evaluate(CLIPPED), [], `${width} px`);
    }
  });

  test('that landed is replayed by its signature', async (t) => {
    const { page, commands } = await open(t, FAILED);
    await page.getByRole('button', { name: 'Replay Locally', exact: true }).click();
    assert.deepEqual(
      commands.map(({ kind }) => kind),
      ['replay'],
    );
  });

  test('that failed begins at the innermost call that failed, with its log open', async (t) => {
    const { page } = await open(t, FAILED);
    await page.getByRole('heading', { name: '2.1.1 SPL Token Program: transferChecked', exact: true }).waitFor();
    assert.equal(await call(page, '2.1.1').getAttribute('aria-selected'), 'true');
    await page.getByText('Failed: custom program error: 0x1', { exact: true }).waitFor();
    await page
      .getByRole('listbox', { name: 'Log of this call', exact: true })
      .getByText('Instruction: TransferChecked', { exact: true })
      .waitFor();
    await call(page, '1').click();
    await page.getByRole('button', { name: 'Show the Call That Failed', exact: true }).click();
    await page.getByRole('heading', { name: /^2\.1\.1 / }).waitFor();
  });

  test('says fee, limits and units; bars lie within those that called them', async (t) => {
    const { page } = await open(t, SUCCEEDED);
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    const facts = await page.locator('.facts').innerText();
    assert.match(facts, /Fee\s+5,000 lamports \(0\.000005 SOL\)/);
    assert.match(facts, /Compute units\s+22,000 \/ 40,000/);
    await page.getByRole('heading', { name: 'Compute units of the calls: 22,000', exact: true }).waitFor();
    const bars = await page.evaluate<readonly { left: number; right: number; top: number }[]>(
      `[...document.querySelectorAll('.flame-bar')].map((bar) => {
        const { left, right, top } = bar.getBoundingClientRect();
        return { left, right, top };
      })`,
    );
    // The first is that of the Compute Budget program.
    const [budget, outer, middle, inner] = bars;
    assert.ok(
      budget !== undefined && outer !== undefined && middle !== undefined && inner !== undefined && bars.length === 4,
    );
    for (const [around, within] of [
      [outer, middle],
      [middle, inner],
    ] as const)
      assert.ok(within.left >= around.left && within.right <= around.right + 0.5 && within.top > around.top);
    assert.ok(budget.right <= outer.left + 0.5, 'the next call begins where the first ends');
    const share = (inner.right - inner.left) / (outer.right - outer.left);
    assert.ok(Math.abs(share - 6174 / 21850) < 0.01, String(share));
  });

  test('the flame has a bar for each of nine calls within each other', async (t) => {
    const view = transactionView(ranTransaction(nestedCalls(9)));
    const { page } = await open(t, { kind: 'explained', view });
    const bars = page.locator('.flame-bar');
    await bars.first().waitFor();
    assert.equal(await bars.count(), 9);
    assert.match((await bars.last().getAttribute('aria-label')) ?? '', /^1(?:\.1){8} .*, 100 compute units$/);
  });

  test('a bar brings up its call, by mouse and by keyboard', async (t) => {
    const { page } = await open(t, SUCCEEDED);
    await page.getByRole('button', { name: /^2\.1 .*12,300 compute units/ }).click();
    await page.getByRole('heading', { name: /^2\.1 / }).waitFor();
    assert.equal(await page.evaluate('document.activeElement?.getAttribute("role")'), 'listbox');
    await page.getByRole('button', { name: /^2\.1 / }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^2\.1\.1 / }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('heading', { name: /^2\.1 / }).waitFor();
  });

  test('shows arguments and accounts by role, and copies and watches addresses', async (t) => {
    const { page, commands } = await open(t, SUCCEEDED);
    await call(page, '2.1.1').click();
    await page
      .locator('.decoded-leaf', { hasText: /^amount.*1\.5/ })
      .first()
      .waitFor();
    await page.locator('.decoded-leaf', { hasText: new RegExp(`^source${SOURCE}`) }).waitFor();
    await page.getByRole('button', { name: `Watch account ${SOURCE}`, exact: true }).click();
    await page.getByRole('button', { name: `Copy ${SOURCE}`, exact: true }).click();
    assert.deepEqual(commands, [
      { kind: 'watch', address: SOURCE },
      { kind: 'copy', text: SOURCE },
    ]);
  });

  test('has tabs for arrow keys, with tables of accounts and balances, and keeps what was chosen', async (t) => {
    const { shown, page } = await open(t, SUCCEEDED);
    await page.getByRole('tab', { name: 'Calls', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    const accounts = page.getByRole('table', { name: 'Accounts', exact: true });
    await accounts
      .getByRole('row', { name: new RegExp(`^${PAYER}`) })
      .getByText('fee payer, writable', { exact: true })
      .waitFor();
    await accounts
      .getByRole('row', { name: new RegExp(`^${PROGRAM}`) })
      .getByText('read-only, program', { exact: true })
      .waitFor();
    const mint = `${MINT.slice(0, 4)}…${MINT.slice(-4)}`;
    await accounts
      .getByRole('row', { name: new RegExp(`^${SOURCE}.* -1\\.5 ${mint} .* 2 ${mint} .* 0\\.5 ${mint}`) })
      .waitFor();
    await shown.screenshot('transaction-tokens');
    await page.keyboard.press('ArrowRight');
    const balances = page.getByRole('table', { name: 'Balances', exact: true });
    await balances.getByRole('row', { name: new RegExp(`^${PAYER}.*${MINT}.*-1\\.5.*2 .*0\\.5`) }).waitFor();
    await balances.getByRole('row', { name: new RegExp(`^${PAYER}.*SOL.*-0\\.000005`) }).waitFor();
    await page.keyboard.press('End');
    await page
      .getByRole('listbox', { name: 'The explanation as JSON', exact: true })
      .getByText('"outcome": {', { exact: true })
      .waitFor();
    await shown.kept<TransactionKept>(({ tab }) => tab === 'raw');
    await shown.reload();
    await page.getByRole('listbox', { name: 'The explanation as JSON', exact: true }).waitFor();
  });

  test('with a log of a megabyte draws only the lines in view, also at its end', async (t) => {
    const lines = Array.from({ length: 4_000 }, (_, at) => `Program log: ${at} ${'x'.repeat(250)}`);
    const { page } = await open(t, explained(nestedTransaction({ isFailed: false, lines })));
    await call(page, '2').click();
    await page.getByText('Log, 4,000 lines', { exact: true }).click();
    const log = page.getByRole('listbox', { name: 'Log of this call', exact: true });
    await log.getByText(/^0 x/).waitFor();
    assert.ok((await log.getByRole('option').count()) < 40);
    await log.focus();
    await page.keyboard.press('End');
    await log.getByText(/^3999 x/).waitFor();
    assert.ok((await log.getByRole('option').count()) < 40);
  });

  test('says which signatures are valid, and names who has not signed', async (t) => {
    assert.ok(SUCCEEDED.kind === 'explained');
    const { view } = SUCCEEDED;
    const [first, ...others] = view.accounts;
    assert.ok(first !== undefined);
    const facts = [...view.facts, { name: 'signatures', text: '0 / 1' }, { name: 'sizeLeft', text: '12' }] as const;
    const accounts = [{ ...first, fault: 'missing', life: 'closed' }, ...others] as const;
    const { page } = await open(t, { kind: 'explained', view: { ...view, facts, accounts } });
    assert.match(await page.locator('.facts').innerText(), /Valid signatures\s+0 \/ 1/);
    await page.getByRole('tab', { name: 'Accounts', exact: true }).click();
    await page.getByText('fee payer, writable, has not signed, closed', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('is compared with another one by a button that the keyboard reaches', async (t) => {
    const { page, commands } = await open(t, SUCCEEDED);
    await page.getByRole('button', { name: 'Compare With…', exact: true }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(commands, [{ kind: 'compare' }]);
  });

  test('that has not run can be looked up by its signature', async (t) => {
    const { transaction } = nestedTransaction({ isFailed: false }) as { readonly transaction: JsonValue };
    const { page, commands } = await open(t, explained({ transaction, meta: null }));
    await page.getByRole('heading', { name: 'Outcome unknown', exact: true }).waitFor();
    assert.equal(await page.locator('.flame').isVisible(), false);
    await page.getByRole('button', { name: 'Look It Up on the Chain', exact: true }).click();
    assert.equal(commands[0]?.kind, 'lookUp');
  });

  test('that was simulated suggests limits, asks for fees only when asked to, and writes each number', async (t) => {
    assert.ok(SUCCEEDED.kind === 'explained');
    const suggested = [{ member: 'computeUnitLimit', value: 23_000 }] as const;
    const fees = {
      kind: 'fees',
      levels: [
        { percentile: 50, microLamports: 1_500 },
        { percentile: 90, microLamports: 9_000 },
      ],
    } as const;
    const { shown, page, commands } = await open(
      t,
      { kind: 'explained', view: { ...SUCCEEDED.view, suggested } },
      {},
      { fees },
    );
    await page.getByRole('button', { name: 'Use: Compute unit limit, 23,000', exact: true }).click();
    await page.getByRole('button', { name: 'Ask for Recent Fees', exact: true }).click();
    await page.getByRole('button', { name: /^Use: Priority fee, 90th percentile, 9,000 micro-lamports/ }).click();
    assert.deepEqual(commands, [
      { kind: 'use', member: 'computeUnitLimit', value: 23_000 },
      { kind: 'use', member: 'priorityFee', value: 9_000 },
    ]);
    assert.deepEqual(await violations(page), []);
    await shown.screenshot('transaction-suggested');
    // A page that is hidden and shown again asks for nothing twice.
    await shown.kept<TransactionKept>((kept) => kept.fees?.kind === 'fees');
    await shown.reload();
    await page.getByRole('button', { name: /^Use: Priority fee, 50th percentile, 1,500 micro-lamports/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Ask for Recent Fees', exact: true }).count(), 0);
  });

  for (const theme of THEMES)
    for (const [width, size] of Object.entries(SIZES))
      test(`that was simulated shows its accounts before and after, in ${theme}, ${width}`, async (t) => {
        assert.ok(SUCCEEDED.kind === 'explained');
        const view = { ...SUCCEEDED.view, wire: 'AQ==', outcome: { kind: 'notExecuted' } } as const;
        const simulated = {
          kind: 'simulated',
          source: { kind: 'response', place: { request: 'bb', run: 1 } },
          view: { ...SUCCEEDED.view, wire: 'AQ==', written: WRITTEN },
        } as const;
        const { shown, page } = await open(t, { kind: 'explained', view }, { theme, size }, { simulated });
        await page.getByRole('button', { name: 'Simulate', exact: true }).press('Enter');
        await page.getByText('Simulated. Nothing was sent.', { exact: true }).waitFor();
        const after = page.getByRole('table', { name: 'Accounts after the simulation', exact: true });
        await after.getByRole('row', { name: 'amount 10,000,000 raw 7,500,000 raw', exact: true }).waitFor();
        await after.getByRole('row', { name: 'balance – 2 SOL', exact: true }).waitFor();
        await after.getByRole('row', { name: 'no changes', exact: true }).waitFor();
        // The focus stays where it was.
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Simulate Again');
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await shown.screenshot(`transaction-simulated-${theme}-${width}`);
      });

  test('that cannot be simulated says why, and keeps what it showed', async (t) => {
    assert.ok(FAILED.kind === 'explained');
    const simulated = { kind: 'none', reason: 'The node is away.' } as const;
    const view = { ...FAILED.view, wire: 'AQ==' };
    const { page } = await open(t, { kind: 'explained', view }, {}, { simulated });
    await page.getByRole('button', { name: 'Simulate Again', exact: true }).click();
    await page.getByText('The node is away.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
  });

  test('that has landed is not simulated', async (t) => {
    const { page } = await open(t, SUCCEEDED);
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Simulate/ }).count(), 0);
  });

  test('that cannot be decoded, or is no longer kept, says so in its place', async (t) => {
    for (const [result, words] of [
      [{ kind: 'none', reason: 'It is neither base64 nor base58.' }, 'It is neither base64 nor base58.'],
      [{ kind: 'gone' }, 'This transaction is no longer kept.'],
      [undefined, 'There was no answer.'],
    ] as const) {
      const { page } = await open(t, result);
      await page.getByText(words, { exact: true }).waitFor();
      assert.deepEqual(await violations(page), []);
    }
  });

  test('shows texts from outside as text, under the policy of all pages', async (t) => {
    const lines = HOSTILE.map((text) => `Program log: ${text.replaceAll('\n', ' ')}`);
    const { shown, page } = await open(t, explained(nestedTransaction({ isFailed: false, lines })));
    await call(page, '2').click();
    await page.getByText(/^Log, /).click();
    await page.getByRole('listbox', { name: 'Log of this call', exact: true }).waitFor();
    await assertPolicy(shown);
  });
});
