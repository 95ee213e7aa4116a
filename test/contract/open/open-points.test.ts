// Where the hosted service's contract says "not shown", the local service has chosen: one test for each such choice,
// named after it, over real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { WebSocket } from 'ws';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { Geyser } from '../../../proto';
import {
  type HttpAnswer,
  type KeyType,
  request,
  startTestLedger,
  testLedger,
  walletOf,
} from '../../support/process/localnet';
import { errorCode, PubSub } from '../../support/wire/pubSub';
import { failureOf, geyserClient } from '../geyser/geyser-client';
import { compile, freshKey, signTransaction, toBase64, transfer } from '../rpc/rpc-harness';
import { prepare } from '../../support/shared';

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
let wallet: Keypair;
prepare(() => {
  wallet = walletOf(local.ready);
});

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const key = (type: KeyType): string => local.ready.keys[type].key;
const asked = (method: string, params: unknown[] = [], id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const ok = async (method: string, params: unknown[] = []): Promise<JsonValue> => {
  const result = member((await local.rpc(method, params)).json, 'result');
  assert.notEqual(result, undefined, method);
  return result ?? null;
};
const failure = async (method: string, params: unknown[] = []): Promise<unknown> =>
  errorCode((await local.rpc(method, params)).json);
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);
const usageOf = async (keyId: string): Promise<JsonValue> => (await local.rest(`/v1/usage/${keyId}`)).json;

async function signedTransfer(versioned = false): Promise<string> {
  const hash = member(member(await ok('getLatestBlockhash', [{ commitment: 'processed' }]), 'value'), 'blockhash');
  const instructions = [transfer(wallet.address, freshKey().address, 1_000_000n)];
  const message = compile(instructions, [wallet], hash as string, versioned ? [] : undefined);
  return toBase64(signTransaction(message, [wallet]));
}
const SEND = { encoding: 'base64', preflightCommitment: 'processed' };

