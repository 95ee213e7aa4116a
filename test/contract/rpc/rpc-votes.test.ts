// The validator votes: each block holds its vote for the block before, and everything that shows transactions shows it.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { openLedger } from '../../../localnet/node/open';
import type { SavedChange } from '../../../localnet/ledger/saved';
import { Bench, bigOf, freshKey, textOf, type Loose } from './rpc-harness';
import { keyOf } from '../../support/data/layouts';
import { VOTES } from '../../support/data/voteAccounts';
import { plain } from '../v1/v1-bench';

const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
const CONFIRMED = { commitment: 'confirmed' } as const;

let bench: Bench;
before(async () => {
  bench = await Bench.open({ consensus: 'tower', votes: true });
});
after(() => bench.close());

const newestBlock = async (config: Record<string, string> = {}): Promise<Loose> => {
  const slot = Number(await bench.call('getSlot', CONFIRMED));
  return await bench.call('getBlock', slot, { ...CONFIRMED, ...config });
};

const rowsOf = (value: unknown): readonly Loose[] => value as readonly Loose[];

describe('a block', () => {
  test('ends with the vote for the one before it', async () => {
    await bench.transfer(freshKey().address);
    bench.slots(1);
    const block = await newestBlock({ encoding: 'jsonParsed' });
    const transactions = rowsOf(block['transactions']);
    assert.equal(transactions.length, 2);
    const [instruction] = rowsOf(transactions[1]?.['transaction']?.['message']?.['instructions']);
    assert.deepEqual([instruction?.['program'], instruction?.['parsed']?.['type']], ['vote', 'vote']);
    const { identity, vote } = bench.ledger.validator;
    assert.deepEqual(plain(instruction?.['parsed']?.['info']), {
      clockSysvar: 'SysvarC1ock11111111111111111111111111111111',
      slotHashesSysvar: 'SysvarS1otHashes111111111111111111111111111',
      vote: {
        hash: block['previousBlockhash'],
        slots: [Number(block['parentSlot'])],
        timestamp: Number(await bench.call('getBlockTime', Number(block['parentSlot']))),
      },
      voteAccount: vote.address,
      voteAuthority: vote.address,
    });
    const [payer] = rowsOf(transactions[1]?.['transaction']?.['message']?.['accountKeys']);
    assert.equal(payer?.['pubkey'], identity.address);
  });
  test('an empty one holds the vote alone, and its meta adds up', async () => {
    bench.slots(2);
    const [only, ...more] = rowsOf((await newestBlock())['transactions']);
    assert.equal(more.length, 0);
    const meta = plain(only?.['meta']) as {
      fee: number;
      preBalances: number[];
      postBalances: number[];
      logMessages: string[];
    };
    assert.equal(meta.fee, 10_000);
    assert.equal((meta.preBalances[0] ?? 0) - (meta.postBalances[0] ?? 0), 10_000);
    assert.deepEqual(meta.preBalances.slice(1), meta.postBalances.slice(1));
    assert.deepEqual(meta.logMessages, [`Program ${VOTE_PROGRAM} invoke [1]`, `Program ${VOTE_PROGRAM} success`]);
  });
  test('both signatures of the vote verify', async () => {
    const [only] = rowsOf((await newestBlock({ encoding: 'base64' }))['transactions']).slice(-1);
    const wire = Buffer.from(textOf(only?.['transaction']?.[0]), 'base64');
    const { identity, vote } = bench.ledger.validator;
    [identity, vote].forEach(({ address }, at) => {
      const der = Buffer.concat([
        Buffer.from('302a300506032b6570032100', 'hex'),
        decodeBase58(address) ?? Buffer.alloc(32),
      ]);
      const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
      assert.ok(verify(null, wire.subarray(129), key, wire.subarray(1 + at * 64, 65 + at * 64)));
    });
  });
  test('counts its vote among the transactions', async () => {
    const count = async (): Promise<bigint> =>
      bigOf(await bench.call('getTransactionCount', { commitment: 'confirmed' }));
    const had = await count();
    bench.slots(3);
    assert.equal((await count()) - had, 3n);
  });
});

describe('a vote', () => {
  test('is found by its signature, and among those of its accounts', async () => {
    bench.finalize();
    const { identity, vote } = bench.ledger.validator;
    const [newest] = rowsOf(await bench.call('getSignaturesForAddress', vote.address, { limit: 3 }));
    const signature = textOf(newest?.['signature']);
    const [same] = rowsOf(await bench.call('getSignaturesForAddress', identity.address, { limit: 1 }));
    assert.equal(same?.['signature'], signature);
    const record = await bench.call('getTransaction', signature);
    assert.equal(record['slot'], newest?.['slot']);
    const { value } = await bench.call('getSignatureStatuses', [signature]);
    assert.deepEqual([value?.[0]?.['confirmationStatus'], value?.[0]?.['err']], ['finalized', null]);
  });
  test('is paid by the identity, whose balance goes down slot by slot', async () => {
    const { identity } = bench.ledger.validator;
    const balance = async (): Promise<bigint> =>
      bigOf((await bench.call('getBalance', identity.address, { commitment: 'processed' })).value);
    const had = await balance();
    bench.slots(4);
    assert.equal(had - (await balance()), 40_000n);
  });
  test('is what voteSubscribe gives the signature of', async () => {
    bench.slots(2);
    const block = await newestBlock();
    const [vote] = rowsOf(block['transactions']).slice(-1);
    const parent = Number(block['parentSlot']);
    const parentBlock = await bench.call('getBlock', parent, CONFIRMED);
    const cast = bench.ledger.vote?.({
      slot: parent,
      blockhash: textOf(block['previousBlockhash']),
      blockTime: Number(parentBlock['blockTime']),
    });
    assert.equal(vote?.['transaction']?.['signatures']?.[0], cast?.signature);
  });
  test('sets no price, and is counted separately in the samples', async () => {
    const fees = rowsOf(await bench.call('getRecentPrioritizationFees', [bench.ledger.validator.vote.address]));
    assert.deepEqual(new Set(fees.map(({ prioritizationFee }) => bigOf(prioritizationFee))), new Set([0n]));
    bench.ledger.cheats.timeTravel({ timestamp: Math.floor(Date.now() / 1000) + 600 });
    bench.slots(3);
    const [sample] = rowsOf(await bench.call('getRecentPerformanceSamples', 1));
    assert.ok(Number(sample?.['numTransactions']) > Number(sample?.['numNonVoteTransactions']));
  });
});

