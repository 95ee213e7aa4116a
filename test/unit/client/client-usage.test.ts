// The usage view: every state is rows with words and a next step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrafficCounts, THROTTLED_SHOWN_MS } from '../../../client/usage/traffic';
import { partsOf, readMoment, readKeptRange, endsOf } from '../../../client/usage/usageRange';
import { usageReport, usageCsv, type ReportSource } from '../../../client/usage/usageReport';
import {
  askedOf,
  keysItem,
  recalled,
  STALE_AFTER_MS,
  trafficItem,
  usageItems,
  withSteps,
  type KeysState,
  type LoadedUsage,
  type UsageState,
} from '../../../client/usage/usageState';
import type { ServiceError } from '../../../core/service/errors';
import type { EndpointProfile, KeyQuery } from '../../../core/service/profiles/profile';
import { english as t } from '../../support/data/english';

const NOW = 10_000_000;

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
  assert.deepEqual(rows({ kind: 'noUrl' }), []);
  assert.deepEqual(rows({ kind: 'notServed' }), []);
  assert.deepEqual(rows({ kind: 'idle' }), []);
});

test('a known provider without a usage API is not asked for a URL of one; other endpoints are', () => {
  const at = (rpcUrl: string): EndpointProfile => ({ name: 'mine', rpcUrl });
  for (const url of ['https://mainnet.helius-rpc.com/?api-key={key}', 'https://api.devnet.solana.com/'])
    assert.deepEqual(askedOf(at(url)), { kind: 'notServed' });
  for (const url of ['https://rpc.service.test/sol', 'https://rpc.other.test/main'])
    assert.deepEqual(askedOf(at(url)), { kind: 'noUrl' });
  assert.equal(askedOf({ ...at('https://rpc.service.test/sol'), restUrl: 'https://rest.service.test' }), 'mine');
  assert.deepEqual(askedOf(undefined), { kind: 'noEndpoint' });
});

test('not loaded again yet: the step is to load, below it what was known last time', () => {
  const [first, second] = rows({ kind: 'idle', last: LOADED });
  assert.equal(first?.command?.id, 'solanaRpc.refreshUsage');
  assert.equal(second?.label, 'Account');
});

test('a window that is loaded again has the numbers of its endpoint, and none of an earlier ledger', () => {
  const kept = { endpoint: 'local', ledger: 'first', range: { kind: 'week' }, last: LOADED } as const;
  const { range } = kept;
  assert.deepEqual(recalled(kept, 'local', 'first'), { range, state: { kind: 'idle', last: LOADED } });
  assert.deepEqual(recalled(kept, 'local', 'second'), { range, state: { kind: 'idle' } });
  assert.deepEqual(recalled(kept, 'main', 'first'), { state: { kind: 'idle' } });
  assert.deepEqual(recalled(undefined, 'local', 'first'), { state: { kind: 'idle' } });
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
  const [key] = usageItems({ kind: 'loaded', last: LOADED }, NOW, t, { keyId: 'key-1' });
  assert.equal(key?.label, 'Key key-1');
});

test('old numbers are marked as out of date, with the step to load', () => {
  const [first] = rows({ kind: 'loaded', last: LOADED }, NOW + STALE_AFTER_MS + 1);
  assert.equal(first?.label, 'Out of date: loaded 10 min ago');
  assert.equal(first?.command?.id, 'solanaRpc.refreshUsage');
});

