// A key that the service has suspended until a time: no transport sends anything with it before; afterwards, and with
// another key or to another place, requests are sent as usual.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { PreparedRequest } from '../../../core/requests/run/model';
import { Secret } from '../../../core/service/keys/secret';
import type { KeyPort, Net, NetClock, SendTarget } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import { Suspensions, type Suspension } from '../../../net/auth/suspensions';
import { settle } from '../../../net/target/target';
import { createNet } from '../../../net/transports';
import { asking as askingGrpc, GET_SLOT } from '../../support/wire/grpcServices';
import { httpServer } from '../../support/wire/hostile';
import { spellingsOf } from '../../support/process/leaks';
import { testLedger } from '../../support/process/localnet';
import { asking as askingWs, signal } from '../../support/wire/webSockets';
import { keysOf, KEY, request } from '../../support/wire/wire';

const OTHER_KEY = 'another-key-0123456789';

interface World {
  readonly net: Net;
  /** Lets time go by. */
  later(ms: number): void;
  key: string;
}

function world(t: TestContext, key = KEY): World {
  let ahead = 0;
  const clock: NetClock = { ...systemClock, unixMs: () => Date.now() + ahead };
  const keys: KeyPort = {
    key: (query, until) => keysOf({ rpc: made.key, grpc: made.key, swqos: made.key }).key(query, until),
  };
  const net = createNet({ keys, clock, random: () => 0 });
  t.after(() => net.close());
  const made: World = { net, key, later: (ms) => void (ahead += ms) };
  return made;
}

function targetOf(urls: Readonly<Record<string, string>>, asked: PreparedRequest): SendTarget {
  const target = settle({ profile: { name: 'test', ...urls }, source: 'user' }, asked);
  assert.ok(target.ok);
  return target.value;
}

/** The outcome of a request: the error's kind, and how long it says to wait. */
async function kindOf(net: Net, target: SendTarget, asked: PreparedRequest) {
  const answer = await net.call(target, asked, { signal });
  const error = answer.ok ? answer.value.error : answer.error;
  return { kind: error?.kind, waits: error !== undefined && 'retryAfterMs' in error ? error.retryAfterMs : undefined };
}

describe('a service that suspends the key for 30 s', () => {
  /** Keys of the requests that came. */
  const came: (string | undefined)[] = [];
  const service = async (t: TestContext, headers: Readonly<Record<string, string>> = { 'retry-after': '30' }) => {
    came.length = 0;
    const server = await httpServer((asked, response) => {
      came.push(asked.headers.authorization);
      const isSuspended = came.length === 1;
      response.writeHead(isSuspended ? 403 : 200, { 'content-type': 'application/json', ...(isSuspended && headers) });
      response.end(
        isSuspended
          ? '{"jsonrpc":"2.0","error":{"code":403,"message":"The API key is temporarily suspended"},"id":1}'
          : '{"jsonrpc":"2.0","result":7,"id":1}',
      );
    });
    t.after(() => server.close());
    return { rpcUrl: server.origin };
  };
  const slot = request();

  test('gets nothing with it until then, and requests in between are refused with how long to wait', async (t) => {
    const made = world(t);
    const target = targetOf(await service(t), slot);
    assert.deepEqual(await kindOf(made.net, target, slot), { kind: 'suspended', waits: 30_000 });
    const refused = await kindOf(made.net, target, slot);
    assert.ok(refused.kind === 'suspended' && (refused.waits ?? 0) > 20_000 && (refused.waits ?? 0) <= 30_000);
    assert.equal(came.length, 1);
    made.later(30_000);
    assert.equal((await kindOf(made.net, target, slot)).kind, undefined);
    assert.equal(came.length, 2);
  });

  test('gets what goes with the key that took its place', async (t) => {
    const made = world(t);
    const target = targetOf(await service(t), slot);
    await kindOf(made.net, target, slot);
    made.key = OTHER_KEY;
    assert.equal((await kindOf(made.net, target, slot)).kind, undefined);
    assert.deepEqual(came, [`Bearer ${KEY}`, `Bearer ${OTHER_KEY}`]);
  });

  test('keeps nothing from another place', async (t) => {
    const made = world(t);
    await kindOf(made.net, targetOf(await service(t), slot), slot);
    const other = await httpServer((_, response) => void response.end('{"jsonrpc":"2.0","result":7,"id":1}'));
    t.after(() => other.close());
    assert.equal((await kindOf(made.net, targetOf({ rpcUrl: other.origin }, slot), slot)).kind, undefined);
  });

  test('is asked again where it states no time', async (t) => {
    const made = world(t);
    const target = targetOf(await service(t, {}), slot);
    assert.equal((await kindOf(made.net, target, slot)).kind, 'suspended');
    assert.equal((await kindOf(made.net, target, slot)).kind, undefined);
  });
});

