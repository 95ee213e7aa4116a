// Parameters that are a commitment and nothing else: an object without one is refused, as on a node; for a config it is fine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonValue } from '../../../core/solana/json/json';
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

describe('the type that a number must have is named as a node names it', () => {
  const SIGNATURE = '1'.repeat(64);
  const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  const filter = (offset: JsonValue): JsonValue => ({ filters: [{ memcmp: { offset, bytes: 'A' } }] });
  const calls: readonly (readonly [type: string, method: string, params: (value: JsonValue) => JsonValue[]])[] = [
    ['u8', 'getTransaction', (value) => [SIGNATURE, { maxSupportedTransactionVersion: value }]],
    ['u8', 'getBlock', (value) => [3, { maxSupportedTransactionVersion: value }]],
    ['u8', 'getProgramAccounts', (value) => [program, { filters: [{ memcmp: { offset: 0, bytes: [value] } }] }]],
    ['usize', 'getMinimumBalanceForRentExemption', (value) => [value]],
    ['usize', 'getAccountInfo', (value) => [MINT, { encoding: 'base64', dataSlice: { offset: value, length: 1 } }]],
    ['usize', 'getAccountInfo', (value) => [MINT, { encoding: 'base64', dataSlice: { offset: 0, length: value } }]],
    ['usize', 'getProgramAccounts', (value) => [program, filter(value)]],
    ['usize', 'getSignaturesForAddress', (value) => [MINT, { limit: value }]],
    ['usize', 'getBlocksWithLimit', (value) => [3, value]],
    ['usize', 'getRecentPerformanceSamples', (value) => [value]],
    ['usize', 'sendTransaction', (value) => ['A', { maxRetries: value }]],
    ['u64', 'getProgramAccounts', (value) => [program, { filters: [{ dataSize: value }] }]],
    ['u64', 'getBlock', (value) => [value]],
    ['u64', 'getSlotLeaders', (value) => [3, value]],
    ['u64', 'requestAirdrop', (value) => [MINT, value]],
    ['u64', 'getSlot', (value) => [{ minContextSlot: value }]],
  ];
  for (const [type, method, params] of calls)
    test(`${type} of ${method} ${JSON.stringify(params(0))}`, async () => {
      const said = async (value: JsonValue): Promise<unknown> => {
        const { code, message } = await bench.fails(method, ...params(value));
        return [code, message];
      };
      assert.deepEqual(await said(-1), [-32602, `Invalid params: invalid value: integer \`-1\`, expected ${type}.`]);
      assert.deepEqual(await said('x'), [-32602, `Invalid params: invalid type: string "x", expected ${type}.`]);
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
