// The bounds of a transaction that a start may set, as solana-test-validator's options do: compute units and bytes of log.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { EngineLimits } from '../../../localnet/ledger/engine/svm';
import { readOptions } from '../../../localnet/options';
import { Bench, memo, type Loose } from './rpc-harness';

const TEXT = 'a memo of some length, which takes compute units and a line of log';

async function simulated(t: TestContext, limits?: EngineLimits): Promise<Loose> {
  const bench = await Bench.open(limits === undefined ? {} : { limits });
  t.after(() => bench.close());
  const config = { encoding: 'base64', commitment: 'processed' };
  const { value } = await bench.call('simulateTransaction', await bench.signed([memo(TEXT)]), config);
  return value as never;
}

describe('a transaction', () => {
  test('has the compute units of the start, and fails where it needs more', async (t) => {
    const free = await simulated(t);
    assert.equal(free['err'], null);
    const used = Number(free['unitsConsumed']);
    const enough = await simulated(t, { computeUnits: used });
    assert.deepEqual([enough['err'], Number(enough['unitsConsumed'])], [null, used]);
    const short = await simulated(t, { computeUnits: 100 });
    assert.deepEqual(short['err'], { InstructionError: [0, 'ComputationalBudgetExceeded'] });
  });
  test('keeps so many bytes of log, and says that it was cut', async (t) => {
    const whole = (await simulated(t))['logs'] as never as string[];
    assert.ok(whole.some((line) => line.includes(TEXT)));
    const cut = (await simulated(t, { logBytes: 60 }))['logs'] as never as string[];
    assert.ok(cut.includes('Log truncated'), cut.join('\n'));
    assert.ok(!cut.some((line) => line.includes(TEXT)));
  });
});

test('both are options with a number', () => {
  const read = readOptions(['--compute-unit-limit', '900', '--log-messages-bytes-limit=0']);
  assert.ok(read.ok);
  assert.deepEqual([read.options.computeUnitLimit, read.options.logBytes], [900, 0]);
  for (const wrong of [
    ['--compute-unit-limit', '0'],
    ['--log-messages-bytes-limit', 'x'],
  ])
    assert.equal(readOptions(wrong).ok, false);
});
