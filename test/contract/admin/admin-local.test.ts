// /local: keys, faults and cheat codes, for the admin token alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { type HttpAnswer, request, testLedger } from '../../support/process/localnet';

const local = testLedger(['--plan', 'Ultra', '--slot-ms', '50']);

const setFaults = async (...faults: unknown[]): Promise<void> => {
  const answer = await local.admin('PUT', '/faults', { faults });
  assert.equal(answer.status, 200, answer.text);
};
const cheatAnswer = (name: string, params?: unknown): Promise<HttpAnswer> =>
  local.admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: name, params });
const balance = async (address: string): Promise<unknown> =>
  member(member((await local.rpc('getBalance', [address])).json, 'result'), 'value');
const ADDRESS = 'Vote111111111111111111111111111111111111112';

for (const [what, headers] of [
  ['no token', {}],
  ['a wrong token', { authorization: 'Bearer admin_guess' }],
] as const) {
  test(`${what} opens nothing under /local`, async () => {
    for (const path of ['/keys', '/faults', '/rpc', '/usage', '/nothing']) {
      assert.equal((await request(local.ready.adminUrl + path, { headers })).status, 401);
    }
  });
}

test('an API key opens nothing under /local, nor the token in the query', async () => {
  const { adminUrl, adminToken, keys } = local.ready;
  assert.equal(
    (await request(`${adminUrl}/keys`, { headers: { authorization: `Bearer ${keys.rpc.key}` } })).status,
    401,
  );
  assert.equal((await request(`${adminUrl}/keys?api_key=${adminToken}`)).status, 401);
});

test('the admin token opens neither JSON-RPC nor usage', async () => {
  assert.equal((await local.rpc('getSlot', undefined, local.ready.adminToken)).status, 401);
  assert.equal((await local.rest('/v1/usage', local.ready.adminToken)).status, 401);
});

test('an unknown path is 404, a wrong verb 405', async () => {
  assert.equal((await local.admin('GET', '/nothing')).status, 404);
  assert.equal((await local.admin('GET', '/__proto__')).status, 404);
  const wrong = await local.admin('DELETE', '/keys');
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers['allow'], 'GET, POST');
});

for (const body of [
  {},
  { type: 'all' },
  { type: 'rpc', plan: 'Gold' },
  { type: 'rpc', label: 'a\nb' },
  { type: 'rpc', label: 7 },
  [],
]) {
  test(`a key cannot be made from ${JSON.stringify(body)}`, async () => {
    assert.equal((await local.admin('POST', '/keys', body)).status, 400);
  });
}

test('a body that is not JSON is 400, another content type 415', async () => {
  const call = (body: string, type: string): Promise<HttpAnswer> =>
    request(`${local.ready.adminUrl}/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${local.ready.adminToken}`, 'content-type': type },
      body,
    });
  assert.equal((await call('{', 'application/json')).status, 400);
  assert.equal((await call('{"type":"rpc"}', 'text/plain')).status, 415);
});

test('PATCH changes plan and state and refuses what it does not know', async () => {
  const { keyId } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const changed = await local.admin('PATCH', `/keys/${keyId}`, { plan: 'Pro', state: 'suspended' });
  assert.equal(member(changed.json, 'plan'), 'Pro');
  assert.equal(member(changed.json, 'state'), 'suspended');
  assert.equal((await local.admin('PATCH', `/keys/${keyId}`, { plan: 'Gold' })).status, 400);
  assert.equal((await local.admin('PATCH', `/keys/${keyId}`, { state: 'gone' })).status, 400);
  assert.equal((await local.admin('PATCH', '/keys/key_nobody', { plan: 'Pro' })).status, 404);
});

test('the usage of a key can be read with the admin token', async () => {
  const { keyId, key } = await local.newKey({ type: 'rpc' });
  await local.rpc('getSlot', undefined, key);
  assert.equal(member((await local.admin('GET', `/keys/${keyId}/usage`)).json, 'request_count'), 1);
  assert.equal((await local.admin('GET', '/usage')).status, 200);
});

