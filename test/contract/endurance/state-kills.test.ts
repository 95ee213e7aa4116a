// A service that is killed again and again while it is written to: each restart loads, and nothing is lost that was told
// as kept. `npm run kills` does the same two hundred times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kills } from './kills-run';

const KILLS = 8;
const TERMINAL_KILLS = 1;

test(`${KILLS} kills in the middle of writing lose nothing that was told as kept`, async () => {
  const report = await kills({ kills: KILLS, seed: 1 });
  assert.deepEqual(report.lost, []);
  assert.equal(report.loaded, KILLS);
  assert.ok(report.told > KILLS, `only ${report.told} things were told`);
});

test('a terminal that is killed takes its service with it, which loses nothing either', async () => {
  const report = await kills({ kills: TERMINAL_KILLS, seed: 3, isTerminal: true });
  assert.deepEqual(report.lost, []);
  assert.equal(report.loaded, TERMINAL_KILLS);
});
