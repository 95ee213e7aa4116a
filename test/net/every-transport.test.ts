// Rules for every transport alike: where a key goes, redirects, waiting within the plan, proxies.
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import type { ServiceError } from '../../core/service/errors';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { KeyPort, Net, NetOptions, SendTarget } from '../../net/api';
import { settle } from '../../net/target/target';
import { authority } from '../support/wire/certificates';
import { asking as askingGrpc, GET_SLOT, grpcService, SUBSCRIBE } from '../support/wire/grpcServices';
import { httpServer, secureWebSocketServer, sink, type Hostile } from '../support/wire/hostile';
import { proxyServer } from '../support/wire/proxies';
import { asking, confirm, notify, opened, take } from '../support/wire/webSockets';
import { assertNoKey, KEY, keysOf, request, SWQOS_KEY, withNet } from '../support/wire/wire';

interface Way {
  readonly asked: PreparedRequest;
  readonly isStream?: true;
  /** The scheme of a plain URL. */
  readonly scheme: string;
}

const WAYS: Readonly<Record<string, Way>> = {
  HTTPS: { asked: request(), scheme: 'http' },
  SWQoS: { asked: request({ transport: 'SWQOS', method: 'sendTransaction' }), scheme: 'http' },
  'a question over WebSocket': { asked: asking('getVersion'), scheme: 'ws' },
  'a WebSocket stream': { asked: asking('slotSubscribe'), isStream: true, scheme: 'ws' },
  'a gRPC call': { asked: askingGrpc(GET_SLOT), scheme: 'http' },
  'a gRPC stream': { asked: askingGrpc(SUBSCRIBE), isStream: true, scheme: 'http' },
};

const HOME: EndpointProfile = {
  name: 'home',
  rpcUrl: 'https://home.test/sol',
  wsUrl: 'wss://home.test/ws/sol',
  grpcUrl: 'https://home.test',
};
const ALL = keysOf({ rpc: KEY, grpc: KEY, swqos: SWQOS_KEY });
/** Keys that were saved for home, and for nowhere else. */
const HOME_KEYS: KeyPort = {
  key: async (query, signal) =>
    ['https://home.test', 'wss://home.test'].includes(query.origin) ? ALL.key(query, signal) : { kind: 'none' },
};

async function failureOn(
  net: Net,
  { asked, isStream }: Way,
  target: SendTarget,
  signal = new AbortController().signal,
): Promise<ServiceError | undefined> {
  const answered =
    isStream === true ? await net.open(target, asked, { signal }) : await net.call(target, asked, { signal });
  assertNoKey(answered);
  if (!answered.ok) return answered.error;
  return 'error' in answered.value ? answered.value.error : undefined;
}

async function errorOn(
  way: Way,
  origin: string,
  options: Partial<NetOptions> = {},
  signal = new AbortController().signal,
): Promise<ServiceError | undefined> {
  const asked = { ...way.asked, url: origin.replace(/^http/, way.scheme) };
  return withNet({ keys: ALL, ...options }, async (net: Net) => {
    const target = settle({ profile: HOME, source: 'user' }, asked);
    if (!target.ok) return target.error;
    return failureOn(net, { ...way, asked }, target.value, signal);
  });
}