test('fault status answers in place of the call, as often as it was asked to', async () => {
  await setFaults({
    scope: 'http',
    kind: 'status',
    status: 502,
    headers: { 'retry-after': '7' },
    body: 'no',
    times: 2,
  });
  for (let i = 0; i < 2; i++) {
    const answer = await local.rpc('getSlot');
    assert.equal(answer.status, 502);
    assert.equal(answer.headers['retry-after'], '7');
    assert.equal(answer.text, 'no');
  }
  assert.equal((await local.rpc('getSlot')).status, 200);
  assert.deepEqual(member((await local.admin('GET', '/faults')).json, 'faults'), []);
});

test('a fault strikes only its method and its key', async () => {
  const other = await local.newKey({ type: 'rpc', plan: 'Pro' });
  await setFaults({ scope: 'http', kind: 'status', method: 'getBalance', keyId: other.keyId });
  assert.equal((await local.rpc('getBalance', [ADDRESS])).status, 200);
  assert.equal((await local.rpc('getSlot', undefined, other.key)).status, 200);
  assert.equal((await local.rpc('getBalance', [ADDRESS], other.key)).status, 503);
});

test('a fault of probability 0 never strikes', async () => {
  await setFaults({ scope: 'http', kind: 'status', probability: 0 });
  for (let i = 0; i < 20; i++) assert.equal((await local.rpc('getSlot')).status, 200);
});

test('fault drop breaks the connection after the call was made', async () => {
  const { keyId, key } = await local.newKey({ type: 'rpc' });
  await setFaults({ scope: 'http', kind: 'drop', keyId });
  await assert.rejects(local.rpc('getSlot', undefined, key), /socket hang up|ECONNRESET/);
  assert.equal(member((await local.rest(`/v1/usage/${keyId}`)).json, 'request_count'), 1);
});

test('fault garbage answers 200 with HTML', async () => {
  await setFaults({ scope: 'http', kind: 'garbage', times: 1 });
  const answer = await local.rpc('getSlot');
  assert.equal(answer.status, 200);
  assert.match(answer.text, /^<html>/);
});

test('fault truncate ends in the middle of the body', async () => {
  await setFaults({ scope: 'http', kind: 'truncate', times: 1 });
  await assert.rejects(local.rpc('getSlot'), /aborted/);
});

test('fault wrongid answers an id that nobody sent', async () => {
  await setFaults({ scope: 'http', kind: 'wrongid', times: 1 });
  assert.notEqual(member((await local.rpc('getSlot')).json, 'id'), 1);
});

test('fault redirect points elsewhere', async () => {
  await setFaults({ scope: 'http', kind: 'redirect', headers: { location: 'http://127.0.0.1:9/' }, times: 1 });
  const answer = await local.rpc('getSlot');
  assert.equal(answer.status, 307);
  assert.equal(answer.headers.location, 'http://127.0.0.1:9/');
});

test('fault slowloris drips the whole answer', async () => {
  await setFaults({ scope: 'http', kind: 'slowloris', ms: 1, times: 1 });
  assert.equal(member((await local.rpc('getSlot')).json, 'id'), 1);
});

test('fault latency delays the answer', async () => {
  await setFaults({ scope: 'http', kind: 'latency', ms: 300, times: 1 });
  const began = process.hrtime.bigint();
  await local.rpc('getSlot');
  assert.ok(process.hrtime.bigint() - began >= 290_000_000n);
});

test('fault hang never answers, and others are served meanwhile', async () => {
  await setFaults({ scope: 'http', kind: 'hang', method: 'getVersion', times: 1 });
  const abort = new AbortController();
  const hanging = fetch(local.ready.rpcUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${local.ready.keys.rpc.key}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"getVersion"}',
    signal: abort.signal,
  });
  let ended = false;
  hanging.catch(() => undefined).finally(() => (ended = true));
  for (let i = 0; i < 10; i++) assert.equal((await local.rpc('getSlot')).status, 200);
  assert.equal(ended, false);
  abort.abort();
  await assert.rejects(hanging);
});

