// Who may call over gRPC, what it costs, and how streams end with their keys.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { Geyser } from '../../../proto';
import { frame } from '../../../proto/frames';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { type IssuedKey } from '../../support/process/localnet';
import { textOf } from '../rpc/rpc-harness';
import { failureOf, testGeyser } from './geyser-client';

const { getSlot, ping } = Geyser.method;

const { local, client } = testGeyser();

const bearer = ({ key }: IssuedKey): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** The rows of a key's usage as "method count errors". */
async function usageOf({ keyId }: IssuedKey): Promise<readonly string[]> {
  const methods: JsonValue | undefined = member((await local.rest(`/v1/usage/${keyId}`)).json, 'methods');
  assert.ok(isJsonArray(methods));
  return methods.map((row) => {
    const [method, count, errors] = ['method', 'count', 'errors'].map((name) => member(row, name));
    return `${textOf(method)} ${Number(count)} ${Number(errors)}`;
  });
}

for (const name of ['x-token', 'api_key']) {
  test(`the key may come as metadata ${name}`, async () => {
    await client.unary(getSlot, {}, { [name]: local.ready.keys.grpc.key });
  });
}

test('the key may come as metadata authorization: Bearer', async () => {
  await client.unary(getSlot, {}, bearer(local.ready.keys.grpc));
});

test('the key may come in the query of the path', async () => {
  await client.unary(getSlot, {}, {}, `?api_key=${local.ready.keys.grpc.key}`);
});

test('a stream takes the key in the query of the path', async () => {
  const stream = client.subscribe({}, `/geyser.Geyser/Subscribe?api_key=${local.ready.keys.grpc.key}`);
  await stream.nextOf('ping');
  stream.cancel();
});

for (const [what, metadata] of Object.entries({
  'no key': {},
  'an empty x-token': { 'x-token': '' },
  'an unknown key': { 'x-token': 'grpc_unknown' },
  'an authorization that is not Bearer': { authorization: 'Basic abc' },
})) {
  test(`${what} is UNAUTHENTICATED`, async () => {
    assert.equal((await failureOf(client.unary(getSlot, {}, metadata))).code, status.UNAUTHENTICATED);
    assert.equal((await client.subscribe(metadata).ended).code, status.UNAUTHENTICATED);
  });
}

test('a wrong key refuses the call even along with a good one', async () => {
  const metadata = { ...bearer(local.ready.keys.grpc), 'x-token': 'grpc_unknown' };
  assert.equal((await failureOf(client.unary(getSlot, {}, metadata))).code, status.UNAUTHENTICATED);
});

test('every key that is presented must be a good gRPC key, also in the query along with the metadata', async () => {
  const good = { 'x-token': local.ready.keys.grpc.key };
  const codeWith = async (other: string): Promise<number> =>
    (await failureOf(client.unary(getSlot, {}, good, `?api_key=${other}`))).code;
  assert.equal(await codeWith('grpc_unknown'), status.UNAUTHENTICATED);
  assert.equal(await codeWith(local.ready.keys.rpc.key), status.PERMISSION_DENIED);
});

for (const type of ['rpc', 'swqos'] as const) {
  test(`a key of type ${type} is PERMISSION_DENIED, and the message names the type it takes`, async () => {
    const { code, details } = await failureOf(client.unary(getSlot, {}, bearer(local.ready.keys[type])));
    assert.equal(code, status.PERMISSION_DENIED);
    assert.match(details, /a gRPC Key is required/);
  });
}

test('a call from a page of another origin is refused', async () => {
  const { code, details } = await failureOf(
    client.unary(getSlot, {}, { ...bearer(local.ready.keys.grpc), origin: 'http://elsewhere.example' }),
  );
  assert.equal(code, status.PERMISSION_DENIED);
  assert.match(details, /other origins/);
});

/** The status of GetVersion, called with these headers over HTTP/2. */
async function statusWith(headers: http2.OutgoingHttpHeaders): Promise<string> {
  const session = http2.connect(local.ready.grpcUrl);
  const call = session.request({
    ':method': 'POST',
    ':path': '/geyser.Geyser/GetVersion',
    'content-type': 'application/grpc',
    ...bearer(local.ready.keys.grpc),
    ...headers,
  });
  let trailers: http2.IncomingHttpHeaders = {};
  call
    .on('response', (answered) => (trailers = answered))
    .on('trailers', (sent: http2.IncomingHttpHeaders) => (trailers = sent));
  call.end(frame(new Uint8Array())).resume();
  await once(call, 'close');
  session.close();
  return `${String(trailers['grpc-status'])} ${decodeURIComponent(String(trailers['grpc-message'] ?? ''))}`.trim();
}

