// The transports against the local service: the two sides know the contract on their own and meet here, on the wire.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import os from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { ServiceError } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import { Secret } from '../../core/service/keys/secret';
import { isJsonObject, member, parseJson, type JsonValue } from '../../core/solana/json/json';
import type { KeyPort, Net, WaitReason } from '../../net/api';
import { createLocalAdmin, type LocalAdmin } from '../../net/http/localAdmin';
import { settle, settleInterface } from '../../net/target/target';
import { askKeys, askUsage } from '../../net/http/usage';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { listenersOf } from '../support/process/processes';
import { answerOf, keysOf, request, withNet } from '../support/wire/wire';

const signal = new AbortController().signal;
let local: Localnet;
let admin: LocalAdmin;

before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
  const made = createLocalAdmin(local.ready.adminUrl, new Secret(local.ready.adminToken));
  assert.ok(made.ok);
  admin = made.value;
});
after(async () => {
  await admin.close();
  await local.stop();
});

const ownKeys = (): KeyPort =>
  keysOf({
    rpc: local.ready.keys.rpc.key,
    grpc: local.ready.keys.grpc.key,
    swqos: local.ready.keys.swqos.key,
  });

const profile = (): Parameters<typeof settle>[0] => ({
  profile: { name: 'local', rpcUrl: local.ready.rpcUrl, restUrl: local.ready.restUrl },
  source: 'local',
});

/** Calls the local service; the error is of either kind. */
async function call(
  change: Partial<PreparedRequest>,
  keys: KeyPort = ownKeys(),
  onWait: (reason: WaitReason) => void = () => undefined,
): Promise<{ readonly value?: JsonValue; readonly error?: ServiceError }> {
  const asked = request(change);
  return withNet({ keys }, async (net) => {
    const target = settle(profile(), asked);
    assert.ok(target.ok);
    const result = await net.call(target.value, asked, { signal, onWait });
    if (!result.ok) return { error: result.error };
    const { body, error } = result.value;
    if (error !== undefined) return { error };
    return { value: parseJson(body.kind === 'text' ? body.text : '') };
  });
}

const body = (method: string, params: string): Partial<PreparedRequest> => ({
  method,
  body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
});

