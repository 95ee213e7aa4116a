// Which keys open what (docs/local-service.md, "Keys"), and what a refusal looks like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { type HttpAnswer, type IssuedKey, request, testLedger } from '../../support/process/localnet';

const local = testLedger(['--plan', 'Ultra']);

const call = (method: string, id: unknown = 1): string => JSON.stringify({ jsonrpc: '2.0', id, method, params: ['x'] });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const query = (key: string): string => `?api_key=${encodeURIComponent(key)}`;
const code = (answer: HttpAnswer): unknown => member(member(answer.json, 'error'), 'code');
const message = (answer: HttpAnswer): string => {
  const text = member(member(answer.json, 'error'), 'message');
  return typeof text === 'string' ? text : '';
};
const usageOf = async ({ keyId }: IssuedKey): Promise<unknown> => (await local.rest(`/v1/usage/${keyId}`)).json;

test('no key is 401 with the id of the request', async () => {
  const answer = await local.post(call('getSlot', 'mine'), {});
  assert.equal(answer.status, 401);
  assert.match(answer.text, /^\{"jsonrpc":"2\.0","error":\{"code":401,"message":"[^"]+"\},"id":"mine"\}$/);
  assert.equal(answer.headers['www-authenticate'], 'Bearer');
});

test('an unknown key is 401', async () => {
  assert.equal((await local.post(call('getSlot'), bearer('rpc_nobody'))).status, 401);
  assert.equal((await local.post(call('getSlot'), {}, query('rpc_nobody'))).status, 401);
  assert.equal((await local.post(call('getSlot'), {}, '?api_key=')).status, 401);
});

test('another scheme than Bearer is 401', async () => {
  assert.equal((await local.post(call('getSlot'), { authorization: 'Basic eDp5' })).status, 401);
});

test('the key travels as Bearer or as api_key', async () => {
  const { key } = local.ready.keys.rpc;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
  assert.equal((await local.post(body, bearer(key))).status, 200);
  assert.equal((await local.post(body, { authorization: `bearer ${key}` })).status, 200);
  assert.equal((await local.post(body, {}, query(key))).status, 200);
});

test('a gRPC key is 403 and the message names the type that is needed', async () => {
  const answer = await local.post(call('getSlot', 9), bearer(local.ready.keys.grpc.key));
  assert.equal(answer.status, 403);
  assert.equal(code(answer), 403);
  assert.match(message(answer), /gRPC.*RPC Key is required/);
  assert.equal(member(answer.json, 'id'), 9);
});

test('a gRPC key along with a good one is 403', async () => {
  const { rpc, grpc } = local.ready.keys;
  assert.equal((await local.post(call('getSlot'), bearer(rpc.key), query(grpc.key))).status, 403);
});

test('an unknown key along with a good one is 401', async () => {
  const { key } = local.ready.keys.rpc;
  assert.equal((await local.post(call('getSlot'), bearer(key), query('rpc_nobody'))).status, 401);
  assert.equal((await local.post(call('getSlot'), bearer('rpc_nobody'), query(key))).status, 401);
});

test('a SWQoS key alone opens sendTransaction', async () => {
  const answer = await local.post(call('sendTransaction'), bearer(local.ready.keys.swqos.key));
  assert.equal(answer.status, 200);
  assert.equal(code(answer), -32602);
});

test('a SWQoS key alone opens nothing else', async () => {
  const answer = await local.post(call('getSlot'), bearer(local.ready.keys.swqos.key));
  assert.equal(answer.status, 403);
  assert.match(message(answer), /RPC Key is required/);
});

test('a SWQoS key alone opens no batch with another method in it', async () => {
  const batch = `[${call('sendTransaction')},${call('getSlot')}]`;
  assert.equal((await local.post(batch, bearer(local.ready.keys.swqos.key))).status, 403);
});

for (const way of ['SWQoS in the query', 'RPC in the query'] as const) {
  test(`with both keys, ${way}, sends are billed to the SWQoS key and the rest to the RPC key`, async () => {
    const rpc = await local.newKey({ type: 'rpc', plan: 'Pro' });
    const swqos = await local.newKey({ type: 'swqos', plan: 'Pro' });
    const [header, inQuery] = way === 'SWQoS in the query' ? [rpc, swqos] : [swqos, rpc];
    const read = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    assert.equal((await local.post(call('sendTransaction'), bearer(header.key), query(inQuery.key))).status, 200);
    assert.equal((await local.post(read, bearer(header.key), query(inQuery.key))).status, 200);
    const methods = (usage: unknown) => (usage as { methods: unknown }).methods;
    assert.deepEqual(methods(await usageOf(swqos)), [{ method: 'sendTransaction', count: 1, errors: 1 }]);
    assert.deepEqual(methods(await usageOf(rpc)), [{ method: 'getSlot', count: 1, errors: 0 }]);
  });
}

test('a rotated key: the old secret is 401 at once, key id and usage stay', async () => {
  const issued = await local.newKey({ type: 'rpc', label: 'mine' });
  assert.equal((await local.rpc('getSlot', undefined, issued.key)).status, 200);
  const rotated = (await local.admin('POST', `/keys/${issued.keyId}/rotate`)).json as unknown as IssuedKey;
  assert.equal(rotated.keyId, issued.keyId);
  assert.equal((await local.rpc('getSlot', undefined, issued.key)).status, 401);
  assert.equal((await local.rpc('getSlot', undefined, rotated.key)).status, 200);
  assert.equal(((await usageOf(issued)) as { request_count: number }).request_count, 2);
});

test('a revoked key is 401, stays listed as revoked, and cannot be rotated', async () => {
  const issued = await local.newKey({ type: 'rpc' });
  assert.equal((await local.admin('DELETE', `/keys/${issued.keyId}`)).status, 204);
  assert.equal((await local.rpc('getSlot', undefined, issued.key)).status, 401);
  assert.equal((await local.admin('POST', `/keys/${issued.keyId}/rotate`)).status, 409);
  const { keys } = (await local.rest('/v1/keys')).json as unknown as { keys: { key_id: string; state: string }[] };
  assert.equal(keys.find((key) => key.key_id === issued.keyId)?.state, 'revoked');
});

test('a suspended key is 403 with Retry-After until it is lifted', async () => {
  const issued = await local.newKey({ type: 'rpc' });
  await local.admin('PATCH', `/keys/${issued.keyId}`, { state: 'suspended' });
  const answer = await local.rpc('getSlot', undefined, issued.key);
  assert.equal(answer.status, 403);
  assert.match(message(answer), /temporarily suspended/);
  assert.equal(answer.headers['retry-after'], '30');
  assert.equal((await local.rest('/v1/usage', issued.key)).status, 403);
  await local.admin('PATCH', `/keys/${issued.keyId}`, { state: 'active' });
  assert.equal((await local.rpc('getSlot', undefined, issued.key)).status, 200);
});

test('no listing and no usage answer holds a secret', async () => {
  const secrets = Object.values(local.ready.keys).map(({ key }) => key);
  const pages = [await local.rest('/v1/keys'), await local.rest('/v1/usage'), await local.admin('GET', '/keys')];
  for (const { text } of pages) for (const secret of secrets) assert.ok(!text.includes(secret));
});

test('a refusal never repeats what was presented', async () => {
  const answer = await request(`${local.ready.rpcUrl}?api_key=rpc_presented`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: call('getSlot'),
  });
  assert.ok(!answer.text.includes('rpc_presented'));
});
