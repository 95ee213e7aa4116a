// The integers that `$randomInt` draws: within their range, which may be as wide as a JSON number is exact.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RANDOM } from '../../../runner/random';

const WIDEST = Number.MAX_SAFE_INTEGER;

test('draws both ends of a small range and nothing else', () => {
  const drawn = new Set(Array.from({ length: 200 }, () => RANDOM.integer(5, 7)));
  assert.deepEqual([...drawn].sort(), [5, 6, 7]);
});

for (const [min, max] of [
  [0, WIDEST],
  [-WIDEST, WIDEST],
  [0, 2 ** 47],
  [WIDEST, WIDEST],
] as const)
  test(`draws an integer from ${min} to ${max}`, () => {
    for (let n = 0; n < 200; n++) {
      const drawn = RANDOM.integer(min, max);
      assert.ok(Number.isInteger(drawn) && drawn >= min && drawn <= max, String(drawn));
    }
  });