describe('requests', () => {
  test('a balance is read', async () => {
    const { value, error } = await call(body('getBalance', `["${local.ready.wallet.address}"]`));
    assert.equal(error, undefined);
    assert.equal(typeof member(member(member(value, 'result'), 'context'), 'slot'), 'number');
  });

  test('a batch is answered whole', async () => {
    const one = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"getSlot"}`;
    const ids = ['7', '"b"', '9007199254740993'];
    const batch = `[${ids.map(one).join(',')}]`;
    const { value, error } = await call({ method: 'batch', isBatch: true, ids, body: batch });
    assert.equal(error, undefined);
    assert.equal(Array.isArray(value) ? value.length : 0, 3);
  });

  test('an unknown method is the JSON-RPC error with its next step', async () => {
    const { error } = await call(body('getNothing', '[]'));
    assert.ok(error?.kind === 'rpc' && error.code === -32601 && error.hint !== undefined);
  });

  test('an unknown key is rejected', async () =>
    assert.equal((await call({}, keysOf({ rpc: 'rpc_nobody-knows-this' }))).error?.kind, 'keyRejected'));

  for (const [type, needs] of [
    ['grpc', 'rpc'],
    ['swqos', 'rpc'],
  ] as const)
    test(`a ${type} key for reads is the wrong type, and the needed one is named`, async () => {
      const { error } = await call({}, keysOf({ rpc: local.ready.keys[type].key }));
      assert.ok(error?.kind === 'wrongKeyType', error?.message);
      assert.equal(error.needs, needs);
    });

  test('a SWQoS send passes with both keys, and is refused for its transaction alone', async () => {
    const { error } = await call({ ...body('sendTransaction', '["11111"]'), transport: 'SWQOS' });
    assert.equal(error?.kind, 'rpc');
  });

  test('a storm above the plan is waited out, and no request is lost', async () => {
    const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
    const waits: WaitReason[] = [];
    await withNet({ keys: keysOf({ rpc: key }), random: Math.random }, async (net: Net) => {
      const target = settle(profile(), request());
      assert.ok(target.ok);
      const settled = target.value;
      const one = (): Promise<number> =>
        net
          .call(settled, request(), { signal, onWait: (reason) => waits.push(reason) })
          .then((result) => answerOf(result).httpStatus);
      // On a machine that is busy with much else a storm may spread over more than one second of the plan.
      for (let storms = 0; !waits.includes('retry') && storms < 5; storms++)
        assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(one)), [200, 200, 200, 200, 200, 200, 200]);
    });
    assert.ok(waits.includes('retry'), waits.join());
  });

  test('within the plan it names, a profile meets no 429', async () => {
    const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
    const waits: WaitReason[] = [];
    await withNet({ keys: keysOf({ rpc: key }) }, async (net: Net) => {
      const placed = profile();
      const target = settle(placed && { ...placed, profile: { ...placed.profile, plan: 'Free' } }, request());
      assert.ok(target.ok);
      const settled = target.value;
      for (let n = 0; n < 12; n++)
        answerOf(await net.call(settled, request(), { signal, onWait: (reason) => waits.push(reason) }));
    });
    assert.deepEqual([...new Set(waits)], ['rateLimit']);
  });
});

describe('faults of the local service', () => {
  const FAULTS: readonly (readonly [string, object, ServiceError['kind'], string])[] = [
    ['drop', {}, 'network', 'getSlot'],
    ['garbage', {}, 'protocol', 'getSlot'],
    ['truncate', {}, 'network', 'getSlot'],
    ['wrongid', {}, 'protocol', 'getSlot'],
    ['redirect', {}, 'protocol', 'getSlot'],
    ['hang', {}, 'timeout', 'getSlot'],
    ['status', { status: 500 }, 'network', 'getSlot'],
    ['drop', {}, 'ambiguous', 'sendTransaction'],
    ['hang', {}, 'ambiguous', 'sendTransaction'],
  ];
  for (const [kind, more, expected, method] of FAULTS)
    test(`${kind} on ${method} ends as ${expected}`, async () => {
      const put = await local.admin('PUT', '/faults', { faults: [{ scope: 'http', kind, times: 1, ...more }] });
      assert.equal(put.status, 200, put.text);
      // Only what never ends needs a short time.
      const limit = kind === 'hang' ? { timeoutMs: 1000 } : {};
      const { error } = await call({ ...body(method, '["11111"]'), ...limit });
      await local.admin('PUT', '/faults', { faults: [] });
      assert.equal(error?.kind, expected, error?.message);
    });
});

describe('keys of the local service', () => {
  test('a key is made, listed without its secret, rotated and revoked', async () => {
    const made = await admin.create('rpc', 'mine', signal);
    assert.ok(made.ok);
    const { keyId, key } = made.value;
    assert.equal((await call({}, keysOf({ rpc: key.reveal() }))).error, undefined);

    const listed = await admin.keys(signal);
    assert.ok(listed.ok);
    const row = listed.value.find((each) => each.keyId === keyId);
    assert.deepEqual([row?.type, row?.label], ['rpc', 'mine']);
    assert.equal(JSON.stringify(listed.value).includes(key.reveal()), false);

    const rotated = await admin.rotate(keyId, signal);
    assert.ok(rotated.ok && rotated.value.keyId === keyId);
    assert.equal((await call({}, keysOf({ rpc: key.reveal() }))).error?.kind, 'keyRejected');
    assert.equal((await call({}, keysOf({ rpc: rotated.value.key.reveal() }))).error, undefined);

    assert.ok((await admin.revoke(keyId, signal)).ok);
    assert.equal((await call({}, keysOf({ rpc: rotated.value.key.reveal() }))).error?.kind, 'keyRejected');
  });

  test('a key that is not there cannot be rotated', async () =>
    assert.equal((await admin.rotate('no/../such', signal)).ok, false));

  test('a cheat code answers, and an unknown one is an error', async () => {
    const moved = await admin.cheat('nextSlot', { count: 1 }, signal);
    assert.ok(moved.ok, moved.ok ? '' : moved.error.message);
    assert.equal((await admin.cheat('nonsense', {}, signal)).ok, false);
  });

  for (const url of [
    'https://127.0.0.1/local',
    'http://10.0.0.1/local',
    'http://a@127.0.0.1/local',
    'http://localhost.test/local',
    'x',
  ])
    test(`the admin token is not used at ${url}`, () =>
      assert.equal(createLocalAdmin(url, new Secret('admin-token-text')).ok, false));
});

test('every interface listens on 127.0.0.1 alone', async () => {
  for (const url of [local.ready.rpcUrl, local.ready.wsUrl, local.ready.grpcUrl, local.ready.adminUrl]) {
    const { hostname, port } = new URL(url);
    assert.equal(hostname, '127.0.0.1');
    assert.equal(await accepts('127.0.0.1', Number(port)), true, url);
    // Another address of this machine: a service on 0.0.0.0 would answer there, too.
    for (const other of ['127.0.0.2', ...addresses()]) assert.equal(await accepts(other, Number(port)), false, url);
  }
});

test('the process listens at these interfaces, and nowhere else', () => {
  const { rpcUrl, wsUrl, grpcUrl, restUrl, adminUrl, pid } = local.ready;
  const places = [rpcUrl, wsUrl, grpcUrl, restUrl, adminUrl].map((url) => new URL(url).host);
  assert.deepEqual([...listenersOf(pid)].sort(), [...new Set(places)].sort());
});

/** The addresses of this machine's network. */
const addresses = (): readonly string[] =>
  Object.values(os.networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  );

/** Whether a connection to this machine is taken: it says so at once, or refuses. */
const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

describe('the REST interface', () => {
  const ask = <T>(work: (net: Net, target: Parameters<typeof askKeys>[1]) => Promise<T>): Promise<T> =>
    withNet({ keys: ownKeys() }, (net) => {
      const placed = profile();
      assert.ok(placed);
      const target = settleInterface(placed, 'rest');
      assert.ok(target.ok);
      return work(net, target.value);
    });
  const now = Math.floor(Date.now() / 1000);

  test('usage of the account counts what was sent', async () => {
    await call(body('getEpochInfo', '[]'));
    const usage = await ask((net, target) => askUsage(net, target, { now }, { signal }));
    assert.ok(usage.ok, usage.ok ? '' : usage.error.message);
    assert.ok(usage.value.methods.some(({ method, count }) => method === 'getEpochInfo' && count > 0));
    assert.ok(usage.value.requestCount > 0);
  });

  test('the whole address of the usage interface, as the service prints it, is taken as its base', async () => {
    for (const added of ['/v1/usage', '/v1/usage/']) {
      const restUrl = `${local.ready.restUrl}${added}`;
      const target = settleInterface({ profile: { name: 'local', restUrl }, source: 'user' }, 'rest');
      assert.ok(target.ok);
      await withNet({ keys: ownKeys() }, async (net: Net) => {
        const usage = await askUsage(net, target.value, { now }, { signal });
        assert.ok(usage.ok, usage.ok ? '' : usage.error.message);
      });
    }
  });

  test('usage of one key is that key’s', async () => {
    const { keyId } = local.ready.keys.rpc;
    const usage = await ask((net, target) =>
      askUsage(net, target, { keyId, from: now - 60, to: now + 60, now }, { signal }),
    );
    assert.ok(usage.ok && usage.value.keyId === keyId);
  });

  test('the usage of an unknown key is a refusal with a hint', async () => {
    const usage = await ask((net, target) => askUsage(net, target, { keyId: 'nobody', now }, { signal }));
    assert.ok(!usage.ok && /key id/.test(usage.error.hint ?? ''));
  });

  test('keys are listed without their secrets', async () => {
    const keys = await ask((net, target) => askKeys(net, target, { signal }));
    assert.ok(keys.ok);
    assert.ok(keys.value.some(({ keyId, type }) => keyId === local.ready.keys.rpc.keyId && type === 'rpc'));
    const text = JSON.stringify(keys.value);
    for (const { key } of Object.values(local.ready.keys)) assert.equal(text.includes(key), false);
    assert.ok(isJsonObject(parseJson(`{"rows":${text}}`)));
  });
});
