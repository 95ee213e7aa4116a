// Two explanations as a difference of their lines, and one in a few lines for a hover.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedExplanations, comparedLines } from '../../../core/solana/explain/compare';
import type { Explanation } from '../../../core/solana/explain/explanation';
import { explainedAnswer } from '../../../core/solana/explain/given';
import { summaryLines } from '../../../core/solana/explain/summary';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { nestedTransaction, PROGRAM } from '../../support/data/explainedTransactions';

function explained(isFailed: boolean): Explanation {
  const found = explainedAnswer(nestedTransaction({ isFailed }), NO_PROGRAMS);
  assert.ok(typeof found === 'object');
  return found;
}

const marked = (first: readonly string[], second: readonly string[]): readonly string[] =>
  comparedLines(first, second).map(({ mark, text }) => mark + text);

test('the same lines have no mark; a line with changed numbers is next to the new one', () => {
  assert.deepEqual(marked(['a', '  1  X  150 CU', 'b'], ['a', '  1  X  1,200 CU', 'b']), [
    ' a',
    '-  1  X  150 CU',
    '+  1  X  1,200 CU',
    ' b',
  ]);
});

/** Lines before and after, and the marks of what comes out. */
const DIFFERENCES: readonly (readonly [first: string, second: string, marks: string])[] = [
  ['', '', ''],
  ['abc', 'abc', '   '],
  ['', 'ab', '++'],
  ['ab', '', '--'],
  ['abcd', 'acd', ' -  '],
  ['acd', 'abcd', ' +  '],
  ['axc', 'ayc', ' -+ '],
  ['abab', 'baba', '-   +'],
];

for (const [first, second, marks] of DIFFERENCES)
  test(`lines ${first} and ${second} compare as "${marks}"`, () => {
    const lines = comparedLines([...first], [...second]);
    assert.equal(lines.map(({ mark }) => mark).join(''), marks);
    const of = (without: string): string =>
      lines
        .filter(({ mark }) => mark !== without)
        .map(({ text }) => text)
        .join('');
    assert.deepEqual([of('+'), of('-')], [first, second]);
  });

test('two long logs that share nothing are compared as a whole, and nothing is lost', () => {
  const [first, second] = ['a', 'b'].map((letter) =>
    Array.from({ length: 5_000 }, (_, at) => `${letter}${letter}x${at}`),
  );
  assert.ok(first && second);
  const lines = comparedLines(first, second);
  assert.equal(lines.length, 10_000);
});

test('a failed transaction compared with the one that landed: the outcome, the call that failed, the balances', () => {
  const lines = comparedExplanations(explained(true), explained(false)).map(({ mark, text }) => mark + text);
  assert.ok(lines.includes('+outcome: succeeded'));
  assert.ok(lines.some((line) => line.startsWith('-outcome: failed at call 2.1.1: ')));
  assert.ok(lines.includes(' calls:'));
  assert.ok(
    lines.some((line) => line.startsWith('-') && line.includes(`${PROGRAM}  21,850 CU`) && line.includes('FAILED')),
  );
  assert.ok(lines.some((line) => line.startsWith('+') && line.includes('2 → 0.5 (-1.5)')));
});

test('a summary has three to six lines: outcome, next step, cost, calls', () => {
  assert.deepEqual(summaryLines(explained(false)), [
    'Succeeded in slot 280,000,001',
    'Fee 5,000 lamports (0.000005 SOL), 22,000 compute units used of 40,000 asked for',
    '1. Compute Budget Program: setComputeUnitLimit',
    `2. ${PROGRAM}, calls 1 program`,
  ]);
  const failed = summaryLines(explained(true));
  assert.match(failed[0] ?? '', /^Failed in slot 280,000,001 at call 2\.1\.1: the tokens do not suffice /);
  assert.match(failed[1] ?? '', /^Next: /);
  assert.equal(failed.length, 5);
});

test('a summary counts the calls that it leaves out', () => {
  const whole = explained(false);
  const [call] = whole.calls;
  assert.ok(call);
  const lines = summaryLines({ ...whole, calls: [call, call, call, call, call] });
  assert.equal(lines.length, 5);
  assert.match(lines[4] ?? '', /; and 2 more$/);
});
