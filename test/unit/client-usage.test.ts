// The usage view: every state is rows with words and a next step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STALE_AFTER_MS, usageItems, type LoadedUsage, type UsageState } from '../../client/usageState';
import type { ServiceError } from '../../core/errors';

const NOW = 10_000_000;
const t = (message: string, ...args: (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_all, index: string) => String(args[Number(index)]));

const LOADED: LoadedUsage = {
  kind: 'loaded',
  requestCount: 40,
  methods: [
    { method: 'getSlot', count: 30, errors: 0 },
    { method: 'sendTransaction', count: 10, errors: 10 },
  ],
  from: 0,
  to: 10,
  at: NOW,
};

const rows = (state: UsageState, now = NOW) => usageItems(state, now, t);
const failed = (error: ServiceError, last?: LoadedUsage) =>
  rows({ kind: 'failed', error, ...(last !== undefined && { last }) });

test('without an endpoint, and before the first load, there is no row in the way of the welcome text', () => {
  assert.deepEqual(rows({ kind: 'noEndpoint' }), []);
  assert.deepEqual(rows({ kind: 'idle' }), []);
});

test('not loaded again yet: the step is to load, below it what was known last time', () => {
  const [first, second] = rows({ kind: 'idle', last: LOADED });
  assert.equal(first?.command?.id, 'solanaRpc.refreshUsage');
  assert.equal(second?.label, 'Account');
});

test('loading says so and keeps showing what was known', () => {
  const [first, second] = rows({ kind: 'loading', last: LOADED });
  assert.match(first?.label ?? '', /Loading/);
  assert.equal(second?.label, 'Account');
});

test('loaded: the account with its share of errors, the methods with words for theirs', () => {
  const [account] = rows({ kind: 'loaded', last: LOADED });
  assert.equal(account?.description, '40 · 25 % errors');
  assert.deepEqual(
    account?.children?.map(({ label, description, icon }) => ({ label, description, icon })),
    [
      { label: 'getSlot', description: '30', icon: 'symbol-method' },
      { label: 'sendTransaction', description: '10 · 100 % errors', icon: 'error' },
    ],
  );
});

test('large counts are grouped, and a few errors among many requests are neither hidden nor shouted', () => {
  const methods = [{ method: 'getSlot', count: 12_345, errors: 6 }];
  const [account] = rows({ kind: 'loaded', last: { ...LOADED, requestCount: 12_345, methods } });
  const [row] = account?.children ?? [];
  assert.equal(row?.description, '12,345 · under 1 % errors');
  assert.equal(row.icon, 'warning');
  assert.match(row.tooltip ?? '', /6 of 12,345/);
});

test('an empty range offers another one', () => {
  const empty = rows({ kind: 'loaded', last: { ...LOADED, requestCount: 0, methods: [] } });
  assert.equal(empty.at(-1)?.command?.id, 'solanaRpc.setUsageRange');
  assert.equal(empty[0]?.description, 'no requests');
});

test('numbers of a key name it', () => {
  assert.equal(rows({ kind: 'loaded', last: { ...LOADED, keyId: 'key-1' } })[0]?.label, 'Key key-1');
});

test('old numbers are marked as out of date, with the step to load', () => {
  const [first] = rows({ kind: 'loaded', last: LOADED }, NOW + STALE_AFTER_MS + 1);
  assert.equal(first?.label, 'Out of date');
  assert.equal(first?.command?.id, 'solanaRpc.refreshUsage');
});

const FAILURES: readonly (readonly [ServiceError, RegExp, string | undefined])[] = [
  [{ kind: 'noKey', host: 'rpc.test', keyType: 'rpc', message: '' }, /No key for rpc\.test/, 'solanaRpc.addKey'],
  [{ kind: 'keyRejected', message: '' }, /refused \(401\)/, 'solanaRpc.rotateKey'],
  [{ kind: 'wrongKeyType', message: '' }, /wrong type \(403\)/, 'solanaRpc.addKey'],
  [{ kind: 'suspended', retryAfterMs: 30_000, message: '' }, /suspended/, undefined],
  [{ kind: 'protocol', httpStatus: 404, message: '' }, /404/, 'solanaRpc.refreshUsage'],
  [{ kind: 'rateLimited', retryAfterMs: 1_500, message: '' }, /429/, 'solanaRpc.refreshUsage'],
  [{ kind: 'timeout', afterMs: 30_000, message: '' }, /No answer/, 'solanaRpc.refreshUsage'],
  [{ kind: 'protocol', httpStatus: 200, message: '' }, /could not be read/, 'solanaRpc.refreshUsage'],
  [{ kind: 'network', message: 'Unreachable.' }, /Unreachable/, 'solanaRpc.refreshUsage'],
];

for (const [error, label, command] of FAILURES) {
  const status = 'httpStatus' in error ? ` ${error.httpStatus}` : '';
  test(`a failure by ${error.kind}${status} says what it is and what to do next`, () => {
    const [row] = failed(error);
    assert.match(row?.label ?? '', label);
    assert.equal(row?.command?.id, command);
  });
}

test('429 and a suspension say when to come back', () => {
  assert.equal(failed({ kind: 'rateLimited', retryAfterMs: 1_500, message: '' })[0]?.description, 'again in 2 s');
  assert.equal(failed({ kind: 'suspended', retryAfterMs: 30_000, message: '' })[0]?.description, 'again in 30 s');
});

test('a failure keeps the numbers of before', () => {
  assert.equal(failed({ kind: 'network', message: 'x' }, LOADED)[1]?.label, 'Account');
});
