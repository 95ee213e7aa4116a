// The way to a WebSocket: refused upgrades, keys, certificates, and what is never connected at all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceError } from '../../../core/service/errors';
import { settle } from '../../../net/target/target';
import { authority } from '../../support/wire/certificates';
import { secureWebSocketServer, sink, tcpServer, type Hostile } from '../../support/wire/hostile';
import { asking, confirm, notify, opened, refusedOpening, take } from '../../support/wire/webSockets';
import { assertNoKey, KEY, keysOf } from '../../support/wire/wire';

describe('the way to a service', () => {
  const STATUSES: readonly (readonly [number, ServiceError['kind']])[] = [
    [200, 'protocol'],
    [302, 'protocol'],
    [401, 'keyRejected'],
    [403, 'wrongKeyType'],
    [404, 'protocol'],
    [500, 'network'],
  ];
  for (const [status, kind] of STATUSES) {
    test(`an upgrade answered with ${status} is ${kind}`, async (t) => {
      const elsewhere = await sink();
      t.after(() => elsewhere.close());
      const server = await refusing(status, { location: elsewhere.origin }, `{"error":{"message":"no: ${KEY}"}}`);
      t.after(() => server.close());
      const error = await refusedOpening(server.origin);
      assert.equal(error.kind, kind, error.message);
      assertNoKey(error);
      assert.equal(elsewhere.connections(), 0);
    });
  }

  test('429 is tried again as often as the service is willing to say when', async (t) => {
    let asked = 0;
    const refused = await refusing(429, { 'retry-after': '0' }, '{}', () => asked++);
    t.after(() => refused.close());
    const error = await refusedOpening(refused.origin);
    assert.deepEqual([error.kind, asked], ['rateLimited', 5]);
  });

  test('a refusal that never ends is read no further than its bound', async (t) => {
    let sent = 0;
    const server = await tcpServer((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x78), () => (sent += 65_536)));
        if (!socket.destroyed) socket.once('drain', more);
      };
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write('HTTP/1.1 404 No\r\nContent-Type: text/plain\r\n\r\n');
          more();
        });
    });
    t.after(() => server.close());
    const error = await refusedOpening(server.origin.replace('http', 'ws'));
    assert.equal(error.kind, 'protocol');
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken`);
  });

  test('a service that never answers the upgrade is not waited for longer than asked', async (t) => {
    const server = await tcpServer(() => undefined);
    t.after(() => server.close());
    const asked = asking('slotSubscribe', '[]', { timeoutMs: 100 });
    const error = await refusedOpening(server.origin.replace('http', 'ws'), { asked });
    assert.equal(error.kind, 'timeout');
  });

  test('a service that does not speak HTTP is an error', async (t) => {
    const server = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    t.after(() => server.close());
    const error = await refusedOpening(server.origin.replace('http', 'ws'));
    assert.ok(error.kind === 'protocol' || error.kind === 'network', error.kind);
  });

  test('a certificate of the user’s own authority is accepted, any other is refused before a key leaves', async (t) => {
    const ca = authority();
    const seen: string[] = [];
    const server = await secureWebSocketServer(ca.issue('IP:127.0.0.1'), (socket, _, upgrade) => {
      seen.push(upgrade.headers.authorization ?? '');
      confirm(socket);
      notify(socket, '1');
    });
    t.after(() => server.close());
    const refused = await refusedOpening(server.origin);
    assert.deepEqual([refused.kind, seen], ['tls', []]);
    await opened(server.origin, { options: { connect: { extraCa: [ca.ca] } } }, async (stream) =>
      assert.deepEqual(await take(stream, 1), [1]),
    );
    // The subscription, and its end.
    assert.deepEqual([...new Set(seen)], [`Bearer ${KEY}`]);
  });

  test('nobody listening is a network error', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    assert.equal((await refusedOpening(`ws://127.0.0.1:${server.port}`)).kind, 'network');
  });

  test('a key is not sent over ws to another machine', () => {
    const target = settle({ profile: { name: 'x', wsUrl: 'ws://192.0.2.1/ws/sol' }, source: 'user' }, asking('x'));
    assert.equal(target.ok, false);
  });

  test('without a key for exactly this origin nothing is connected', async (t) => {
    const server = await sink();
    t.after(() => server.close());
    const wsUrl = server.origin.replace('http', 'ws');
    const error = await refusedOpening(wsUrl, { options: { keys: keysOf({}) } });
    assert.deepEqual([error.kind, server.connections()], ['noKey', 0]);
  });
});

/** Refuses every upgrade with this status. */
function refusing(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  onAsked: () => void = () => undefined,
): Promise<Hostile> {
  const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' });
  const text = `HTTP/1.1 ${status} No\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  return tcpServer((socket) =>
    socket.once('data', () => {
      onAsked();
      socket.end(text);
    }),
  ).then((server) => ({ ...server, origin: server.origin.replace('http', 'ws') }));
}
