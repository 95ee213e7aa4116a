// The ports of --open and what is left open on a server that ends: an upgrade is answered wherever it comes, and no
// connection keeps a server from its end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { ServiceContext } from '../../../localnet/calls/context';
import { boundedServer, closeServer, listenOn, portOf } from '../../../localnet/http/listen';
import { Keyring } from '../../../localnet/keys/keyring';
import { serveOpen, takeOpenPorts, type OpenPorts } from '../../../localnet/open/serve';
import { serveWebSocket } from '../../../localnet/websocket/listen';
import { answerUpgrade } from '../../../localnet/websocket/upgrade';
import type { Feed } from '../../../localnet/websocket/feed';

const KEY = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const head = (line: string, more: string): string => `${line} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n${more}\r\n`;
/** Bytes that a client may have sent when a server ends. */
const SENT: Readonly<Record<string, string>> = {
  nothing: '',
  'half of its headers': 'GET / HTTP/1.1\r\nHost:',
  'a WebSocket upgrade': head('GET /', `Connection: Upgrade\r\nUpgrade: websocket\r\n${KEY}`),
  'an upgrade to HTTP/2': head('GET /', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'),
  CONNECT: head('CONNECT example.com:443', ''),
  'Expect: 100-continue and no body': head('POST /', 'Expect: 100-continue\r\nContent-Length: 9\r\n'),
  'half of a body': `${head('POST /', 'Content-Length: 9\r\n')}{`,
};

/** A client that keeps its half open also after the server has ended its own, and the answer it got. */
async function clientOf(port: number, sent: string): Promise<{ readonly socket: Socket; text: string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const client = { socket, text: '' };
  socket.on('error', () => undefined).on('data', (part: Buffer) => (client.text += part.toString()));
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent.replace('PORT', String(port)));
  return client;
}

const seenBy = (server: Server, event: string): Promise<void> =>
  new Promise((resolve) => void server.on(event, () => resolve()));

/** Which of connection, request, upgrade and CONNECT a server sees last of a text. */
function eventOf(sent: string): number {
  if (sent.startsWith('CONNECT')) return 3;
  if (sent.includes('Upgrade:')) return 2;
  return sent.includes('Length') && !sent.includes('Expect') ? 1 : 0;
}

/** Two free ports that follow each other. */
async function ports(): Promise<{ readonly port: number; readonly taken: OpenPorts }> {
  for (let port = 20_000 + (process.pid % 20_000); ; port += 2)
    try {
      return { port, taken: await takeOpenPorts(port) };
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EADDRINUSE');
    }
}

const context = {
  keyring: new Keyring({ now: () => 0, random: (bytes) => new Uint8Array(bytes) }),
} as unknown as ServiceContext;
const serve = (taken: OpenPorts): ReturnType<typeof serveOpen> => serveOpen(context, {} as Feed, taken);

describe('A server ends though a client has sent', () => {
  for (const [what, sent] of Object.entries(SENT))
    test(what, async () => {
      const server = boundedServer();
      // These listeners never answer an upgrade.
      const seen = ['connection', 'request', 'upgrade', 'connect'].map((event) => seenBy(server, event));
      await listenOn(server, 0);
      const { socket } = await clientOf(portOf(server), sent);
      await seen[eventOf(sent)];
      await closeServer(server);
      socket.destroy();
    });

  test('an upgrade that was refused, and keeps its half open', async () => {
    const server = boundedServer();
    server.on('upgrade', (_, stream) => answerUpgrade(stream, 400, 'no', {}));
    await listenOn(server, 0);
    const { socket } = await clientOf(portOf(server), SENT['a WebSocket upgrade'] ?? '');
    await once(socket, 'data');
    await closeServer(server);
    socket.destroy();
  });
});

describe('On the HTTP port of --open', () => {
  for (const when of ['before', 'after'])
    test(`a WebSocket upgrade that comes ${when} the service is ready is refused with the port to use`, async () => {
      const { port, taken } = await ports();
      const seen = once(taken.http, 'request');
      const early = when === 'before' ? await clientOf(port, SENT['a WebSocket upgrade'] ?? '') : undefined;
      if (early !== undefined) await seen;
      const open = serve(taken);
      const client = early ?? (await clientOf(port, SENT['a WebSocket upgrade'] ?? ''));
      await once(client.socket, 'end');
      assert.match(client.text, /^HTTP\/1\.1 400 /);
      assert.ok(client.text.includes(`This port is HTTP. The WebSocket is on port ${port + 1}.`), client.text);
      client.socket.destroy();
      await open.close();
    });

  test('an upgrade to HTTP/2 is passed over, as HTTP allows, and the service ends with all that is open', async () => {
    const { port, taken } = await ports();
    const open = serve(taken);
    const plain = await clientOf(port, SENT['an upgrade to HTTP/2'] ?? '');
    await once(plain.socket, 'data');
    assert.match(plain.text, /^HTTP\/1\.1 405 /);
    const all = [port, port + 1].flatMap((one) => Object.values(SENT).map((sent) => clientOf(one, sent)));
    const clients = await Promise.all(all);
    await open.close();
    for (const { socket } of [plain, ...clients]) socket.destroy();
  });

  test('on the other port only a WebSocket is an upgrade', async () => {
    const { port, taken } = await ports();
    const open = serve(taken);
    const client = await clientOf(port + 1, SENT['an upgrade to HTTP/2'] ?? '');
    await once(client.socket, 'end');
    assert.match(client.text, /^HTTP\/1\.1 426 /);
    assert.ok(client.text.includes('This port is the WebSocket'), client.text);
    client.socket.destroy();
    await open.close();
  });
});

describe('Where WebSockets are answered', () => {
  test('a request with another upgrade is answered as without it, also in pieces', async () => {
    const server = boundedServer();
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString('latin1')));
      request.on('end', () => response.end(JSON.stringify([request.method, request.url, request.headers, body])));
    });
    const sockets = serveWebSocket(context, {} as Feed, server);
    await listenOn(server, 0);
    const more = 'X-Name: \xe9\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const sent = head('POST /sol?a=1', `${more}Content-Length: 4\r\n`);
    const early = await clientOf(portOf(server), '');
    early.socket.write(Buffer.from(`${sent}ab`, 'latin1'));
    await seenBy(server, 'request');
    early.socket.write('cd');
    await once(early.socket, 'end');
    assert.match(early.text, /^HTTP\/1\.1 200 /);
    const [method, url, headers, body] = JSON.parse(early.text.slice(early.text.indexOf('['))) as [
      string,
      string,
      Readonly<Record<string, string>>,
      string,
    ];
    assert.deepEqual(
      [method, url, headers['x-name'], headers['content-length'], body],
      ['POST', '/sol?a=1', '\xe9', '4', 'abcd'],
    );
    early.socket.destroy();
    sockets.close();
    await closeServer(server);
  });
});
