// The faults of scope ws: what strikes the opening of a connection, its answers and its notifications.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { member } from '../../../core/solana/json/json';
import { testLedger } from '../../support/process/localnet';
import { PubSub } from '../../support/wire/pubSub';

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
beforeEach(() => faults());

async function faults(...rules: object[]): Promise<void> {
  const answer = await local.admin('PUT', '/faults', { faults: rules.map((rule) => ({ scope: 'ws', ...rule })) });
  assert.equal(answer.status, 200, answer.text);
}

const open = (): WebSocket =>
  new WebSocket(local.ready.wsUrl, { headers: { authorization: `Bearer ${local.ready.keys.rpc.key}` } });
const ASK = '{"jsonrpc":"2.0","id":1,"method":"getVersion"}';

/** The text of the next message of a fresh connection that asks for the version. */
async function answerText(): Promise<string> {
  const socket = open();
  await once(socket, 'open');
  socket.send(ASK);
  const [data] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return data.toString();
}

for (const [kind, expected] of [
  ['status', 503],
  ['redirect', 307],
] as const) {
  test(`${kind} answers the opening with ${expected}`, async () => {
    await faults({ kind, headers: { location: 'ws://127.0.0.1:9/' }, body: 'no' });
    const socket = open();
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(response.statusCode, expected);
    assert.equal(response.headers.location, 'ws://127.0.0.1:9/');
    response.destroy();
  });
}

test('drop of method upgrade breaks the opening, and a fault of messages does not', async () => {
  await faults({ kind: 'drop', times: 1 });
  const lucky = open();
  await once(lucky, 'open');
  lucky.terminate();
  await faults({ kind: 'drop', method: 'upgrade', times: 1 });
  const [error] = (await once(open(), 'error')) as [Error];
  assert.match(error.message, /socket hang up|ECONNRESET/);
});

test('latency and hang of method upgrade delay and withhold the opening', async () => {
  await faults({ kind: 'latency', method: 'upgrade', ms: 300, times: 1 });
  const from = performance.now();
  const late = open();
  await once(late, 'open');
  assert.ok(performance.now() - from >= 290);
  late.terminate();
  await faults({ kind: 'hang', method: 'upgrade', times: 1 });
  const hanging = open();
  hanging.on('error', () => undefined);
  const other = open();
  await once(other, 'open');
  assert.equal(hanging.readyState, WebSocket.CONNECTING);
  other.terminate();
  hanging.terminate();
});

test('drop cuts the connection in place of a message', async () => {
  const client = await PubSub.open(local);
  const closed = once(client.socket, 'close');
  await faults({ kind: 'drop', method: 'slotNotification', times: 1 });
  await client.subscribe('slotSubscribe');
  await local.slots(1);
  assert.equal(((await closed) as [number])[0], 1006);
});

test('hang leaves the connection open and silent', async () => {
  const client = await PubSub.open(local);
  await faults({ kind: 'hang', method: 'getVersion', times: 1 });
  client.socket.send(ASK);
  client.socket.send(ASK);
  const pong = once(client.socket, 'pong');
  client.socket.ping();
  await pong;
  assert.deepEqual(client.seen, []);
  client.close();
});

test('latency delays a message and keeps the order', async () => {
  const client = await PubSub.open(local);
  const slot = await client.subscribe('slotSubscribe');
  await faults({ kind: 'latency', ms: 300, method: 'slotNotification', times: 1 });
  const from = performance.now();
  await local.slots(2);
  const first = Number(member(await client.notified(slot), 'slot'));
  assert.ok(performance.now() - from >= 290);
  assert.equal(member(await client.notified(slot), 'slot'), first + 1);
  client.close();
});

test('garbage is a message that is not JSON', async () => {
  await faults({ kind: 'garbage', times: 1 });
  assert.match(await answerText(), /^<html>/);
  await faults({ kind: 'garbage', body: '[[[', times: 1 });
  assert.equal(await answerText(), '[[[');
});

test('truncate is half a message', async () => {
  const whole = await answerText();
  await faults({ kind: 'truncate', times: 1 });
  assert.equal(await answerText(), whole.slice(0, Math.floor(whole.length / 2)));
});

test('slowloris is a whole message, byte by byte', async () => {
  const whole = await answerText();
  await faults({ kind: 'slowloris', ms: 2, times: 1 });
  const from = performance.now();
  assert.equal(await answerText(), whole);
  assert.ok(performance.now() - from >= whole.length);
});

test('wrongid answers an id that nobody sent', async () => {
  await faults({ kind: 'wrongid', times: 1 });
  assert.match(await answerText(), /"id":"an-id-nobody-sent"/);
  assert.match(await answerText(), /"id":1/);
});

test('a fault strikes only the connections of its key', async () => {
  const other = await local.newKey({ type: 'rpc' });
  await faults({ kind: 'garbage', keyId: other.keyId });
  assert.match(await answerText(), /"id":1/);
});
