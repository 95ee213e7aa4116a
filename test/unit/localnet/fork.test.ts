// A forked ledger over a source in memory: what it asks for, how often, and what becomes of it.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { RpcOutcome, WireJson } from '../../../localnet/api';
import { openLedger, type AccountState, type ForkSource, type Ledger } from '../../../localnet/node/open';

const addressOf = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const SYSTEM = '11111111111111111111111111111111';
const account = (lamports: bigint, owner = SYSTEM): AccountState => ({
  ...{ lamports, owner, executable: false },
  data: new Uint8Array(),
  rentEpoch: 0n,
});

class Source implements ForkSource {
  readonly name = 'memory';
  readonly asked: (readonly string[])[] = [];
  fails = false;

  constructor(private readonly accountsOf: ReadonlyMap<string, AccountState>) {}

  get reads(): number {
    return this.asked.length;
  }

  accounts(addresses: readonly string[]): ReturnType<ForkSource['accounts']> {
    this.asked.push(addresses);
    if (this.fails) return Promise.reject(new Error('memory could not be read: it is away.'));
    return Promise.resolve({ slot: 900, accounts: addresses.map((address) => this.accountsOf.get(address)) });
  }
}

async function forked(t: TestContext, source: Source): Promise<Ledger> {
  const ledger = await openLedger({ paused: true, seed: 'fork', fork: source });
  t.after(() => ledger.close());
  return ledger;
}

const call = async (ledger: Ledger, method: string, ...params: readonly string[]): Promise<RpcOutcome> =>
  ledger.rpc.call(method, [...params], { staked: false });

async function balanceOf(ledger: Ledger, address: string): Promise<WireJson | undefined> {
  const outcome = await call(ledger, 'getBalance', address);
  assert.ok(outcome.ok, outcome.ok ? undefined : outcome.error.message);
  const { result } = outcome;
  return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined;
}

const [one, two, three] = [addressOf(1), addressOf(2), addressOf(3)];

test('Calls of one moment are one question, and nobody asks twice', async (t) => {
  const source = new Source(
    new Map([
      [one, account(11n)],
      [two, account(22n)],
    ]),
  );
  const ledger = await forked(t, source);
  const read = (): Promise<unknown> => Promise.all([one, two, three, one].map((address) => balanceOf(ledger, address)));
  assert.deepEqual(await read(), [11n, 22n, 0n, 11n]);
  assert.deepEqual(await read(), [11n, 22n, 0n, 11n]);
  assert.deepEqual(source.asked, [[one, two, three]]);
  assert.deepEqual(await balanceOf(ledger, ledger.wallet.address), 1_000_000_000_000n);
  assert.equal(source.reads, 1);
});

test('A source that fails makes the call fail, and is asked again by the next one', async (t) => {
  const source = new Source(new Map([[one, account(11n)]]));
  const ledger = await forked(t, source);
  source.fails = true;
  const failed = await call(ledger, 'getBalance', one);
  assert.deepEqual(failed, { ok: false, error: { code: -32603, message: 'memory could not be read: it is away.' } });
  source.fails = false;
  assert.equal(await balanceOf(ledger, one), 11n);
});

for (const [name, owner] of [
  ['A native program', 'NativeLoader1111111111111111111111111111111'],
  ['A sysvar', 'Sysvar1111111111111111111111111111111111111'],
  ['A feature', 'Feature111111111111111111111111111111111111'],
] as const)
  test(`${name} of the source that the engine does not run is not there, read by itself or in a list`, async (t) => {
    const strange = account(1n, owner);
    const ledger = await forked(t, new Source(new Map([[one, strange]])));
    assert.equal(await balanceOf(ledger, one), 0n);
    ledger.fork?.take([[two, { slot: 900, account: strange }]]);
    assert.equal(await balanceOf(ledger, two), 0n);
    assert.equal(ledger.fork?.fetched, 0);
  });

test('A fetched account is not an event; reset and restore go back to it', async (t) => {
  const source = new Source(
    new Map([
      [one, account(11n)],
      [two, account(22n)],
    ]),
  );
  const ledger = await forked(t, source);
  const reported: string[] = [];
  t.after(ledger.events.on((event) => void (event.kind === 'account' && reported.push(event.address))));
  assert.equal(await balanceOf(ledger, one), 11n);
  ledger.cheats.fund(one, 4n);
  const name = ledger.cheats.snapshot();
  assert.equal(await balanceOf(ledger, two), 22n);
  assert.deepEqual(reported, [one]);
  ledger.cheats.fund(one, 5n);
  ledger.cheats.fund(two, 5n);
  ledger.cheats.restore(name);
  assert.deepEqual([await balanceOf(ledger, one), await balanceOf(ledger, two)], [15n, 22n]);
  ledger.cheats.reset();
  assert.deepEqual([await balanceOf(ledger, one), await balanceOf(ledger, two)], [11n, 22n]);
  // An account that was emptied here is not fetched again.
  ledger.cheats.setAccount(one, { lamports: 0n });
  assert.equal(await balanceOf(ledger, one), 0n);
  assert.equal(source.reads, 2);
});

test('More than one question of 100 accounts is several', async (t) => {
  const source = new Source(new Map());
  const ledger = await forked(t, source);
  const many = Array.from({ length: 250 }, (_, index) => {
    const bytes = new Uint8Array(32).fill(9);
    new DataView(bytes.buffer).setUint32(0, index);
    return encodeBase58(bytes);
  });
  await ledger.fork?.touch(many);
  assert.deepEqual(
    source.asked.map(({ length }) => length),
    [100, 100, 50],
  );
  assert.deepEqual(ledger.fork?.status().absent, 250);
});
