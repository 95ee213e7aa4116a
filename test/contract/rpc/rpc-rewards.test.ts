// Rewards of an epoch: vote accounts are paid in the next one's first block, stakes in its second; and how both are reported.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openLedger } from '../../../localnet/node/open';
import { genesisStakeData } from '../../../localnet/ledger/accounts/stakeState';
import type { SavedChange } from '../../../localnet/ledger/saved';
import { Bench, bigOf, freshKey, textOf, type Loose } from './rpc-harness';
import { plain } from '../v1/v1-bench';

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const EPOCH = 64;
const SLOTS_PER_YEAR = (365.242_199 * 24 * 60 * 60 * 1000) / 200;
const CONFIRMED = { commitment: 'confirmed' } as const;

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open({ slotsPerEpoch: EPOCH });
});
afterEach(() => bench.close());

const slotNow = async (): Promise<number> => Number(await bench.call('getSlot', { commitment: 'processed' }));
const balance = async (address: string, commitment = 'processed'): Promise<bigint> =>
  bigOf((await bench.call('getBalance', address, { commitment })).value);
const rewardsIn = async (slot: number): Promise<readonly Loose[]> =>
  (await bench.call('getBlock', slot, CONFIRMED))['rewards'] as never;
const total = async (): Promise<bigint> =>
  bigOf((await bench.call('getSupply', { commitment: 'processed' })).value?.['total']);
/** Ends slots until this one is open. */
const reach = async (slot: number): Promise<void> => bench.slots(slot - (await slotNow()));

describe('the end of an epoch', () => {
  test('pays the stake what inflation gives validators, in the second block after it', async () => {
    const { stake, vote } = bench.ledger.validator;
    await reach(EPOCH);
    const [supply, had] = [await total(), await balance(stake.address)];
    assert.deepEqual(plain(await bench.call('getInflationGovernor')), {
      foundation: 0.05,
      foundationTerm: 7,
      initial: 0.08,
      taper: 0.15,
      terminal: 0.015,
    });
    await reach(EPOCH + 1);
    const paid = (await balance(stake.address)) - had;
    // A double has 53 bits: the last lamports of so large a product are not its own.
    bench.finalize();
    const { epoch, validator } = plain(await bench.call('getInflationRate')) as Record<string, number>;
    assert.equal(epoch, 1);
    const expected = Number(validator) * Number(supply) * (EPOCH / SLOTS_PER_YEAR);
    assert.ok(Math.abs(Number(paid) - expected) < 1_000, `${paid} ${expected}`);
    assert.equal((await total()) - supply, paid);
    const first = await bench.call('getBlock', EPOCH, CONFIRMED);
    assert.equal(first['numRewardPartitions'], 1);
    assert.deepEqual(plain(first['rewards']), [
      {
        commission: 0,
        commissionBps: 0,
        lamports: 0,
        postBalance: Number(await balance(vote.address)),
        pubkey: vote.address,
        rewardType: 'Voting',
      },
    ]);
    assert.deepEqual(plain(await rewardsIn(EPOCH + 1)), [
      {
        commission: 0,
        commissionBps: 0,
        lamports: Number(paid),
        postBalance: Number(had + paid),
        pubkey: stake.address,
        rewardType: 'Staking',
      },
    ]);
    assert.deepEqual(plain(await rewardsIn(EPOCH - 1)), []);
  });

  test('is what getInflationReward says, of vote account and stake, of nobody else, and once it is final', async () => {
    bench.close();
    bench = await Bench.open({ consensus: 'tower', slotsPerEpoch: EPOCH });
    const { identity, stake, vote } = bench.ledger.validator;
    const asked = [vote.address, stake.address, identity.address, bench.wallet.address];
    await reach(EPOCH + 3);
    assert.equal((await bench.fails('getInflationReward', asked, { epoch: 0 })).code, -32004);
    const rewards = (await bench.call('getInflationReward', asked, {
      epoch: 0,
      ...CONFIRMED,
    })) as never as (Loose | null)[];
    const amount = bigOf(rewards[1]?.['amount']);
    assert.ok(amount > 0n);
    const common = { commission: 0, commissionBps: 0, epoch: 0 };
    assert.deepEqual(plain(rewards), [
      { ...common, amount: 0, effectiveSlot: EPOCH, postBalance: Number(await balance(vote.address)) },
      {
        ...common,
        amount: Number(amount),
        effectiveSlot: EPOCH + 1,
        postBalance: Number(await balance(stake.address)),
      },
      null,
      null,
    ]);
    bench.finalize();
    assert.deepEqual(plain(await bench.call('getInflationReward', asked)), plain(rewards));
  });

  test('adds to the delegation, which counts for the votes of the next epoch alone', async () => {
    const { stake } = bench.ledger.validator;
    const delegation = async (): Promise<Loose | undefined> => {
      const config = { encoding: 'jsonParsed', commitment: 'processed' };
      const { value } = await bench.call('getAccountInfo', stake.address, config);
      return value?.['data']?.['parsed']?.['info']?.['stake'];
    };
    await reach(EPOCH);
    const before = await delegation();
    await reach(EPOCH + 2);
    const [after, [reward]] = [await delegation(), await rewardsIn(EPOCH + 1)];
    const staked = (of: Loose | undefined): bigint => BigInt(of?.['delegation']?.['stake'] as never);
    assert.equal(staked(after) - staked(before), bigOf(reward?.['lamports']));
    assert.ok(bigOf(after?.['creditsObserved']) > bigOf(before?.['creditsObserved']));
    await reach(2 * EPOCH + 2);
    const [second] = await rewardsIn(2 * EPOCH + 1);
    const ratio = Number(bigOf(second?.['lamports'])) / Number(bigOf(reward?.['lamports']));
    assert.ok(Math.abs(ratio - 1) < 0.001, `${ratio}`);
  });

  test('shares among stakes, and gives those of the epoch itself nothing yet', async () => {
    const { stake, vote } = bench.ledger.validator;
    const lamports = await balance(stake.address);
    const [old, young] = [freshKey().address, freshKey().address];
    const data = (address: string, activation?: bigint): Uint8Array => {
      const bytes = genesisStakeData(address, { voter: vote.address, lamports, rent: bench.ledger.cheats.rent });
      if (activation !== undefined) new DataView(bytes.buffer).setBigUint64(164, activation, true);
      return bytes;
    };
    bench.ledger.cheats.setAccount(old, { lamports, owner: STAKE_PROGRAM, data: data(old) });
    bench.ledger.cheats.setAccount(young, { lamports, owner: STAKE_PROGRAM, data: data(young, 0n) });
    await reach(EPOCH + 2);
    const rewards = new Map((await rewardsIn(EPOCH + 1)).map((one) => [textOf(one['pubkey']), bigOf(one['lamports'])]));
    assert.deepEqual(new Set(rewards.keys()), new Set([stake.address, old]));
    assert.equal(rewards.get(old), rewards.get(stake.address));
    await reach(2 * EPOCH + 2);
    const next = (await rewardsIn(2 * EPOCH + 1)).map((one) => textOf(one['pubkey']));
    assert.deepEqual(new Set(next), new Set([stake.address, old, young]));
  });
});

