// Fees of a block: half of the signature fees is burned, the rest goes to the leader, as on a node.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openLedger } from '../../../localnet/node/open';
import type { SavedChange } from '../../../localnet/ledger/saved';
import { plain } from '../v1/v1-bench';
import {
  Bench,
  bigOf,
  bytesOf,
  freshKey,
  SYSTEM,
  textOf,
  transfer,
  u32,
  u64,
  type Instruction,
  type Loose,
} from './rpc-harness';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const CONFIRMED = { commitment: 'confirmed' } as const;
const SIGNATURE = 5_000n;
const SOL = 1_000_000_000n;
/** Where a vote account says who gets the fees of its node's blocks. */
const REVENUE_COLLECTOR = 100;

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const balance = async (address: string, commitment = 'processed'): Promise<bigint> =>
  bigOf((await bench.call('getBalance', address, { commitment })).value);
const supply = async (): Promise<bigint> =>
  bigOf((await bench.call('getSupply', { commitment: 'processed' })).value?.['total']);
const slotNow = async (): Promise<number> => Number(await bench.call('getSlot', { commitment: 'processed' }));
const rewardsIn = async (slot: number): Promise<unknown> =>
  plain((await bench.call('getBlock', slot, CONFIRMED))['rewards']);
const budget = (kind: number, value: Uint8Array): Instruction => ({
  program: COMPUTE_BUDGET,
  accounts: [],
  data: Buffer.concat([Uint8Array.of(kind), value]),
});
/** Has the vote account name somebody else. */
async function named(collector: string): Promise<void> {
  const { address } = bench.ledger.validator.vote;
  const shown = await bench.call('getAccountInfo', address, { encoding: 'base64', commitment: 'processed' });
  const data = Buffer.from(textOf(shown.value?.['data']?.[0]), 'base64');
  data.set(bytesOf(collector), REVENUE_COLLECTOR);
  bench.ledger.cheats.setAccount(address, { data });
}
/** Ends the open slot; answers what its block paid. */
async function closed(): Promise<unknown> {
  const slot = await slotNow();
  bench.slots(2);
  return rewardsIn(slot);
}
/** The reward of fees in a block, as JSON shows it. */
const reward = (pubkey: string, lamports: bigint, postBalance: bigint): Loose =>
  ({
    pubkey,
    lamports: Number(lamports),
    postBalance: Number(postBalance),
    rewardType: 'Fee',
    commission: null,
    commissionBps: null,
  }) as never;

describe('a block whose transactions paid', () => {
  test('gives half of what the signatures cost to its leader, and burns the other half', async () => {
    const { vote, identity } = bench.ledger.validator;
    const [second, had, before] = [freshKey(), await balance(vote.address), await supply()];
    await bench.transfer(freshKey().address, SOL);
    await bench.send([transfer(bench.wallet.address, second.address, SOL)], [bench.wallet, second]);
    assert.equal(await supply(), before - 3n * SIGNATURE);
    assert.equal(await balance(vote.address), had);
    assert.deepEqual(await closed(), [reward(vote.address, 7_500n, had + 7_500n)]);
    assert.equal(await balance(vote.address), had + 7_500n);
    assert.equal(await supply(), before - 7_500n);
    assert.equal(await balance(identity.address), 500n * SOL);
  });

  test('gives all that is paid to come first', async () => {
    const { vote } = bench.ledger.validator;
    const [had, before] = [await balance(vote.address), await supply()];
    // 1,000 units at 2.5 lamports, rounded up to whole lamports.
    const fee = [budget(2, u32(1_000)), budget(3, u64(2_500_001n))];
    await bench.send([...fee, transfer(bench.wallet.address, freshKey().address, SOL)]);
    assert.deepEqual(await closed(), [reward(vote.address, 2_500n + 2_501n, had + 5_001n)]);
    assert.equal(await supply(), before - 2_500n);
  });

  test('gives the fee of a failed transaction as well, and once', async () => {
    const { vote } = bench.ledger.validator;
    const had = await balance(vote.address);
    const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, 1n)]);
    await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    assert.deepEqual(await closed(), [reward(vote.address, 2_500n, had + 2_500n)]);
    assert.deepEqual(await closed(), []);
  });
});

test('blocks without transactions pay nothing', async () => {
  assert.deepEqual(await closed(), []);
});

test('the fee is seen commitment by commitment, and reported as a write that no transaction made', async () => {
  bench.close();
  bench = await Bench.open({ consensus: 'tower' });
  const { vote } = bench.ledger.validator;
  const had = await balance(vote.address);
  const writes: unknown[] = [];
  const stop = bench.ledger.events.on((event) => {
    if (event.kind === 'account' && event.address === vote.address)
      writes.push([event.slot, event.account?.lamports, event.record, event.isEdit]);
  });
  await bench.transfer(freshKey().address, SOL);
  const slot = await slotNow();
  bench.slots(1);
  stop();
  assert.deepEqual(writes, [[slot, had + 2_500n, undefined, false]]);
  assert.equal(await balance(vote.address, 'confirmed'), had + 2_500n);
  assert.equal(await balance(vote.address, 'finalized'), had);
  bench.finalize();
  assert.equal(await balance(vote.address, 'finalized'), had + 2_500n);
});

