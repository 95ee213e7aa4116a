// The last value a bound allows, and what nodes read beyond the contract: neither may be a false alarm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCall } from '../../../core/requests/methods/check';
import { STANDARD_METHODS } from '../../../core/requests/methods/index';
import type { JsonValue } from '../../../core/solana/json/json';

const WALLET = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';

function codes(method: string, params: JsonValue): string[] {
  const record = STANDARD_METHODS.named(method);
  assert.ok(record, method);
  return checkCall(record, params)
    .filter((one) => one.severity === 'error' || one.severity === 'warning')
    .map((one) => one.code);
}

test('memcmp bytes as numbers: 128 are allowed, 129 are not', () => {
  const filter = (count: number): JsonValue => [
    WALLET,
    { filters: [{ memcmp: { offset: 0, bytes: Array<number>(count).fill(0) } }] },
  ];
  assert.deepEqual(codes('getProgramAccounts', filter(128)), []);
  assert.deepEqual(codes('getProgramAccounts', filter(129)), ['out-of-range']);
});

test('a block range of 500,000 slots is allowed, and a reversed one is empty', () => {
  assert.deepEqual(codes('getBlocks', [7, 500_007]), []);
  assert.deepEqual(codes('getBlocks', [7, 500_008]), ['out-of-range']);
  assert.deepEqual(codes('getBlocks', [500_008, 7]), ['empty-answer']);
  assert.deepEqual(codes('getBlocks', [7, 7]), []);
  assert.deepEqual(codes('getBlocksWithLimit', [7, 500_000]), []);
  assert.deepEqual(codes('getBlocksWithLimit', [7, 500_001]), ['out-of-range']);
});

test('a page of transactions has a most, and a higher limit counts as that', () => {
  assert.deepEqual(codes('getTransactionsForAddress', [WALLET, { limit: 1001 }]), []);
  assert.deepEqual(codes('getTransactionsForAddress', [WALLET, { limit: 0 }]), ['out-of-range']);
  assert.deepEqual(codes('getSignaturesForAddress', [WALLET, { limit: 1001 }]), ['out-of-range']);
});

test('the old name of base58 is read where base58 is', () => {
  assert.deepEqual(codes('getAccountInfo', [WALLET, { encoding: 'binary' }]), []);
  assert.deepEqual(codes('getBlock', [7, 'binary']), ['legacy-only']);
  assert.deepEqual(codes('simulateTransaction', ['{{tx}}', { accounts: { addresses: [], encoding: 'binary' } }]), [
    'encoding-unsupported',
  ]);
});

test('lists take as many items as their bound', () => {
  const wallets = (count: number): JsonValue => [Array<string>(count).fill(WALLET)];
  for (const [method, most] of [
    ['getMultipleAccounts', 100],
    ['getRecentPrioritizationFees', 128],
    ['getInflationReward', 32],
  ] as const) {
    assert.deepEqual(codes(method, wallets(most)), [], method);
    assert.deepEqual(codes(method, wallets(most + 1)), ['too-many-items'], method);
  }
});
