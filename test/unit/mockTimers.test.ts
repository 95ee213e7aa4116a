// Timers that a test steps, and those that were set before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mockTimers } from '../support/mockTimers';

test('timers fire by a tick alone, and a timer that was set before can still be cleared', async (t) => {
  const fired: string[] = [];
  const before = setTimeout(() => fired.push('before'), 1);
  const timers = mockTimers(t, 'setTimeout');
  clearTimeout(before);
  const cleared = setTimeout(() => fired.push('cleared'), 5);
  setTimeout(() => fired.push('ticked'), 5);
  clearTimeout(cleared);
  timers.tick(5);
  assert.deepEqual(fired, ['ticked']);
  timers.reset();
  // Timers fire in the order of their times.
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert.deepEqual(fired, ['ticked']);
});
