// The admin interface's hand on the ledger.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openLedger, LedgerInputError, type Ledger, type LedgerEvent } from '../../../localnet/node/open';

const SOMEBODY = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS';
const OTHER = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const OWNER = 'Vote111111111111111111111111111111111111111';

describe('cheats', () => {
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger({ paused: true, finalityLag: 4 });
  });
  after(() => ledger.close());
  const lamports = async (address: string): Promise<unknown> => {
    const outcome = await ledger.rpc.call('getBalance', [address], { staked: false });
    return outcome.ok ? (outcome.result as { value: unknown }).value : outcome.error;
  };

  test('fund adds to what is there', async () => {
    ledger.cheats.fund(SOMEBODY, 5n);
    ledger.cheats.fund(SOMEBODY, 6n);
    assert.equal(await lamports(SOMEBODY), 11n);
  });
  test('setAccount changes what the patch names and keeps the rest', async () => {
    ledger.cheats.setAccount(SOMEBODY, { lamports: 7n, data: Uint8Array.of(1, 2) });
    ledger.cheats.setAccount(SOMEBODY, { owner: OWNER });
    const [, account] = [...ledger.accounts()].find(([address]) => address === SOMEBODY) ?? [];
    assert.deepEqual([account?.lamports, account?.owner, [...(account?.data ?? [])]], [7n, OWNER, [1, 2]]);
  });
  test('setAccount with no lamports removes the account', async () => {
    ledger.cheats.setAccount(SOMEBODY, { lamports: 0n });
    assert.equal(await lamports(SOMEBODY), 0n);
    assert.ok(![...ledger.accounts()].some(([address]) => address === SOMEBODY));
  });
  test('time travel has an end, for slots, epochs and Unix times', () => {
    const { slot } = ledger.view('processed');
    const [most, exact] = [Number.MAX_SAFE_INTEGER, 1_000_000_000_000];
    const wrongs = [{ slot: most }, { slot: exact + 1 }, { epoch: most }, { epoch: exact }, { slot: 2 ** 60 }];
    for (const to of [...wrongs, { slot: Infinity }])
      assert.throws(() => ledger.cheats.timeTravel(to), {
        name: 'LedgerInputError',
        message: `Time travel goes up to slot ${exact}.`,
      });
    for (const timestamp of [most, 100_000_000_000, 1e300])
      assert.throws(() => ledger.cheats.timeTravel({ timestamp }), {
        name: 'LedgerInputError',
        message: 'Time travel goes up to Unix time 99999999999.',
      });
    for (const wrong of [NaN, 0.5, -1])
      for (const name of ['slot', 'timestamp'])
        assert.throws(() => ledger.cheats.timeTravel({ [name]: wrong }), /goes forward only/);
    assert.equal(ledger.view('processed').slot, slot);
  });
  test('at the end of its time and of its slots the ledger works', async () => {
    const far = await openLedger({ paused: true, finalityLag: 4 });
    far.cheats.timeTravel({ slot: 1_000_000_000_000, timestamp: 99_999_999_999 });
    far.cheats.nextSlot(6);
    const outcome = await far.rpc.call('requestAirdrop', [SOMEBODY, 1_000_000], { staked: false });
    assert.ok(outcome.ok);
    for (const method of ['getEpochInfo', 'getLeaderSchedule', 'getRecentPerformanceSamples', 'getInflationRate'])
      assert.ok((await far.rpc.call(method, [], { staked: false })).ok, method);
    assert.equal(far.view('processed').slot, 1_000_000_000_006);
    far.close();
  });
  test('an account holds 10 MiB and no more, and its numbers have 64 bits', () => {
    const most = 10_485_760;
    ledger.cheats.setAccount(OTHER, { lamports: 1n, data: new Uint8Array(most) });
    const before = ledger.view('processed').get(OTHER);
    assert.throws(() => ledger.cheats.setAccount(OTHER, { data: new Uint8Array(most + 1) }), /holds up to 10485760/);
    for (const rentEpoch of [-1n, 2n ** 64n])
      assert.throws(() => ledger.cheats.setAccount(OTHER, { rentEpoch }), /rentEpoch must fit into 64 bits/);
    assert.throws(() => ledger.cheats.loadProgram(OTHER, new Uint8Array(most + 1)), /holds up to 10485760 bytes/);
    assert.equal(ledger.view('processed').get(OTHER), before);
  });
  test('the oldest of seventeen snapshots is forgotten', () => {
    const names = Array.from({ length: 17 }, (_, index) => ledger.cheats.snapshot(`kept-${index}`));
    assert.deepEqual(ledger.cheats.snapshots(), names.slice(1));
    assert.throws(() => ledger.cheats.restore('kept-0'), LedgerInputError);
    ledger.cheats.restore('kept-1');
  });
  test('bad input is a LedgerInputError and changes nothing', () => {
    for (const act of [
      () => ledger.cheats.fund('no address', 1n),
      () => ledger.cheats.fund(SOMEBODY, 2n ** 64n),
      () => ledger.cheats.fund(SOMEBODY, -1n),
      () => ledger.cheats.setAccount(SOMEBODY, { lamports: 1n, owner: 'x' }),
      () => ledger.cheats.nextSlot(0),
      () => ledger.cheats.nextSlot(1e9),
      () => ledger.cheats.timeTravel({}),
      () => ledger.cheats.timeTravel({ slot: 1 }),
      () => ledger.cheats.timeTravel({ timestamp: 1 }),
      () => ledger.cheats.traffic(-1),
      () => ledger.cheats.traffic(1e9),
      () => ledger.cheats.loadProgram(SOMEBODY, Uint8Array.of(1, 2, 3)),
      () => ledger.cheats.setAccount('SysvarC1ock11111111111111111111111111111111', { data: Uint8Array.of(1) }),
      () => ledger.cheats.restore('snapshot-99'),
    ])
      assert.throws(act, LedgerInputError, act.toString());
  });
  test('restore puts accounts back, removes new ones and lets slots continue', async () => {
    ledger.cheats.fund(SOMEBODY, 100n);
    const name = ledger.cheats.snapshot();
    ledger.cheats.fund(SOMEBODY, 900n);
    ledger.cheats.fund(OWNER.replace('Vote', 'Vota'), 3n);
    ledger.cheats.nextSlot(3);
    ledger.cheats.restore(name);
    assert.equal(await lamports(SOMEBODY), 100n);
    assert.equal(await lamports(OWNER.replace('Vote', 'Vota')), 0n);
  });
  test('reset goes back to the accounts of the beginning', async () => {
    ledger.cheats.fund(ledger.wallet.address, 1n);
    ledger.cheats.fund(SOMEBODY, 1n);
    ledger.cheats.reset();
    assert.equal(await lamports(ledger.wallet.address), 1_000_000_000_000n);
    assert.equal(await lamports(SOMEBODY), 0n);
  });
  test('traffic lands transfers in blocks until it is ended', async () => {
    const landed = new Promise<void>((resolve) => {
      let count = 0;
      const stop = ledger.events.on((event: LedgerEvent) => {
        if (event.kind !== 'transaction' || ++count < 5) return;
        assert.equal(event.record.meta.err, null);
        stop();
        resolve();
      });
    });
    ledger.cheats.traffic(200);
    await landed;
    ledger.cheats.traffic(0);
  });
});

