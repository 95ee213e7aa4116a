// Which features of the engine are active: by default mainnet's, with `all` every one, and never those that were switched off.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { loadNative } from '../../../localnet/ledger/engine/native';
import type { LedgerOptions } from '../../../localnet/node/open';
import { Bench, bytesOf, freshKey, textOf, u32, u64, type Loose } from './rpc-harness';

const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111';
const FEATURES = 'Feature111111111111111111111111111111111111';
/** 128 account locks; on mainnet there are 64. */
const LOCKS = '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK';
/** Transactions of version 1. */
const VERSION_1 = 'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL';
const P_TOKEN = 'ptokFjwyJtrwCa9Kgo9xoDS59V4QccBGEaRFnRPnSdP';
const RENT_5080 = '61BtM7BkDEE8Yq5fskEVAQT9mYA8qCejJWoLe5apqg81';
const SLOT_200 = 'iBRLjhJnkmDZgNoZRDMW11d8ZV7HvsL3vAyRjZB5npW';
/** Calls of depth 8, SBPFv3 alone, accounts mapped into programs, SHA-512, and features that were given up. */
const OFF = [
  '6TkHkRmP7JZy1fdM6fg5uXn76wChQBWGokHBJzrLB3mj',
  'B8JJXCy5amZyWG9r7EnUYLwzXSXTxG7GZ1qZ1qggo83g',
  'CR3dVN2Yoo95Y96kLSTaziWDAQT2MNEpiWh5cqVq2pNE',
  '7VgiehxNxu53KdxgLspGQY8myE6f7UokaWa4jsGcaSz',
  'ptr9umikaeAS7ZBBp2fsfRhie16F1V2jCKA2y6gXNAK',
  's512oDwgx8hjMnaQjXfqqrZroVj4HvC6TkN3iSSWXCh',
  'B1ockRevenueSharing111111111111111111111111',
  'TestFeature11111111111111111111111111111111',
  LOCKS,
];
/** Features that mainnet activated after the engine's list was made. */
const SINCE = [
  VERSION_1,
  RENT_5080,
  SLOT_200,
  // Rent of 6,333, and slots of 300 and 250 ms.
  '4a6f7o7iTcA8hRDCrPLkSatnt5Ykxiu36wo5p1Tt12wC',
  'iBRLL3k18HST852F1Mf3Lv83waTNQmmqvKDxvYGwQFL',
  'iBRLMc81UjRa8fn8A6eE8bJTnRbgQoPTynM51akENCV',
  // A withdrawal leaves the minimum of today, not of the account's creation.
  'BY4JhHLahVzS9ynfDz4exzGPbVXhFmJvEyMWsXbDBqME',
  // Commission goes to a collector's account.
  '3HcSrCTGXTUnrTueHi4DAwNuMxZSsm5xui2Ax3mgxHqf',
  // Stake program 5.1 (SIMD-0391).
  's51VGwCAgebo2745DSUris72RavoLkXGUmVJosESCXr',
];
const STRANGER = 'SysvarRent111111111111111111111111111111111';

const BUDGET = 'ComputeBudget111111111111111111111111111111';
/** A limit of 200,000 compute units. */
const LIMIT = Uint8Array.of(2, 64, 13, 3, 0);

class Switched {
  private constructor(
    readonly bench: Bench,
    readonly active: ReadonlySet<string>,
  ) {}

  static async open(options: LedgerOptions = {}): Promise<Switched> {
    const bench = await Bench.open({ consensus: 'alpenglow', ...options });
    const list = await bench.call('getProgramAccounts', FEATURES, { encoding: 'base64' });
    return new Switched(bench, new Set((list as unknown as readonly Loose[]).map(({ pubkey }) => textOf(pubkey))));
  }

  readonly are = (features: readonly string[]): readonly boolean[] =>
    features.map((feature) => this.active.has(feature));

