// TLS and proxies: certificates are always checked, a user's own authority and proxy work, and a proxy learns no key.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type net from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Secret } from '../../core/service/keys/secret';
import type { ConnectSettings } from '../../net/api';
import { ConnectTimeout, createConnect } from '../../net/connect/connect';
import { proxyFor } from '../../net/connect/proxy';
import { authority, selfSigned, type Certificate } from '../support/wire/certificates';
import { httpServer, httpsServer, tcpServer, type Hostile } from '../support/wire/hostile';
import { proxyServer } from '../support/wire/proxies';
import { answerOf, assertNoKey, callOnce, errorOf, KEY, OK_BODY } from '../support/wire/wire';
import { mockTimers } from '../support/mockTimers';

const ca = authority();
const trusting: ConnectSettings = { extraCa: [ca.ca] };

async function secure(certificate: Certificate): Promise<Hostile & { readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await httpsServer({ ...certificate }, ({ headers }, response) => {
    seen.push(headers.authorization ?? '');
    response.end(OK_BODY);
  });
  return { ...server, seen };
}

/** The work in an environment that disables Node's certificate checks. */
async function unchecked<T>(work: () => Promise<T>): Promise<T> {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  const before = process.env[name];
  process.env[name] = '0';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

describe('certificates', () => {
  test('one of the user’s own authority is accepted', async () => {
    const server = await secure(ca.issue('IP:127.0.0.1'));
    const result = await callOnce(server.origin, {}, { connect: trusting });
    await server.close();
    assert.equal(answerOf(result).error, undefined);
    assert.deepEqual(server.seen, [`Bearer ${KEY}`]);
  });

  const REFUSED: readonly (readonly [string, () => Certificate, ConnectSettings, RegExp])[] = [
    ['self-signed', () => selfSigned('IP:127.0.0.1'), {}, /self-signed/],
    ['of an authority that is not trusted', () => ca.issue('IP:127.0.0.1'), {}, /authority/],
    ['for another name', () => ca.issue('DNS:rpc.example.com'), trusting, /another name/],
    ['for another address', () => ca.issue('IP:127.0.0.2'), trusting, /another name/],
    ['expired', () => ca.issue('IP:127.0.0.1', -1), trusting, /expired/],
  ];
  for (const [name, make, connect, said] of REFUSED)
    test(`a certificate that is ${name} is refused before a request leaves`, async () => {
      const server = await secure(make());
      const error = errorOf(await callOnce(server.origin, {}, { connect }));
      await server.close();
      assert.equal(error.kind, 'tls');
      assert.match(error.message, said);
      assert.deepEqual(server.seen, []);
    });

  test('a name is checked as the server’s name, not as its address', async () => {
    const server = await secure(ca.issue('DNS:localhost'));
    const result = await callOnce(`https://localhost:${server.port}`, {}, { connect: trusting });
    await server.close();
    assert.equal(answerOf(result).error, undefined);
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED of the environment turns nothing off', async () => {
    const server = await secure(selfSigned('IP:127.0.0.1'));
    const result = await unchecked(() => callOnce(server.origin));
    await server.close();
    assert.equal(errorOf(result).kind, 'tls');
    assert.deepEqual(server.seen, []);
  });

  test('https to a port that speaks plain HTTP is an error of TLS', async () => {
    const server = await httpServer((_, response) => void response.end(OK_BODY));
    const error = errorOf(await callOnce(`https://127.0.0.1:${server.port}`));
    await server.close();
    assert.equal(error.kind, 'tls');
  });

  test('a handshake that never ends is cancelled at once', async () => {
    const stop = new AbortController();
    const server = await tcpServer((socket) => socket.once('data', () => stop.abort()));
    const url = `https://127.0.0.1:${server.port}`;
    const error = errorOf(await callOnce(url, { timeoutMs: 60_000 }, {}, { signal: stop.signal }));
    await server.close();
    assert.equal(error.kind, 'cancelled');
  });

  test('a handshake that never ends has a time, and its socket is closed with it, as with a cancel', async (t) => {
    const timers = mockTimers(t, 'setTimeout');
    const late = await silent(t);
    await Promise.all([
      assert.rejects(createConnect({}, undefined, 100)(late.place, new AbortController().signal), ConnectTimeout),
      late.greeted.then(() => timers.tick(100)),
    ]);
    await late.closed;

    const unwanted = await silent(t);
    const stop = new AbortController();
    await Promise.all([
      assert.rejects(createConnect()(unwanted.place, stop.signal), /given up/),
      unwanted.greeted.then(() => stop.abort()),
    ]);
    await unwanted.closed;
  });
});

/** A server of TLS that answers nothing. `greeted`: it has the client's first bytes. `closed`: the client has gone. */
async function silent(t: TestContext) {
  const events = new EventEmitter();
  const signal = { signal: t.signal };
  const [greeted, closed] = [once(events, 'greeted', signal), once(events, 'closed', signal)];
  // The time of a test that fails before it waits for it would be an unhandled rejection.
  closed.catch(() => undefined);
  const server = await tcpServer((socket) => {
    // Its bytes must be read, or the end behind them is not seen.
    socket.once('data', () => events.emit('greeted')).once('close', () => events.emit('closed'));
  });
  t.after(() => server.close());
  return { place: { host: '127.0.0.1', port: server.port, tls: true }, greeted, closed };
}

describe('proxies', () => {
  let service: Hostile & { readonly seen: string[] };
  before(async () => (service = await secure(ca.issue('DNS:service.example.com'))));
  after(() => service.close());
  const url = (): string => `https://service.example.com:${service.port}/sol`;

  test('a request goes through the tunnel; the proxy sees host and port, and no key', async () => {
    const proxy = await proxyServer();
    const connect = { ...trusting, proxy: { url: proxy.origin, noProxy: [] } };
    const result = await callOnce(url(), {}, { connect });
    await proxy.close();
    assert.equal(answerOf(result).error, undefined);
    assert.equal(proxy.seen.length, 1);
    assert.match(proxy.seen[0] ?? '', /^\["service\.example\.com:\d+"/);
    assertNoKey(proxy.seen);
  });

  test('the proxy’s own credentials go to the proxy', async () => {
    const proxy = await proxyServer();
    const credentials = new Secret('me:proxy-word');
    answerOf(
      await callOnce(url(), {}, { connect: { ...trusting, proxy: { url: proxy.origin, credentials, noProxy: [] } } }),
    );
    await proxy.close();
    assert.ok(proxy.seen[0]?.includes(`Basic ${Buffer.from('me:proxy-word').toString('base64')}`));
  });

  test('a proxy over TLS is reached where its certificate is good', async () => {
    const proxy = await proxyServer(200, { ...ca.issue('IP:127.0.0.1') });
    const connect = { ...trusting, proxy: { url: proxy.origin, noProxy: [] } };
    const result = await callOnce(url(), {}, { connect });
    await proxy.close();
    assert.equal(answerOf(result).error, undefined);
    assert.equal(proxy.seen.length, 1);
  });

  for (const [name, certificate] of [
    ['is its own authority', () => selfSigned('IP:127.0.0.1')],
    ['names another host', () => ca.issue('DNS:other.example.com')],
    ['names the service', () => ca.issue('DNS:service.example.com')],
  ] as const)
    test(`a proxy whose certificate ${name} is sent nothing, least of all credentials`, async () => {
      const proxy = await proxyServer(200, { ...certificate() });
      const credentials = new Secret('me:proxy-word');
      const connect = { ...trusting, proxy: { url: proxy.origin, credentials, noProxy: [] } };
      const before = service.seen.length;
      const result = await callOnce(url(), {}, { connect });
      await proxy.close();
      assert.equal(errorOf(result).kind, 'tls');
      assert.match(errorOf(result).message, /^The proxy shows a /);
      assert.deepEqual(proxy.seen, []);
      assert.equal(service.seen.length, before);
    });

  test('the environment turns the check of a proxy’s certificate off as little', async () => {
    const proxy = await proxyServer(200, { ...selfSigned('IP:127.0.0.1') });
    const connect = { ...trusting, proxy: { url: proxy.origin, noProxy: [] } };
    const result = await unchecked(() => callOnce(url(), {}, { connect }));
    await proxy.close();
    assert.equal(errorOf(result).kind, 'tls');
    assert.deepEqual(proxy.seen, []);
  });

  for (const [status, said] of [
    [407, /user name and password/],
    [403, /did not open/],
    [502, /HTTP 502/],
  ] as const)
    test(`a proxy that answers ${status} is named as the reason`, async () => {
      const proxy = await proxyServer(status);
      const error = errorOf(await callOnce(url(), {}, { connect: { proxy: { url: proxy.origin, noProxy: [] } } }));
      await proxy.close();
      assert.equal(error.kind, 'network');
      assert.match(error.message, said);
    });

  for (const [what, serve, message] of [
    ['is not there', undefined, 'The proxy refuses connections.'],
    ['answers with no HTTP', (socket) => socket.end('SSH-2.0-none\r\n\r\n'), 'The proxy does not speak HTTP properly.'],
    ['hangs up', (socket) => socket.destroy(), 'The proxy closed the connection before its answer was complete.'],
  ] as const satisfies readonly (readonly [string, ((socket: net.Socket) => unknown) | undefined, string])[])
    test(`a proxy that ${what} is named, not the service`, async () => {
      const proxy = await tcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => serve?.(socket));
      });
      if (serve === undefined) await proxy.close();
      const error = errorOf(await callOnce(url(), {}, { connect: { proxy: { url: proxy.origin, noProxy: [] } } }));
      if (serve !== undefined) await proxy.close();
      assert.equal(error.message, message);
      assert.equal(error.hint, 'Check the proxy settings.');
    });

  test('a proxy that refuses and stays open is left at once, however much it says', async () => {
    let left: Promise<unknown> | undefined;
    const proxy = await tcpServer((socket) => {
      socket.on('error', () => undefined);
      left = new Promise((resolve) => socket.once('close', resolve));
      socket.once('data', () => {
        socket.write('HTTP/1.1 403 No\r\ncontent-length: 100000000\r\n\r\n');
        const more = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x78)));
        };
        socket.on('drain', more);
        more();
      });
    });
    const error = errorOf(await callOnce(url(), {}, { connect: { proxy: { url: proxy.origin, noProxy: [] } } }));
    assert.match(error.message, /did not open/);
    assert.ok(left !== undefined);
    await left;
    await proxy.close();
  });

  test('loopback is reached directly', async () => {
    const proxy = await proxyServer();
    const server = await httpServer((_, response) => void response.end(OK_BODY));
    answerOf(await callOnce(server.origin, {}, { connect: { proxy: { url: proxy.origin, noProxy: [] } } }));
    await server.close();
    await proxy.close();
    assert.deepEqual(proxy.seen, []);
  });

  const RULES: readonly (readonly [string, boolean])[] = [
    ['rpc.example.com', true],
    ['RPC.Example.com ', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['*', true],
    ['rpc.example.com:443', true],
    ['rpc.example.com:8443', false],
    ['example.com', false],
    ['xrpc.example.com', false],
    ['.rpc.example.com', true],
    ['.ample.com', false],
    ['', false],
  ];
  for (const [rule, direct] of RULES)
    test(`noProxy ${JSON.stringify(rule)} ${direct ? 'excludes' : 'does not exclude'} the host`, () => {
      const settings = { url: 'http://proxy.test:3128', noProxy: [rule] };
      const found = proxyFor({ host: 'rpc.example.com', port: 443, tls: true }, settings);
      assert.equal(found === undefined, direct);
    });
});
