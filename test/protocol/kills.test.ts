// Commands, language server and stream worker that are killed while they work: nothing is torn, lost, left or hung. `npm run
// kills` does the same two hundred times each, with the service and the editor too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAgain } from '../contract/endurance/kills/engine';
import { SCENES } from '../contract/endurance/kills/targets';

/** A few each: `npm test` is to be fast. */
const SAMPLE = { run: 2, watch: 1, mcp: 1, server: 2, worker: 2 };
const SEED = 5;

if (process.platform === 'linux')
  for (const [name, kills] of Object.entries(SAMPLE))
    test(`${name}: ${kills} ends in the middle of work leave it whole`, async () => {
      const target = SCENES[name];
      assert.ok(target !== undefined);
      const { failures, kills: done } = await killAgain(target, { kills, seed: SEED });
      assert.deepEqual([failures, done], [[], kills], `seed ${SEED}`);
    });
