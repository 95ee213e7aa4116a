// Sending again sends the same block, wherever an edit has moved it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedLines } from '../../../client/runs/movedLines';

type Change = Parameters<typeof movedLines>[1][number];

const change = (from: number, to: number, text: string): Change => {
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
  return { range: range as Change['range'], text };
};

test('lines put in or taken out above move it, those below do not', () => {
  assert.deepEqual(movedLines([5], [change(0, 0, 'one\ntwo\n')]), [7]);
  assert.deepEqual(movedLines([5], [change(1, 3, '')]), [3]);
  assert.deepEqual(movedLines([5], [change(5, 5, '### Pay\n')]), [6]);
  assert.deepEqual(movedLines([5], [change(6, 9, 'x')]), [5]);
});

test('several edits at once count each', () => {
  assert.deepEqual(movedLines([8], [change(6, 7, ''), change(0, 0, 'a\n')]), [8]);
});

test('all of a file stays all of it', () => {
  assert.equal(movedLines(undefined, [change(0, 0, 'a\n')]), undefined);
});
