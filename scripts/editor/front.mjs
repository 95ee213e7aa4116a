// A loopback front for a person's own browser: passes everything to the editor's server, and answers the one request
// that it leaves open, for the key that seals the browser's secrets. Refuses other hosts' names and other sites' pages.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

/**
 * @param {number} serverPort
 * @returns {Promise<{ origin: string, close(): void }>}
 */
export async function openFront(serverPort) {
  const sealingKey = randomBytes(32);
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  const front = http.createServer((request, response) => {
    if (!isOwn(request)) {
      response.writeHead(403).end();
      return;
    }
    if (request.method === 'POST' && request.url === '/mint-key') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(sealingKey);
      return;
    }
    const onward = http.request(
      { host: '127.0.0.1', port: serverPort, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  front.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  front.on('upgrade', (request, socket, head) => {
    if (!isOwn(request)) {
      socket.destroy();
      return;
    }
    const onward = net.connect(serverPort, '127.0.0.1', () => {
      const headers = [];
      for (let i = 0; i < request.rawHeaders.length; i += 2)
        headers.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
      onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;

  /** @param {http.IncomingMessage} request */
  const isOwn = ({ headers }) =>
    headers.host === host && (headers.origin === undefined || headers.origin === `http://${host}`);

  return {
    origin: `http://${host}`,
    close: () => {
      front.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
