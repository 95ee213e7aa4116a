// The account mirror: versions per height until they are final, the owner index, pins; and the history's bounds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccountStore } from '../../../localnet/ledger/accounts/accounts';
import { Chain, type OpenBlock } from '../../../localnet/ledger/chain/chain';
import { History } from '../../../localnet/ledger/chain/history';
import type { AccountState, TransactionRecord } from '../../../localnet/ledger/types';
import { collect } from '../../support/process/garbage';

const account = (lamports: number, owner = 'A'): AccountState => ({
  lamports: BigInt(lamports),
  owner,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: 0n,
});
const lamports = (store: AccountStore, height: number, address = 'x'): number | undefined => {
  const found = store.at(height).get(address);
  return found === undefined ? undefined : Number(found.lamports);
};

describe('AccountStore', () => {
  test('reads the last write at or below a height', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1));
    store.open(2);
    store.open(3);
    store.set('x', account(3));
    store.set('x', account(33));
    assert.deepEqual(
      [0, 1, 2, 3].map((height) => lamports(store, height)),
      [undefined, 1, 1, 33],
    );
  });
  test('a removal is a version too', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1));
    store.open(2);
    store.set('x', undefined);
    assert.deepEqual(
      [1, 2].map((height) => lamports(store, height)),
      [1, undefined],
    );
  });
  test('finalizing forgets what nobody can read any more and keeps the rest', () => {
    const store = new AccountStore();
    for (const height of [1, 2, 3]) {
      store.open(height);
      store.set('x', account(height));
    }
    store.finalize(2);
    assert.deepEqual(
      [2, 3].map((height) => lamports(store, height)),
      [2, 3],
    );
  });
  test('a held height stays readable while finality moves on', () => {
    const store = new AccountStore();
    for (const height of [1, 2]) {
      store.open(height);
      store.set('x', account(height));
    }
    const held = store.hold(1);
    store.finalize(2);
    assert.equal(held.accounts.get('x')?.lamports, 1n);
    held.release();
    store.finalize(2);
    assert.equal(lamports(store, 1), 2);
  });
  test('a held read of the open height does not see what the same height writes after it', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1, 'A'));
    const first = store.hold(1);
    store.set('x', account(2, 'B'));
    store.set('y', account(2, 'A'));
    const second = store.hold(1);
    store.set('x', undefined);
    store.open(2);
    store.finalize(1);
    const seen = ({ accounts }: typeof first): (bigint | undefined)[] =>
      ['x', 'y'].map((address) => accounts.get(address)?.lamports);
    assert.deepEqual([first, second].map(seen), [
      [1n, undefined],
      [2n, 2n],
    ]);
    assert.deepEqual([...first.accounts.candidates('A')], ['x', 'y']);
    first.release();
    assert.deepEqual(seen(second), [2n, 2n]);
    second.release();
    assert.equal(store.at(1).get('x'), undefined);
  });
  test('heights are read as before once the reads that were held inside one are done', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1));
    store.open(2);
    const held = [1, 2, 3].map((value) => {
      store.set('x', account(10 + value));
      return store.hold(2);
    });
    for (const one of [held[1], held[0], held[2]]) one?.release();
    store.open(3);
    store.set('x', account(20));
    assert.deepEqual(
      [1, 2, 3].map((height) => lamports(store, height)),
      [1, 13, 20],
    );
  });
  test('an address that is rewritten while addresses are read appears once', () => {
    const store = new AccountStore();
    store.open(1);
    for (const address of ['x', 'y']) store.set(address, account(1, 'A'));
    const { accounts } = store.hold(1);
    const lists = [accounts.addresses(), accounts.candidates('A')].map((list) => list[Symbol.iterator]());
    const read = lists.map((list): unknown[] => [list.next().value]);
    store.set('x', undefined);
    store.set('x', account(2, 'A'));
    lists.forEach((list, at) => {
      for (let next = list.next(); next.done !== true; next = list.next()) read[at]?.push(next.value);
    });
    assert.deepEqual(read, [
      ['x', 'y'],
      ['x', 'y'],
    ]);
  });
  test('a view made before a block closes does not see the next block', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1));
    const view = store.at(1);
    store.open(2);
    store.set('x', account(2));
    assert.equal(view.get('x')?.lamports, 1n);
  });
  test('the owner index holds an address for its old owner until that is final', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1, 'A'));
    store.open(2);
    store.set('x', account(1, 'B'));
    const owned = (owner: string): string[] => [...store.at(1).candidates(owner)];
    assert.deepEqual([owned('A'), owned('B')], [['x'], ['x']]);
    store.finalize(2);
    assert.deepEqual([owned('A'), owned('B')], [[], ['x']]);
  });
  test('a write everywhere holds at every height', () => {
    const store = new AccountStore();
    store.open(1);
    store.set('x', account(1, 'A'));
    store.open(2);
    store.set('x', account(2, 'B'));
    store.setEverywhere('x', account(9, 'C'));
    assert.deepEqual(
      [1, 2].map((height) => lamports(store, height)),
      [9, 9],
    );
    assert.deepEqual([...store.at(2).candidates('A'), ...store.at(2).candidates('B')], []);
  });
});

