// Accounts that do not circulate: those that a node has built in, whether they exist or not, and stake that is locked or that one
// of its built-in authorities may withdraw.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { layOut } from '../../support/data/layouts';
import { Bench, bigOf, bytesOf, freshKey, type Loose } from './rpc-harness';
import { plain } from '../v1/v1-bench';

/** Of the list, and of its authorities. */
const FOUNDATION = 'GK2zqSsXLA2rwVZk347RYhh6jJpRsCA69FjLW93ZGi3B';
const AUTHORITY = 'HXdYQ5gixrY2H6Y9gqsD8kPM2JQKSaRiohDQtLbZkRWE';
const STAKE = 'Stake11111111111111111111111111111111111111';
const PROCESSED = { commitment: 'processed' } as const;

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

const supply = async (): Promise<Loose> => (await bench.call('getSupply', PROCESSED)).value as Loose;
const listed = async (): Promise<readonly string[]> => plain((await supply())['nonCirculatingAccounts']) as string[];

test('the built-in ones are named, once each, while they hold nothing', async () => {
  const names = await listed();
  assert.equal(names.length, 110);
  assert.equal(new Set(names).size, 110);
  assert.ok(names.includes(FOUNDATION));
  assert.equal(bigOf((await supply())['nonCirculating']), 0n);
  const config = { ...PROCESSED, excludeNonCirculatingAccountsList: true };
  assert.deepEqual(plain((await bench.call('getSupply', config)).value?.['nonCirculatingAccounts']), []);
});

test('what one of them holds does not circulate', async () => {
  bench.ledger.cheats.setAccount(FOUNDATION, { lamports: 3n * 10n ** 17n });
  const { total, circulating, nonCirculating } = await supply();
  assert.equal(bigOf(nonCirculating), 3n * 10n ** 17n);
  assert.equal(bigOf(total), bigOf(circulating) + bigOf(nonCirculating));
  assert.equal((await listed()).length, 110);
  const largest = await bench.call('getLargestAccounts', { ...PROCESSED, filter: 'nonCirculating' });
  assert.deepEqual(plain(largest.value), [{ address: FOUNDATION, lamports: 3 * 10 ** 17 }]);
});

test('neither does stake that one of the authorities may withdraw', async () => {
  const { address } = freshKey();
  // Initialized, with a reserve for rent, a staker, the withdrawer, and a lockup that is over.
  const data = layOut([4, 1], [8, 2_282_880], bytesOf(address), bytesOf(AUTHORITY), new Uint8Array(48 + 76));
  bench.ledger.cheats.setAccount(address, { lamports: 10n ** 10n, owner: STAKE, data });
  assert.ok((await listed()).includes(address));
});