test('votes are kept with their blocks', async () => {
  const seed = 'votes that are kept';
  const first = await Bench.open({ seed, votes: true });
  await first.transfer(freshKey().address);
  first.finalize();
  const slot = Number(await first.call('getSlot')) - 2;
  const before = plain(await first.call('getBlock', slot, { maxSupportedTransactionVersion: 0 }));
  const saved: SavedChange[] = [...first.ledger.saved()];
  first.close();
  const ledger = await openLedger({ seed, paused: true, finalityLag: 4, saved });
  const outcome = await ledger.rpc.call('getBlock', [slot, { maxSupportedTransactionVersion: 0 }], { staked: false });
  assert.ok(outcome.ok);
  assert.deepEqual(plain(outcome.result), before);
  ledger.close();
});

test('a ledger that does not vote has empty blocks', async () => {
  const quiet = await Bench.open();
  quiet.slots(3);
  const slot = Number(await quiet.call('getSlot', CONFIRMED));
  const block = await quiet.call('getBlock', slot, CONFIRMED);
  assert.deepEqual(plain(block['transactions']), []);
  quiet.close();
});

describe('vote accounts of other versions', () => {
  const rowOf = async (address: string): Promise<unknown> => {
    const config = { commitment: 'processed', keepUnstakedDelinquents: true };
    const { delinquent } = await bench.call('getVoteAccounts', config);
    return plain(rowsOf(delinquent).filter(({ votePubkey }) => textOf(votePubkey) === address));
  };
  const keep = (data: Uint8Array): string => {
    const { address } = freshKey();
    bench.ledger.cheats.setAccount(address, { lamports: 10n ** 10n, owner: VOTE_PROGRAM, data });
    return address;
  };

  for (const [version, data] of VOTES.slice(1))
    test(`${version} is a row of getVoteAccounts`, async () => {
      const address = keep(data);
      bench.slots(200);
      assert.deepEqual(await rowOf(address), [
        {
          activatedStake: 0,
          commission: 9,
          epochCredits: [[5, 30, 20]],
          epochVoteAccount: false,
          inflationRewardsCommissionBps: 900,
          lastVote: 50,
          nodePubkey: encodeBase58(keyOf(0xaa)),
          rootSlot: 40,
          votePubkey: address,
        },
      ]);
    });

  const [[, oldest = new Uint8Array()] = []] = VOTES;
  for (const [what, data] of [
    ['0.23.5, which nodes no longer read', oldest],
    ['another version', Buffer.concat([Uint8Array.of(4, 0, 0, 0), oldest.subarray(4)])],
    ['data that ends early', (VOTES[1]?.[1] ?? oldest).subarray(0, 1_000)],
  ] as const)
    test(`${what} is left out`, async () => {
      assert.deepEqual(await rowOf(keep(data)), []);
    });
});

for (const votes of [true, false])
  test(`the vote account is current ${votes ? 'where votes are in blocks' : 'without votes in blocks'}`, async (t) => {
    const LAG = 4;
    const ledger = await Bench.open({ consensus: 'tower', votes, finalityLag: LAG });
    t.after(() => ledger.close());
    const { vote } = ledger.ledger.validator;
    const seen = async (): Promise<readonly number[]> => {
      const { current } = await ledger.call('getVoteAccounts', { commitment: 'processed' });
      const [row] = rowsOf(current);
      assert.equal(row?.['votePubkey'], vote.address);
      const [[epoch, credits] = []] = row['epochCredits'] as never as readonly (readonly bigint[])[];
      const slot = Number(await ledger.call('getSlot', { commitment: 'processed' }));
      const config = { encoding: 'jsonParsed', commitment: 'processed' };
      const info = (await ledger.call('getAccountInfo', vote.address, config)).value?.['data']?.['parsed']?.['info'];
      assert.equal(Number(info?.['rootSlot']), Number(row['rootSlot']));
      const newest = rowsOf(info?.['votes']).at(-1);
      assert.deepEqual([Number(newest?.['slot']), newest?.['confirmationCount']], [Number(row['lastVote']), 1]);
      assert.equal(Number(epoch), 0);
      return [slot - Number(row['lastVote']), slot - Number(row['rootSlot']), Number(credits)];
    };
    ledger.slots(3 * LAG);
    const before = await seen();
    assert.deepEqual(before.slice(0, 2), [1, LAG]);
    ledger.slots(7);
    // Sixteen credits for each root.
    assert.deepEqual(await seen(), [1, LAG, (before[2] ?? 0) + 7 * 16]);
  });
