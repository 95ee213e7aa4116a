// Interfaces, keys, states, errors, limits and versions of the service, one test per row of the contract, by plain fetch,
// WebSocket and gRPC.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { WebSocket } from 'ws';
import { Geyser } from '../../../proto';
import { type IssuedKey, type KeyType } from '../../support/process/localnet';
import { failureOf, testGeyser } from '../geyser/geyser-client';
import { ServiceWallet } from '../geyser/geyser-wallet';
import { compile, freshKey, memo, signTransaction, signatureIn, toBase64 } from '../rpc/rpc-harness';
import { at, call, get, isObject, isString, isWhole, listAt, post } from './service-harness';

const TYPES: readonly KeyType[] = ['rpc', 'grpc', 'swqos'];
/** Requests and sends per second. */
const PLANS = {
  Free: [5, 1],
  Dev: [50, 5],
  Pro: [200, 20],
  Ultra: [500, 50],
  'Shared Metal': [2000, 200],
} as const;

const { local, client: grpc } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);

const keys = (): Readonly<Record<KeyType, IssuedKey>> => local.ready.keys;

/** The HTTP status of an upgrade: 101 when it is taken. */
async function upgrade(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const taken = once(socket, 'open').then(() => 101);
  const refused = once(socket, 'unexpected-response').then(([, response]) => (response as IncomingMessage).statusCode);
  taken.catch(() => undefined);
  refused.catch(() => undefined);
  const code = await Promise.race([taken, refused]);
  socket.terminate();
  return code ?? 0;
}

/** Subscribes and returns the first notification's params. */
async function firstNotification(
  method: string,
  params: readonly unknown[],
  cause: () => Promise<unknown>,
): Promise<unknown> {
  const socket = new WebSocket(`${local.ready.wsUrl}?api_key=${keys().rpc.key}`);
  const messages: unknown[] = [];
  await once(socket, 'open');
  const notification = new Promise<unknown>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message: unknown = JSON.parse(data.toString());
      messages.push(message);
      if (at(message, 'result') !== undefined) void cause();
      if (at(message, 'params') !== undefined) resolve(at(message, 'params'));
    });
  });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const notified = await notification;
  assert.equal(at(messages[0], 'result'), at(notified, 'subscription'));
  socket.terminate();
  return notified;
}

const slot = (key: string, query = false): Promise<Response> =>
  fetch(query ? `${local.ready.rpcUrl}?api_key=${key}` : local.ready.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(query ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' }),
  });

async function signed(note: string): Promise<string> {
  const blockhash = String(at(await call(local, 'getLatestBlockhash'), 'value.blockhash'));
  const signers = [wallet.keypair];
  return toBase64(signTransaction(compile([memo(note)], signers, blockhash), signers));
}

const send = (wire: string, query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${local.ready.rpcUrl}?api_key=${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }],
    }),
  });

describe('service: interfaces', () => {
  test('JSON-RPC over HTTPS is at …/sol with an RPC key', async () => {
    assert.match(local.ready.rpcUrl, /\/sol$/);
    assert.equal((await slot(keys().rpc.key)).status, 200);
  });
  test('WebSockets are at …/ws/sol with an RPC key', async () => {
    assert.match(local.ready.wsUrl, /\/ws\/sol$/);
    assert.equal(await upgrade(`${local.ready.wsUrl}?api_key=${keys().rpc.key}`), 101);
  });
  test('gRPC takes a gRPC key', async () => {
    assert.ok((await grpc.unary(Geyser.method.getSlot)).slot > 0n);
  });
  test('the REST API reports usage', async () => assert.ok(isWhole(at(await get(local, '/v1/usage'), 'to'))));
  test('priority transaction landing is at …/sol with a SWQoS key', async () => {
    const wire = await signed('landing');
    const answer: unknown = await (await send(wire, keys().swqos.key)).json();
    assert.equal(at(answer, 'result'), signatureIn(wire));
  });
  test('each plan of the contract is there, and no other', async () => {
    for (const plan of Object.keys(PLANS)) await local.newKey({ type: 'rpc', plan });
    const { status: code } = await local.admin('POST', '/keys', { type: 'rpc', plan: 'Gold' });
    assert.equal(code, 400);
  });
});