/** The HTTP answer to an upgrade that is refused. */
async function refusedUpgrade(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(local.ready.wsUrl, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.destroy();
  return response.statusCode ?? 0;
}

test('other JSON-RPC methods: what clients call is answered, the rest is -32601 with a sentence', async () => {
  const address = local.ready.wallet.address;
  for (const [method, params] of [
    ['getAccountInfo', [address]],
    ['getMultipleAccounts', [[address]]],
    ['getSignatureStatuses', [[]]],
    ['getMinimumBalanceForRentExemption', [165]],
    ['getVersion', []],
    ['getGenesisHash', []],
    ['getBlocks', [0]],
    ['getSupply', []],
    ['getVoteAccounts', []],
    ['getRecentPrioritizationFees', []],
  ] as const)
    await ok(method, [...params]);
  const removed = await local.rpc('getRecentBlockhash');
  assert.equal(errorCode(removed.json), -32601);
  assert.match(removed.text, /use getLatestBlockhash/);
  assert.equal(await failure('getNothing'), -32601);
});

test('params beyond the contract: getSlot config, minContextSlot, dataSlice and memcmp encoding are taken', async () => {
  const slot = Number(await ok('getSlot', [{ commitment: 'processed', minContextSlot: 1 }]));
  assert.equal(await failure('getSlot', [{ minContextSlot: slot + 1_000 }]), -32016);
  const sliced = await ok('getAccountInfo', [TOKEN, { encoding: 'base64', dataSlice: { offset: 0, length: 4 } }]);
  const [data] = listOf(member(member(sliced, 'value'), 'data'));
  assert.equal(Buffer.from(data as string, 'base64').length, 4);
  const owner = freshKey().address;
  await local.cheat('setAccount', { address: freshKey().address, lamports: 9, owner, data: 'AQID' });
  for (const memcmp of [
    { offset: 1, bytes: 'AgM=', encoding: 'base64' },
    { offset: 1, bytes: [2, 3] },
  ])
    assert.equal(listOf(await ok('getProgramAccounts', [owner, { filters: [{ memcmp }] }])).length, 1);
});

test('unknown config fields are ignored', async () => {
  await ok('getBalance', [local.ready.wallet.address, { nonsense: true }]);
});

test('default commitment of the other methods is finalized', async () => {
  const address = freshKey().address;
  await ok('requestAirdrop', [address, 1_000_000]);
  assert.equal(member(await ok('getAccountInfo', [address]), 'value'), null);
  assert.notEqual(member(await ok('getAccountInfo', [address, { commitment: 'processed' }]), 'value'), null);
});

test('batch: supported, order kept, and one of n counts n', async () => {
  const { keyId, key: free } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const batch = (count: number): string =>
    `[${Array.from({ length: count }, (_, id) => asked(id % 2 === 0 ? 'getSlot' : 'getVersion', [], id)).join(',')}]`;
  const answer = await local.post(batch(5), bearer(free));
  assert.deepEqual(
    listOf(answer.json).map((one) => member(one, 'id')),
    [0, 1, 2, 3, 4],
  );
  assert.equal(member(await usageOf(keyId), 'request_count'), 5);
  assert.equal((await local.post(batch(5), bearer(free))).status, 429);
});

test('subscription messages: nine subscriptions with their unsubscribes, ids not reused, ping ignored', async () => {
  const client = await PubSub.open(local);
  const address = local.ready.wallet.address;
  const signature = await ok('requestAirdrop', [freshKey().address, 1_000_000]);
  const all: readonly (readonly [string, unknown[]])[] = [
    ['account', [address]],
    ['program', [TOKEN]],
    ['logs', ['all']],
    ['signature', [signature]],
    ['slot', []],
    ['root', []],
    ['block', ['all']],
    ['slotsUpdates', []],
    ['vote', []],
  ];
  const ids = new Set<number>();
  for (const [name, params] of all) {
    const id = await client.subscribe(`${name}Subscribe`, params);
    ids.add(id);
    client.socket.send('{"jsonrpc":"2.0","method":"ping"}');
    assert.equal(member(await client.call(`${name}Unsubscribe`, [id]), 'result'), true, name);
    ids.add(await client.subscribe(`${name}Subscribe`, params));
  }
  assert.equal(ids.size, 2 * all.length);
  assert.deepEqual(client.seen, []);
  client.close();
});

test('gRPC service and messages: all of Yellowstone but SubscribeDeshred, which is UNIMPLEMENTED', async () => {
  const client = geyserClient(local);
  assert.equal((await client.unary(Geyser.method.ping, { count: 7 })).count, 7);
  const deshred = client.subscribe(undefined, '/geyser.Geyser/SubscribeDeshred');
  assert.equal((await deshred.ended).code, status.UNIMPLEMENTED);
  const { firstAvailable } = await client.unary(Geyser.method.subscribeReplayInfo);
  const stream = client.subscribe();
  // A map entry with a key and no value, as clients on prost write an empty filter: slots {"s"} and from_slot.
  const from = Buffer.alloc(1 + 10);
  const length = writeVarint(from, firstAvailable ?? 0n);
  stream.sendRaw(Buffer.concat([Buffer.from([0x12, 3, 0x0a, 1, 0x73]), Buffer.from([0x58]), from.subarray(0, length)]));
  await local.slots(1);
  assert.equal((await stream.nextOf('slot')).updateOneof.value.slot, firstAvailable);
  stream.cancel();
  client.close();
});

function writeVarint(into: Buffer, value: bigint): number {
  let at = 0;
  for (let rest = value; ; rest >>= 7n) {
    into[at++] = Number(rest & 127n) | (rest > 127n ? 128 : 0);
    if (rest <= 127n) return at;
  }
}

test('the key is accepted in header and query over HTTP and WebSocket, in metadata and path over gRPC', async () => {
  const rpc = key('rpc');
  assert.equal((await local.post(asked('getSlot'), bearer(rpc))).status, 200);
  assert.equal((await local.post(asked('getSlot'), {}, `?api_key=${rpc}`)).status, 200);
  (await PubSub.open(local)).close();
  const socket = new WebSocket(`${local.ready.wsUrl}?api_key=${rpc}`);
  await once(socket, 'open');
  socket.terminate();
  const client = geyserClient(local, {});
  const { getSlot } = Geyser.method;
  for (const metadata of [bearer(key('grpc')), { 'x-token': key('grpc') }, { api_key: key('grpc') }])
    await client.unary(getSlot, {}, metadata);
  await client.unary(getSlot, {}, {}, `?api_key=${key('grpc')}`);
  client.close();
});

test('RPC and SWQoS key together, either way round, or the SWQoS key alone for sends; sends are billed to it', async () => {
  const swqos = await local.newKey({ type: 'swqos', plan: 'Pro' });
  const rpc = await local.newKey({ type: 'rpc', plan: 'Pro' });
  const send = async (headers: Record<string, string>, query: string): Promise<HttpAnswer> =>
    local.post(asked('sendTransaction', [await signedTransfer(), SEND]), headers, query);
  assert.equal((await send(bearer(rpc.key), `?api_key=${swqos.key}`)).status, 200);
  assert.equal((await send(bearer(swqos.key), `?api_key=${rpc.key}`)).status, 200);
  assert.equal((await send({}, `?api_key=${swqos.key}`)).status, 200);
  assert.equal((await local.post(asked('getSlot'), bearer(swqos.key))).status, 403);
  const methods = listOf(member(await usageOf(swqos.keyId), 'methods'));
  const sends = methods.find((row) => member(row, 'method') === 'sendTransaction');
  assert.equal(member(sends, 'count'), 3);
  assert.equal(member(await usageOf(rpc.keyId), 'request_count'), 0);
});

test('missing or invalid key: 401 with the request id, 401 on the upgrade, UNAUTHENTICATED', async () => {
  for (const headers of [{}, bearer('rpc_nobody')]) {
    const answer = await local.post(asked('getSlot', [], 'mine'), headers);
    assert.equal(answer.status, 401);
    assert.equal(errorCode(answer.json), 401);
    assert.equal(member(answer.json, 'id'), 'mine');
    assert.equal(await refusedUpgrade(headers), 401);
    const client = geyserClient(local, headers);
    assert.equal((await failureOf(client.unary(Geyser.method.getSlot))).code, status.UNAUTHENTICATED);
    client.close();
  }
});

test('403 body: names the type that is needed; 403 on the upgrade; PERMISSION_DENIED', async () => {
  const answer = await local.post(asked('getSlot', [], 7), bearer(key('grpc')));
  assert.equal(answer.status, 403);
  assert.equal(member(answer.json, 'id'), 7);
  assert.match(answer.text, /"code":403,"message":"[^"]*RPC Key is required"/);
  assert.equal(await refusedUpgrade(bearer(key('grpc'))), 403);
  const client = geyserClient(local, bearer(key('rpc')));
  const { code, details } = await failureOf(client.unary(Geyser.method.getSlot));
  assert.equal(code, status.PERMISSION_DENIED);
  assert.match(details, /gRPC Key is required/);
  client.close();
});

test('429: an envelope with Retry-After and x-ratelimit headers, RESOURCE_EXHAUSTED, a JSON-RPC error on the socket', async () => {
  const rpc = await local.newKey({ type: 'rpc', plan: 'Free' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => local.post(asked('getSlot', [], 3), bearer(rpc.key))),
  );
  const limited = answers.find((answer) => answer.status === 429);
  assert.ok(limited);
  assert.equal(errorCode(limited.json), 429);
  assert.equal(member(limited.json, 'id'), 3);
  assert.ok(Number(limited.headers['retry-after']) >= 1);
  assert.equal(limited.headers['x-ratelimit-limit'], '5');
  for (const name of ['x-ratelimit-remaining', 'x-ratelimit-reset']) assert.ok(limited.headers[name] !== undefined);
  const socket = await PubSub.open(local, rpc.key);
  const replies = await Promise.all(Array.from({ length: 8 }, () => socket.call('getVersion')));
  assert.ok(replies.some((one) => errorCode(one) === 429));
  assert.equal(socket.socket.readyState, WebSocket.OPEN);
  socket.close();
  const grpc = await local.newKey({ type: 'grpc', plan: 'Free' });
  const client = geyserClient(local, bearer(grpc.key));
  const calls = await Promise.allSettled(Array.from({ length: 8 }, () => client.unary(Geyser.method.getSlot)));
  const codes = calls.flatMap((call) => (call.status === 'rejected' ? [(call.reason as { code: status }).code] : []));
  assert.ok(codes.length > 0 && codes.every((code) => code === status.RESOURCE_EXHAUSTED));
  client.close();
});

test('which key the REST API takes: any active key', async () => {
  for (const type of ['rpc', 'grpc', 'swqos'] as const)
    assert.equal((await local.rest('/v1/usage', key(type))).status, 200);
});

test('list of API keys: id, type, label, plan, state and times, and never a secret', async () => {
  const { key: secret } = await local.newKey({ type: 'rpc', label: 'Indexer' });
  const answer = await local.rest('/v1/keys');
  for (const row of listOf(member(answer.json, 'keys')))
    for (const name of ['key_id', 'type', 'label', 'plan', 'state', 'created_at', 'last_used_at'])
      assert.notEqual(member(row, name), undefined, name);
  for (const hidden of [secret, secret.slice(-12), key('rpc')]) assert.ok(!answer.text.includes(hidden));
});

test('rotation and live streams: 401 from the next request, 4001, UNAUTHENTICATED; id and usage stay', async () => {
  const [rpc, grpc] = [await local.newKey({ type: 'rpc' }), await local.newKey({ type: 'grpc' })];
  const socket = await PubSub.open(local, rpc.key);
  const client = geyserClient(local, bearer(grpc.key));
  const stream = client.subscribe();
  await stream.settled();
  await local.rpc('getSlot', [], rpc.key);
  const closed = once(socket.socket, 'close');
  const rotated = await local.admin('POST', `/keys/${rpc.keyId}/rotate`);
  await local.admin('POST', `/keys/${grpc.keyId}/rotate`);
  assert.equal((await local.rpc('getSlot', [], rpc.key)).status, 401);
  assert.equal(((await closed) as [number])[0], 4001);
  assert.equal((await stream.ended).code, status.UNAUTHENTICATED);
  assert.equal(member(rotated.json, 'keyId'), rpc.keyId);
  assert.equal((await local.rpc('getSlot', [], member(rotated.json, 'key') as string)).status, 200);
  assert.equal(member(await usageOf(rpc.keyId), 'request_count'), 2);
  client.close();
});

test('suspension: 403 "temporarily suspended" with Retry-After 30 on every interface', async () => {
  const { keyId, key: suspended } = await local.newKey({ type: 'rpc' });
  await local.admin('PATCH', `/keys/${keyId}`, { state: 'suspended' });
  const answer = await local.rpc('getSlot', [], suspended);
  assert.equal(answer.status, 403);
  assert.equal(answer.headers['retry-after'], '30');
  assert.match(answer.text, /temporarily suspended/);
  assert.equal((await local.rest('/v1/usage', suspended)).status, 403);
  assert.equal(await refusedUpgrade(bearer(suspended)), 403);
});

test('usage errors: JSON-RPC errors and 429 count, failed transactions and 401 do not; 400 and 404', async () => {
  const { keyId, key: own } = await local.newKey({ type: 'rpc', plan: 'Pro' });
  await local.rpc('getNothing', [], own);
  await local.rpc('getBalance', ['x'], own);
  await local.rpc('getSlot', [], own);
  await local.rpc('getSlot', [], `${own}x`);
  const usage = await usageOf(keyId);
  assert.equal(member(usage, 'request_count'), 3);
  const errors = listOf(member(usage, 'methods')).reduce<number>((sum, row) => sum + Number(member(row, 'errors')), 0);
  assert.equal(errors, 2);
  assert.equal((await local.rest('/v1/usage?from=9&to=3')).status, 400);
  assert.equal((await local.rest('/v1/usage/key_nobody')).status, 404);
});

test('until of getSignaturesForAddress is inclusive', async () => {
  const address = freshKey().address;
  const first = await ok('requestAirdrop', [address, 1_000_000]);
  const second = await ok('requestAirdrop', [address, 2_000_000]);
  await local.slots(2);
  const page = await ok('getSignaturesForAddress', [address, { until: first, commitment: 'confirmed' }]);
  assert.deepEqual(
    listOf(page).map((one) => member(one, 'signature')),
    [second, first],
  );
});

test('with --consensus tower --finality-lag sets how many slots finalized is behind; confirmed is one', async () => {
  const quick = await startTestLedger(['--consensus', 'tower', '--finality-lag', '5'], { clock: 'slots' });
  const slots: number[] = [];
  for (const commitment of ['processed', 'confirmed', 'finalized'])
    slots.push(Number(member((await quick.rpc('getSlot', [{ commitment }])).json, 'result')));
  const [processed = 0, confirmed, finalized] = slots;
  assert.deepEqual([confirmed, finalized], [processed - 1, processed - 5]);
  await quick.stop();
});

test('--agave-until leaves the until signature out', async () => {
  const agave = await startTestLedger(['--agave-until'], { clock: 'slots' });
  const address = freshKey().address;
  const first = member((await agave.rpc('requestAirdrop', [address, 1_000_000])).json, 'result');
  await agave.slots(2);
  const page = await agave.rpc('getSignaturesForAddress', [address, { until: first, commitment: 'confirmed' }]);
  assert.deepEqual(member(page.json, 'result'), []);
  await agave.stop();
});

test('versioned transaction without maxSupportedTransactionVersion is -32015', async () => {
  const signature = await ok('sendTransaction', [await signedTransfer(true), SEND]);
  await local.slots(2);
  assert.equal(await failure('getTransaction', [signature, { commitment: 'confirmed' }]), -32015);
  await ok('getTransaction', [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }]);
});

