// A commitment is a view of the whole state: nothing read at a lower slot may show what came later.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RpcError } from '../../../localnet/api';
import { Bench, bigOf, createAccount, freshKey, memo, transfer } from './rpc-harness';

const LEVELS = ['processed', 'confirmed', 'finalized'] as const;

describe('commitment', () => {
  let bench: Bench;
  // With TowerBFT the three differ.
  before(async () => {
    bench = await Bench.open({ consensus: 'tower' });
  });
  after(() => bench.close());
  const balances = async (address: string, of = bench): Promise<bigint[]> => {
    const all = [];
    for (const commitment of LEVELS) all.push(bigOf((await of.call('getBalance', address, { commitment }))['value']));
    return all;
  };

  test('every commitment has a slot from the first answer on', async () => {
    const fresh = await Bench.open({ consensus: 'tower', finalityLag: 31 });
    try {
      const slots = [];
      for (const commitment of LEVELS) slots.push(Number(await fresh.call('getSlot', { commitment })));
      assert.ok(slots.every((slot) => slot > 0));
      for (const commitment of LEVELS) await fresh.call('getLatestBlockhash', { commitment });
    } finally {
      fresh.close();
    }
  });
  test('a balance moves from processed to confirmed to finalized, one block and one lag later', async () => {
    const { address } = freshKey();
    await bench.transfer(address, 1_000_000n);
    assert.deepEqual(await balances(address), [1_000_000n, 0n, 0n]);
    bench.slots(1);
    assert.deepEqual(await balances(address), [1_000_000n, 1_000_000n, 0n]);
    bench.slots(2);
    assert.deepEqual(await balances(address), [1_000_000n, 1_000_000n, 0n]);
    bench.slots(1);
    assert.deepEqual(await balances(address), [1_000_000n, 1_000_000n, 1_000_000n]);
  });
  test('with Alpenglow it moves from processed to finalized, which is confirmed, with its block', async () => {
    const fresh = await Bench.open();
    try {
      const { address } = freshKey();
      await fresh.transfer(address, 1_000_000n);
      assert.deepEqual(await balances(address, fresh), [1_000_000n, 0n, 0n]);
      fresh.slots(1);
      assert.deepEqual(await balances(address, fresh), [1_000_000n, 1_000_000n, 1_000_000n]);
    } finally {
      fresh.close();
    }
  });
  test('three writes in three slots are three states at once', async () => {
    const { address } = freshKey();
    for (let i = 0; i < 5; i++) {
      await bench.transfer(address, 1_000_000n);
      if (i < 4) bench.slots(1);
    }
    assert.deepEqual(await balances(address), [5_000_000n, 4_000_000n, 1_000_000n]);
  });
  test('context.slot is the slot of the view', async () => {
    for (const commitment of LEVELS) {
      const slot = await bench.call('getSlot', { commitment });
      assert.equal((await bench.call('getBalance', bench.wallet.address, { commitment }))['context']?.['slot'], slot);
    }
  });
  test('the owner index follows the view: an account appears for its program only once it is there', async () => {
    const [account, owner] = [freshKey(), freshKey().address];
    await bench.send(
      [createAccount(bench.wallet.address, account.address, { lamports: 2_000_000n, space: 8, owner })],
      [bench.wallet, account],
    );
    const found = async (commitment: string): Promise<number> =>
      ((await bench.call('getProgramAccounts', owner, { commitment })) as never as unknown[]).length;
    assert.deepEqual([await found('processed'), await found('confirmed'), await found('finalized')], [1, 0, 0]);
    bench.finalize();
    assert.equal(await found('finalized'), 1);
  });
  test('an emptied account is still there at finalized, and gone later', async () => {
    const account = freshKey();
    await bench.transfer(account.address, 5_000_000n);
    bench.finalize();
    await bench.send([transfer(account.address, bench.wallet.address, 5_000_000n)], [bench.wallet, account]);
    assert.deepEqual(await balances(account.address), [0n, 5_000_000n, 5_000_000n]);
    bench.finalize();
    assert.deepEqual(await balances(account.address), [0n, 0n, 0n]);
  });
  test('the clock sysvar shows the slot of the view', async () => {
    for (const commitment of LEVELS) {
      const clock = await bench.call('getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
        commitment,
        encoding: 'jsonParsed',
      });
      const slot = await bench.call('getSlot', { commitment });
      assert.equal(clock['value']?.['data']?.['parsed']?.['info']?.['slot'], BigInt(Number(slot)));
    }
  });
  test('a simulation runs on the state of its commitment and leaves the newest state alone', async () => {
    const payer = freshKey();
    await bench.transfer(payer.address, 10_000_000n);
    const hash = await bench.blockhash('finalized');
    const wire = bench.signedOn(hash, [transfer(payer.address, freshKey().address, 5_000_000n)], [payer]);
    const simulated = async (commitment: string): Promise<unknown> =>
      (await bench.call('simulateTransaction', wire, { encoding: 'base64', commitment }))['value']?.['err'];
    assert.equal(await simulated('processed'), null);
    assert.equal(await simulated('finalized'), 'AccountNotFound');
    assert.equal(await simulated('processed'), null);
    assert.deepEqual(await balances(payer.address), [10_000_000n, 0n, 0n]);
  });
  test('an edit by the admin interface holds at every commitment at once', async () => {
    const { address } = freshKey();
    bench.ledger.cheats.fund(address, 42n);
    assert.deepEqual(await balances(address), [42n, 42n, 42n]);
  });
  test('isBlockhashValid knows a hash only at views that have its block', async () => {
    await bench.send([memo('a block')]);
    bench.slots(1);
    const hash = await bench.blockhash('processed');
    const valid = async (commitment: string): Promise<unknown> =>
      (await bench.call('isBlockhashValid', hash, { commitment }))['value'];
    assert.equal(await valid('processed'), true);
    assert.equal(await valid('finalized'), false);
    bench.finalize();
    assert.equal(await valid('finalized'), true);
    bench.slots(200);
    assert.equal(await valid('processed'), false);
  });
});

