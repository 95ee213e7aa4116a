// The loopback front of `npm start`: passes on what its own page asks, and nothing from elsewhere.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openFront } from '../../../scripts/editor/front.mjs';

const server = http.createServer((request, response) => response.end(`${request.method} ${request.url}`));
server.on('upgrade', (request, socket) => {
  socket.end(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n${request.url}`);
});

describe('the front of the editor', () => {
  let front: Awaited<ReturnType<typeof openFront>>;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    front = await openFront((server.address() as net.AddressInfo).port);
  });
  after(() => {
    front.close();
    server.close();
  });

  /** The whole response to a raw request. */
  async function answerTo(head: string): Promise<string> {
    const socket = net.connect(Number(new URL(front.origin).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }
  const upgrade = (host: string, origin: string) =>
    `GET /socket HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;

  test('passes requests on', async () => {
    assert.equal(await (await fetch(`${front.origin}/some/file?x=1`)).text(), 'GET /some/file?x=1');
  });

  test('gives the same sealing key each time', async () => {
    const key = async () =>
      Buffer.from(await (await fetch(`${front.origin}/mint-key`, { method: 'POST' })).arrayBuffer());
    const first = await key();
    assert.equal(first.length, 32);
    assert.deepEqual(await key(), first);
  });

  test('passes on WebSockets from its page', async () => {
    const { host } = new URL(front.origin);
    assert.match(await answerTo(upgrade(host, front.origin)), /^HTTP\/1\.1 101 [^]*\/socket$/);
  });

  test('refuses a page of another site', async () => {
    const { host } = new URL(front.origin);
    assert.equal(
      (await fetch(`${front.origin}/mint-key`, { method: 'POST', headers: { origin: 'http://a.test' } })).status,
      403,
    );
    assert.equal(await answerTo(upgrade(host, 'http://attacker.test')), '');
  });

  test("refuses another host's name", async () => {
    const plain = 'GET / HTTP/1.1\r\nhost: attacker.test\r\nconnection: close\r\n\r\n';
    assert.match(await answerTo(plain), /^HTTP\/1\.1 403 /);
    assert.equal(await answerTo(upgrade('attacker.test', front.origin)), '');
  });
});
