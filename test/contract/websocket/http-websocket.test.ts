// ws://…/ws/sol: who gets in, subscriptions at each commitment, and how connections end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { member, type JsonValue } from '../../../core/solana/json/json';
import { testLedger } from '../../support/process/localnet';
import { errorCode as code, PubSub } from '../../support/wire/pubSub';

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });

const ADDRESS = 'Vote111111111111111111111111111111111111119';
const FUNDED = 'Vote111111111111111111111111111111111111118';
const LATEST_SLOTS = 40;

const airdrop = async (address: string, lamports: number): Promise<string> => {
  const signature = member((await local.rpc('requestAirdrop', [address, lamports])).json, 'result');
  assert.equal(typeof signature, 'string');
  return signature as string;
};
const contextSlot = (result: JsonValue | undefined): JsonValue | undefined => member(member(result, 'context'), 'slot');
const slotNow = async (): Promise<unknown> =>
  member((await local.rpc('getSlot', [{ commitment: 'processed' }])).json, 'result');

/** The HTTP status and body of a refused upgrade. */
async function refusal(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  let body = '';
  for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) body += part;
  return { status: response.statusCode ?? 0, body };
}

test('an upgrade without a key or with an unknown one is 401', async () => {
  const { wsUrl } = local.ready;
  const { status, body } = await refusal(wsUrl);
  assert.equal(status, 401);
  assert.match(body, /^\{"jsonrpc":"2\.0","error":\{"code":401,"message":".+"\},"id":null\}$/);
  assert.equal((await refusal(wsUrl, { authorization: 'Bearer rpc_nobody' })).status, 401);
  assert.equal((await refusal(`${wsUrl}?api_key=rpc_nobody`)).status, 401);
});

test('an upgrade with a gRPC or a SWQoS key is 403 and names the type that is needed', async () => {
  const { wsUrl, keys } = local.ready;
  for (const { key } of [keys.grpc, keys.swqos]) {
    const { status, body } = await refusal(`${wsUrl}?api_key=${key}`);
    assert.equal(status, 403);
    assert.match(body, /RPC Key is required/);
  }
});

test('another path, a foreign Origin and a foreign Host are refused', async () => {
  const { wsUrl, keys } = local.ready;
  const authorization = `Bearer ${keys.rpc.key}`;
  assert.equal((await refusal(`${wsUrl}/more`, { authorization })).status, 404);
  assert.equal((await refusal(wsUrl, { authorization, origin: 'https://attacker.test' })).status, 403);
  assert.equal((await refusal(wsUrl, { authorization, host: 'attacker.test' })).status, 403);
});

test('the key travels in the query too', async () => {
  const { wsUrl, keys } = local.ready;
  const socket = new WebSocket(`${wsUrl}?api_key=${keys.rpc.key}`);
  await once(socket, 'open');
  socket.terminate();
});

