// The ledger before the first transaction, as a validator's genesis and its first slots make it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, bigOf, freshKey, textOf, TOKEN, TOKEN_2022, type Loose } from './rpc-harness';

const SYSVARS: readonly (readonly [name: string, bytes: number])[] = [
  ['SysvarC1ock11111111111111111111111111111111', 40],
  ['SysvarEpochRewards1111111111111111111111111', 81],
  ['SysvarEpochSchedu1e111111111111111111111111', 33],
  ['SysvarLastRestartS1ot1111111111111111111111', 8],
  ['SysvarRecentB1ockHashes11111111111111111111', 6_008],
  ['SysvarRent111111111111111111111111111111111', 17],
  ['SysvarS1otHashes111111111111111111111111111', 20_488],
  ['SysvarS1otHistory11111111111111111111111111', 131_097],
  ['SysvarStakeHistory1111111111111111111111111', 16_392],
];

const BUILTINS: readonly (readonly [address: string, data: string])[] = [
  ['11111111111111111111111111111111', 'system_program'],
  ['Vote111111111111111111111111111111111111111', 'vote_program'],
  ['ComputeBudget111111111111111111111111111111', 'compute_budget_program'],
  ['BPFLoader1111111111111111111111111111111111', 'solana_bpf_loader_deprecated_program'],
  ['BPFLoader2111111111111111111111111111111111', 'solana_bpf_loader_program'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'solana_bpf_loader_upgradeable_program'],
  ['Ed25519SigVerify111111111111111111111111111', ''],
];

const STAKE_CONFIG = 'StakeConfig11111111111111111111111111111111';

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

async function account(address: string, encoding = 'base64'): Promise<Loose | null> {
  const { value } = await bench.call('getAccountInfo', address, { encoding, commitment: 'processed' });
  return value as Loose | null;
}

const bytesOf = (shown: Loose | null | undefined): Buffer => Buffer.from(textOf(shown?.['data']?.[0]), 'base64');

describe('sysvars', () => {
  for (const [address, bytes] of SYSVARS)
    test(`${address} has ${bytes} bytes and the lamports for them`, async () => {
      const shown = await account(address);
      assert.equal(shown?.['space'], bytes);
      assert.equal(bytesOf(shown).length, bytes);
      const least = await bench.call('getMinimumBalanceForRentExemption', bytes);
      assert.equal(bigOf(shown['lamports']), bigOf(least));
    });
  test('the recent blockhashes begin with that of the newest closed block', async () => {
    const shown = await account('SysvarRecentB1ockHashes11111111111111111111', 'jsonParsed');
    const hashes = shown?.['data']?.['parsed']?.['info'];
    assert.equal(hashes?.[0]?.['blockhash'], await bench.blockhash());
    assert.equal(hashes[0]['feeCalculator']?.['lamportsPerSignature'], '5000');
  });
  test('the slot history has a bit for every slot with a block', async () => {
    bench.ledger.cheats.timeTravel({ slot: 1_000 });
    const data = bytesOf(await account('SysvarS1otHistory11111111111111111111111111'));
    const has = (slot: number): boolean => ((data[9 + (slot >> 3)] ?? 0) & (1 << (slot & 7))) !== 0;
    assert.deepEqual([3, 500, 999, 1_000, 1_001].map(has), [true, false, true, true, false]);
    assert.equal(data.readBigUInt64LE(data.length - 8), 1_001n);
  });
  test('there is no sysvar of fees', async () => {
    assert.equal(await account('SysvarFees111111111111111111111111111111111'), null);
  });
});

describe('programs', () => {
  for (const [address, data] of BUILTINS)
    test(`${address} says ${data === '' ? 'nothing' : data}`, async () => {
      const shown = await account(address);
      assert.equal(bytesOf(shown).toString(), data);
      assert.deepEqual(
        [shown?.['executable'], shown?.['owner']],
        [true, 'NativeLoader1111111111111111111111111111111'],
      );
      assert.equal(bigOf(shown?.['lamports']), 1n);
    });
  test('every active feature has its account', async () => {
    const features = await bench.call('getProgramAccounts', 'Feature111111111111111111111111111111111111', {
      encoding: 'base64',
    });
    const list = features as unknown as readonly Loose[];
    assert.ok(list.length > 200);
    for (const { account } of list) {
      assert.deepEqual([...bytesOf(account)], [1, 0, 0, 0, 0, 0, 0, 0, 0]);
      assert.equal(bigOf(account?.['lamports']), 695_960n);
    }
  });
  test('the stake configuration is there', async () => {
    const shown = await account(STAKE_CONFIG);
    assert.equal(shown?.['owner'], 'Config1111111111111111111111111111111111111');
    assert.equal(shown['space'], 10);
    assert.equal(bytesOf(shown).readDoubleLE(1), 0.25);
    assert.equal(bigOf(shown['rentEpoch']), 0n);
  });
});

describe('mints', () => {
  test('wrapped SOL has a mint of the Token program', async () => {
    const shown = await account('So11111111111111111111111111111111111111112');
    assert.deepEqual([shown?.['owner'], shown?.['space']], [TOKEN, 82]);
    assert.equal(bigOf(shown?.['lamports']), 1_000_000_000n);
  });
  test('wrapped SOL of Token-2022 has none', async () => {
    assert.equal(await account('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP'), null);
    assert.deepEqual(await bench.call('getProgramAccounts', TOKEN_2022, { encoding: 'base64' }), []);
  });
});

test('accounts of genesis take the place of those from files', async () => {
  const seed = 'genesis and files';
  const first = await Bench.open({ seed });
  const { identity, vote } = first.ledger.validator;
  first.close();
  const given = freshKey().address;
  const of = {
    lamports: 7n,
    owner: '11111111111111111111111111111111',
    data: new Uint8Array(),
    executable: false,
    rentEpoch: 0n,
  };
  const second = await Bench.open({
    seed,
    accounts: [
      ...[identity.address, vote.address, given],
      ...['So11111111111111111111111111111111111111112', STAKE_CONFIG],
    ].map((address) => [address, of] as const),
  });
  const balance = async (address: string): Promise<bigint> =>
    bigOf((await second.call('getBalance', address, { commitment: 'processed' })).value);
  assert.equal(await balance(given), 7n);
  assert.ok((await balance(identity.address)) > 10n ** 11n);
  assert.equal(await balance(vote.address), 10n ** 15n);
  assert.equal(await balance('So11111111111111111111111111111111111111112'), 10n ** 9n);
  assert.equal(await balance(STAKE_CONFIG), 701_040n);
  const { value } = await second.call('getAccountInfo', STAKE_CONFIG, { encoding: 'base64', commitment: 'processed' });
  assert.equal(bigOf(value?.['rentEpoch']), 0n);
  second.close();
});
