// Blocks, and what one node says of itself and its cluster.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, freshKey, memo, signatureIn, textOf, type Loose } from './rpc-harness';

describe('blocks', () => {
  let bench: Bench;
  let slot: number;
  let signatures: string[];
  before(async () => {
    bench = await Bench.open();
    bench.slots(3);
    slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
    signatures = [await bench.transfer(freshKey().address), await bench.transfer(freshKey().address, 2_000_000n)];
    bench.finalize();
  });
  after(() => bench.close());

  test('getBlock answers the transactions of the slot in their order', async () => {
    const block = await bench.call('getBlock', slot);
    const list = block['transactions'] as never as Loose[];
    assert.deepEqual(
      list.map((entry) => entry['transaction']?.['signatures']?.[0]),
      signatures,
    );
    assert.equal(block['parentSlot'], slot - 1);
    assert.equal(typeof block['blockHeight'], 'number');
    const rewards = block['rewards'] as never as Loose[];
    assert.deepEqual(
      rewards.map(({ rewardType }) => rewardType),
      ['Fee'],
    );
  });
  test('blocks are a chain of hashes', async () => {
    const [parent, block] = [await bench.call('getBlock', slot - 1), await bench.call('getBlock', slot)];
    assert.equal(textOf(block['previousBlockhash']), parent['blockhash']);
  });
  test('transactionDetails chooses signatures, accounts or nothing', async () => {
    const as = async (transactionDetails: string): Promise<Loose> =>
      bench.call('getBlock', slot, { transactionDetails });
    assert.deepEqual((await as('signatures'))['signatures'], signatures);
    assert.equal((await as('none'))['transactions'], undefined);
    const [first] = (await as('accounts'))['transactions'] as never as Loose[];
    assert.equal(first?.['transaction']?.['accountKeys']?.[0]?.['pubkey'], bench.wallet.address);
    assert.equal((await bench.fails('getBlock', slot, { transactionDetails: 'some' })).code, -32602);
  });
  test('rewards: false leaves them out', async () => {
    assert.equal((await bench.call('getBlock', slot, { rewards: false }))['rewards'], undefined);
  });
  test('a block with a versioned transaction needs maxSupportedTransactionVersion', async () => {
    const at = Number(await bench.call('getSlot', { commitment: 'processed' }));
    const wire = await bench.versioned([memo('v0 in a block')], []);
    await bench.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
    bench.finalize();
    assert.equal((await bench.fails('getBlock', at)).code, -32015);
    const block = await bench.call('getBlock', at, { maxSupportedTransactionVersion: 0 });
    assert.equal(block['transactions']?.[0]?.['transaction']?.['signatures']?.[0], signatureIn(wire));
    await bench.call('getBlock', at, { transactionDetails: 'signatures' });
  });
  test('refuses commitment processed', async () => {
    assert.equal((await bench.fails('getBlock', slot, { commitment: 'processed' })).code, -32602);
    assert.equal((await bench.fails('getBlocks', slot, null, { commitment: 'processed' })).code, -32602);
  });
  test('getBlocks lists slots in a range, up to the commitment', async () => {
    assert.deepEqual(await bench.call('getBlocks', slot, slot + 2), [slot, slot + 1, slot + 2]);
    const newest = Number(await bench.call('getSlot'));
    assert.equal(((await bench.call('getBlocks', slot)) as never as number[]).at(-1), newest);
    assert.deepEqual(await bench.call('getBlocks', slot, slot - 1), []);
    assert.equal((await bench.fails('getBlocks', 0, 500_001)).code, -32602);
  });
  test('getBlocksWithLimit counts from a start', async () => {
    assert.deepEqual(await bench.call('getBlocksWithLimit', slot, 2), [slot, slot + 1]);
    assert.equal((await bench.fails('getBlocksWithLimit', slot, 500_001)).code, -32602);
  });
  test('getBlockTime is the time the record shows', async () => {
    const record = await bench.call('getTransaction', textOf(signatures[0]));
    assert.equal(Number(await bench.call('getBlockTime', slot)), record['blockTime']);
  });
  test('the first available block is the first one listed', async () => {
    const first = Number(await bench.call('getFirstAvailableBlock'));
    assert.equal(Number(await bench.call('minimumLedgerSlot')), first);
    assert.equal(((await bench.call('getBlocks', 0)) as never as number[])[0], first);
  });
  test('getTransactionCount grows with every transaction', async () => {
    const count = async (): Promise<number> =>
      Number(await bench.call('getTransactionCount', { commitment: 'processed' }));
    const before = await count();
    await bench.send([memo('counted')]);
    assert.equal(await count(), before + 1);
  });
});

describe('the node', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open({ slotsPerEpoch: 64 });
  });
  after(() => bench.close());

  test('leads every slot under one identity', async () => {
    const { identity } = await bench.call('getIdentity');
    assert.equal(textOf(await bench.call('getSlotLeader')), identity);
    assert.deepEqual(await bench.call('getSlotLeaders', 0, 2), [identity, identity]);
    const schedule = await bench.call('getLeaderSchedule');
    assert.equal((schedule[textOf(identity)] as never as number[]).length, 64);
    assert.equal(await bench.call('getLeaderSchedule', 64 * 50), null);
    const [only] = (await bench.call('getClusterNodes')) as never as Loose[];
    assert.equal(only?.['pubkey'], identity);
  });
  test('its epochs have the length it was given', async () => {
    assert.equal((await bench.call('getEpochSchedule'))['slotsPerEpoch'], 64);
    bench.ledger.cheats.timeTravel({ epoch: 3 });
    const info = await bench.call('getEpochInfo', { commitment: 'processed' });
    assert.deepEqual([info['epoch'], info['slotIndex'], info['slotsInEpoch']], [3, 0, 64]);
  });
  test('methods without parameters refuse any', async () => {
    for (const method of ['getVersion', 'getGenesisHash', 'getIdentity', 'getHealth', 'getEpochSchedule'])
      assert.equal((await bench.fails(method, {})).message, 'Invalid parameters: No parameters were expected');
  });
  test('what it cannot know is an error or an empty list, not an invention', async () => {
    assert.equal((await bench.fails('getHighestSnapshotSlot')).code, -32008);
    assert.deepEqual(await bench.call('getInflationReward', [bench.wallet.address], { epoch: 0 }), [null]);
  });
  test('a method nodes dropped says what to use instead', async () => {
    const error = await bench.fails('getRecentBlockhash');
    assert.deepEqual(error, { code: -32601, message: 'Method not found: nodes dropped it; use getLatestBlockhash.' });
  });
  test('performance samples cover full minutes of the service’s blocks', async () => {
    let now = 1_000_000_000_000;
    const own = await Bench.open({ now: () => now });
    try {
      assert.deepEqual(await own.call('getRecentPerformanceSamples'), []);
      for (let i = 0; i < 8; i++) {
        now += 15_000;
        own.slots(1);
        await own.transfer(freshKey().address, 1_000_000n + BigInt(i));
      }
      const [newest, ...older] = (await own.call('getRecentPerformanceSamples', 2)) as never as Loose[];
      assert.equal(newest?.['samplePeriodSecs'], 60);
      assert.equal(newest['numSlots'], 4);
      assert.equal(newest['numTransactions'], 4);
      assert.equal(older.length, 1);
      assert.equal((await own.fails('getRecentPerformanceSamples', 721)).code, -32602);
    } finally {
      own.close();
    }
  });
});
