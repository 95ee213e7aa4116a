// Parameters that are a commitment and nothing else: an object without one is refused, as on a node; for a config it is fine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonValue } from '../../../core/values/json/json';
import { Bench } from './rpc-harness';

const MINT = 'So11111111111111111111111111111111111111112';

/** Calls that a commitment follows. */
const BARE: readonly (readonly [method: string, ...params: readonly JsonValue[]])[] = [
  ['getInflationGovernor'],
  ['getMinimumBalanceForRentExemption', 10],
  ['getTokenLargestAccounts', MINT],
  ['getTokenSupply', MINT],
];

/** Calls that a config follows. */
const CONFIG: readonly (readonly [method: string, ...params: readonly JsonValue[]])[] = [
  ['getBalance', MINT],
  ['getBlockHeight'],
  ['getEpochInfo'],
  ['getLatestBlockhash'],
  ['getSlot'],
  ['getStakeMinimumDelegation'],
  ['getSupply'],
  ['getTransactionCount'],
  ['getVoteAccounts'],
];

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

describe('an empty object in the place of', () => {
  for (const [method, ...params] of BARE)
    test(`the commitment of ${method} is refused`, async () => {
      const { code, message } = await bench.fails(method, ...params, {});
      assert.deepEqual([code, message], [-32602, 'Invalid params: missing field `commitment`.']);
      for (const good of [null, { commitment: 'processed' }]) await bench.call(method, ...params, good);
      await bench.call(method, ...params);
    });
  test('the commitment of getTokenAccountBalance is refused', async () => {
    const { code, message } = await bench.fails('getTokenAccountBalance', MINT, {});
    assert.deepEqual([code, message], [-32602, 'Invalid params: missing field `commitment`.']);
  });
  for (const [method, ...params] of CONFIG)
    test(`the config of ${method} is taken`, async () => {
      await bench.call(method, ...params, {});
    });
});

test('inflation is that of a validator for tests', async () => {
  assert.deepEqual(await bench.call('getInflationGovernor'), {
    foundation: 0.05,
    foundationTerm: 7,
    initial: 0.08,
    taper: 0.15,
    terminal: 0.015,
  });
  const rate = await bench.call('getInflationRate');
  assert.deepEqual([rate['epoch'], rate['total'], rate['foundation'], rate['validator']], [0, 0.08, 0.004, 0.076]);
});
