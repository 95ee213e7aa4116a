// The local service's entry checks, without starting it: Host and Origin, request targets, deep JSON, bodies within their
// budget, slow clients, and what each type of key opens.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { browserRefusal, openRefusal } from '../../../localnet/guard/browser';
import { boundConnections } from '../../../localnet/guard/connections';
import { MAX_JSON_DEPTH, nestsTooDeep } from '../../../localnet/guard/depth';
import { parseTarget } from '../../../localnet/guard/target';
import { BodyReader } from '../../../localnet/http/body';
import { boundedServer, closeServer, listenOn, portOf } from '../../../localnet/http/listen';
import { identify, rpcPayers } from '../../../localnet/keys/access';
import { Keyring, type KeyType } from '../../../localnet/keys/keyring';

const PORT = 8000;
const OWN = { host: '127.0.0.1:8000' };

describe('a request of a browser', () => {
  const refused = (headers: IncomingHttpHeaders, navigation = false): boolean =>
    browserRefusal({ ...OWN, ...headers }, PORT, navigation) !== undefined;

  test('names this service as its host, with its port', () => {
    for (const host of ['127.0.0.1:8000', 'localhost:8000', 'LOCALHOST:8000', '[::1]:8000'])
      assert.ok(!refused({ host }), host);
    for (const host of [
      'attacker.test',
      '127.0.0.1',
      '127.0.0.1:8001',
      'localhost.attacker.test:8000',
      '127.0.0.1:80000',
    ])
      assert.ok(refused({ host }), host);
    assert.notEqual(browserRefusal({}, PORT, false), undefined);
  });

  test('comes from this service itself, by the whole of its origin', () => {
    assert.ok(!refused({ origin: 'http://127.0.0.1:8000' }));
    for (const origin of [
      'http://attacker.test',
      'https://127.0.0.1:8000',
      'http://localhost:8001',
      'http://localhost.attacker.test:8000',
      'http://127.0.0.1.attacker.test',
      'null',
    ])
      assert.ok(refused({ origin }), origin);
  });

  test('without an origin says that it comes from no other site; a link opens the dashboard alone', () => {
    for (const site of ['cross-site', 'same-site']) {
      assert.ok(refused({ 'sec-fetch-site': site }), site);
      assert.ok(refused({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }), site);
      assert.ok(!refused({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }, true), site);
      assert.ok(refused({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }, true), site);
    }
    assert.ok(!refused({ 'sec-fetch-site': 'none' }));
  });

  test('to a port without keys comes from a page of this machine', () => {
    for (const anyHost of [false, true]) {
      const isRefused = (headers: IncomingHttpHeaders): boolean =>
        openRefusal({ ...OWN, ...headers }, PORT, anyHost) !== undefined;
      assert.ok(!isRefused({}));
      assert.ok(!isRefused({ origin: 'http://localhost:5173' }));
      for (const origin of ['http://attacker.test', 'http://localhost.attacker.test', 'file://', 'null'])
        assert.ok(isRefused({ origin }), origin);
      assert.ok(isRefused({ 'sec-fetch-site': 'cross-site' }));
      // Containers call by any name, where the port is open to every interface.
      assert.equal(isRefused({ host: 'machine.test:8000' }), !anyHost);
      assert.equal(isRefused({ host: 'machine.test:8000', origin: 'http://localhost:5173' }), !anyHost);
    }
  });
});

test('a request target is a path of this service', () => {
  assert.equal(parseTarget('/sol?a=1')?.pathname, '/sol');
  for (const target of [undefined, '*', '//other.test/', 'http://other.test/', 'other.test:80'])
    assert.equal(parseTarget(target), undefined, target);
});

test('deep JSON is refused before it is read; brackets in strings do not count', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(nestsTooDeep(nested(MAX_JSON_DEPTH)), false);
  assert.equal(nestsTooDeep(nested(MAX_JSON_DEPTH + 1)), true);
  assert.equal(nestsTooDeep(JSON.stringify(`"${'['.repeat(100)}`)), false);
});

describe('bodies', () => {
  const MIB = 1024 * 1024;
  const chunk = Buffer.alloc(MIB, 0x20);
  const request = (source: Readable): IncomingMessage => Object.assign(source, { headers: {} }) as IncomingMessage;
  const chunks = (count: number): IncomingMessage => request(Readable.from(Array.from({ length: count }, () => chunk)));

  test('have a size limit each, and the rest of a much longer one is left unread', async () => {
    const bodies = new BodyReader();
    const small = await bodies.read(chunks(2), 2 * MIB);
    assert.ok(small.kind === 'text' && small.text.length === 2 * MIB);
    const large = await bodies.read(chunks(3), 2 * MIB);
    assert.ok(large.kind === 'refused' && large.status === 413);
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (; read < 1_000; read++) yield chunk;
      })(),
    );
    assert.equal((await bodies.read(request(endless), MIB)).kind, 'refused');
    assert.ok(read < 100, `${read} MB were read`);
  });

  test('share a budget, which is free again afterwards', async () => {
    const bodies = new BodyReader();
    const first = new Readable({ read: () => undefined, highWaterMark: 64 * MIB });
    const reading = bodies.read(request(first), 64 * MIB);
    for (let sent = 0; sent < 40; sent++) first.push(chunk);
    while (first.readableLength > 0) await new Promise(setImmediate);
    const second = await bodies.read(chunks(40), 64 * MIB);
    assert.ok(second.kind === 'refused' && second.status === 503);
    first.push(null);
    assert.equal((await reading).kind, 'text');
    assert.equal((await bodies.read(chunks(40), 64 * MIB)).kind, 'text');
  });
});