describe('on the local service', () => {
  const local = testLedger();

  const CASES = [
    ['HTTPS', 'rpc', request()],
    ['a WebSocket', 'rpc', askingWs('slotSubscribe')],
    ['gRPC', 'grpc', askingGrpc(GET_SLOT)],
  ] as const;
  for (const [over, type, asked] of CASES)
    test(`over ${over} a suspended key is sent once, and works again when its time is over`, async (t) => {
      const { keyId, key } = await local.newKey({ type, plan: 'Free' });
      const made = world(t, key);
      const { rpcUrl, wsUrl, grpcUrl } = local.ready;
      const target = targetOf({ rpcUrl, wsUrl, grpcUrl }, asked);
      await local.admin('PATCH', `/keys/${keyId}`, { state: 'suspended' });
      const first = await kindOf(made.net, target, asked);
      assert.equal(first.kind, 'suspended');
      assert.ok(first.waits !== undefined && first.waits > 0);
      // The service has forgiven it, and nobody here knows: it is not asked.
      await local.admin('PATCH', `/keys/${keyId}`, { state: 'active' });
      assert.equal((await kindOf(made.net, target, asked)).kind, 'suspended');
      made.later(first.waits);
      assert.equal((await kindOf(made.net, target, asked)).kind, undefined);
    });
});

describe('two that send apart and share suspensions', () => {
  const target = (key: string, urls: Readonly<Record<string, string>>, over: PreparedRequest) => ({
    target: targetOf(urls, over),
    attached: [{ lease: { secret: new Secret(key), label: '' }, auth: 'bearer' as const }],
  });
  const urls = { rpcUrl: 'https://rpc.test/sol', wsUrl: 'wss://ws.test/ws/sol' };
  const suspended = { kind: 'suspended', retryAfterMs: 30_000, message: '' } as const;
  const pair = () => {
    let now = 1_000_000;
    const clock = { unixMs: () => now };
    const one = new Suspensions(clock);
    const other = new Suspensions(clock, one.salt);
    const reported: Suspension[] = [];
    one.onChanged = (suspension) => {
      reported.push(structuredClone(suspension));
      other.learn(structuredClone(suspension));
    };
    return { one, other, reported, later: (ms: number) => void (now += ms) };
  };

  test('refuse alike, over every interface of the service, until it is over', () => {
    const { one, other, later } = pair();
    const http = target(KEY, urls, request());
    const ws = target(KEY, urls, askingWs('slotSubscribe'));
    one.note(http.target, http.attached, suspended);
    for (const each of [one, other])
      for (const asked of [http, ws]) assert.equal(each.refusal(asked.target, asked.attached)?.kind, 'suspended');
    later(30_000);
    assert.equal(other.refusal(ws.target, ws.attached), undefined);
  });

  test('let another key go, and the same key to another service', () => {
    const { one, other } = pair();
    const http = target(KEY, urls, request());
    one.note(http.target, http.attached, suspended);
    const replaced = target(OTHER_KEY, urls, request());
    const elsewhere = target(KEY, { rpcUrl: 'https://other.test/sol' }, request());
    for (const asked of [replaced, elsewhere]) assert.equal(other.refusal(asked.target, asked.attached), undefined);
  });

  test('share nothing of the key with each other, and another salt gives another name', () => {
    const { one, reported } = pair();
    const http = target(KEY, urls, request());
    one.note(http.target, http.attached, suspended);
    const apart = new Suspensions({ unixMs: () => 1_000_000 });
    apart.note(http.target, http.attached, suspended);
    const text = JSON.stringify(reported);
    for (const spelling of spellingsOf(KEY)) assert.ok(!text.includes(spelling));
    assert.notEqual(apart.kept[0]?.key, reported[0]?.key);
  });

  test('know that it is over once a test of the key is answered', () => {
    const { one, other } = pair();
    const http = target(KEY, urls, request());
    one.note(http.target, http.attached, suspended);
    const testing = one.testing();
    assert.equal(testing.refusal(http.target, http.attached), undefined);
    testing.note(http.target, http.attached, { kind: 'network', message: '' });
    assert.equal(other.refusal(http.target, http.attached)?.kind, 'suspended');
    testing.note(http.target, http.attached, undefined);
    for (const each of [one, other]) assert.equal(each.refusal(http.target, http.attached), undefined);
  });

  test('take no answer that was on its way for the end of a suspension', () => {
    const { one } = pair();
    const http = target(KEY, urls, request());
    one.note(http.target, http.attached, suspended);
    one.note(http.target, http.attached, undefined);
    assert.equal(one.refusal(http.target, http.attached)?.kind, 'suspended');
  });
});