describe('service: key types', () => {
  const opens: Readonly<Record<string, (key: string) => Promise<boolean>>> = {
    'JSON-RPC': async (key) => (await slot(key)).status === 200,
    WebSocket: async (key) => (await upgrade(local.ready.wsUrl, { authorization: `Bearer ${key}` })) === 101,
    gRPC: async (key) => {
      const call = grpc.unary(Geyser.method.getSlot, {}, { authorization: `Bearer ${key}` });
      return call.then(
        () => true,
        () => false,
      );
    },
  };
  const takes: Readonly<Record<string, KeyType>> = { 'JSON-RPC': 'rpc', WebSocket: 'rpc', gRPC: 'grpc' };
  for (const [name, open] of Object.entries(opens))
    for (const type of TYPES)
      test(`${name} ${takes[name] === type ? 'takes' : 'refuses'} a key of type ${type}`, async () => {
        assert.equal(await open(keys()[type].key), takes[name] === type);
      });
  test('a key is identified by its key ID', async () => {
    const ids = listAt(await get(local, '/v1/keys'), 'keys').map((one) => at(one, 'key_id'));
    assert.ok(TYPES.every((type) => ids.includes(keys()[type].keyId)));
  });
});

describe('service: states, API key', () => {
  test('rotating a key stops the old secret at once, and the new one works', async () => {
    const old = await local.newKey({ type: 'rpc', plan: 'Pro' });
    assert.equal((await slot(old.key)).status, 200);
    const rotated: unknown = JSON.parse((await local.admin('POST', `/keys/${old.keyId}/rotate`)).text);
    assert.equal((await slot(old.key)).status, 401);
    assert.equal((await slot(String(at(rotated, 'key')))).status, 200);
  });
  test('requests with a suspended key are refused', async () => {
    const { key, keyId } = await local.newKey({ type: 'rpc', plan: 'Pro' });
    await local.admin('PATCH', `/keys/${keyId}`, { state: 'suspended' });
    assert.equal((await slot(key)).status, 403);
  });
  test('a revoked key is invalid', async () => {
    const { key, keyId } = await local.newKey({ type: 'rpc', plan: 'Pro' });
    await local.admin('DELETE', `/keys/${keyId}`);
    assert.equal((await slot(key)).status, 401);
  });
});

describe('service: states, submitted transaction', () => {
  let signature: string;
  const statusOf = async (commitment: string): Promise<unknown> => {
    const list = await call(local, 'getSignaturesForAddress', wallet.address, { commitment });
    return at(
      listAt({ list }, 'list').find((one) => at(one, 'signature') === signature),
      'confirmationStatus',
    );
  };
  test('once the node accepted it, the signature is returned and nothing is confirmed', async () => {
    signature = await wallet.transfer(freshKey().address);
    assert.ok(isString(signature));
    assert.equal(await statusOf('confirmed'), undefined);
    assert.equal(await call(local, 'getTransaction', signature, { commitment: 'confirmed' }), null);
  });
  test('confirmed, and so finalized: as getSignaturesForAddress, getTransaction and a subscription report', async () => {
    const notified = firstNotification('signatureSubscribe', [signature, { commitment: 'confirmed' }], () =>
      local.slots(1),
    );
    assert.equal(at(await notified, 'result.value.err'), null);
    assert.equal(await statusOf('confirmed'), 'finalized');
    assert.ok(isObject(await call(local, 'getTransaction', signature, { commitment: 'confirmed' })));
  });
});

describe('service: authentication', () => {
  for (const [name, ask] of [
    ['JSON-RPC', () => fetch(local.ready.rpcUrl, { method: 'POST', body: '{}' })],
    ['REST', () => fetch(`${local.ready.restUrl}/v1/usage`)],
  ] as const)
    test(`every endpoint requires a key: ${name}`, async () => assert.equal((await ask()).status, 401));
  test('every endpoint requires a key: WebSocket', async () => assert.equal(await upgrade(local.ready.wsUrl), 401));
  test('every endpoint requires a key: gRPC', async () => {
    const failure = await failureOf(grpc.unary(Geyser.method.getSlot, {}, {}));
    assert.equal(failure.code, status.UNAUTHENTICATED);
  });
  for (const way of ['query parameter api_key', 'header Authorization: Bearer'])
    test(`the key is accepted in the ${way}`, async () => {
      assert.equal((await slot(keys().rpc.key, way.startsWith('query'))).status, 200);
    });
  test('the gRPC key is accepted in the query parameter api_key', async () => {
    const { slot: now } = await grpc.unary(Geyser.method.getSlot, {}, {}, `?api_key=${keys().grpc.key}`);
    assert.ok(now > 0n);
  });
  test('a key of the wrong type is 403', async () => {
    const response = await slot(keys().grpc.key);
    assert.equal(response.status, 403);
    assert.match(String(at(await response.json(), 'error.message')), /RPC/);
  });
  test('the SWQoS key is accepted in the query along with the RPC key as Bearer', async () => {
    const wire = await signed('both');
    const headers = { authorization: `Bearer ${keys().rpc.key}` };
    const answer: unknown = await (await send(wire, keys().swqos.key, headers)).json();
    assert.equal(at(answer, 'result'), signatureIn(wire));
  });
});

