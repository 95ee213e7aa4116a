// Rent as the chain of the ledger has it: one rate for every account of genesis, every sysvar and every minimum.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answerCheat } from '../../../localnet/admin/cheats';
import { Bench, bigOf, freshKey, SYSTEM, textOf, transfer, TOKEN, type Loose } from './rpc-harness';

const RENT = 'SysvarRent111111111111111111111111111111111';
const FEATURES = 'Feature111111111111111111111111111111111111';
const SYSVARS = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  RENT,
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
];

const CHAINS = [
  { consensus: 'alpenglow', rate: 5_080n, empty: 650_240n, token: 1_488_440n },
  { consensus: 'tower', rate: 6_960n, empty: 890_880n, token: 2_039_280n },
] as const;

for (const { consensus, rate, empty, token } of CHAINS)
  describe(`rent on ${consensus}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await Bench.open({ consensus });
    });
    after(() => bench.close());
    const least = async (bytes: number): Promise<bigint> =>
      bigOf(await bench.call('getMinimumBalanceForRentExemption', bytes));
    const account = async (address: string, encoding: string): Promise<Loose | undefined> =>
      (await bench.call('getAccountInfo', address, { encoding, commitment: 'processed' }))['value'];

    test('an empty account and a token account have their minimum', async () => {
      assert.deepEqual([await least(0), await least(165)], [empty, token]);
    });
    test('the sysvar says the rate of a byte and a threshold of 1', async () => {
      const data = Buffer.from(textOf((await account(RENT, 'base64'))?.['data']?.[0]), 'base64');
      assert.deepEqual([data.readBigUInt64LE(0), data.readDoubleLE(8)], [rate, 1]);
      const parsed = await account(RENT, 'jsonParsed');
      assert.equal(parsed?.['data']?.['parsed']?.['info']?.['lamportsPerByte'], rate.toString());
    });
    for (const address of SYSVARS)
      test(`${address} has the lamports for its bytes`, async () => {
        const shown = await account(address, 'base64');
        assert.equal(bigOf(shown?.['lamports']), await least(Number(shown?.['space'])));
      });
    test('so has the account of a feature', async () => {
      const list = await bench.call('getProgramAccounts', FEATURES, { encoding: 'base64' });
      assert.equal(bigOf(list[0]?.['account']?.['lamports']), await least(9));
    });
    test('the stake of genesis keeps the reserve of its bytes', async () => {
      const { value } = await bench.call('getAccountInfo', bench.ledger.validator.stake.address, {
        encoding: 'jsonParsed',
      });
      const info = value?.['data']?.['parsed']?.['info'];
      const reserve = await least(200);
      assert.equal(info?.['meta']?.['rentExemptReserve'], reserve.toString());
      const staked = bigOf(value?.['lamports']) - reserve;
      assert.equal(info?.['stake']?.['delegation']?.['stake'], staked.toString());
    });
    test('setTokenAccount makes an account with the minimum', async () => {
      const { address } = freshKey();
      const mint = freshKey().address;
      const params = { address, mint, owner: bench.wallet.address, amount: 1 };
      answerCheat(bench.ledger.cheats, { jsonrpc: '2.0', id: 1, method: 'setTokenAccount', params });
      const made = await account(address, 'base64');
      assert.deepEqual([made?.['owner'], bigOf(made?.['lamports'])], [TOKEN, token]);
    });
    test('a transfer that leaves a lamport less than the minimum fails, and the minimum passes', async () => {
      const tried = async (lamports: bigint): Promise<unknown> => {
        const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, lamports)]);
        const options = { encoding: 'base64', commitment: 'processed' };
        return (await bench.call('simulateTransaction', wire, options))['value']?.['err'];
      };
      assert.deepEqual(await tried(empty - 1n), { InsufficientFundsForRent: { account_index: 1 } });
      assert.equal(await tried(empty), null);
    });
    test('the system program takes an account that pays for its bytes', async () => {
      const key = freshKey();
      const data = Buffer.alloc(52);
      data.writeBigUInt64LE(token, 4);
      data.writeBigUInt64LE(165n, 12);
      const accounts = [bench.wallet, key].map(({ address }) => ({ address, signer: true, writable: true }));
      await bench.send([{ program: SYSTEM, accounts, data }], [bench.wallet, key]);
      assert.equal((await account(key.address, 'base64'))?.['space'], 165);
    });
  });