describe('who gets the fees', () => {
  test('an address that the vote account names gets them', async () => {
    const { vote } = bench.ledger.validator;
    const collector = freshKey().address;
    await named(collector);
    await bench.transfer(collector, SOL);
    const had = await balance(vote.address);
    assert.deepEqual(await closed(), [reward(collector, 2_500n, SOL + 2_500n)]);
    assert.equal(await balance(vote.address), had);
  });

  test('nobody gets them where that address could not pay its rent with it', async () => {
    const collector = freshKey().address;
    await named(collector);
    const before = await supply();
    await bench.transfer(freshKey().address, SOL);
    assert.deepEqual(await closed(), []);
    assert.equal(await supply(), before - SIGNATURE);
    assert.equal(await balance(collector), 0n);
  });

  test('nobody gets them where a program owns that address', async () => {
    const collector = freshKey().address;
    bench.ledger.cheats.setAccount(collector, { lamports: SOL, owner: COMPUTE_BUDGET });
    await named(collector);
    const before = await supply();
    await bench.transfer(freshKey().address, SOL);
    assert.deepEqual(await closed(), []);
    assert.equal(await supply(), before - SIGNATURE);
  });

  test('nobody gets them where it would be more than an account holds', async () => {
    const { vote } = bench.ledger.validator;
    bench.ledger.cheats.setAccount(vote.address, { lamports: 2n ** 64n - 1n });
    await bench.transfer(freshKey().address, SOL);
    assert.deepEqual(await closed(), []);
    assert.equal(await balance(vote.address), 2n ** 64n - 1n);
  });

  test('the identity gets them with --agave 3.1, which knows no other', async () => {
    bench.close();
    bench = await Bench.open({ consensus: 'tower', agave: '3.1' });
    const { address } = bench.ledger.validator.identity;
    await bench.transfer(freshKey().address, SOL);
    const { commissionBps, ...older } = reward(address, 2_500n, 500n * SOL + 2_500n);
    assert.equal(commissionBps, null);
    assert.deepEqual(await closed(), [older]);
    assert.equal(await balance(address), 500n * SOL + 2_500n);
  });
});

test('votes pay too: half of what they cost comes back', async () => {
  bench.close();
  bench = await Bench.open({ consensus: 'tower', votes: true });
  const { vote, identity } = bench.ledger.validator;
  bench.slots(1);
  const [had, paying, before] = [await balance(vote.address), await balance(identity.address), await supply()];
  assert.deepEqual(await closed(), [reward(vote.address, 5_000n, had + 5_000n)]);
  assert.equal(await balance(vote.address), had + 10_000n);
  assert.equal(await balance(identity.address), paying - 20_000n);
  assert.equal(await supply(), before - 10_000n);
});

test('a block that is lost to a fork pays nothing in the end, and its transaction once', async () => {
  const { vote } = bench.ledger.validator;
  const [had, before] = [await balance(vote.address), await supply()];
  await bench.transfer(freshKey().address, SOL);
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'lost' });
  bench.slots(1);
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'kept' });
  assert.equal(await balance(vote.address), had);
  assert.deepEqual(await closed(), [reward(vote.address, 2_500n, had + 2_500n)]);
  bench.finalize();
  assert.deepEqual([await balance(vote.address, 'finalized'), await supply()], [had + 2_500n, before - 2_500n]);
});

test('getInflationReward does not say fees, in the first block of an epoch neither', async () => {
  bench.close();
  bench = await Bench.open({ consensus: 'tower', slotsPerEpoch: 64, agave: '3.1' });
  const { identity } = bench.ledger.validator;
  bench.slots(64 - (await slotNow()));
  await bench.transfer(freshKey().address, SOL);
  const rewards = (await closed()) as readonly { readonly rewardType: string }[];
  assert.deepEqual(
    rewards.map(({ rewardType }) => rewardType),
    ['Voting', 'Fee'],
  );
  assert.deepEqual(await bench.call('getInflationReward', [identity.address], { epoch: 0, ...CONFIRMED }), [null]);
});

test('fees are kept with their blocks', async () => {
  const options = { seed: 'fees that are kept', paused: true, finalityLag: 4 };
  bench.close();
  bench = await Bench.open(options);
  const { vote } = bench.ledger.validator;
  await bench.transfer(freshKey().address, SOL);
  const slot = await slotNow();
  bench.slots(2);
  const [expected, had] = [await rewardsIn(slot), await balance(vote.address)];
  const saved: SavedChange[] = [...bench.ledger.saved()];
  const again = await openLedger({ ...options, saved });
  const block = await again.rpc.call('getBlock', [slot, CONFIRMED], { staked: false });
  assert.ok(block.ok);
  assert.deepEqual((plain(block.result) as Record<string, unknown>)['rewards'], expected);
  assert.equal(again.view('processed').get(vote.address)?.lamports, had);
  again.close();
});

test('the account that no transaction brings into the engine is there for the next one', async () => {
  const collector = freshKey();
  await named(collector.address);
  bench.ledger.cheats.setAccount(collector.address, { lamports: SOL, owner: SYSTEM });
  await bench.transfer(freshKey().address, SOL);
  bench.slots(1);
  // All that it has by now, its fee among it.
  await bench.send([transfer(collector.address, bench.wallet.address, SOL + 2_500n - SIGNATURE)], [collector]);
  assert.equal(await balance(collector.address), 0n);
});
