// The blocks that a ledger begins with: every commitment has one from the first call on, and they are like all that follow.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, type Loose } from './rpc-harness';

const CONFIRMED = { commitment: 'confirmed' } as const;
const NOW = 1_800_000_000_000;

describe('the blocks before the start', () => {
  let bench: Bench;
  let blocks: readonly Loose[];
  before(async () => {
    bench = await Bench.open({ consensus: 'tower', votes: true, slotMs: 1_000, now: () => NOW });
    const slots = (await bench.call('getBlocks', 0, null, CONFIRMED)) as unknown as readonly number[];
    blocks = await Promise.all(slots.map((slot) => bench.call('getBlock', Number(slot), CONFIRMED)));
  });
  after(() => bench.close());

  test('each hold the vote for the block before, and the leader is paid for it', () => {
    const [genesis, ...others] = blocks;
    assert.ok(others.length >= 5);
    assert.equal(genesis?.['transactions']?.['length'], 0);
    assert.deepEqual(
      others.map((block) => [block['transactions']?.['length'], block['rewards']?.[0]?.['rewardType']]),
      others.map(() => [1, 'Fee']),
    );
  });

  test('lie one slot’s time apart, up to now', () => {
    const open = NOW / 1_000;
    assert.deepEqual(
      blocks.map((block) => Number(block['blockTime'])),
      blocks.map((_, at) => open - (blocks.length - at)),
    );
  });

  test('count as transactions do', async () => {
    assert.equal(Number(await bench.call('getTransactionCount', CONFIRMED)), blocks.length - 1);
  });
});

test('without votes, they are empty', async (t) => {
  const bench = await Bench.open();
  t.after(() => bench.close());
  const block = await bench.call('getBlock', 2, CONFIRMED);
  assert.deepEqual([block['transactions']?.['length'], block['rewards']?.['length']], [0, 0]);
});

test('a ledger that is continued is at the present, wherever a fresh one would start', async (t) => {
  const first = await Bench.open({ now: () => NOW });
  t.after(() => first.close());
  first.slots(10);
  const second = await Bench.open({ now: () => NOW, startSlot: 1_000, saved: [...first.ledger.saved()] });
  t.after(() => second.close());
  const slot = Number(await second.call('getSlot', { commitment: 'processed' }));
  assert.ok(slot < 1_000);
  second.slots(1);
  assert.equal(Number(await second.call('getBlockTime', slot + 1)), NOW / 1_000);
});
