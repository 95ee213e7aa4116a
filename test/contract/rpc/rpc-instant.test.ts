// With `instant` every transaction gets a slot, which ends with it; finality comes when somebody asks for it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LedgerInputError } from '../../../localnet/node/open';
import { Feed } from '../../../localnet/websocket/feed';
import { Bench, bigOf, freshKey, memo, textOf, transfer, type Loose } from './rpc-harness';
import { plain } from '../v1/v1-bench';

const PROCESSED = { commitment: 'processed' } as const;

describe('instant, with TowerBFT', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open({ consensus: 'tower', instant: true, finalityLag: 31 });
  });
  after(() => bench.close());

  const statusOf = async (signature: string): Promise<Loose | null | undefined> =>
    (await bench.call('getSignatureStatuses', [signature])).value?.[0];

  test('a hundred sends have a hundred slots, each confirmed when its signature is answered', async () => {
    const first = Number(await bench.call('getSlot', PROCESSED));
    for (let at = 0; at < 100; at++) {
      const signature = await bench.transfer(freshKey().address, 1_000_000n + BigInt(at));
      const status = await statusOf(signature);
      assert.deepEqual([status?.['slot'], status?.['confirmationStatus']], [first + at, 'confirmed']);
    }
    assert.equal(Number(await bench.call('getSlot', PROCESSED)), first + 100);
    const block = await bench.call('getBlock', first + 40, { commitment: 'confirmed' });
    assert.equal((plain(block['transactions']) as unknown[]).length, 1);
  });
  test('an airdrop has one too', async () => {
    const slot = Number(await bench.call('getSlot', PROCESSED));
    const signature = textOf(await bench.call('requestAirdrop', freshKey().address, 1_000_000_000));
    assert.deepEqual(
      [(await statusOf(signature))?.['slot'], (await statusOf(signature))?.['confirmationStatus']],
      [slot, 'confirmed'],
    );
  });
  test('a read at finalized sees what was sent just before', async () => {
    const to = freshKey().address;
    const signature = await bench.transfer(to, 7_000_000n);
    assert.equal((await statusOf(signature))?.['confirmationStatus'], 'confirmed');
    assert.equal(bigOf((await bench.call('getBalance', to)).value), 7_000_000n);
    assert.equal((await statusOf(signature))?.['confirmationStatus'], 'finalized');
    const slot = await bench.call('getSlot', PROCESSED);
    await bench.call('getBalance', to);
    assert.equal(await bench.call('getSlot', PROCESSED), slot, 'nothing is left to be finalized');
  });
  test('a read at finalized ends no slot, so that blockhashes keep their age', async () => {
    await bench.transfer(freshKey().address);
    const height = Number(await bench.call('getBlockHeight', PROCESSED));
    for (let reads = 0; reads < 3; reads++)
      assert.equal(Number(await bench.call('getBlockHeight')), height - 1, 'every complete block is final');
    assert.equal(Number(await bench.call('getBlockHeight', PROCESSED)), height);
  });
  for (const [name, config] of Object.entries({
    'no options': {},
    'preflight at confirmed': { preflightCommitment: 'confirmed' },
    'no preflight': { skipPreflight: true },
  }))
    test(`100 sends on one blockhash all land, with ${name}`, async () => {
      const { value } = await bench.call('getLatestBlockhash');
      const hash = textOf(value?.['blockhash']);
      const sent: string[] = [];
      for (let at = 0n; at < 100n; at++) {
        const list = [transfer(bench.wallet.address, freshKey().address, 1_000_000n + at)];
        const wire = bench.signedOn(hash, list, [bench.wallet]);
        sent.push(textOf(await bench.call('sendTransaction', wire, { encoding: 'base64', ...config })));
      }
      const { value: statuses } = await bench.call('getSignatureStatuses', sent);
      assert.deepEqual(
        (plain(statuses) as (Loose | null)[]).map((status) => status?.['err']),
        sent.map(() => null),
      );
    });
  test('each slot becomes final once, in order', async () => {
    const [roots, views]: [number[], number[]] = [[], []];
    const stop = bench.ledger.events.on((event) => {
      if (event.kind !== 'slot' || event.status !== 'finalized') return;
      roots.push(event.slot);
      views.push(bench.ledger.view('finalized').slot);
    });
    await bench.call('getSlot');
    roots.length = views.length = 0;
    const first = Number(await bench.call('getSlot', PROCESSED));
    for (let sent = 0; sent < 3; sent++) await bench.transfer(freshKey().address);
    await bench.call('getSlot');
    bench.slots(1);
    await bench.call('getSlot');
    stop();
    assert.deepEqual(roots, [first, first + 1, first + 2, first + 3]);
    assert.deepEqual(views, roots, 'the view at finalized is that of the slot');
  });
  test('what is final stays final when the ledger is opened again', async () => {
    const options = { consensus: 'tower', seed: 'kept', instant: true, finalityLag: 31 } as const;
    const first = await Bench.open(options);
    const signature = await first.transfer(freshKey().address);
    await first.call('getSlot');
    const saved = [...first.ledger.saved()];
    first.close();
    const second = await Bench.open({ ...options, saved });
    const { value } = await second.call('getSignatureStatuses', [signature]);
    second.close();
    assert.equal(value?.[0]?.['confirmationStatus'], 'finalized');
  });
  test('a subscriber to a signature at finalized is notified at once', async () => {
    const feed = new Feed(bench.ledger, Date.now);
    const stop = feed.start();
    const signature = await bench.transfer(freshKey().address, 8_000_000n);
    const seen: unknown[] = [];
    const subscription = feed.add(
      { kind: 'signature', signature, commitment: 'finalized', received: false },
      (result) => seen.push(plain(result)),
    );
    await feed.catchUp(subscription);
    stop();
    assert.deepEqual(
      seen.map((one) => (one as { value: unknown }).value),
      [{ err: null }],
    );
  });
});