describe('History', () => {
  const record = (i: number): TransactionRecord =>
    ({
      signature: `s${i}`,
      height: i,
      index: 0,
      accountKeys: ['all', `k${i % 3}`],
      wire: new Uint8Array(200),
      meta: { logMessages: ['a line'], innerInstructions: [] },
    }) as never;

  test('keeps no more than its bound, by signature and by address', () => {
    const history = new History(100);
    for (let i = 0; i < 1000; i++) history.add(record(i));
    assert.equal(history.prune(0, 1000), 900);
    assert.equal(history.find('s899'), undefined);
    assert.equal(history.find('s900')?.height, 900);
    const newest = [...history.forAddress('all')].map(({ height }) => height);
    assert.deepEqual([newest.length, newest[0], newest.at(-1)], [100, 999, 900]);
    assert.equal([...history.forAddress('k0')].length, 34);
  });
  test('keeps no more bytes than its bound', () => {
    const history = new History(1000, 100_000);
    for (let i = 0; i < 1000; i++) history.add(record(i));
    const first = history.prune(0, 1000);
    // A record of 200 bytes with two keys counts as about 2.4 kB.
    assert.ok(first > 950 && first < 970, String(first));
    assert.equal(history.prune(0, 1000), 0);
  });
  test('knows what landed for longer than it keeps it', () => {
    const history = new History(100);
    for (let i = 0; i < 1000; i++) history.add(record(i));
    history.prune(0, 1000);
    history.forgetLanded(300);
    assert.deepEqual(
      ['s299', 's300', 's999'].map((signature) => history.landedAt(signature)),
      [undefined, 300, 999],
    );
    assert.equal(history.find('s300'), undefined);
  });
  test('keeps more than its bound where the blocks are still needed', () => {
    const history = new History(100);
    for (let i = 0; i < 1000; i++) history.add(record(i));
    assert.equal(history.prune(0, 500), 500);
    assert.equal(history.find('s500')?.height, 500);
  });
  test('drops transactions whose blocks are gone', () => {
    const history = new History(100);
    for (let i = 0; i < 10; i++) history.add(record(i));
    assert.equal(history.prune(7, 0), 7);
    assert.deepEqual(
      [...history.forAddress('all')].map(({ height }) => height),
      [9, 8, 7],
    );
    assert.deepEqual([...history.forAddress('nobody')], []);
  });
  test('lets go of what it drops, however few transactions name an address', async () => {
    const history = new History(30);
    const dropped = Array.from({ length: 60 }, (_, i) => {
      const one = record(i);
      history.add(one);
      return new WeakRef(one);
    }).slice(0, 30);
    history.prune(0, 1000);
    // A weak reference holds on to what it is made of until the turn of the loop ends.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    collect();
    assert.equal(dropped.filter((one) => one.deref() !== undefined).length, 0);
    assert.equal([...history.forAddress('k0')].length, 10);
  });
});

describe('Chain', () => {
  const block = (height: number): OpenBlock => ({
    slot: height * 2,
    parentSlot: height * 2 - 2,
    height,
    bankId: height,
    blockhash: `h${height}`,
    previousBlockhash: `h${height - 1}`,
    blockTime: 0,
    epochStartTime: 0,
    transactions: [],
    transactionCount: 0,
    costUnits: 0n,
    fees: { signatures: 0n, priority: 0n },
  });

  test('keeps no more blocks than its bound', () => {
    const chain = new Chain(block(0), 4, 300);
    for (let height = 1; height < 1000; height++) chain.add(block(height));
    assert.equal(chain.first.height, 700);
    assert.equal(chain.atSlot(699 * 2), undefined);
    assert.deepEqual(chain.slots(0, 1402, 10), [1400, 1402]);
  });
  test('a blockhash is good for 150 blocks at every height, and never while its block is open', () => {
    const chain = new Chain(block(0), 4, 300);
    for (let height = 1; height <= 400; height++) chain.add(block(height));
    const good = (hash: number, at: number): boolean => chain.isBlockhashValid(`h${hash}`, at);
    assert.deepEqual([good(250, 400), good(249, 400), good(246, 396), good(245, 396)], [true, false, true, false]);
    assert.deepEqual([good(400, 400), good(397, 396), good(399, 400)], [false, false, true]);
  });
});