test('faults of scope rest strike the usage API alone', async () => {
  await setFaults({ scope: 'rest', kind: 'status', status: 429, headers: { 'Retry-After': '2' } });
  assert.equal((await local.rpc('getSlot')).status, 200);
  assert.equal((await local.rest('/v1/usage')).status, 429);
  await setFaults();
  assert.equal((await local.rest('/v1/usage')).status, 200);
});

for (const fault of [
  { scope: 'moon', kind: 'drop' },
  { scope: 'http', kind: 'melt' },
  { scope: 'rest', kind: 'wrongid' },
  { scope: 'http', kind: 'drop', times: 0 },
  { scope: 'http', kind: 'drop', probability: 2 },
  { scope: 'http', kind: 'latency', ms: -1 },
  { scope: 'http', kind: 'status', headers: { 'bad name': 'x' } },
  { scope: 'http', kind: 'status', headers: { ok: 'a\r\nb' } },
  { scope: 'http', kind: 'drop', extra: 1 },
  { scope: 'http', kind: 'constructor' },
]) {
  test(`the fault ${JSON.stringify(fault)} is refused`, async () => {
    assert.equal((await local.admin('PUT', '/faults', { faults: [fault] })).status, 400);
  });
}

for (const [fault, sentence] of [
  [{ scope: 'http', kind: 'gap' }, /"gap" makes no sense in scope http: it has no updates .* strikes in ws, grpc/],
  [{ scope: 'rest', kind: 'duplicate' }, /no updates that could come twice/],
  [{ scope: 'rest', kind: 'wrongid' }, /carry no id/],
  [{ scope: 'grpc', kind: 'wrongid' }, /carry no id/],
  [{ scope: 'ws', kind: 'congestion' }, /transactions are sent over http alone/],
  [{ scope: 'rest', kind: 'fork' }, /the usage API knows no slots/],
  [{ scope: 'rest', kind: 'stall' }, /the usage API knows no slots/],
  [{ scope: 'http', kind: 'goaway' }, /a frame of HTTP\/2/],
  [{ scope: 'ws', kind: 'fork', method: 'slotNotification' }, /"method" says nothing to a fault of kind fork/],
  [{ scope: 'ws', kind: 'stall', keyId: 'key_1' }, /"keyId" says nothing to a fault of kind stall/],
  [{ scope: 'http', kind: 'latency', status: 500 }, /"status" says nothing to a fault of kind latency/],
  [{ scope: 'http', kind: 'drop', ms: 5 }, /"ms" says nothing to a fault of kind drop/],
  [{ scope: 'rest', kind: 'drop', method: 'getSlot' }, /scope rest: it has no methods/],
  [{ scope: 'http', kind: 'congestion', method: 'getSlot' }, /sendTransaction alone/],
  [{ scope: 'ws', kind: 'status', method: 'slotNotification' }, /the opening of a WebSocket alone/],
  [{ scope: 'ws', kind: 'gap', method: 'upgrade' }, /can be struck by latency, drop, hang, status, redirect/],
  [{ scope: 'ws', kind: 'garbage', status: 500 }, /neither status nor headers/],
] as const) {
  test(`the fault ${JSON.stringify(fault)} makes no sense, and the answer says why`, async () => {
    const answer = await local.admin('PUT', '/faults', { faults: [fault] });
    assert.equal(answer.status, 400);
    assert.match(answer.text.replaceAll('\\"', '"'), sentence);
  });
}

