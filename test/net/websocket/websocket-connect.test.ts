// The way to a WebSocket: refused upgrades, keys, certificates, and what is never connected at all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceError } from '../../../core/errors';
import { settle } from '../../../net/target/target';
import { authority } from '../../support/wire/certificates';
import { secureWebSocketServer, sink, tcpServer, type Hostile } from '../../support/wire/hostile';
import { asking, confirm, notify, opened, take } from '../../support/wire/webSockets';
import { assertNoKey, KEY, keysOf } from '../../support/wire/wire';

describe('the way to a service', () => {
  const never = (): Promise<void> => Promise.reject(new Error('It was opened.'));

  const STATUSES: readonly (readonly [number, ServiceError['kind']])[] = [
    [200, 'protocol'],
    [302, 'protocol'],
    [401, 'keyRejected'],
    [403, 'wrongKeyType'],
    [404, 'protocol'],
    [500, 'network'],
  ];
  for (const [status, kind] of STATUSES) {
    test(`an upgrade answered with ${status} is ${kind}`, async () => {
      const elsewhere = await sink();
      const server = await refusing(status, { location: elsewhere.origin }, `{"error":{"message":"no: ${KEY}"}}`);
      const error = await opened(server.origin, {}, never);
      await Promise.all([server.close(), elsewhere.close()]);
      assert.equal(error?.kind, kind, error?.message);
      assertNoKey(error);
      assert.equal(elsewhere.connections(), 0);
    });
  }

  test('429 is tried again as often as the service is willing to say when', async () => {
    let asked = 0;
    const refused = await refusing(429, { 'retry-after': '0' }, '{}', () => asked++);
    const error = await opened(refused.origin, {}, never);
    await refused.close();
    assert.deepEqual([error?.kind, asked], ['rateLimited', 5]);
  });

  test('a refusal that never ends is read no further than its bound', async () => {
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
    const error = await opened(server.origin.replace('http', 'ws'), {}, never);
    await server.close();
    assert.equal(error?.kind, 'protocol');
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken`);
  });

  test('a service that never answers the upgrade is not waited for longer than asked', async () => {
    const server = await tcpServer(() => undefined);
    const asked = asking('slotSubscribe', '[]', { timeoutMs: 100 });
    const error = await opened(server.origin.replace('http', 'ws'), { asked }, never);
    await server.close();
    assert.equal(error?.kind, 'timeout');
  });

  test('a service that does not speak HTTP is an error', async () => {
    const server = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const error = await opened(server.origin.replace('http', 'ws'), {}, never);
    await server.close();
    assert.ok(error?.kind === 'protocol' || error?.kind === 'network', error?.kind);
  });

  test('a certificate of the user’s own authority is accepted, any other is refused before a key leaves', async () => {
    const ca = authority();
    const seen: string[] = [];
    const server = await secureWebSocketServer(ca.issue('IP:127.0.0.1'), (socket, _, upgrade) => {
      seen.push(upgrade.headers.authorization ?? '');
      confirm(socket);
      notify(socket, '1');
    });
    const refused = await opened(server.origin, {}, never);
    assert.deepEqual([refused?.kind, seen], ['tls', []]);
    await opened(server.origin, { options: { connect: { extraCa: [ca.ca] } } }, async (stream) =>
      assert.deepEqual(await take(stream, 1), [1]),
    );
    // The subscription, and its end.
    assert.deepEqual([...new Set(seen)], [`Bearer ${KEY}`]);
    await server.close();
  });

  test('nobody listening is a network error', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    assert.equal((await opened(`ws://127.0.0.1:${server.port}`, {}, never))?.kind, 'network');
  });

  test('a key is not sent over ws to another machine', () => {
    const target = settle({ profile: { name: 'x', wsUrl: 'ws://192.0.2.1/ws/sol' }, source: 'user' }, asking('x'));
    assert.equal(target.ok, false);
  });

  test('without a key for exactly this origin nothing is connected', async () => {
    const server = await sink();
    const wsUrl = server.origin.replace('http', 'ws');
    const error = await opened(wsUrl, { options: { keys: keysOf({}) } }, never);
    await server.close();
    assert.deepEqual([error?.kind, server.connections()], ['noKey', 0]);
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