test('an account is notified at each commitment that it reaches', async () => {
  const client = await PubSub.open(local);
  const [processed, confirmed, finalized] = [
    await client.subscribe('accountSubscribe', [ADDRESS, { commitment: 'processed', encoding: 'base64' }]),
    await client.subscribe('accountSubscribe', [ADDRESS, { commitment: 'confirmed', encoding: 'base64' }]),
    await client.subscribe('accountSubscribe', [ADDRESS, { encoding: 'base64' }]),
  ];
  await airdrop(ADDRESS, 5_000_000);
  const slot = await slotNow();
  const first = await client.notified(processed);
  assert.equal(contextSlot(first), slot);
  assert.equal(member(member(first, 'value'), 'lamports'), 5_000_000);
  assert.deepEqual(member(member(first, 'value'), 'data'), ['', 'base64']);
  await local.slots(LATEST_SLOTS);
  assert.equal(contextSlot(await client.notified(confirmed)), slot);
  assert.equal(contextSlot(await client.notified(finalized)), slot);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('an account set from outside is notified at every commitment at once', async () => {
  const client = await PubSub.open(local);
  const finalized = await client.subscribe('accountSubscribe', [FUNDED, { encoding: 'base64' }]);
  await local.cheat('setAccount', { address: FUNDED, lamports: 77, data: 'AQI=' });
  assert.deepEqual(member(member(await client.notified(finalized), 'value'), 'data'), ['AQI=', 'base64']);
  client.close();
});

test('a program is notified of its accounts that pass the filters', async () => {
  const client = await PubSub.open(local);
  const program = 'Vote111111111111111111111111111111111111117';
  const filtered = await client.subscribe('programSubscribe', [
    program,
    { commitment: 'processed', encoding: 'base64', filters: [{ dataSize: 2 }] },
  ]);
  await local.cheat('setAccount', { address: ADDRESS, lamports: 9, owner: program, data: 'AQID' });
  await local.cheat('setAccount', { address: FUNDED, lamports: 9, owner: program, data: 'AQI=' });
  const value = member(await client.notified(filtered), 'value');
  assert.equal(member(value, 'pubkey'), FUNDED);
  assert.equal(member(member(value, 'account'), 'owner'), program);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('a signature is notified once, at processed when its slot is complete', async () => {
  const client = await PubSub.open(local);
  const signature = await airdrop('Vote111111111111111111111111111111111111116', 1_000_000);
  const slot = await slotNow();
  const early = await client.subscribe('signatureSubscribe', [signature, { commitment: 'processed' }]);
  await client.call('getVersion');
  assert.deepEqual(client.seen, []);
  await local.slots(1);
  const notification = await client.notified(early);
  assert.deepEqual([contextSlot(notification), member(notification, 'value')], [slot, { err: null }]);
  const late = await client.subscribe('signatureSubscribe', [signature, { commitment: 'processed' }]);
  assert.deepEqual(member(await client.notified(late), 'value'), { err: null });
  const final = await client.subscribe('signatureSubscribe', [signature, { commitment: 'finalized' }]);
  assert.deepEqual(member(await client.notified(final), 'value'), { err: null });
  await local.slots(LATEST_SLOTS);
  assert.equal(code(await client.call('signatureUnsubscribe', [final])), -32602);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('logs are sent for all transactions, or for those that mention an account', async () => {
  const client = await PubSub.open(local);
  const all = await client.subscribe('logsSubscribe', ['all', { commitment: 'processed' }]);
  const mentioning = await client.subscribe('logsSubscribe', [{ mentions: [FUNDED] }, { commitment: 'processed' }]);
  const other = await airdrop('Vote111111111111111111111111111111111111115', 1_000_000);
  const mine = await airdrop(FUNDED, 1_000_000);
  assert.equal(member(member(await client.notified(all), 'value'), 'signature'), other);
  assert.equal(member(member(await client.notified(all), 'value'), 'signature'), mine);
  const value = member(await client.notified(mentioning), 'value');
  assert.equal(member(value, 'signature'), mine);
  assert.equal(member(value, 'err'), null);
  assert.match(JSON.stringify(member(value, 'logs')), /Program 1{32} success/);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('slot, root and slotsUpdates follow the slots', async () => {
  const client = await PubSub.open(local);
  const slot = await client.subscribe('slotSubscribe');
  const root = await client.subscribe('rootSubscribe');
  const updates = await client.subscribe('slotsUpdatesSubscribe');
  const before = Number(await slotNow());
  await local.slots(1);
  const notification = await client.notified(slot);
  assert.equal(member(notification, 'slot'), before + 1);
  assert.equal(member(notification, 'parent'), before);
  assert.equal(Number(await client.notified(root)), before);
  const kinds = [];
  for (let i = 0; i < 4; i++) kinds.push(member(await client.notified(updates), 'type'));
  assert.deepEqual(kinds, ['frozen', 'createdBank', 'optimisticConfirmation', 'root']);
  client.close();
});

test('after unsubscribing nothing comes, and a second time is an error', async () => {
  const client = await PubSub.open(local);
  const slot = await client.subscribe('slotSubscribe');
  assert.equal(member(await client.call('slotUnsubscribe', [slot]), 'result'), true);
  await local.slots(1);
  assert.equal(code(await client.call('slotUnsubscribe', [slot])), -32602);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('ids are never used again', async () => {
  const client = await PubSub.open(local);
  const first = await client.subscribe('slotSubscribe');
  await client.call('slotUnsubscribe', [first]);
  assert.notEqual(await client.subscribe('slotSubscribe'), first);
  client.close();
});

test('the ping of web clients is neither answered nor counted', async () => {
  const { key, keyId } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const client = await PubSub.open(local, key);
  for (let i = 0; i < 20; i++) client.socket.send('{"jsonrpc":"2.0","method":"ping"}');
  await client.subscribe('slotSubscribe');
  assert.deepEqual(client.seen, []);
  assert.equal(member((await local.rest(`/v1/usage/${keyId}`)).json, 'request_count'), 1);
  client.close();
});

test('messages above the plan get a 429 error and the connection stays', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const client = await PubSub.open(local, key);
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.call('slotSubscribe')));
  assert.ok(answers.some((answer) => code(answer) === 429));
  assert.equal(client.socket.readyState, WebSocket.OPEN);
  client.close();
});

for (const [method, params, expected] of [
  ['accountSubscribe', ['x'], -32602],
  ['accountSubscribe', [], -32602],
  ['logsSubscribe', [{ mentions: [ADDRESS, ADDRESS] }], -32602],
  ['logsSubscribe', ['some'], -32602],
  ['logsSubscribe', [{ mentions: [ADDRESS], votes: true }], -32602],
  ['blockSubscribe', [{ mentionsAccountOrProgram: ADDRESS, votes: true }], -32602],
  ['slotSubscribe', [1], -32602],
  ['slotUnsubscribe', [4_000_000], -32602],
  ['voteSubscribe', [1], -32602],
  ['blockSubscribe', [], -32602],
  ['blockSubscribe', ['some'], -32602],
  ['blockSubscribe', [{ mentionsAccountOrProgram: 'x' }], -32602],
  ['blockSubscribe', ['all', { commitment: 'processed' }], -32602],
  ['blockSubscribe', ['all', { encoding: 'zip' }], -32602],
  ['getVersion', [1], -32602],
  ['getSlot', [], -32601],
  ['__proto__', [], -32601],
] as const) {
  test(`${method} ${JSON.stringify(params)} is ${expected}`, async () => {
    const client = await PubSub.open(local);
    assert.equal(code(await client.call(method, params)), expected);
    client.close();
  });
}

test('a message that is not a request is answered and the connection stays', async () => {
  for (const text of ['{', '['.repeat(5_000)]) {
    const client = await PubSub.open(local);
    client.socket.send(text);
    assert.equal(code(await client.next((message) => member(message, 'id') === null)), -32700, text.slice(0, 9));
    await client.subscribe('slotSubscribe');
    client.close();
  }
});

test('a rotated key closes its connections with 4001 and no others', async () => {
  const { key, keyId } = await local.newKey({ type: 'rpc' });
  const [mine, other] = [await PubSub.open(local, key), await PubSub.open(local)];
  const closed = once(mine.socket, 'close');
  await local.admin('POST', `/keys/${keyId}/rotate`);
  const [closeCode, reason] = (await closed) as [number, Buffer];
  assert.equal(closeCode, 4001);
  assert.match(reason.toString(), /rotated/);
  await other.subscribe('slotSubscribe');
  other.close();
});

test('dropping streams cuts every connection without a closing frame', async () => {
  const client = await PubSub.open(local);
  const closed = once(client.socket, 'close');
  const dropped = member((await local.admin('POST', '/streams/drop')).json, 'dropped');
  assert.ok(Number(dropped) >= 1);
  assert.equal(((await closed) as [number])[0], 1006);
});

test('faults leave a notification out and send one twice', async () => {
  const client = await PubSub.open(local);
  const slot = await client.subscribe('slotSubscribe');
  await local.admin('PUT', '/faults', {
    faults: [
      { scope: 'ws', kind: 'gap', method: 'slotNotification', times: 1 },
      { scope: 'ws', kind: 'duplicate', method: 'slotNotification', times: 1 },
    ],
  });
  const before = Number(await slotNow());
  await local.slots(3);
  const slots: unknown[] = [];
  for (let i = 0; i < 3; i++) slots.push(member(await client.notified(slot), 'slot'));
  assert.deepEqual(slots, [before + 2, before + 2, before + 3]);
  client.close();
});

test('an oversized message closes the connection', async () => {
  const client = await PubSub.open(local);
  const closed = once(client.socket, 'close');
  client.socket.send('x'.repeat(100_000));
  assert.equal(((await closed) as [number])[0], 1009);
});

test('a message that is not text closes the connection', async () => {
  const client = await PubSub.open(local);
  const closed = once(client.socket, 'close');
  client.socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"rootSubscribe"}'), { binary: true });
  assert.equal(((await closed) as [number])[0], 1003);
});

test('two hundred connections are held and one more is refused', async () => {
  const clients: PubSub[] = [];
  for (let isFull = false; !isFull;) {
    const client = await PubSub.open(local).catch((error: unknown) => {
      assert.match(String(error), /503/);
      isFull = true;
    });
    if (client !== undefined) clients.push(client);
    assert.ok(clients.length <= 200, 'no connection was refused');
  }
  for (const client of clients) client.close();
});

test('a thousand subscriptions are held and one more is refused', async () => {
  const client = await PubSub.open(local);
  for (let i = 0; i < 1_000; i++) client.socket.send(`{"jsonrpc":"2.0","id":"n${i}","method":"rootSubscribe"}`);
  await client.next((message) => member(message, 'id') === 'n999');
  assert.equal(code(await client.call('rootSubscribe')), -32603);
  client.close();
});

test('a flood of frames is bounded by the plan, and others are served', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const client = await PubSub.open(local, key);
  for (let i = 0; i < 20_000; i++) client.socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
  assert.equal((await local.rpc('getSlot')).status, 200);
  client.close();
});

test('a reader that takes nothing is cut off instead of filling memory', async () => {
  const { hostname, port } = new URL(local.ready.wsUrl);
  const lazy = net.connect(Number(port), hostname);
  lazy.write(
    `GET /ws/sol HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Authorization: Bearer ${local.ready.keys.rpc.key}\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  await once(lazy, 'data');
  lazy.pause();
  lazy.on('error', () => undefined);
  const big = 'Vote111111111111111111111111111111111111114';
  lazy.write(
    frame(
      `{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["${big}",{"commitment":"processed","encoding":"base64"}]}`,
    ),
  );
  const data = Buffer.alloc(3 * 1024 * 1024).toString('base64');
  for (let i = 1; i <= 20; i++) await local.cheat('setAccount', { address: big, lamports: i, data });
  lazy.resume();
  await once(lazy, 'close');
});

/** A masked text frame, as a client must send it. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.from([1, 2, 3, 4]);
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}
