// Commands, language server and stream worker that are killed while they work: nothing is torn, lost, left or hung. Each end
// comes at a named event. `npm run kills` picks moments by chance, two hundred times each, with the service and the editor too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAt, type NamedEnd } from '../contract/endurance/kills/engine';
import { SCENES } from '../contract/endurance/kills/targets';

const KILLED: NamedEnd = { at: 'underWay', isPolite: false };
const KILLED_IN_THE_MIDDLE: NamedEnd = { at: 'inTheMiddle', isPolite: false };

/** A few each: `npm test` is to be fast. */
const SAMPLE: Readonly<Record<string, readonly NamedEnd[]>> = {
  run: [KILLED_IN_THE_MIDDLE, { at: 'inTheMiddle', isPolite: true }],
  watch: [KILLED],
  mcp: [KILLED],
  server: [KILLED, KILLED_IN_THE_MIDDLE],
  worker: [KILLED, KILLED],
};

if (process.platform === 'linux')
  for (const [name, ends] of Object.entries(SAMPLE))
    test(`${name}: ${ends.length} ends in the middle of work leave it whole`, async () => {
      const target = SCENES[name];
      assert.ok(target !== undefined);
      assert.deepEqual(await killAt(target, ends), []);
    });
