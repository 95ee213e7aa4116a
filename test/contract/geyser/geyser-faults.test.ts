// The faults of scope grpc, as a client meets them, and input that no client sends.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import http2 from 'node:http2';
import net from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { Geyser, SubscribeRequestSchema } from '../../../proto';
import { failureOf, testGeyser } from './geyser-client';

const { getSlot } = Geyser.method;
const GET_SLOT = 'geyser.Geyser/GetSlot';

const { local, client } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });

async function faults(...rules: object[]): Promise<void> {
  const answer = await local.admin('PUT', '/faults', { faults: rules.map((rule) => ({ scope: 'grpc', ...rule })) });
  assert.equal(answer.status, 200, answer.text);
}

test('latency delays a call', async () => {
  await faults({ kind: 'latency', ms: 300, times: 1, method: GET_SLOT });
  const from = performance.now();
  await client.unary(getSlot);
  assert.ok(performance.now() - from >= 295);
});

test('a call without a message is refused after a delay too', async () => {
  await faults({ kind: 'latency', ms: 50, times: 1, method: GET_SLOT });
  const session = http2.connect(local.ready.grpcUrl);
  const stream = session.request(
    {
      ...{ ':method': 'POST', ':path': '/geyser.Geyser/GetSlot', 'content-type': 'application/grpc' },
      'x-token': local.ready.keys.grpc.key,
    },
    { endStream: true },
  );
  const [head] = (await once(stream.resume(), 'response')) as [http2.IncomingHttpHeaders];
  assert.equal(head['grpc-status'], String(status.INVALID_ARGUMENT));
  session.close();
});

test('drop breaks the connection: UNAVAILABLE', async () => {
  await faults({ kind: 'drop', times: 1 });
  const { code } = await failureOf(client.unary(getSlot));
  assert.equal(code, status.UNAVAILABLE);
  await client.unary(getSlot);
});