test('a reward is seen commitment by commitment', async () => {
  const { stake } = bench.ledger.validator;
  await reach(EPOCH);
  const had = await balance(stake.address);
  await reach(EPOCH + 1);
  assert.ok((await balance(stake.address)) > had);
  assert.deepEqual([await balance(stake.address, 'confirmed'), await balance(stake.address, 'finalized')], [had, had]);
  const edited: string[] = [];
  const stop = bench.ledger.events.on((event) => {
    if (event.kind === 'account' && event.isEdit) edited.push(event.address);
  });
  bench.finalize();
  stop();
  assert.deepEqual(edited, []);
  assert.equal(await balance(stake.address, 'finalized'), await balance(stake.address));
});

test('a block that is lost to a fork pays nothing, the one in its place pays once', async () => {
  const { stake } = bench.ledger.validator;
  await reach(EPOCH + 1);
  const paid = await balance(stake.address);
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'lost' });
  bench.slots(1);
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'kept' });
  assert.equal(await balance(stake.address), paid);
  bench.finalize();
  assert.equal(await balance(stake.address, 'finalized'), paid);
});

test('rewards are kept with their blocks, and paid by a ledger that resumes between the two', async () => {
  const seed = 'rewards that are kept';
  const first = await Bench.open({ seed, slotsPerEpoch: EPOCH });
  first.slots(EPOCH - Number(await first.call('getSlot', { commitment: 'processed' })) + 1);
  const { stake } = first.ledger.validator;
  const saved: SavedChange[] = [...first.ledger.saved()];
  first.slots(6);
  const asked = [[stake.address], { epoch: 0 }];
  const expected = plain(await first.call('getInflationReward', ...(asked as never[])));
  first.close();
  const ledger = await openLedger({ seed, paused: true, finalityLag: 4, slotsPerEpoch: EPOCH, saved });
  ledger.cheats.nextSlot(6);
  const outcome = await ledger.rpc.call('getInflationReward', asked, { staked: false });
  assert.ok(outcome.ok);
  assert.deepEqual(plain(outcome.result), expected);
  assert.notDeepEqual(expected, [null]);
  const again = await openLedger({
    seed,
    paused: true,
    finalityLag: 4,
    slotsPerEpoch: EPOCH,
    saved: [...ledger.saved()],
  });
  const same = await again.rpc.call('getInflationReward', asked, { staked: false });
  assert.ok(same.ok);
  assert.deepEqual(plain(same.result), expected);
  ledger.close();
  again.close();
});