describe('instant', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open({ instant: true });
  });
  after(() => bench.close());

  test('sends have a slot each, final when their signature is answered', async () => {
    const first = Number(await bench.call('getSlot', PROCESSED));
    for (let at = 0; at < 10; at++) {
      const signature = await bench.transfer(freshKey().address, 1_000_000n + BigInt(at));
      const { value } = await bench.call('getSignatureStatuses', [signature]);
      assert.deepEqual([value?.[0]?.['slot'], value?.[0]?.['confirmationStatus']], [first + at, 'finalized']);
    }
    assert.equal(Number(await bench.call('getSlot')), first + 9);
  });
  test('each slot becomes final once, in order', async () => {
    const roots: number[] = [];
    const stop = bench.ledger.events.on((event) => {
      if (event.kind === 'slot' && event.status === 'finalized') roots.push(event.slot);
    });
    const first = Number(await bench.call('getSlot', PROCESSED));
    for (let sent = 0; sent < 3; sent++) await bench.transfer(freshKey().address);
    await bench.call('getSlot');
    bench.slots(1);
    stop();
    assert.deepEqual(roots, [first, first + 1, first + 2, first + 3]);
  });
});

describe('without it', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open();
  });
  after(() => bench.close());

  test('finalize ends slots until everything sent is final', async () => {
    const signature = await bench.transfer(freshKey().address);
    bench.ledger.cheats.finalize();
    const { value } = await bench.call('getSignatureStatuses', [signature]);
    assert.equal(value?.[0]?.['confirmationStatus'], 'finalized');
    const slot = await bench.call('getSlot', PROCESSED);
    bench.ledger.cheats.finalize();
    assert.equal(await bench.call('getSlot', PROCESSED), slot);
  });
  test('snapshots have the names they are given', () => {
    const { cheats } = bench.ledger;
    const to = freshKey().address;
    assert.equal(cheats.snapshot('before'), 'before');
    assert.equal(cheats.snapshot(), 'snapshot-1');
    assert.equal(cheats.snapshot('snapshot-2'), 'snapshot-2');
    assert.equal(cheats.snapshot(), 'snapshot-3');
    cheats.fund(to, 5n);
    cheats.restore('before');
    assert.equal(bench.ledger.view('processed').get(to), undefined);
    cheats.fund(to, 6n);
    cheats.snapshot('before');
    assert.deepEqual(cheats.snapshots(), ['snapshot-1', 'snapshot-2', 'snapshot-3', 'before']);
    cheats.fund(to, 1n);
    cheats.restore('before');
    assert.equal(bench.ledger.view('processed').get(to)?.lamports, 6n);
    for (const name of ['', 'a b', 'x'.repeat(65), '../x'])
      assert.throws(() => cheats.snapshot(name), LedgerInputError);
  });
  test('the profile of a transaction names each instruction and its compute units', async () => {
    const signature = await bench.send([
      transfer(bench.wallet.address, freshKey().address, 1_000_000n),
      memo('profiled'),
      memo('and once more'),
    ]);
    const profile = bench.ledger.cheats.profile(signature);
    assert.deepEqual(
      profile.map(({ index, depth, failed }) => [index, depth, failed]),
      [
        [0, 1, false],
        [1, 1, false],
        [2, 1, false],
      ],
    );
    bench.slots(1);
    const record = await bench.call('getTransaction', signature, { commitment: 'confirmed' });
    assert.equal(
      profile.reduce((sum, { units = 0 }) => sum + units, 0),
      Number(record['meta']?.['computeUnitsConsumed']),
    );
    assert.throws(() => bench.ledger.cheats.profile('nothing'), LedgerInputError);
  });
});