test('a call names this service as its host, in each header that names one', async () => {
  const { host } = new URL(local.ready.grpcUrl);
  const foreign = 'attacker.test';
  assert.match(await statusWith({ ':authority': foreign }), /^7 The Host header/);
  assert.match(await statusWith({ ':authority': host, host: foreign }), /^7 The Host header/);
  assert.match(await statusWith({ ':authority': foreign, host }), /^7 The Host header/);
  const sameService = `localhost:${new URL(local.ready.grpcUrl).port}`;
  assert.match(await statusWith({ ':authority': host, host: sameService }), /^7 The Host header/);
  assert.equal(await statusWith({ ':authority': sameService }), '0');
  assert.equal(await statusWith({ ':authority': host, host }), '0');
  assert.equal(await statusWith({ ':authority': host }), '0');
});

test('above the plan a call is RESOURCE_EXHAUSTED with retry-after', async () => {
  const key = await local.newKey({ type: 'grpc', plan: 'Free' });
  const calls = Array.from({ length: 7 }, () => client.unary(ping, {}, bearer(key)));
  const results = await Promise.allSettled(calls);
  const refused = results.find((result) => result.status === 'rejected');
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 5);
  const error = await failureOf(Promise.reject(refused?.reason as Error));
  assert.equal(error.code, status.RESOURCE_EXHAUSTED);
  assert.match(error.details, /5 requests\/s allowed on plan Free/);
  assert.deepEqual(error.metadata.get('retry-after'), ['1']);
});

test('opening a stream costs one request, and its messages cost nothing', async () => {
  const key = await local.newKey({ type: 'grpc', plan: 'Free' });
  const stream = client.subscribe(bearer(key));
  for (let count = 0; count < 20; count++) await stream.settled();
  assert.deepEqual(await usageOf(key), ['geyser.Geyser/Subscribe 1 0']);
  stream.cancel();
});

test('usage counts calls by method, refused ones as errors', async () => {
  const key = await local.newKey({ type: 'grpc', plan: 'Dev' });
  await client.unary(getSlot, {}, bearer(key));
  await client.unary(getSlot, {}, bearer(key));
  await failureOf(client.unary(Geyser.method.isBlockhashValid, { blockhash: '!' }, bearer(key)));
  await client.subscribe(bearer(key), '/geyser.Geyser/SubscribeDeshred').ended;
  await client.subscribe(bearer(key), '/some/thing').ended;
  assert.deepEqual((await usageOf(key)).toSorted(), [
    '(other) 1 1',
    'geyser.Geyser/GetSlot 2 0',
    'geyser.Geyser/IsBlockhashValid 1 1',
    'geyser.Geyser/SubscribeDeshred 1 1',
  ]);
});

test('a rotated key ends its streams UNAUTHENTICATED, and the new secret opens one', async () => {
  const key = await local.newKey({ type: 'grpc' });
  const stream = client.subscribe(bearer(key));
  await stream.settled();
  const rotated = JSON.parse((await local.admin('POST', `/keys/${key.keyId}/rotate`)).text) as IssuedKey;
  const { code, details } = await stream.ended;
  assert.deepEqual([code, details], [status.UNAUTHENTICATED, 'stream closed: key rotated']);
  assert.equal((await failureOf(client.unary(getSlot, {}, bearer(key)))).code, status.UNAUTHENTICATED);
  const again = client.subscribe(bearer(rotated));
  await again.settled();
  again.cancel();
});

test('a revoked key ends its streams UNAUTHENTICATED, and no other', async () => {
  const key = await local.newKey({ type: 'grpc' });
  const [stream, other] = [client.subscribe(bearer(key)), client.subscribe()];
  await Promise.all([stream.settled(), other.settled()]);
  await local.admin('DELETE', `/keys/${key.keyId}`);
  assert.equal((await stream.ended).code, status.UNAUTHENTICATED);
  await other.settled();
  other.cancel();
});

test('a suspended key ends its streams PERMISSION_DENIED and is refused with retry-after', async () => {
  const key = await local.newKey({ type: 'grpc' });
  const stream = client.subscribe(bearer(key));
  await stream.settled();
  await local.admin('PATCH', `/keys/${key.keyId}`, { state: 'suspended' });
  assert.equal((await stream.ended).code, status.PERMISSION_DENIED);
  const refused = await failureOf(client.unary(getSlot, {}, bearer(key)));
  assert.equal(refused.code, status.PERMISSION_DENIED);
  assert.match(refused.details, /temporarily suspended/);
  assert.equal(refused.metadata.get('retry-after').length, 1);
});

test('POST /local/streams/drop ends streams UNAVAILABLE', async () => {
  const stream = client.subscribe();
  await stream.settled();
  await local.admin('POST', '/streams/drop');
  assert.equal((await stream.ended).code, status.UNAVAILABLE);
});
