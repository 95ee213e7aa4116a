// The unmodified @solana/web3.js asks a node about itself: slots, epochs, supply, fees, leaders, performance. Its answers
// are checked by the client's own schemas; here it is checked that they agree with each other.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMint } from '@solana/spl-token';
import { Keypair, SystemProgram, type Connection } from '@solana/web3.js';
import { serviceInProcess } from '../../support/process/inProcessService';
import type { Localnet } from '../../support/process/localnet';
import { connectionTo, disconnect, memo, send, web3Session } from './web3-harness';

let local: Localnet;
let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ local, connection, payer } = session));

describe('web3.js: the clock of the node', () => {
  test('getSlot is behind by the commitment', async () => {
    await local.cheat('pauseClock');
    const [processed, confirmed, finalized] = await Promise.all(
      (['processed', 'confirmed', 'finalized'] as const).map((level) => connection.getSlot(level)),
    );
    assert.equal(confirmed, Number(processed) - 1);
    assert.equal(finalized, confirmed);
    await local.cheat('resumeClock');
  });
  test('getEpochInfo agrees with getSlot and getBlockHeight', async () => {
    await local.cheat('pauseClock');
    const info = await connection.getEpochInfo();
    assert.equal(info.absoluteSlot, await connection.getSlot());
    assert.equal(info.blockHeight, await connection.getBlockHeight());
    assert.equal(info.epoch * info.slotsInEpoch + info.slotIndex, info.absoluteSlot);
    const schedule = await connection.getEpochSchedule();
    assert.equal(schedule.getEpoch(info.absoluteSlot), info.epoch);
    assert.equal(info.transactionCount, await connection.getTransactionCount());
    await local.cheat('resumeClock');
  });
  test('getLatestBlockhashAndContext is valid for 150 blocks from its own', async () => {
    await local.cheat('pauseClock');
    const { context, value } = await connection.getLatestBlockhashAndContext();
    assert.equal(context.slot, await connection.getSlot());
    assert.equal(value.lastValidBlockHeight, (await connection.getBlockHeight()) + 150);
    assert.equal((await connection.isBlockhashValid(value.blockhash)).value, true);
    await local.cheat('resumeClock');
  });
  test('getBlockTime is now', async (t) => {
    const stepped = await serviceInProcess('Shared Metal');
    t.after(() => stepped.stop());
    const client = connectionTo(stepped, 'processed');
    t.after(() => disconnect(client));
    for (const ms of [1_000, 3_600_000]) {
      stepped.pass(ms);
      await stepped.cheat('nextSlot');
      assert.equal(await client.getBlockTime(await client.getSlot()), Math.floor(stepped.now() / 1_000));
    }
  });
  test('getFirstAvailableBlock is a block, getMinimumLedgerSlot the same', async () => {
    const first = await connection.getFirstAvailableBlock();
    assert.ok(await connection.getBlock(first, { maxSupportedTransactionVersion: 0 }));
    assert.equal(await connection.getMinimumLedgerSlot(), first);
  });
});

describe('web3.js: the node and its cluster', () => {
  test('getVersion and getGenesisHash name it', async () => {
    assert.match((await connection.getVersion())['solana-core'], /^\d+\.\d+\.\d+/);
    assert.match(await connection.getGenesisHash(), /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  });
  test('one node leads every slot', async () => {
    const leader = await connection.getSlotLeader();
    const slot = await connection.getSlot();
    assert.deepEqual(new Set((await connection.getSlotLeaders(slot, 10)).map(String)), new Set([leader]));
    assert.deepEqual(Object.keys(await connection.getLeaderSchedule()), [leader]);
    assert.deepEqual(
      (await connection.getClusterNodes()).map(({ pubkey }) => pubkey),
      [leader],
    );
    const { value } = await connection.getBlockProduction();
    assert.deepEqual(Object.keys(value.byIdentity), [leader]);
  });
  test('the node votes for every block', async () => {
    const { current, delinquent } = await connection.getVoteAccounts();
    assert.deepEqual(delinquent, []);
    assert.deepEqual(
      current.map(({ nodePubkey }) => nodePubkey),
      [await connection.getSlotLeader()],
    );
  });
  test("inflation has a validator's rates, and no rewards of an epoch that has not been", async () => {
    const { initial, terminal } = await connection.getInflationGovernor();
    assert.deepEqual([initial, terminal], [0.08, 0.015]);
    assert.equal((await connection.getInflationRate()).total, initial);
    await assert.rejects(connection.getInflationReward([payer.publicKey]), /Block not available for slot 432000/);
    assert.ok((await connection.getStakeMinimumDelegation()).value > 0);
  });
  test('getRecentPerformanceSamples is a list', async () => {
    assert.ok(Array.isArray(await connection.getRecentPerformanceSamples(5)));
  });
});

describe('web3.js: money', () => {
  test('getSupply is what all accounts hold, and getLargestAccounts starts with the largest', async () => {
    const { value: supply } = await connection.getSupply();
    assert.equal(supply.total, supply.circulating + supply.nonCirculating);
    const { value: largest } = await connection.getLargestAccounts();
    const lamports = largest.map((one) => one.lamports);
    assert.deepEqual(
      lamports,
      [...lamports].sort((a, b) => b - a),
    );
    assert.ok(Number(lamports[0]) <= supply.total);
    assert.ok(largest.length <= 20);
  });
  test('getMinimumBalanceForRentExemption is enough, and one lamport less is not', async () => {
    const lamports = await connection.getMinimumBalanceForRentExemption(100);
    const make = (amount: number): Promise<string> => {
      const account = Keypair.generate();
      const create = SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: account.publicKey,
        lamports: amount,
        space: 100,
        programId: SystemProgram.programId,
      });
      return send(connection, [create], [payer, account]);
    };
    await make(lamports);
    await assert.rejects(make(lamports - 1), /insufficient funds for rent/i);
  });
  test('getRecentPrioritizationFees reports the fee paid in each block', async () => {
    const fees = await connection.getRecentPrioritizationFees();
    assert.ok(fees.length > 0 && fees.length <= 150);
    for (const { slot, prioritizationFee } of fees) assert.ok(slot >= 0 && prioritizationFee >= 0);
  });
  test('getTokenSupply is a token amount', async () => {
    const mint = await createMint(connection, payer, payer.publicKey, null, 9, Keypair.generate());
    const { value } = await connection.getTokenSupply(mint);
    assert.deepEqual(value, { amount: '0', decimals: 9, uiAmount: 0, uiAmountString: '0' });
  });
  test('getTransactionCount grows by what was sent', async () => {
    const had = await connection.getTransactionCount();
    await send(connection, [memo('counted')], [payer]);
    assert.ok((await connection.getTransactionCount()) > had);
  });
});
