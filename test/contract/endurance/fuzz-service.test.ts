// The built service under inputs that chance makes, over every transport at once: it never dies, never reports an internal
// error, always answers afterwards, and its memory stays bounded. A night throws five times as many, and
// `npm run fuzz:service` more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz, MAX_MEMORY } from './fuzz-run';
import { assertWithin, sized } from '../../support/night';

const INPUTS = sized(2_000, 10_000);
const FORK_INPUTS = sized(300, 1_000);

/** Outcomes that the inputs must have produced; otherwise they test only the outermost reader. */
const REACHED = [
  'http 200',
  'http 200 -32700',
  'http 200 -32600',
  'http 200 -32601',
  'http 200 -32602',
  'http 200 -32002',
  'http 400',
  'websocket answers',
  'websocket closed 1003',
  'grpc 0',
  'grpc 3',
  'grpc 12',
];

test('inputs by chance leave the service alive and answering', async () => {
  const { problems, inputs, outcomes, largestMemory } = await fuzz({ seed: 1, inputs: INPUTS });
  assert.deepEqual(problems, []);
  assert.ok(inputs >= INPUTS);
  assert.deepEqual(
    REACHED.filter((outcome) => outcomes[outcome] === undefined),
    [],
  );
  assertWithin(largestMemory, MAX_MEMORY);
  if (process.platform === 'linux') assert.ok(largestMemory > 0);
});

test('inputs by chance leave a fork alive and answering', async () => {
  const { problems, outcomes, largestMemory } = await fuzz({ seed: 1, inputs: FORK_INPUTS, isFork: true });
  assert.deepEqual(problems, []);
  assert.ok((outcomes['http 200'] ?? 0) > 0);
  assertWithin(largestMemory, MAX_MEMORY);
});