for (const [http, expected] of [
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [429, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
] as const) {
  test(`status ${http} answers as a gateway, which clients read as ${expected}`, async () => {
    await faults({ kind: 'status', status: http, times: 1 });
    assert.equal((await failureOf(client.unary(getSlot))).code, status[expected]);
  });
}

test('hang never answers', async () => {
  await faults({ kind: 'hang', times: 1, method: 'geyser.Geyser/Subscribe' });
  const stream = client.subscribe();
  await client.unary(getSlot);
  assert.equal(stream.updates.length, 0);
  stream.cancel();
  assert.equal((await stream.ended).code, status.CANCELLED);
});

test('gap leaves an update out, duplicate sends it twice', async () => {
  const stream = client.subscribe();
  stream.send({ blocksMeta: { m: {} } });
  await stream.settled();
  await faults({ kind: 'gap', times: 1 });
  await local.slots(1);
  await faults({ kind: 'duplicate', times: 1 });
  await local.slots(1);
  await local.slots(1);
  await stream.settled();
  const slots = stream.updates.flatMap(({ updateOneof }) =>
    updateOneof.case === 'blockMeta' ? [Number(updateOneof.value.slot)] : [],
  );
  assert.deepEqual(
    slots.map((slot) => slot - (slots[0] ?? 0)),
    [0, 0, 1],
  );
  stream.cancel();
});

test('redirect answers as a gateway too, which clients do not follow', async () => {
  await faults({ kind: 'redirect', headers: { location: 'http://127.0.0.1:9/' }, times: 1 });
  const { details } = await failureOf(client.unary(getSlot));
  assert.match(details, /307/);
});

test('garbage is a message that cannot be read, as an answer and as an update', async () => {
  await faults({ kind: 'garbage', times: 1, method: GET_SLOT });
  assert.equal((await failureOf(client.unary(getSlot))).code, status.INTERNAL);
  const stream = client.subscribe();
  stream.send({ blocksMeta: { m: {} } });
  await stream.settled();
  await faults({ kind: 'garbage', times: 1 });
  await local.slots(1);
  assert.equal((await stream.ended).code, status.INTERNAL);
});

test('truncate breaks a call off in the middle of a message', async () => {
  await faults({ kind: 'truncate', times: 1 });
  assert.equal((await failureOf(client.unary(getSlot))).code, status.INTERNAL);
  const stream = client.subscribe();
  stream.send({ blocksMeta: { m: {} } });
  await stream.settled();
  await faults({ kind: 'truncate', times: 1 });
  await local.slots(1);
  assert.equal((await stream.ended).code, status.INTERNAL);
});

test('slowloris gives a message byte by byte, and what comes after it waits', async () => {
  await faults({ kind: 'slowloris', ms: 5, times: 1 });
  const from = performance.now();
  await client.unary(getSlot);
  assert.ok(performance.now() - from >= 30);
  const stream = client.subscribe();
  stream.send({ blocksMeta: { m: {} } });
  await stream.settled();
  await faults({ kind: 'slowloris', ms: 1, times: 1 });
  await local.slots(2);
  const [first, second] = [await stream.nextOf('blockMeta'), await stream.nextOf('blockMeta')];
  assert.equal(second.updateOneof.value.slot - first.updateOneof.value.slot, 1n);
  stream.cancel();
});

test('goaway: the call at hand is made, the next goes over a new connection, the old one breaks with its streams', async () => {
  const stream = client.subscribe();
  await stream.settled();
  await faults({ kind: 'goaway', ms: 100, times: 1 });
  await client.unary(getSlot);
  await client.unary(getSlot);
  assert.equal((await stream.ended).code, status.UNAVAILABLE);
  await client.unary(getSlot);
});

test('a session that gets goaway sees the frame', async () => {
  await faults({ kind: 'goaway', ms: 0, times: 1 });
  const session = http2.connect(local.ready.grpcUrl);
  session.on('error', () => undefined);
  const goaway = once(session, 'goaway');
  const request = session.request({
    ':method': 'POST',
    ':path': `/${GET_SLOT}`,
    'content-type': 'application/grpc',
    authorization: `Bearer ${local.ready.keys.grpc.key}`,
  });
  request.on('error', () => undefined);
  assert.equal(((await goaway) as [number])[0], http2.constants.NGHTTP2_NO_ERROR);
  session.destroy();
});

test('a call that is not gRPC is answered in HTTP', async () => {
  const session = http2.connect(local.ready.grpcUrl);
  for (const [headers, expected] of [
    [{ ':method': 'GET', ':path': '/' }, 405],
    [{ ':method': 'POST', ':path': '/', 'content-type': 'application/json' }, 415],
  ] as const) {
    const [answer] = (await once(session.request(headers).end(), 'response')) as [http2.IncomingHttpHeaders];
    assert.equal(answer[':status'], expected);
  }
  session.close();
});

test('bytes that are no HTTP/2 close their connection only', async () => {
  for (const bytes of ['GET / HTTP/1.1\r\nhost: x\r\n\r\n', randomBytes(5_000)]) {
    const socket = net.connect(Number(new URL(local.ready.grpcUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
  }
  await client.unary(getSlot);
});

test('a thousand damaged requests end their streams and nothing else', async () => {
  const good = toBinary(
    SubscribeRequestSchema,
    create(SubscribeRequestSchema, {
      accounts: { a: { account: ['x'.repeat(40)], filters: [{ filter: { case: 'datasize', value: 3n } }] } },
      transactions: { t: { accountInclude: ['y'], failed: false, signature: 'z' } },
      slots: { ['__proto__']: {} },
      accountsDataSlice: [{ offset: 1n, length: 2n ** 64n - 1n }],
      fromSlot: 2n ** 64n - 1n,
    }),
  );
  for (let round = 0; round < 50; round++) {
    const streams = Array.from({ length: 20 }, () => {
      const bytes = Buffer.from(good);
      for (let change = 0; change < 3; change++)
        bytes[randomBytes(2).readUInt16LE() % bytes.length] = randomBytes(1)[0] ?? 0;
      const stream = client.subscribe();
      stream.sendRaw(bytes.subarray(0, 1 + (randomBytes(2).readUInt16LE() % bytes.length)));
      return stream;
    });
    await client.unary(getSlot);
    for (const stream of streams) stream.cancel();
    await Promise.all(streams.map((stream) => stream.ended));
  }
  const stream = client.subscribe();
  await stream.settled();
  stream.cancel();
});