test("SWQoS's effect: under congestion unstaked sends are lost and SWQoS sends land in the next slot", async () => {
  await local.admin('PUT', '/faults', { faults: [{ scope: 'http', kind: 'congestion' }] });
  const [mine, other] = [await signedTransfer(), await signedTransfer()];
  const staked = member((await local.rpc('sendTransaction', [mine, SEND], key('swqos'))).json, 'result');
  const unstaked = await ok('sendTransaction', [other, { ...SEND, maxRetries: 0 }]);
  await local.slots(2);
  const statuses = listOf(member(await ok('getSignatureStatuses', [[staked, unstaked]]), 'value'));
  assert.equal(statuses[1], null);
  assert.equal(member(statuses[0], 'err'), null);
  await local.admin('PUT', '/faults', { faults: [] });
});

test('the ready line has every member the interfaces need, with complete URLs', () => {
  const { ready } = local;
  assert.match(ready.rpcUrl, /^http:\/\/127\.0\.0\.1:\d+\/sol$/);
  assert.match(ready.wsUrl, /^ws:\/\/127\.0\.0\.1:\d+\/ws\/sol$/);
  assert.match(ready.grpcUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(ready.adminUrl, `${ready.restUrl}/local`);
  assert.equal(ready.dashboardUrl, `${ready.restUrl}/dashboard`);
  assert.equal(decodeBase58(ready.wallet.secretKey)?.length, 64);
  assert.equal(typeof ready.slotMs, 'number');
  assert.equal(typeof ready.version, 'string');
  assert.equal(ready.pid, local.process.pid);
});

test('the dashboard is a page that answers without a key and holds none', async () => {
  const page = await request(local.ready.dashboardUrl);
  assert.equal(page.status, 200);
  assert.ok(!page.text.includes(local.ready.adminToken));
});