for (const [name, way] of Object.entries(WAYS))
  describe(name, () => {
    test('a request line that names somebody else is asked without a key', async () => {
      const record = await sink();
      const error = await errorOn(way, record.origin, { keys: HOME_KEYS });
      await record.close();
      assert.notEqual(error, undefined);
      assert.ok(record.connections() > 0);
      assertNoKey(record.received);
    });

    test('a profile whose key is not stored for its host is refused, and nothing is connected', async () => {
      const record = await sink();
      const url = record.origin.replace(/^http/, way.scheme);
      const profile: EndpointProfile = { name: 'other', rpcUrl: url, wsUrl: url, grpcUrl: url };
      const error = await withNet({ keys: HOME_KEYS }, async (net: Net) => {
        const target = settle({ profile, source: 'user' }, way.asked);
        return target.ok ? failureOn(net, way, target.value) : target.error;
      });
      await record.close();
      assert.ok(error?.kind === 'noKey' && error.host === `127.0.0.1:${record.port}`, error?.message);
      assert.equal(record.connections(), 0);
    });

    test('a request that says so is asked without a key, and no key is looked up', async () => {
      const record = await sink();
      const url = record.origin.replace(/^http/, way.scheme);
      const profile: EndpointProfile = { name: 'other', rpcUrl: url, wsUrl: url, grpcUrl: url };
      const asked = { ...way.asked, isKeyless: true } as const;
      const looked: unknown[] = [];
      const keys: KeyPort = { key: (query, until) => (looked.push(query), ALL.key(query, until)) };
      await withNet({ keys }, async (net: Net) => {
        const target = settle({ profile, source: 'user' }, asked);
        assert.ok(target.ok);
        await failureOn(net, { ...way, asked }, target.value);
      });
      await record.close();
      assert.ok(record.connections() > 0);
      assertNoKey(record.received);
      assert.deepEqual(looked, []);
    });

    test('a key never leaves this machine unencrypted', async () => {
      assert.equal((await errorOn(way, 'http://192.0.2.1:9'))?.kind, 'invalidRequest');
    });

    for (const status of [301, 302, 307, 308])
      test(`a redirect with ${status} is not followed`, async () => {
        const record = await sink();
        const location = `${record.origin}/`;
        const server = await answering(way, status, { location });
        const error = await errorOn(way, server.origin);
        await Promise.all([server.close(), record.close()]);
        assert.equal(error?.kind, 'protocol', error?.message);
        assert.equal(record.connections(), 0);
      });

    if (name !== 'SWQoS')
      test('cancelling stops the wait after a 429 at once', async () => {
        const server = await answering(way, 429, { 'retry-after': '20' });
        const cancel = new AbortController();
        const sleeping: NetOptions['clock'] = {
          now: () => performance.now(),
          unixMs: () => Date.now(),
          sleep: (ms, signal) => {
            assert.equal(ms, 20_000);
            return new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
              cancel.abort();
            });
          },
        };
        const error = await errorOn(way, server.origin, { clock: sleeping }, cancel.signal);
        await server.close();
        assert.equal(error?.kind, 'cancelled');
      });
  });

/** A server of that transport's kind which answers with this status and nothing else. */
function answering(way: Way, status: number, headers: Readonly<Record<string, string>>): Promise<Hostile> {
  if (way.asked.transport === 'GRPC')
    return grpcService(({ stream }) => {
      stream.respond({ ':status': status, ...headers });
      stream.end();
    });
  if (way.asked.transport !== 'WS')
    return httpServer((_, response) => {
      response.writeHead(status, headers);
      response.end();
    });
  return refusingUpgrades(status, headers);
}

async function refusingUpgrades(status: number, headers: Readonly<Record<string, string>>): Promise<Hostile> {
  const server = await httpServer(
    () => undefined,
    (bare: http.Server) =>
      bare.on('upgrade', (_, socket) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(
          `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.join('')}content-length: 0\r\n\r\n`,
        );
      }),
  );
  return server;
}

test('a WebSocket goes through the user’s proxy, which sees host and port, and no key', async (t) => {
  const ca = authority();
  const seen: (string | undefined)[] = [];
  const server = await secureWebSocketServer(ca.issue('DNS:service.example.com'), (socket, _, upgrade) => {
    seen.push(upgrade.headers.authorization);
    confirm(socket);
    notify(socket, '1');
  });
  t.after(() => server.close());
  const proxy = await proxyServer();
  t.after(() => proxy.close());
  const connect = { extraCa: [ca.ca], proxy: { url: proxy.origin, noProxy: [] } };
  await opened(`wss://service.example.com:${server.port}`, { options: { connect } }, async (stream) => {
    assert.deepEqual(await take(stream, 1), [1]);
  });
  assert.equal(proxy.seen.length, 1);
  assert.match(proxy.seen[0] ?? '', /^\["service\.example\.com:\d+"/);
  assertNoKey(proxy.seen);
  assert.equal(seen[0], `Bearer ${KEY}`);
});