/** ms */
const NEVER = 600_000;

describe('a client that takes its time', () => {
  const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
  for (const [what, timeouts, text] of [
    ['with its headers', { headersMs: 100, requestMs: NEVER, idleMs: NEVER }, HEAD],
    ['with its body', { headersMs: 100, requestMs: 200, idleMs: NEVER }, `${HEAD}Content-Length: 9\r\n\r\n1`],
    ['before it asks again', { headersMs: 100, requestMs: NEVER, idleMs: 100 }, `${HEAD}Content-Length: 0\r\n\r\n`],
  ] as const)
    test(`${what} is cut off`, async () => {
      const server = boundedServer(timeouts);
      server.on('request', (request, response) => {
        request.on('error', () => undefined);
        if (request.headers['content-length'] === '0') response.end();
      });
      await listenOn(server, 0);
      const socket = net.connect(portOf(server), '127.0.0.1').on('error', () => undefined);
      socket.write(text);
      await once(socket.resume(), 'close');
      await closeServer(server);
    });

  test('has headers of a bounded size, on this machine alone', async () => {
    const server = boundedServer();
    await listenOn(server, 0);
    assert.equal((server.address() as net.AddressInfo).address, '127.0.0.1');
    const socket = net.connect(portOf(server), '127.0.0.1').on('error', () => undefined);
    socket.write(`${HEAD}X-Long: ${'a'.repeat(40_000)}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 431 /);
    await closeServer(server);
  });
});

test('every server bounds its connections: the oldest idle one is closed for a new one', async () => {
  const server = boundedServer();
  boundConnections(server, 2);
  await listenOn(server, 0);
  const connect = async (): Promise<net.Socket> => {
    const socket = net.connect(portOf(server), '127.0.0.1').on('error', () => undefined);
    await once(server, 'connection');
    return socket;
  };
  const working = await connect();
  working.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  const idle = await connect();
  const closed = once(idle.resume(), 'close');
  const third = await connect();
  await closed;
  assert.deepEqual([working.destroyed, third.destroyed], [false, false]);
  await closeServer(server);
});

test('and so it does where nobody asked for a bound', async () => {
  const server = boundedServer({ headersMs: NEVER, requestMs: NEVER, idleMs: NEVER });
  await listenOn(server, 0);
  const sockets: net.Socket[] = [];
  const connect = async (): Promise<void> => {
    sockets.push(net.connect(portOf(server), '127.0.0.1').on('error', () => undefined));
    await once(server, 'connection');
  };
  await connect();
  const closed = once(sockets[0]?.resume() ?? server, 'close');
  while (sockets.length < 513) await connect();
  await closed;
  assert.equal(sockets[1]?.destroyed, false);
  for (const socket of sockets) socket.destroy();
  await closeServer(server);
});

describe('keys', () => {
  const keyring = new Keyring({
    now: () => 0,
    random: (bytes) => globalThis.crypto.getRandomValues(new Uint8Array(bytes)),
  });
  const issue = (type: KeyType): { readonly keyId: string; readonly key: string } => {
    const issued = keyring.create({ type, label: type, plan: 'Dev' });
    assert.ok(issued !== undefined);
    return issued;
  };
  const [rpc, grpc, swqos] = [issue('rpc'), issue('grpc'), issue('swqos')];
  const presented = (query: readonly string[], authorization?: string) =>
    identify(
      keyring,
      { authorization, query: new URLSearchParams(query.map((key): [string, string] => ['api_key', key])) },
      0,
    );
  const statusOf = (query: readonly string[], authorization?: string): number => {
    const access = presented(query, authorization);
    return access.ok ? 200 : access.refusal.status;
  };

  test('are all known, else the request is refused and the secret not repeated', () => {
    assert.equal(statusOf([rpc.key]), 200);
    assert.equal(statusOf([]), 401);
    assert.equal(statusOf([rpc.key, 'not-a-key']), 401);
    assert.equal(statusOf([rpc.key], 'Bearer not-a-key'), 401);
    assert.equal(statusOf([rpc.key], `Basic ${rpc.key}`), 401);
    const refused = presented(['not-a-key']);
    assert.ok(!refused.ok && !refused.refusal.message.includes('not-a-key'));
  });

  test('are not used while they are suspended or once they are revoked or rotated', () => {
    const [held, gone, turned] = [issue('rpc'), issue('rpc'), issue('rpc')];
    keyring.get(held.keyId)?.allowance.suspension.suspendByHand();
    keyring.revoke(gone.keyId);
    keyring.rotate(turned.keyId);
    assert.deepEqual([statusOf([held.key]), statusOf([gone.key]), statusOf([turned.key])], [403, 401, 401]);
  });

  test('open what their type is for', () => {
    const payers = (...keys: readonly string[]) => {
      const access = presented(keys);
      return access.ok ? rpcPayers(access.value) : access;
    };
    const payer = (method: string, ...keys: readonly string[]): string | undefined => {
      const found = payers(...keys);
      return found.ok ? found.value.payerOf(method)?.type : 'refused';
    };
    assert.equal(payer('getSlot', rpc.key), 'rpc');
    assert.equal(payer('getSlot', rpc.key, swqos.key), 'rpc');
    assert.equal(payer('sendTransaction', rpc.key, swqos.key), 'swqos');
    assert.equal(payer('sendTransaction', swqos.key), 'swqos');
    assert.equal(payer('getSlot', swqos.key), undefined);
    for (const keys of [[grpc.key], [rpc.key, grpc.key]]) assert.equal(payer('getSlot', ...keys), 'refused');
  });
});
