// The ledger under each kind of consensus: when blocks are final, what votes there are, and how fast its time passes.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { openLedger, type LedgerEvent, type LedgerOptions } from '../../../localnet/node/open';
import { Bench, freshKey, type Loose } from './rpc-harness';
import type { WireJson } from '../../../localnet/api';

let bench: Bench;
afterEach(() => bench.close());

const open = async (options: LedgerOptions = {}): Promise<void> => {
  bench = await Bench.open(options);
};

const slotOf = async (commitment: string): Promise<number> => Number(await bench.call('getSlot', { commitment }));
const slots = async (): Promise<readonly number[]> =>
  Promise.all(['processed', 'confirmed', 'finalized'].map(async (commitment) => slotOf(commitment)));

const statusOf = async (signature: string): Promise<Loose & WireJson> => {
  const { value } = await bench.call('getSignatureStatuses', [signature]);
  return value?.[0] as Loose & WireJson;
};

const bytes = (count: number) => (value: unknown) =>
  Array.isArray(value) &&
  value.length === count &&
  value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);

describe('a ledger of Alpenglow, which is the default', () => {
  test('has a certificate of its genesis, the same one for the same seed', async () => {
    await open({ seed: 'one', startSlot: 1_000 });
    const certificate = await bench.call('getAgGenesisCert');
    assert.deepEqual(Object.keys(certificate).sort(), ['block', 'signature']);
    const { block, signature } = certificate as unknown as Record<'block' | 'signature', Record<string, unknown>>;
    assert.equal(block['slot'], Number(await bench.call('getFirstAvailableBlock')) - 1);
    assert.ok(bytes(32)(block['blockId']));
    assert.ok(bytes(192)(signature['signature']));
    assert.deepEqual(signature['bitmap'], [1]);
    bench.close();
    await open({ seed: 'one', startSlot: 1_000 });
    assert.deepEqual(await bench.call('getAgGenesisCert'), certificate);
    bench.close();
    await open({ seed: 'two', startSlot: 1_000 });
    assert.notDeepEqual(await bench.call('getAgGenesisCert'), certificate);
  });

  test('keeps its certificate while its blocks go', async () => {
    await open();
    const certificate = await bench.call('getAgGenesisCert');
    bench.slots(40);
    assert.deepEqual(await bench.call('getAgGenesisCert'), certificate);
  });

  test('has one slot between processed and finalized, and confirmed is finalized, from the first answer on', async () => {
    await open();
    for (let step = 0; step < 40; step++) {
      const [processed = 0, confirmed = 0, finalized = 0] = await slots();
      assert.equal(confirmed, finalized);
      assert.equal(processed - finalized, 1);
      bench.slots(1);
    }
  });

  test('reports that a block is confirmed and that it is final one after the other, with nothing between', async () => {
    await open();
    const seen: string[] = [];
    bench.ledger.events.on((event: LedgerEvent) => {
      if (event.kind === 'slot') seen.push(`${event.status} ${event.slot}`);
    });
    const at = await slotOf('processed');
    bench.slots(2);
    assert.deepEqual(
      seen,
      [at, at + 1].flatMap((slot) => [
        `processed ${slot}`,
        `created ${slot + 1}`,
        `confirmed ${slot}`,
        `finalized ${slot}`,
      ]),
    );
  });

  test('makes a transaction final with the end of its slot, without a count of confirmations before', async () => {
    await open();
    const signature = await bench.transfer(freshKey().address);
    assert.equal(await statusOf(signature), null);
    bench.slots(1);
    const status = await statusOf(signature);
    assert.equal(status['confirmationStatus'], 'finalized');
    assert.equal(status['confirmations'], null);
  });

  test('moves its clock by 200 ms a slot', async () => {
    const now = 1_700_000_000_000;
    await open({ now: () => now, startSlot: 1_000 });
    assert.equal(bench.ledger.chain.slotMs, 200);
    const time = async (slot: number): Promise<number> => Number(await bench.call('getBlockTime', slot));
    // The blocks before the start lie in the past, by the pace of the ledger.
    assert.deepEqual([await time(997), await time(999)], [1_699_999_999, 1_699_999_999]);
    bench.close();
    await open({ now: () => now, startSlot: 1_000, slotMs: 1_000 });
    assert.deepEqual([await time(997), await time(999)], [1_699_999_997, 1_699_999_999]);
  });

  test('has a node that votes in no transaction, is not delinquent, and has no lockouts to show', async () => {
    await open({ votes: true });
    bench.slots(40);
    const newest = await slotOf('finalized');
    const { transactions } = await bench.call('getBlock', newest, { maxSupportedTransactionVersion: 0 });
    assert.deepEqual(transactions, []);
    const { current, delinquent } = await bench.call('getVoteAccounts');
    assert.deepEqual(delinquent, []);
    assert.deepEqual([current?.[0]?.['lastVote'], current?.[0]?.['rootSlot']], [newest - 1, newest - 1]);
    assert.equal((await bench.call('getBlockCommitment', newest))['commitment'], null);
  });

  test('takes no other lag than that of its consensus', async () => {
    await open({ finalityLag: 31 });
    bench.slots(40);
    assert.equal((await slotOf('processed')) - (await slotOf('finalized')), 1);
  });

  test('makes what is complete final at once where each transaction has a slot', async () => {
    await open({ instant: true });
    const signature = await bench.transfer(freshKey().address);
    assert.equal((await statusOf(signature))['confirmationStatus'], 'finalized');
  });
});

describe('a ledger of TowerBFT', () => {
  test('has 31 slots between processed and finalized, and counts confirmations on the way', async () => {
    await open({ consensus: 'tower', finalityLag: 31 });
    const signature = await bench.transfer(freshKey().address);
    bench.slots(1);
    assert.deepEqual(
      [(await statusOf(signature))['confirmationStatus'], bench.ledger.chain.slotMs],
      ['confirmed', 400],
    );
    bench.slots(10);
    assert.equal((await statusOf(signature))['confirmations'], 11);
    const [processed = 0, confirmed = 0, finalized = 0] = await slots();
    assert.deepEqual([processed - confirmed, processed - finalized], [1, 31]);
    bench.slots(20);
    assert.equal((await statusOf(signature))['confirmations'], null);
  });

  test('has votes in its blocks', async () => {
    await open({ consensus: 'tower', votes: true });
    bench.slots(5);
    const { transactions } = await bench.call('getBlock', await slotOf('finalized'));
    assert.equal((transactions as unknown as readonly unknown[]).length, 1);
  });

  test('has not migrated where its node is of 4.4; an older node does not know the question', async () => {
    await open({ consensus: 'tower', agave: '4.4' });
    assert.equal(await bench.call('getAgGenesisCert'), null);
    for (const agave of ['4.2', '3.1'] as const) {
      bench.close();
      await open({ consensus: 'tower', agave });
      const { code, message } = await bench.fails('getAgGenesisCert');
      assert.deepEqual([code, message], [-32601, 'Method not found']);
    }
  });

  test('is what an older line of Agave means, which is refused together with Alpenglow', async () => {
    await open({ agave: '4.4' });
    assert.equal(bench.ledger.chain.consensus, 'alpenglow');
    for (const agave of ['4.2', '3.1'] as const) {
      bench.close();
      await open({ agave });
      assert.equal(bench.ledger.chain.consensus, 'tower');
      await assert.rejects(openLedger({ paused: true, consensus: 'alpenglow', agave }), {
        name: 'LedgerInputError',
        message: 'Agave 4.2 and 3.1 do not know Alpenglow. Use --agave 4.4, or --consensus tower.',
      });
    }
  });
});
