// The sysvars that an epoch writes: what its stake was, and how far its rewards have been paid.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { genesisStakeData } from '../../../localnet/ledger/accounts/stakeState';
import { plain } from '../v1/v1-bench';
import { Bench, freshKey, textOf, type Loose } from './rpc-harness';

const EPOCH = 64;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111';
const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111';
const NEVER = 2n ** 64n - 1n;

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open({ slotsPerEpoch: EPOCH, seed: 'epoch sysvars' });
});
afterEach(() => bench.close());

const slotNow = async (): Promise<number> => Number(await bench.call('getSlot', { commitment: 'processed' }));
/** Ends slots until this one is open. */
const reach = async (slot: number): Promise<void> => bench.slots(slot - (await slotNow()));

async function sysvar(address: string, commitment = 'processed'): Promise<Loose & { readonly length: number }> {
  const answer = await bench.call('getAccountInfo', address, { commitment, encoding: 'jsonParsed' });
  return plain(answer['value']?.['data']?.['parsed']?.['info']) as never;
}

/** A stake account delegated in one epoch and taken back in another. */
function plantStake(lamports: bigint, activated: bigint, deactivated = NEVER): void {
  const { address } = freshKey();
  const { validator, cheats } = bench.ledger;
  const data = Buffer.from(genesisStakeData(address, { voter: validator.vote.address, lamports, rent: cheats.rent }));
  data.writeBigUInt64LE(activated, 164);
  data.writeBigUInt64LE(deactivated, 172);
  bench.ledger.cheats.setAccount(address, { lamports, owner: STAKE_PROGRAM, data });
}

/** The stake of the ledger's own validator. */
async function ownStake(): Promise<number> {
  const { current } = plain(await bench.call('getVoteAccounts')) as { current: { activatedStake: number }[] };
  return current[0]?.activatedStake ?? 0;
}

test('each epoch that has ended has an entry, newest first', async () => {
  assert.equal((await sysvar(STAKE_HISTORY)).length, 0);
  const own = await ownStake();
  plantStake(5_000_000_000n, 0n, 1n);
  const planted = 5_000_000_000 - Number(await bench.call('getMinimumBalanceForRentExemption', 200));
  await reach(EPOCH);
  const first = { epoch: 0, stakeHistory: { effective: own, activating: planted, deactivating: 0 } };
  assert.deepEqual(await sysvar(STAKE_HISTORY), [first]);
  assert.deepEqual((await sysvar(STAKE_HISTORY, 'confirmed')).length, 0, 'the block before had none');
  await reach(EPOCH * 2);
  const grown = (await ownStake()) - planted;
  assert.deepEqual(await sysvar(STAKE_HISTORY), [
    { epoch: 1, stakeHistory: { effective: grown + planted, activating: 0, deactivating: planted } },
    first,
  ]);
  bench.ledger.cheats.timeTravel({ epoch: 5 });
  const epochs = (await sysvar(STAKE_HISTORY)) as never as { epoch: number }[];
  assert.deepEqual(
    epochs.map(({ epoch }) => epoch),
    [4, 3, 2, 1, 0],
  );
});

test('the rewards of an epoch are active in its first block and paid with the second', async () => {
  const { stake } = bench.ledger.validator;
  const none = await sysvar(EPOCH_REWARDS);
  assert.deepEqual([none['active'], none['totalRewards']], [false, '0']);
  await reach(EPOCH * 2 - 1);
  const before = Number((await bench.call('getBalance', stake.address, { commitment: 'processed' }))['value']);
  bench.slots(1);
  const height = Number(await bench.call('getBlockHeight', { commitment: 'processed' }));
  const parent = await bench.call('getBlock', EPOCH * 2 - 1, { commitment: 'confirmed' });
  const due = await sysvar(EPOCH_REWARDS);
  const { totalPoints, totalRewards } = due;
  assert.deepEqual(due, {
    distributionStartingBlockHeight: height + 1,
    numPartitions: 1,
    parentBlockhash: textOf(parent['blockhash']),
    totalPoints,
    totalRewards,
    distributedRewards: '0',
    active: true,
  });
  assert.ok(BigInt(textOf(totalPoints)) > 10n ** 15n && BigInt(textOf(totalRewards)) > 0n);
  bench.slots(1);
  const after = Number((await bench.call('getBalance', stake.address, { commitment: 'processed' }))['value']);
  assert.deepEqual(await sysvar(EPOCH_REWARDS), { ...due, distributedRewards: String(after - before), active: false });
  assert.ok(after > before && after - before <= Number(totalRewards));
});

test('both are kept with the ledger, and a block that is lost takes its writes with it', async () => {
  await reach(EPOCH);
  const kept = [await sysvar(STAKE_HISTORY), await sysvar(EPOCH_REWARDS)];
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'lost' });
  bench.slots(1);
  bench.ledger.troubledBy({ stall: () => 0, fork: () => 'kept' });
  assert.deepEqual((await sysvar(STAKE_HISTORY)).length, 1);
  assert.deepEqual(await sysvar(STAKE_HISTORY), kept[0]);
  bench.slots(3);
  const ended = [await sysvar(STAKE_HISTORY), await sysvar(EPOCH_REWARDS)];
  const saved = [...bench.ledger.saved()];
  bench.close();
  bench = await Bench.open({ slotsPerEpoch: EPOCH, seed: 'epoch sysvars', saved });
  assert.deepEqual([await sysvar(STAKE_HISTORY), await sysvar(EPOCH_REWARDS)], ended);
});
