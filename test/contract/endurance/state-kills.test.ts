// A service that is killed again and again while it is written to: each restart loads, and nothing acknowledged is
// lost. `npm run kills` does the same two hundred times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kills } from './kills-run';
import { sized } from '../../support/night';

const KILLS = sized(3, 8);
const TERMINAL_KILLS = 1;
const FORK_KILLS = sized(1, 2);

test('kills in the middle of writing lose nothing that was acknowledged', async () => {
  const report = await kills({ kills: KILLS, seed: 1 });
  assert.deepEqual(report.lost, []);
  assert.equal(report.loaded, KILLS);
  assert.ok(report.acknowledged > KILLS, `only ${report.acknowledged} writes were acknowledged`);
});

test('a terminal that is killed takes its service with it, which loses nothing either', async () => {
  const report = await kills({ kills: TERMINAL_KILLS, seed: 3, isTerminal: true });
  assert.deepEqual(report.lost, []);
  assert.equal(report.loaded, TERMINAL_KILLS);
});

test('a killed fork has kept what it fetched and what was written to it', async () => {
  const report = await kills({ kills: FORK_KILLS, seed: 5, isFork: true });
  assert.deepEqual(report.lost, []);
  assert.equal(report.loaded, FORK_KILLS);
  assert.ok(report.acknowledged > FORK_KILLS, `only ${report.acknowledged} writes were acknowledged`);
});