describe('service: events', () => {
  test('WebSockets bring account updates', async () => {
    const to = freshKey().address;
    const params = await firstNotification(
      'accountSubscribe',
      [to, { commitment: 'processed', encoding: 'base64' }],
      () => wallet.transfer(to, 2_000_000n),
    );
    assert.equal(at(params, 'result.value.lamports'), 2_000_000);
  });
  test('WebSockets bring program updates', async () => {
    const to = freshKey().address;
    const system = '11111111111111111111111111111111';
    const params = await firstNotification(
      'programSubscribe',
      [system, { commitment: 'processed', encoding: 'base64' }],
      () => wallet.transfer(to),
    );
    assert.ok(isString(at(params, 'result.value.pubkey')));
  });
  for (const kind of ['account', 'transaction', 'block', 'slot'] as const)
    test(`gRPC brings ${kind} updates`, async () => {
      const stream = grpc.subscribe();
      const filters = { account: 'accounts', transaction: 'transactions', block: 'blocks', slot: 'slots' } as const;
      stream.send({ [filters[kind]]: { all: {} } });
      await stream.settled();
      await wallet.transfer(freshKey().address);
      await local.slots(1);
      assert.equal((await stream.nextOf(kind)).updateOneof.case, kind);
      stream.cancel();
    });
});

describe('service: errors', () => {
  test('a rate above the plan is 429 with error.code and error.message', async () => {
    const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(local, 'getSlot', [], key)));
    const refused = answers.find((one) => one.status === 429);
    assert.equal(at(refused?.body, 'error.code'), 429);
    assert.ok(isString(at(refused?.body, 'error.message')));
    assert.ok(Number(refused?.headers.get('retry-after')) >= 1);
  });
  test('a key of another type is 403', async () => assert.equal((await slot(keys().swqos.key)).status, 403));
  test('meta.err and err hold the failure of a transaction on the ledger', async () => {
    const signature = await wallet.transferTooMuch(freshKey().address);
    await local.slots(40);
    const err = { InstructionError: [0, { Custom: 1 }] };
    assert.deepEqual(at(await call(local, 'getTransaction', signature), 'meta.err'), err);
    const [newest] = listAt(
      { list: await call(local, 'getSignaturesForAddress', wallet.address, { limit: 1 }) },
      'list',
    );
    assert.deepEqual([at(newest, 'signature'), at(newest, 'err')], [signature, err]);
  });
  test('getTransaction of an unknown one is null', async () => {
    const wire = await signed('never sent');
    assert.equal(await call(local, 'getTransaction', signatureIn(wire)), null);
  });
  test('a blockhash beyond lastValidBlockHeight is rejected', async () => {
    const wire = await signed('too late');
    await local.slots(160);
    const { body } = await post(local, 'sendTransaction', [wire, { encoding: 'base64' }]);
    assert.match(String(at(body, 'error.message')), /Blockhash not found/);
    await post(local, 'sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
    await local.slots(40);
    assert.equal(await call(local, 'getTransaction', signatureIn(wire)), null);
  });
});

describe('service: limits', () => {
  for (const [plan, [requests, sends]] of Object.entries(PLANS)) {
    test(`${plan} allows ${requests} requests per second`, async () => {
      assert.deepEqual(
        [await batch(plan, requests, 'getSlot'), await batch(plan, requests + 1, 'getSlot')],
        [200, 429],
      );
    });
    test(`${plan} allows ${sends} sendTransaction per second`, async () => {
      const method = 'sendTransaction';
      assert.deepEqual([await batch(plan, sends, method), await batch(plan, sends + 1, method)], [200, 429]);
    });
  }
  test('limits hold for each key by itself', async () => {
    const [one, other] = [
      await local.newKey({ type: 'rpc', plan: 'Free' }),
      await local.newKey({ type: 'rpc', plan: 'Free' }),
    ];
    await Promise.all(Array.from({ length: 12 }, () => slot(one.key)));
    assert.equal((await slot(other.key)).status, 200);
  });
});

/** The status of one batch of that many calls with a key nobody used before. */
async function batch(plan: string, count: number, method: string): Promise<number> {
  const { key } = await local.newKey({ type: 'rpc', plan });
  const calls = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
  const response = await fetch(local.ready.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(calls),
  });
  return response.status;
}

describe('service: versioning', () => {
  test('REST usage carries /v1', async () => {
    const response = await fetch(`${local.ready.restUrl}/usage`, {
      headers: { authorization: `Bearer ${keys().rpc.key}` },
    });
    assert.equal(response.status, 404);
    await get(local, '/v1/usage');
  });
});
