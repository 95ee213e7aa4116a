// The page of a transaction on errors, and on accounts that changed hands. Every theme leaves its picture.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JsonValue } from '../../core/solana/json/json';
import type { ExplainResult } from '../../protocol/explain';
import { MINT, OTHER, PAYER, PROGRAM, SOURCE } from '../support/data/explainedTransactions';
import { violations } from '../support/editor/axe';
import { explained, FAILED, testTransactionPage, SIZES, THEMES } from '../support/editor/transactionPage';

const open = testTransactionPage();

const BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Sets the price of a compute unit to 1,000 micro-lamports. */
const PRICE = '3tGNFMqHiozw';

/** Three calls of a program of which nothing is known, and a price without a limit. */
function called(meta: Readonly<Record<string, JsonValue>>): ExplainResult {
  const instruction = { programIdIndex: 2, accounts: [0, 1], data: '3Bxs' };
  return explained({
    slot: 280_000_001,
    transaction: {
      signatures: ['1'.repeat(64)],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 2 },
        accountKeys: [PAYER, SOURCE, PROGRAM, BUDGET],
        recentBlockhash: PAYER,
        instructions: [{ programIdIndex: 3, accounts: [], data: PRICE }, instruction, instruction, instruction],
      },
    },
    meta,
  });
}

/** An error that nobody but the program's own log names, in the second of its three calls. */
function unnamed(): ExplainResult {
  const error = 'Error Code: SlippageExceeded. Error Number: 6001. Error Message: Too little came out.';
  const lines = [`AnchorError thrown in programs/amm/src/swap.rs:42. ${error}`, 'Left: 990', 'Right: 1000'];
  return called({
    err: { InstructionError: [2, { Custom: 6001 }] },
    fee: 5_000,
    computeUnitsConsumed: 450,
    logMessages: [
      ...[`Program ${BUDGET} invoke [1]`, `Program ${BUDGET} success`],
      ...[`Program ${PROGRAM} invoke [1]`, `Program ${PROGRAM} success`, `Program ${PROGRAM} invoke [1]`],
      ...lines.map((line) => `Program log: ${line}`),
      `Program ${PROGRAM} failed: custom program error: 0x1771`,
    ],
  });
}

/** A token account that went from one owner to another. */
function handedOver(): ExplainResult {
  const holding = (owner: string): JsonValue => ({
    accountIndex: 1,
    mint: MINT,
    owner,
    uiTokenAmount: { amount: '2500000', decimals: 6 },
  });
  return called({ err: null, fee: 5_000, preTokenBalances: [holding(PAYER)], postTokenBalances: [holding(OTHER)] });
}

/** Parts of which some is to be seen only by scrolling to the side. */
const CLIPPED = `[...document.querySelectorAll('.transaction-head, .call-body, .scrolled')]
  .filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.className)`;

async function isSound(page: Page): Promise<void> {
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await page.evaluate(CLIPPED), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
}

const clues = async (page: Page): Promise<readonly string[]> => (await page.locator('.clues').innerText()).split(/\n+/);

describe('a transaction that failed', () => {
  for (const theme of THEMES)
    for (const [width, size] of Object.entries(SIZES))
      test(`says whose error it is and what it is about, in ${theme}, ${width}`, async (t) => {
        const { shown, page } = await open(t, unnamed(), { theme, size });
        const text = page.locator('.outcome-text');
        await text.getByText('At call 3: SlippageExceeded: Too little came out (6001).', { exact: true }).waitFor();
        assert.deepEqual(await clues(page), [
          'Source of the error',
          PROGRAM,
          'Line of its source',
          'programs/amm/src/swap.rs:42',
          'Left value',
          '990',
          'Right value',
          '1000',
        ]);
        await page
          .getByRole('listbox', { name: 'Calls', exact: true })
          .getByRole('option', { name: /^4 .*did not run/ })
          .waitFor();
        assert.match(await page.locator('.facts').innerText(), /Compute units\s+450 \/ 603,000 \(default\)/);
        await isSound(page);
        await shown.screenshot(`transaction-clues-${theme}-${width}`);
      });

  test('fetches the IDL of its unknown program by the keyboard alone', async (t) => {
    const { page, commands } = await open(t, unnamed());
    const fetch = page.getByRole('button', { name: `Fetch IDL of ${PROGRAM} from the chain`, exact: true });
    const isReached = async (): Promise<boolean> => (await fetch.and(page.locator(':focus')).count()) === 1;
    await page.getByRole('listbox', { name: 'Calls', exact: true }).focus();
    // The name is checked on the way: the page has fewer places than this.
    for (let places = 0; places < 20 && !(await isReached()); places++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual(commands, [{ kind: 'fetchIdl', program: PROGRAM }]);
  });

  test('says at a call after the failed call that it did not run', async (t) => {
    const { page } = await open(t, unnamed());
    await page.getByRole('listbox', { name: 'Calls', exact: true }).focus();
    await page.keyboard.press('End');
    await page.getByText('Did not run: an instruction before it failed.', { exact: true }).waitFor();
  });

  test('names the program whose error it is', async (t) => {
    const { page } = await open(t, FAILED);
    await page
      .locator('.outcome-text')
      .getByText(/^At call 2\.1\.1: the tokens do not suffice /)
      .waitFor();
    assert.deepEqual(await clues(page), ['Source of the error', 'SPL Token Program']);
  });

  test('before any instruction ran begins with a capital, and names no call', async (t) => {
    const { page } = await open(t, called({ err: 'BlockhashNotFound', fee: 0 }));
    await page
      .getByText('The blockhash has expired, or is of another cluster (BlockhashNotFound).', { exact: true })
      .waitFor();
    assert.deepEqual(await clues(page), ['Source of the error', 'runtime']);
    assert.equal(await page.getByRole('button', { name: 'Show the Call That Failed', exact: true }).count(), 0);
  });
});

for (const theme of THEMES)
  for (const [width, size] of Object.entries(SIZES))
    test(`a token account that changed hands names both owners, in ${theme}, ${width}`, async (t) => {
      const { shown, page } = await open(t, handedOver(), { theme, size });
      await page.getByRole('tab', { name: 'Accounts', exact: true }).click();
      const row = page
        .getByRole('table', { name: 'Accounts', exact: true })
        .getByRole('row', { name: new RegExp(`^${SOURCE}`) });
      const text = await row.innerText();
      assert.ok(text.includes(PAYER) && text.includes(OTHER), text);
      await isSound(page);
      await shown.screenshot(`transaction-owners-${theme}-${width}`);
    });
