// Explanations where a node reports less, or something else, than it should: nothing is made up, an unknown number is not 0,
// and a program's own words are used if nobody else names its error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanationLines } from '../../../core/solana/explain/text';
import type { JsonValue } from '../../../core/solana/json/json';
import { explained, MINT, OTHER, outline, PAYER, PROGRAM, SOURCE, TARGET } from '../../support/data/ranTransaction';

const ANCHOR =
  'AnchorError caused by account: my_vault. Error Code: SlippageExceeded. Error Number: 6001. Error Message: Slippage too high.';
/** A program of which nothing is known calls another one, which fails with 0x1771. */
const failing = (...lines: readonly string[]): readonly string[] => [
  `Program ${PROGRAM} invoke [1]`,
  `Program ${OTHER} invoke [2]`,
  ...lines.map((line) => `Program log: ${line}`),
  `Program ${OTHER} consumed 100 of 900 compute units`,
  `Program ${OTHER} failed: custom program error: 0x1771`,
  `Program ${PROGRAM} consumed 300 of 1000 compute units`,
  `Program ${PROGRAM} failed: custom program error: 0x1771`,
];
const FAILED = { InstructionError: [0, { Custom: 6001 }] };

test('where a node gives no inner instructions, as in a preflight, the calls are those of the logs', () => {
  const { calls, outcome, notes } = explained({
    outer: [{ program: 4 }, { program: 7 }],
    logs: failing('no'),
    err: FAILED,
    meta: { innerInstructions: null, computeUnitsConsumed: 300 },
  });
  assert.deepEqual(outline(calls), [
    ['0', 300n, 200n, ''],
    ['0.0', 100n, 100n, 'no'],
    ['1', undefined, undefined, ''],
  ]);
  assert.ok(outcome.kind === 'failed');
  assert.deepEqual(outcome.at, [0, 0]);
  assert.deepEqual(
    calls.map(({ isSkipped }) => isSkipped),
    [undefined, true],
  );
  assert.deepEqual(notes.slice(0, 1), [
    'The node gave no inner instructions: calls within calls are those of the logs, without arguments and accounts.',
  ]);
});

test('an error that nobody names has the words that its program logged, and what they are about', () => {
  const logs = failing(ANCHOR, 'Left:', PAYER, 'Right:', SOURCE);
  const explanation = explained({ outer: [{ program: 4 }], logs, err: FAILED, meta: { innerInstructions: null } });
  assert.deepEqual(explanationLines(explanation).slice(0, 5), [
    'outcome: failed at call 1.1: SlippageExceeded: Slippage too high (6001).',
    `  source: ${OTHER}`,
    '  account: my_vault',
    `  left: ${PAYER}`,
    `  right: ${SOURCE}`,
  ]);
});

test('words about another error, and those of another call, are not taken for it', () => {
  const other = ANCHOR.replace('6001', '6002');
  const logs = [`Program ${PROGRAM} invoke [1]`, `Program log: ${ANCHOR}`, ...failing(other).slice(1)];
  const { outcome } = explained({ outer: [{ program: 4 }], logs, err: FAILED, meta: { innerInstructions: null } });
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.text, "the program's own error 6001 (0x1771).");
  assert.match(outcome.failure.next ?? '', /IDL.* error 2 of the program's list$/);
  assert.deepEqual(outcome.clues, []);
});

test('an account that the runtime names is given by its address', () => {
  const { outcome } = explained({ outer: [{ program: 4 }], err: { InsufficientFundsForRent: { account_index: 2 } } });
  assert.ok(outcome.kind === 'failed');
  assert.deepEqual(outcome.clues, [{ name: 'account', text: TARGET }]);
});

test('a token account that changes hands is lost by one owner and gained by the other', () => {
  const holding = (owner: string): JsonValue => ({
    accountIndex: 1,
    mint: MINT,
    owner,
    uiTokenAmount: { amount: '10', decimals: 0 },
  });
  const meta = { preTokenBalances: [holding(PAYER)], postTokenBalances: [holding(OTHER)] };
  const explanation = explained({ outer: [{ program: 4 }], meta });
  const moved = explanation.balances.map(({ owner, tokens }) => [
    owner,
    ...tokens.map((one) => [one.before, one.after]),
  ]);
  assert.deepEqual(moved, [
    [PAYER, [10n, 0n]],
    [OTHER, [0n, 10n]],
  ]);
  assert.ok(explanationLines(explanation).some((line) => line.endsWith(`owner changed from ${PAYER} to ${OTHER}`)));
});

for (const [what, meta] of [
  ['tokens after it', { postTokenBalances: null }],
  ['tokens before it', { preTokenBalances: null }],
  ['the decimals of one', { preTokenBalances: [{ accountIndex: 1, mint: MINT, uiTokenAmount: { amount: '1' } }] }],
] as const)
  test(`a node that does not say ${what} says nothing of tokens`, () => {
    const { balances, accounts } = explained({ outer: [{ program: 4 }], meta });
    assert.deepEqual(
      balances.flatMap(({ tokens }) => tokens),
      [],
    );
    assert.deepEqual(
      accounts.flatMap(({ tokens }) => tokens ?? []),
      [],
    );
  });

test('a balance that is not a number is not taken for 0', () => {
  const meta = { preBalances: ['x', null, 0], postBalances: [5, 6, 7] };
  const { accounts, balances } = explained({ outer: [{ program: 4 }], meta });
  assert.deepEqual(
    accounts.slice(0, 3).map(({ before }) => before),
    [undefined, undefined, 0n],
  );
  assert.deepEqual(
    balances.flatMap(({ owner, lamports }) => (lamports === undefined ? [] : [owner])),
    [TARGET],
  );
});

test('a cluster that charges less for signatures has a fee without parts', () => {
  const explanation = explained({ outer: [{ program: 4 }], fee: 0 });
  assert.deepEqual(explanation.fee, { total: 0n });
  assert.ok(explanationLines(explanation).includes('fee: 0 lamports (0 SOL)'));
});

test('a call that claims less than the calls it made has no units left for itself', () => {
  const inner = [{ program: 7, height: 2 }];
  const logs = [...failing()].map((line) => line.replace('consumed 300', 'consumed 50'));
  const { calls } = explained({ outer: [{ program: 4 }], inner, logs, err: FAILED });
  assert.deepEqual(calls[0]?.units, { total: 50n });
});

test('an error of an instruction that is not there is at no call', () => {
  const { outcome } = explained({ outer: [{ program: 4 }], err: { InstructionError: [98, { Custom: 'x' }] } });
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.at, undefined);
  assert.match(outcome.failure.text, /whose number the node did not say/);
});
