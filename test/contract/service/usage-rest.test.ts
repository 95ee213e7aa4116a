// GET /v1/usage, /v1/usage/{keyId} and /v1/keys over the wire, and the meter, each on a clock that the test moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { OTHER_METHODS, UsageMeter } from '../../../localnet/keys/meter';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { request } from '../../support/process/localnet';

let local: InProcessService;
before(async () => {
  local = await serviceInProcess('Shared Metal');
});
after(() => local.stop());

interface Usage {
  readonly key_id?: string;
  readonly request_count: number;
  readonly methods: readonly { readonly method: string; readonly count: number; readonly errors: number }[];
  readonly from: number;
  readonly to: number;
}
const usage = async (path = '/v1/usage', key?: string): Promise<Usage> =>
  (await local.rest(path, key)).json as unknown as Usage;

test('the summary counts by method and its total is the sum', async () => {
  const { key, keyId } = await local.newKey({ type: 'rpc', plan: 'Pro' });
  for (let i = 0; i < 3; i++) await local.rpc('getSlot', undefined, key);
  await local.rpc('getBalance', ['not an address'], key);
  const of = await usage(`/v1/usage/${keyId}`);
  assert.equal(of.key_id, keyId);
  assert.equal(of.request_count, 4);
  assert.deepEqual(of.methods, [
    { method: 'getSlot', count: 3, errors: 0 },
    { method: 'getBalance', count: 1, errors: 1 },
  ]);
});

test('the account is the sum over its keys', async () => {
  const before = await usage();
  const [one, other] = [await local.newKey({ type: 'rpc' }), await local.newKey({ type: 'rpc' })];
  await local.rpc('getSlot', undefined, one.key);
  await local.rpc('getSlot', undefined, other.key);
  const now = await usage();
  assert.equal(now.request_count, before.request_count + 2);
  assert.equal(
    now.methods.reduce((sum, row) => sum + row.count, 0),
    now.request_count,
  );
});

test('without a range it is the last 24 hours', async () => {
  for (const ms of [0, 59_000, 86_400_000]) {
    local.pass(ms);
    const to = Math.floor(local.now() / 1000);
    const of = await usage();
    assert.deepEqual([of.from, of.to], [to - 86_400, to]);
  }
});

test('from and to are echoed and bound the answer', async () => {
  const of = await usage('/v1/usage?from=1000&to=2000');
  assert.deepEqual({ ...of }, { request_count: 0, methods: [], from: 1000, to: 2000 });
});

for (const bad of [
  'from=x',
  'from=-1',
  'from=1.5',
  'to=',
  'from=1&from=2',
  'from=20&to=10',
  'from=99999999999999',
  'to=1',
]) {
  test(`the range ${bad} is 400`, async () => {
    const answer = await local.rest(`/v1/usage?${bad}`);
    assert.equal(answer.status, 400);
    assert.equal(member(member(answer.json, 'error'), 'code'), 400);
  });
}

test('an unknown key id is 404', async () => {
  assert.equal((await local.rest('/v1/usage/key_nobody')).status, 404);
  assert.equal((await local.rest('/v1/usage/__proto__')).status, 404);
  assert.equal((await local.rest('/v1/usage/%zz')).status, 404);
});

test('any active key opens it, as Bearer or as api_key', async () => {
  for (const { key } of Object.values(local.ready.keys)) {
    assert.equal((await local.rest('/v1/usage', key)).status, 200);
    assert.equal((await request(`${local.ready.restUrl}/v1/usage?api_key=${key}`)).status, 200);
  }
});

test('no key and a wrong key are 401', async () => {
  assert.equal((await request(`${local.ready.restUrl}/v1/usage`)).status, 401);
  assert.equal((await local.rest('/v1/usage', 'rpc_nobody')).status, 401);
  assert.equal((await request(`${local.ready.restUrl}/v1/keys`)).status, 401);
});

test('another verb is 405', async () => {
  const answer = await request(`${local.ready.restUrl}/v1/usage`, { method: 'POST' });
  assert.equal(answer.status, 405);
});

test('asking for usage is not usage', async () => {
  const first = await usage();
  assert.equal((await usage()).request_count, first.request_count);
});

test('a refused key is not counted, a wrong key type is', async () => {
  const grpc = await local.newKey({ type: 'grpc' });
  const before = await usage();
  await local.rpc('getSlot', undefined, 'rpc_nobody');
  assert.equal((await usage()).request_count, before.request_count);
  await local.rpc('getSlot', undefined, grpc.key);
  assert.deepEqual((await usage(`/v1/usage/${grpc.keyId}`)).methods, [{ method: 'getSlot', count: 1, errors: 1 }]);
});

test('hostile method names share one row', async () => {
  const { key, keyId } = await local.newKey({ type: 'rpc', plan: 'Shared Metal' });
  const names = ['__proto__', 'constructor', 'toString', '', 'x'.repeat(100_000), '<img onerror=1>', 'getslot'];
  for (const name of names) await local.rpc(name, undefined, key);
  const of = await usage(`/v1/usage/${keyId}`);
  assert.deepEqual(of.methods, [{ method: OTHER_METHODS, count: names.length, errors: names.length }]);
});

test('the list of keys has exactly the named fields', async () => {
  const { keyId } = await local.newKey({ type: 'swqos', label: 'Lander', plan: 'Ultra' });
  const { keys } = (await local.rest('/v1/keys')).json as unknown as { keys: Record<string, unknown>[] };
  const made = keys.find((key) => key['key_id'] === keyId);
  assert.ok(made !== undefined && typeof made['created_at'] === 'number');
  assert.deepEqual(
    { ...made, created_at: 0 },
    {
      key_id: keyId,
      type: 'swqos',
      label: 'Lander',
      plan: 'Ultra',
      state: 'active',
      created_at: 0,
      last_used_at: null,
    },
  );
});

test('minutes that touch the range count, others do not', () => {
  let now = 600_000;
  const meter = new UsageMeter(new Set(['getSlot']), () => now);
  meter.record('k', 'getSlot', false);
  now = 660_000;
  meter.record('k', 'getSlot', true);
  assert.deepEqual(meter.read(600, 659, 'k'), [{ method: 'getSlot', count: 1, errors: 0 }]);
  assert.deepEqual(meter.read(650, 660, 'k'), [{ method: 'getSlot', count: 2, errors: 1 }]);
  assert.deepEqual(meter.read(720, 800, 'k'), []);
});

test('minutes older than 31 days are dropped', () => {
  let now = 0;
  const meter = new UsageMeter(new Set(['getSlot']), () => now);
  meter.record('k', 'getSlot', false);
  now = 32 * 24 * 3600 * 1000;
  meter.record('k', 'getSlot', false);
  assert.deepEqual(meter.read(0, now / 1000), [{ method: 'getSlot', count: 1, errors: 0 }]);
});