const FAILURES: readonly (readonly [ServiceError, RegExp, string | undefined])[] = [
  [{ kind: 'noKey', host: 'rpc.test', keyType: 'rpc', message: '' }, /No key for rpc\.test/, 'solanaRpc.addKey'],
  [{ kind: 'keyRejected', message: '' }, /refused \(401\)/, 'solanaRpc.rotateKey'],
  [{ kind: 'wrongKeyType', message: '' }, /wrong type \(403\)/, 'solanaRpc.addKey'],
  [{ kind: 'suspended', retryAfterMs: 30_000, message: '' }, /suspended/, 'solanaRpc.refreshUsage'],
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

test('in a tree the next step is a separate row, after a reason that keeps the rest of its text', () => {
  const shown = (error: ServiceError) =>
    withSteps(failed(error)).map(({ label, description, icon, command }) => [label, description, icon, command?.id]);
  assert.deepEqual(shown({ kind: 'keyRejected', message: '' }), [
    ['The key was refused (401)', undefined, 'error', undefined],
    ['Rotate or Replace the Key…', undefined, 'sync', 'solanaRpc.rotateKey'],
  ]);
  assert.deepEqual(shown({ kind: 'rateLimited', retryAfterMs: 1_500, message: '' }), [
    ['Too many requests (429)', 'again in 2 s', 'watch', undefined],
    ['Try Again', undefined, 'refresh', 'solanaRpc.refreshUsage'],
  ]);
  const loaded = rows({ kind: 'loaded', last: LOADED });
  assert.deepEqual(withSteps(loaded), loaded);
});

const QUERY: KeyQuery = { type: 'rpc', interface: 'rest', profile: 'p', origin: 'https://rpc.test' };

test('without a key the step adds one for exactly the host that was asked', () => {
  const error: ServiceError = { kind: 'noKey', host: 'rpc.test', keyType: 'rpc', message: '' };
  const [row] = usageItems({ kind: 'failed', error }, NOW, t, { query: QUERY });
  assert.deepEqual(row?.command?.arguments, [{ key: QUERY }]);
});

const KEYS: KeysState = {
  kind: 'known',
  listed: false,
  keys: [
    { keyId: 'k1', label: 'main', type: 'rpc', plan: 'Dev', isTyped: false, usage: { kind: 'loaded', last: LOADED } },
    {
      keyId: 'k2',
      isTyped: true,
      usage: { kind: 'failed', error: { kind: 'protocol', httpStatus: 404, message: 'No key has this id' } },
    },
    { keyId: 'k3', isTyped: true, usage: { kind: 'idle' } },
  ],
};

test('keys are listed in one group, each with its own numbers or its fault', () => {
  const group = keysItem(KEYS, NOW, t, {});
  assert.deepEqual(
    group.children?.map(({ label, description }) => [label, description]),
    [
      ['main', '40 · 25 % errors'],
      ['k2', 'The service does not know this key id (404)'],
      ['k3', ''],
      ['Add a Key by Its Id…', ''],
    ],
  );
  assert.deepEqual(
    group.children?.[0]?.children?.map(({ label }) => label),
    ['getSlot', 'sendTransaction'],
  );
  assert.equal(group.children?.[1]?.contextValue, 'usageKey.typed');
});

test('keys are asked for when the user opens them, and not before', () => {
  assert.deepEqual(keysItem({ kind: 'unknown' }, NOW, t, {}).opens, { kind: 'keys' });
  assert.equal(keysItem({ kind: 'unknown' }, NOW, t, {}).children, undefined);
  assert.match(keysItem({ kind: 'loading' }, NOW, t, {}).children?.[0]?.label ?? '', /Loading keys/);
});

test('a service that lists its keys needs no ids typed in; a refusal is shown with its reason', () => {
  const labels = (state: KeysState): readonly string[] =>
    keysItem(state, NOW, t, {}).children?.map(({ label }) => label) ?? [];
  assert.deepEqual(labels({ kind: 'known', listed: true, keys: [] }), []);
  assert.deepEqual(labels({ kind: 'known', listed: false, keys: [], error: { kind: 'keyRejected', message: '' } }), [
    'The key was refused (401)',
    'Rotate or Replace the Key…',
    'Add a Key by Its Id…',
  ]);
});

const UNLIMITED: EndpointProfile = { name: 'p', rpcUrl: 'https://rpc.example/sol', wsUrl: 'wss://ws.example/sol' };
const ENDPOINT: EndpointProfile = { ...UNLIMITED, plan: 'Free' };
const RPC = { profile: 'p', origin: 'https://rpc.example' };

test('what is sent from here is counted against the plan, and a 429 is shown for a while', () => {
  let now = 100_000;
  const counts = new TrafficCounts(() => now);
  assert.equal(counts.of(ENDPOINT), undefined);
  counts.take({ ...RPC, lastSecond: 3, sent: 9, throttled: 0 });
  counts.take({ profile: 'p', origin: 'wss://ws.example', lastSecond: 1, sent: 1, throttled: 0 });
  assert.deepEqual(counts.of(ENDPOINT), {
    lastSecond: 4,
    sent: 10,
    throttled: 0,
    limit: 5,
    left: 1,
    isThrottled: false,
  });
  assert.equal(counts.of(UNLIMITED)?.limit, undefined);
  counts.take({ ...RPC, lastSecond: 9, sent: 14, throttled: 2 });
  const view = counts.of(ENDPOINT);
  assert.deepEqual([view?.left, view?.isThrottled], [0, true]);
  assert.equal(trafficItem(view, t)?.description, '15 · 2 answered with 429');
  now += THROTTLED_SHOWN_MS;
  assert.equal(counts.of(ENDPOINT)?.isThrottled, false);
});

test('429s of one host do not colour another', () => {
  const counts = new TrafficCounts(() => 100_000);
  // A file that names its own URL is sent while the endpoint is active, and under its name.
  counts.take({ profile: 'p', origin: 'https://elsewhere.example', lastSecond: 7, sent: 7, throttled: 7 });
  assert.equal(counts.of(ENDPOINT), undefined);
  counts.take({ ...RPC, lastSecond: 1, sent: 1, throttled: 0 });
  assert.deepEqual(counts.of(ENDPOINT), {
    lastSecond: 1,
    sent: 1,
    throttled: 0,
    limit: 5,
    left: 4,
    isThrottled: false,
  });
  // The same host under another name has another key, and another allowance.
  assert.equal(counts.of({ ...ENDPOINT, name: 'q' }), undefined);
});

test('the report has the numbers of the view, and its first step', () => {
  const source: ReportSource = {
    endpoint: 'p',
    range: 'Last hour',
    state: { kind: 'loaded', last: LOADED },
    keys: KEYS,
    subject: {},
    timeline: { kind: 'idle' },
    asks: 13,
  };
  const report = usageReport(source, NOW, t);
  assert.deepEqual([report.total, report.errors, report.isListed, report.notice], [40, 10, false, undefined]);
  assert.deepEqual(report.methods[1], { name: 'sendTransaction', count: 10, errors: 10 });
  assert.equal(report.keys[1]?.problem, 'The service does not know this key id (404)');
  const error: ServiceError = { kind: 'keyRejected', message: '' };
  assert.deepEqual(usageReport({ ...source, state: { kind: 'failed', error } }, NOW, t).notice, {
    text: 'The key was refused (401)',
    step: 'Rotate or Replace the Key…',
  });
  assert.deepEqual(usageReport({ ...source, state: { kind: 'idle' } }, NOW, t).notice, {
    text: 'Not loaded yet.',
    step: 'Load Now',
  });
});

test('the file has one line for each method and scope, with every digit', () => {
  const big = { ...LOADED, methods: [{ method: '=cmd()', count: 9007199254740991, errors: 1 }] };
  const csv = usageCsv({ kind: 'loaded', last: big }, KEYS, t);
  assert.deepEqual(csv?.split('\r\n'), [
    'scope,key_id,method,requests,errors,from,to',
    "account,,'=cmd(),9007199254740991,1,1970-01-01T00:00:00.000Z,1970-01-01T00:00:10.000Z",
    'main,k1,getSlot,30,0,1970-01-01T00:00:00.000Z,1970-01-01T00:00:10.000Z',
    'main,k1,sendTransaction,10,10,1970-01-01T00:00:00.000Z,1970-01-01T00:00:10.000Z',
    '',
  ]);
  assert.equal(usageCsv({ kind: 'idle' }, KEYS, t), undefined);
});

test('a moment is a date, a time, so long ago, or now', () => {
  const now = Date.parse('2026-11-21T12:00:00Z') / 1000;
  const local = (text: string): number => new Date(text).getTime() / 1000;
  assert.equal(readMoment('now', now), now);
  assert.equal(readMoment('3d', now), now - 3 * 86_400);
  assert.equal(readMoment('2026-01-31', now), local('2026-01-31T00:00:00'));
  assert.equal(readMoment('2026-01-31 14:30', now), local('2026-01-31T14:30:00'));
  assert.equal(readMoment('2026-01-31T14:30:05Z', now), Date.parse('2026-01-31T14:30:05Z') / 1000);
  for (const wrong of ['yesterday', '2026-13-01', '31.1.2026', '3x', '-1d'])
    assert.equal(readMoment(wrong, now), undefined, wrong);
});

test('a range outlives a reload as it was, and nothing else is taken for one', () => {
  assert.deepEqual(endsOf({ kind: 'hour' }, 10_000), { from: 6_400, to: 10_000 });
  assert.deepEqual(endsOf({ kind: 'custom', from: 1, to: 2 }, 10_000), { from: 1, to: 2 });
  assert.deepEqual(readKeptRange({ kind: 'week' }), { kind: 'week' });
  assert.deepEqual(readKeptRange({ kind: 'custom', from: 1, to: 2 }), { kind: 'custom', from: 1, to: 2 });
  for (const wrong of [undefined, 'week', { kind: 'toString' }, { kind: 'custom', from: 2, to: 1 }, { kind: 'custom' }])
    assert.equal(readKeptRange(wrong), undefined);
});

test('a range is cut at whole hours and days of this machine, each second in one part, at most 24 of them', () => {
  const HOUR = 3_600;
  for (const [seconds, offset] of [
    [HOUR, 0],
    [24 * HOUR, 0],
    [24 * HOUR, 5.5 * HOUR],
    [7 * 24 * HOUR, -8 * HOUR],
    [30 * 24 * HOUR, HOUR],
    [400 * 24 * HOUR, HOUR],
    [1, 0],
  ] as const) {
    const [from, to] = [1_700_000_123, 1_700_000_123 + seconds];
    const parts = partsOf({ from, to }, offset);
    assert.ok(parts.length <= 24, `${parts.length} parts of ${seconds} s`);
    assert.ok(parts.length >= (seconds > 60 ? 11 : 1), `${parts.length} parts of ${seconds} s`);
    assert.deepEqual([parts[0]?.from, parts.at(-1)?.to], [from, to]);
    for (const [at, part] of parts.entries()) {
      assert.ok(part.from <= part.to);
      if (at > 0) assert.equal(part.from, (parts[at - 1]?.to ?? 0) + 1);
      if (at > 0) assert.equal((part.from + offset) % 60, 0);
    }
  }
  const [, second] = partsOf({ from: 1_700_000_123, to: 1_700_000_123 + 7 * 24 * HOUR }, 0);
  assert.equal((second?.from ?? 1) % (8 * HOUR), 0);
});

test('the report has its parts in words and numbers once they were asked for, and why later ones are missing', () => {
  const part = { from: 0, to: 9, requestCount: 3, methods: [{ method: 'getSlot', count: 3, errors: 1 }] };
  const source: ReportSource = {
    endpoint: 'local',
    range: 'Last hour',
    state: { kind: 'loaded', last: LOADED },
    keys: { kind: 'unknown' },
    subject: {},
    timeline: { kind: 'loaded', keyId: 'key_1', parts: [part], error: { kind: 'rateLimited', message: '' } },
    asks: 13,
  };
  const { timeline } = usageReport(source, NOW, t);
  assert.ok(timeline?.kind === 'loaded');
  assert.deepEqual(timeline.parts, [
    { from: 0, to: 9, count: 3, errors: 1, methods: [{ name: 'getSlot', count: 3, errors: 1 }] },
  ]);
  assert.equal(timeline.keyId, 'key_1');
  assert.match(timeline.problem ?? '', /429/);
  assert.deepEqual(usageReport({ ...source, timeline: { kind: 'idle' } }, NOW, t).timeline, { kind: 'idle', asks: 13 });
  assert.equal(usageReport({ ...source, asks: 0 }, NOW, t).timeline, undefined);
});
