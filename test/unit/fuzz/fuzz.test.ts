// A sample of each kind of fuzzing, and every input that once failed. `npm run fuzz -- --minutes N` runs them for longer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureAt, KINDS } from './kinds';
import { KEPT } from './kept';

/** Inputs of each kind; of those that take long, fewer. */
const SAMPLE = 150;
const FEWER: Readonly<Record<string, number>> = { requestFile: 60, edits: 40, redactor: 15 };

describe('inputs by chance break no rule', () => {
  for (const kind of Object.keys(KINDS))
    test(kind, () => {
      for (let seed = 1; seed <= (FEWER[kind] ?? SAMPLE); seed++)
        assert.equal(failureAt(kind, seed)?.message, undefined, `seed ${seed}`);
    });
});

for (const { kind, seed } of KEPT)
  test(`${kind} with seed ${seed}, which once failed, is read`, () => {
    assert.equal(failureAt(kind, seed)?.message, undefined);
  });

test('a kind that does not exist is refused by name', () => {
  assert.throws(() => failureAt('constructor', 1), /no kind "constructor". Kinds: requestFile, /);
});