for (const kind of ['drop', 'hang', 'truncate', 'slowloris', 'garbage', 'latency', 'redirect'] as const) {
  test(`fault ${kind} strikes the usage API`, async () => {
    await setFaults({
      scope: 'rest',
      kind,
      times: 1,
      ...(kind === 'slowloris' || kind === 'latency' ? { ms: 1 } : {}),
    });
    const answer = local.rest('/v1/usage');
    switch (kind) {
      case 'drop':
      case 'truncate':
        await assert.rejects(answer);
        break;
      case 'hang':
        answer.catch(() => undefined);
        assert.equal((await local.rest('/v1/usage')).status, 200);
        break;
      case 'garbage':
        assert.match((await answer).text, /^<html>/);
        break;
      case 'redirect':
        assert.equal((await answer).status, 307);
        break;
      default:
        assert.equal((await answer).status, 200);
    }
    assert.deepEqual(member((await local.admin('GET', '/faults')).json, 'faults'), []);
  });
}

test('fund adds lamports', async () => {
  await local.cheat('fund', { address: ADDRESS, lamports: 1_000 });
  await local.cheat('fund', { address: ADDRESS, lamports: 1 });
  assert.equal(await balance(ADDRESS), 1_001);
});

test('setAccount writes what it is given', async () => {
  const address = 'Vote111111111111111111111111111111111111113';
  await local.cheat('setAccount', { address, lamports: 9, owner: ADDRESS, data: 'AQID', executable: false });
  assert.equal(await balance(address), 9);
});

test('snapshot, restore and reset put accounts back', async () => {
  const address = 'Vote111111111111111111111111111111111111114';
  await local.cheat('fund', { address, lamports: 10 });
  const name = member((await cheatAnswer('snapshot')).json, 'result');
  await local.cheat('fund', { address, lamports: 5 });
  await local.cheat('restore', { name });
  assert.equal(await balance(address), 10);
  await local.cheat('reset');
  assert.equal(await balance(address), 0);
});

test('pauseClock, nextSlot and resumeClock move slots', async () => {
  const slot = async (): Promise<number> =>
    Number(member((await local.rpc('getSlot', [{ commitment: 'processed' }])).json, 'result'));
  const begun = await slot();
  await local.cheat('resumeClock');
  while ((await slot()) === begun) await new Promise((resolve) => setImmediate(resolve));
  await local.cheat('pauseClock');
  const stood = await slot();
  await local.slots(3);
  assert.equal(await slot(), stood + 3);
  await local.cheat('timeTravel', { slot: stood + 1_000 });
  assert.equal(await slot(), stood + 1_000);
  await local.cheat('resumeClock');
  while ((await slot()) === stood + 1_000) await new Promise((resolve) => setImmediate(resolve));
  await local.cheat('pauseClock');
});

for (const [name, params] of [
  ['fund', { address: 'x', lamports: 1 }],
  ['fund', { address: ADDRESS, lamports: -1 }],
  ['fund', { address: ADDRESS, lamports: 1.5 }],
  ['fund', { address: ADDRESS }],
  ['fund', { address: ADDRESS, lamports: 1, more: 2 }],
  ['setAccount', { address: ADDRESS, data: '***' }],
  ['setTokenAccount', { address: ADDRESS, mint: 'x', owner: ADDRESS, amount: 1 }],
  ['timeTravel', { slot: 0 }],
  ['nextSlot', { count: 0 }],
  ['traffic', { perSecond: 1_000_000 }],
] as const) {
  test(`the cheat ${name} refuses ${JSON.stringify(params)}`, async () => {
    const answer = await cheatAnswer(name, params);
    assert.equal(member(member(answer.json, 'error'), 'code'), -32602, answer.text);
  });
}

test('an unknown cheat is -32601 and names those there are', async () => {
  const answer = await cheatAnswer('constructor');
  assert.equal(member(member(answer.json, 'error'), 'code'), -32601);
  assert.match(answer.text, /fund, setAccount/);
});

test('cheat codes are not methods of the service', async () => {
  const answer = await local.rpc('fund', [{ address: ADDRESS, lamports: 1 }]);
  assert.equal(member(member(answer.json, 'error'), 'code'), -32601);
});