describe('the ledger', () => {
  test('the same seed gives the same wallet and blockhashes, no seed gives fresh ones', async () => {
    const hashOf = async (ledger: Ledger): Promise<unknown> => {
      const outcome = await ledger.rpc.call('getLatestBlockhash', [], { staked: false });
      ledger.close();
      return outcome.ok && (outcome.result as { value: { blockhash: string } }).value.blockhash;
    };
    const [a, b, c] = [
      await openLedger({ paused: true, seed: 's' }),
      await openLedger({ paused: true, seed: 's' }),
      await openLedger({ paused: true }),
    ];
    assert.equal(a.wallet.address, b.wallet.address);
    assert.notEqual(a.wallet.address, c.wallet.address);
    const [ha, hb, hc] = [await hashOf(a), await hashOf(b), await hashOf(c)];
    assert.equal(ha, hb);
    assert.notEqual(ha, hc);
  });
  test('a slot reports created, its accounts and transactions, its fee, processed, confirmed, finalized, in this order', async () => {
    const ledger = await openLedger({ paused: true, finalityLag: 2 });
    const seen: string[] = [];
    let watched: number | undefined;
    ledger.events.on((event) => {
      const slot = event.kind === 'transaction' ? event.record.slot : event.slot;
      if (event.kind === 'slot' && event.status === 'created') watched ??= slot;
      if (slot === watched) seen.push(event.kind === 'slot' ? event.status : event.kind);
    });
    ledger.cheats.nextSlot();
    await ledger.rpc.call('requestAirdrop', [SOMEBODY, 1_000_000_000], { staked: false });
    ledger.cheats.nextSlot(3);
    ledger.close();
    const landed = ['account', 'account', 'transaction'];
    const fee = 'account';
    assert.deepEqual(seen, ['created', ...landed, fee, 'processed', 'confirmed', 'finalized']);
  });
  test('after close every call is refused', async () => {
    const ledger = await openLedger({ paused: true });
    ledger.close();
    const outcome = await ledger.rpc.call('getSlot', [], { staked: false });
    assert.equal(outcome.ok ? 0 : outcome.error.code, -32603);
  });
});
