// POST /sol: envelopes, ids, batches and the errors of a body that is not a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonNumber, member, parseJson } from '../../../core/solana/json/json';
import { type HttpAnswer, request, testLedger } from '../../support/process/localnet';

const local = testLedger(['--plan', 'Shared Metal']);

const slot = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'getSlot' });
const errorCode = (answer: HttpAnswer): unknown => member(member(answer.json, 'error'), 'code');

test('a call answers jsonrpc, result and id as JSON', async () => {
  const answer = await local.rpc('getBalance', [local.ready.wallet.address]);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.match(
    answer.text,
    /^\{"jsonrpc":"2\.0","result":\{"context":\{.*"slot":\d+.*\},"value":1000000000000\},"id":1\}$/,
  );
});

for (const id of [
  '"a"',
  '""',
  '7',
  '-0',
  '1.0',
  '1e3',
  '18446744073709551616',
  '12345678901234567890.5',
  'null',
  '"\\u0000"',
]) {
  test(`the id ${id} comes back as it was sent`, async () => {
    const answer = await local.post(`{"jsonrpc":"2.0","method":"getSlot","id":${id}}`);
    assert.ok(answer.text.endsWith(`,"id":${id}}`), answer.text);
  });
}

test('a batch answers in the order it was sent, each with its own id', async () => {
  const answer = await local.post(`[${slot('c')},${slot('a')},${slot(2)}]`);
  const ids = (answer.json as readonly unknown[]).map((one) => (one as { id: unknown }).id);
  assert.deepEqual(ids, ['c', 'a', 2]);
});

test('a batch keeps good calls apart from bad elements', async () => {
  const answer = await local.post(`[${slot(1)},7,{"jsonrpc":"2.0","id":3,"method":"nothing"}]`);
  const [good, bad, unknown] = answer.json as readonly HttpAnswer['json'][];
  assert.equal(typeof member(good, 'result'), 'number');
  assert.equal(member(member(bad, 'error'), 'code'), -32600);
  assert.equal(member(bad, 'id'), null);
  assert.equal(member(member(unknown, 'error'), 'code'), -32601);
  assert.equal(member(unknown, 'id'), 3);
});

test('an empty batch is an invalid request', async () => {
  assert.equal(errorCode(await local.post('[]')), -32600);
});

test('a notification gets no answer', async () => {
  const answer = await local.post('{"jsonrpc":"2.0","method":"getSlot"}');
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
});

test('a notification inside a batch is left out of the answers', async () => {
  const answer = await local.post(`[{"jsonrpc":"2.0","method":"getSlot"},${slot(2)}]`);
  assert.equal((answer.json as readonly unknown[]).length, 1);
});

for (const [what, body] of [
  ['no JSON', '{"jsonrpc":'],
  ['an empty body', ''],
  ['two values', '1 2'],
  ['nesting without end', '['.repeat(100_000)],
] as const) {
  test(`${what} is a parse error`, async () => {
    const answer = await local.post(body);
    assert.equal(answer.status, 200);
    assert.equal(errorCode(answer), -32700);
    assert.equal(member(answer.json, 'id'), null);
  });
}

for (const [what, body] of [
  ['a string for a request', '"getSlot"'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"getSlot"}'],
  ['no method', '{"jsonrpc":"2.0","id":1}'],
  ['a method that is not a string', '{"jsonrpc":"2.0","id":1,"method":["getSlot"]}'],
  ['params that are not an array', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":5}'],
  ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"getSlot"}'],
] as const) {
  test(`${what} is an invalid request`, async () => {
    assert.equal(errorCode(await local.post(body)), -32600);
  });
}

test('an unknown method is -32601', async () => {
  assert.equal(errorCode(await local.rpc('getNothing')), -32601);
});

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
  test(`the method name ${name} is unknown and breaks nothing`, async () => {
    assert.equal(errorCode(await local.rpc(name)), -32601);
    assert.equal((await local.rest('/v1/usage')).status, 200);
  });
}

test('numbers above 2^53 keep every digit in both directions', async () => {
  const address = '11111111111111111111111111111112';
  await local.admin('POST', '/rpc', undefined);
  const cheat = await request(`${local.ready.adminUrl}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${local.ready.adminToken}`, 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":"setAccount","params":{"address":"${address}","lamports":18446744073709551615}}`,
  });
  assert.equal(cheat.text, '{"jsonrpc":"2.0","result":true,"id":1}');
  const answer = await local.rpc('getBalance', [address]);
  const value = member(member(answer.json, 'result'), 'value');
  assert.ok(value instanceof JsonNumber && value.text === '18446744073709551615');
});

test('another content type is 415', async () => {
  const answer = await local.post(slot(1), {
    authorization: `Bearer ${local.ready.keys.rpc.key}`,
    'content-type': 'text/plain',
  });
  assert.equal(answer.status, 415);
});

test('a content type with a charset is fine', async () => {
  const answer = await local.post(slot(1), {
    authorization: `Bearer ${local.ready.keys.rpc.key}`,
    'content-type': 'application/json; charset=utf-8',
  });
  assert.equal(answer.status, 200);
});

for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
  test(`${method} /sol is 405 and says what is allowed`, async () => {
    const answer = await request(local.ready.rpcUrl, { method });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers['allow'], 'POST');
  });
}

test('a body above the cap is 413, and the service keeps working', async () => {
  const answer = await local.post(`{"jsonrpc":"2.0","id":1,"method":"getSlot","x":"${'a'.repeat(5_000_000)}"}`);
  assert.equal(answer.status, 413);
  assert.equal((await local.rpc('getSlot')).status, 200);
});

test('another path is 404', async () => {
  assert.equal((await request(`${local.ready.restUrl}/rpc`)).status, 404);
});

test('GET /health answers ok without a key', async () => {
  const answer = await request(`${local.ready.restUrl}/health`);
  assert.equal(answer.status, 200);
  assert.equal(answer.text, 'ok');
});

test('many calls share one connection', async () => {
  const first = await local.rpc('getSlot');
  assert.equal(first.headers.connection, 'keep-alive');
});

test('a large batch is answered whole', async () => {
  const batch = Array.from({ length: 1_000 }, (_, id) => slot(id));
  const answer = await local.post(`[${batch.join(',')}]`);
  assert.equal(answer.status, 200);
  assert.equal((parseJson(answer.text) as readonly unknown[]).length, 1_000);
});