  /** The outcome of a transaction that locks 70 accounts of a lookup table. */
  async manyLocks(): Promise<unknown> {
    const addresses = Array.from({ length: 70 }, () => freshKey().address);
    const table = freshKey().address;
    const head = [u32(1), u64(2n ** 64n - 1n), u64(0n), Uint8Array.of(0, 1), bytesOf(table), new Uint8Array(2)];
    const data = Buffer.concat([...head, ...addresses.map(bytesOf)]);
    this.bench.ledger.cheats.setAccount(table, { lamports: 10n ** 9n, owner: LOOKUP_TABLES, data });
    const limit = { program: BUDGET, accounts: addresses.map((address) => ({ address })), data: LIMIT };
    const wire = await this.bench.versioned([limit], [{ address: table, addresses }]);
    const answer = await this.bench.call('simulateTransaction', wire, { encoding: 'base64', commitment: 'processed' });
    return answer['value']?.['err'];
  }
}

/** Opens a ledger for the tests of a group. */
function opened(options?: LedgerOptions): () => Switched {
  let ledger: Switched;
  before(async () => {
    ledger = await Switched.open(options);
  });
  after(() => ledger.bench.close());
  return () => ledger;
}

describe('the features of mainnet', () => {
  const ledger = opened();
  test('what mainnet has is active, also what it has since autumn', () => {
    const on = [VERSION_1, RENT_5080, SLOT_200, P_TOKEN];
    assert.deepEqual(
      ledger().are(on),
      on.map(() => true),
    );
  });
  test('what mainnet does not have is not', () => {
    assert.deepEqual(
      ledger().are(OFF),
      OFF.map(() => false),
    );
  });
  test('a transaction that locks 70 accounts is refused', async () => {
    assert.equal(await ledger().manyLocks(), 'TooManyAccountLocks');
  });
});

test('the list of what mainnet does not have is complete for this engine', async () => {
  const { FeatureSet, LiteSvm } = await loadNative();
  const known = FeatureSet.allEnabled().getActiveFeatures().map(encodeBase58);
  const own = new LiteSvm().getProgramAccounts(bytesOf(FEATURES)).map(({ address }) => encodeBase58(address));
  const { bench, active } = await Switched.open();
  bench.close();
  const since = known.filter((feature) => active.has(feature) && !own.includes(feature));
  const unlisted = own.filter((feature) => !active.has(feature));
  assert.deepEqual([since.toSorted(), unlisted], [SINCE.toSorted(), []]);
});

describe('the features of mainnet before Alpenglow', () => {
  const ledger = opened({ consensus: 'tower' });
  test('neither its rent nor its slots are active', () => {
    assert.deepEqual(ledger().are([VERSION_1, RENT_5080, SLOT_200]), [true, false, false]);
  });
});

describe('every feature of the engine', () => {
  const ledger = opened({ features: { set: 'all', off: [] } });
  test('is active', () => {
    assert.deepEqual(
      ledger().are(OFF),
      OFF.map(() => true),
    );
  });
  test('a transaction may lock 70 accounts', async () => {
    assert.equal(await ledger().manyLocks(), null);
  });
});

describe('the features of a source', () => {
  const sourceFeatures = [LOCKS, STRANGER];
  const ledger = opened({ sourceFeatures });
  test('are active, and no other', async () => {
    assert.deepEqual([...ledger().active], [LOCKS]);
    assert.equal(await ledger().manyLocks(), null);
  });

  test('give way to a set that is named, and to what is switched off', async () => {
    for (const [features, active] of [
      [{ set: 'mainnet', off: [] }, [false, true]],
      [{ set: 'all', off: [] }, [true, true]],
      [{ off: [LOCKS] }, [false, false]],
    ] as const) {
      const { bench, are } = await Switched.open({ sourceFeatures, features });
      bench.close();
      assert.deepEqual(are([LOCKS, VERSION_1]), active);
    }
  });
});

describe('features that are switched off', () => {
  const ledger = opened({ features: { set: 'all', off: [LOCKS, STRANGER] } });
  test('are not active', async () => {
    assert.deepEqual(ledger().are([LOCKS, VERSION_1]), [false, true]);
    assert.equal(await ledger().manyLocks(), 'TooManyAccountLocks');
  });
  test('the ledger names those that the engine does not know', () => {
    assert.deepEqual(ledger().bench.ledger.unknownFeatures, [STRANGER]);
  });
  test('the feature set of the version names the known features, active or not', async () => {
    const other = await Switched.open();
    const [one, two] = [await ledger().bench.call('getVersion'), await other.bench.call('getVersion')];
    assert.equal(one['feature-set'], two['feature-set']);
    other.bench.close();
  });
});
