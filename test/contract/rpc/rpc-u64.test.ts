// Slots and epochs up to 2^64-1, as every method that takes one reads them: no digit is lost in what is said of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JsonNumber, type JsonValue } from '../../../core/solana/json/json';
import { Bench } from './rpc-harness';

const SLOTS_PER_EPOCH = 432_000n;
const U64_MAX = 2n ** 64n - 1n;

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

const digits = (value: bigint): JsonValue => new JsonNumber(String(value));

for (const slot of [2n ** 53n + 1n, U64_MAX])
  describe(`${slot}`, () => {
    /** Method, parameters, code and text. */
    const REFUSED: readonly (readonly [string, JsonValue[], number, string])[] = [
      ['getBlock', [digits(slot)], -32004, `Block not available for slot ${slot}`],
      ['getBlockTime', [digits(slot)], -32004, `Block not available for slot ${slot}`],
      [
        'getBlockProduction',
        [{ range: { firstSlot: digits(slot), lastSlot: digits(slot - 1n) } }],
        -32602,
        `lastSlot, ${slot - 1n}, cannot be less than firstSlot, ${slot}`,
      ],
      [
        'getSlotLeaders',
        [digits(slot), 1],
        -32602,
        `Invalid slot range: leader schedule for epoch ${slot / SLOTS_PER_EPOCH} is unavailable`,
      ],
    ];
    for (const [method, params, code, message] of REFUSED)
      test(`${method} says it whole`, async () => {
        const error = await bench.fails(method, ...params);
        assert.deepEqual([error.code, error.message], [code, message]);
      });

    test('getBlockProduction says it whole along with the newest slot', async () => {
      const { code, message } = await bench.fails('getBlockProduction', { range: { firstSlot: digits(slot) } });
      assert.equal(code, -32602);
      assert.match(message, new RegExp(`^lastSlot, \\d+, cannot be less than firstSlot, ${slot}$`));
    });

    test('getInflationReward says the first slot after the epoch, at most 2^64-1', async () => {
      const { address } = bench.wallet;
      const { code, message } = await bench.fails('getInflationReward', [address], { epoch: digits(slot) });
      const first = (slot + 1n) * SLOTS_PER_EPOCH;
      assert.deepEqual([code, message], [-32004, `Block not available for slot ${first > U64_MAX ? U64_MAX : first}`]);
    });

    test('methods that list or wait have nothing, or are not there yet', async () => {
      assert.deepEqual(await bench.call('getBlocks', digits(slot), digits(slot)), []);
      assert.deepEqual(await bench.call('getBlocksWithLimit', digits(slot), 5), []);
      assert.equal(await bench.call('getLeaderSchedule', digits(slot)), null);
      assert.equal((await bench.fails('getSlot', { minContextSlot: digits(slot) })).code, -32016);
    });
  });

test('one above 2^64-1 is refused', async () => {
  const error = await bench.fails('getBlock', digits(U64_MAX + 1n));
  assert.equal(error.code, -32602);
});