describe('time', () => {
  test('slots pass by themselves unless the clock is paused', async () => {
    const bench = await Bench.open({ paused: false, slotMs: 5 });
    try {
      const seen = new Set<number>();
      await new Promise<void>((resolve) => {
        const stop = bench.ledger.events.on((event) => {
          if (event.kind !== 'slot' || event.status !== 'processed') return;
          seen.add(event.slot);
          if (seen.size < 5) return;
          stop();
          resolve();
        });
      });
      assert.equal(seen.size, 5);
    } finally {
      bench.close();
    }
  });
  test('time travel to a slot leaves every commitment within the lag of it', async () => {
    const bench = await Bench.open({ consensus: 'tower' });
    try {
      bench.ledger.cheats.timeTravel({ slot: 500_000 });
      assert.equal(await bench.call('getSlot', { commitment: 'processed' }), 500_000);
      assert.equal(await bench.call('getSlot'), 499_996);
      assert.equal((await bench.call('getEpochInfo'))['epoch'], 1);
      assert.throws(() => bench.ledger.cheats.timeTravel({ slot: 5 }), /forward only/);
    } finally {
      bench.close();
    }
  });
  test('time travel to a date sets the block time and the clock of programs', async () => {
    const bench = await Bench.open();
    try {
      bench.ledger.cheats.timeTravel({ timestamp: 4_000_000_000 });
      const slot = await bench.call('getSlot', { commitment: 'processed' });
      bench.slots(1);
      assert.ok(Number(await bench.call('getBlockTime', slot)) >= 4_000_000_000);
    } finally {
      bench.close();
    }
  });
  test('a slot without a block is -32004 until a later block is final, then -32007', async () => {
    const bench = await Bench.open({ consensus: 'tower' });
    try {
      const slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
      bench.ledger.troubledBy({ stall: () => 0, fork: () => 'lost' });
      bench.slots(1);
      bench.ledger.troubledBy({ stall: () => 0, fork: () => 'kept' });
      const failures = async (): Promise<readonly RpcError[]> =>
        await Promise.all([
          bench.fails('getBlock', slot, { commitment: 'confirmed' }),
          bench.fails('getBlock', slot),
          bench.fails('getBlockTime', slot),
        ]);
      const notYet = { code: -32004, message: `Block not available for slot ${slot}` };
      for (let later = 0; later < 4; later++) {
        assert.deepEqual(await failures(), [notYet, notYet, notYet], `${later} blocks later`);
        bench.slots(1);
      }
      assert.equal(Number(await bench.call('getSlot')), slot + 1);
      const skipped = {
        code: -32007,
        message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      };
      assert.deepEqual(await failures(), [skipped, skipped, skipped]);
      assert.deepEqual(await bench.call('getBlocks', slot - 1, slot + 1), [slot - 1, slot + 1]);
      assert.deepEqual(await bench.call('getBlocksWithLimit', slot, 1), [slot + 1]);
    } finally {
      bench.close();
    }
  });
  test('getBlockTime knows every block there is, getBlock those of its commitment', async () => {
    const bench = await Bench.open({ consensus: 'tower' });
    try {
      const slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
      const time = await bench.call('getBlockTime', slot);
      assert.equal((await bench.fails('getBlock', slot, { commitment: 'confirmed' })).code, -32004);
      bench.slots(1);
      const block = await bench.call('getBlock', slot, { commitment: 'confirmed' });
      assert.equal(block['blockTime'], time);
      assert.equal((await bench.fails('getBlock', slot)).code, -32004);
      bench.finalize();
      assert.equal((await bench.call('getBlock', slot))['blockTime'], time);
    } finally {
      bench.close();
    }
  });
  test('a jumped-over slot is -32007, a future slot -32004', async () => {
    const bench = await Bench.open();
    try {
      bench.ledger.cheats.timeTravel({ slot: 1000 });
      assert.equal((await bench.fails('getBlock', 500)).code, -32007);
      assert.equal((await bench.fails('getBlock', 2000)).code, -32004);
    } finally {
      bench.close();
    }
  });
});
