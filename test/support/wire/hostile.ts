// Servers on loopback that do what no service should: for tests of what the transports make of it. Each closes with all
// its connections; a `Sink` records everything that reaches it.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export interface Hostile {
  readonly port: number;
  /** `http://127.0.0.1:PORT` or `https://…`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** A server whose every byte of a request is kept. */
export interface Sink extends Hostile {
  readonly received: string[];
  /** Connections made, with or without a byte. */
  connections(): number;
}

async function listening(server: net.Server, scheme: string): Promise<Hostile> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    origin: `${scheme}://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answerer = (request: Received, response: http.ServerResponse) => void | Promise<void>;

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const handler =
  (answer: Answerer): http.RequestListener =>
  (request, response) => {
    const { method = '', url = '', headers } = request;
    bodyOf(request)
      .then((body) => answer({ method, url, headers, body }, response))
      // A client that goes away in the middle of its request is part of these tests.
      .catch(() => response.destroy());
  };

/** A plain HTTP server with the given answer; `more` may listen for other events than requests. */
export function httpServer(answer: Answerer, more?: (server: http.Server) => unknown): Promise<Hostile> {
  const server = http.createServer(handler(answer));
  more?.(server);
  return listening(server, 'http');
}

export const httpsServer = (options: https.ServerOptions, answer: Answerer): Promise<Hostile> =>
  listening(https.createServer(options, handler(answer)), 'https');

/** A server of raw bytes: called with each connection. */
export const tcpServer = (serve: (socket: net.Socket) => void): Promise<Hostile> =>
  listening(net.createServer(serve), 'http');

/** Records all it gets and answers each request with an empty JSON object. */
export async function sink(): Promise<Sink> {
  const received: string[] = [];
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      );
    });
  });
  return { ...(await listening(server, 'http')), received, connections: () => connections };
}

/** A raw HTTP/1.1 answer with the right length. */
export function rawAnswer(status: string, headers: readonly string[], body: string | Buffer): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const head = [`HTTP/1.1 ${status}`, `content-length: ${bytes.length}`, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/** Writes `answer` once the whole head of a request and its body have arrived. */
export function afterRequest(socket: net.Socket, answer: () => void): void {
  let got = '';
  socket.on('data', (bytes) => {
    got += bytes.toString('latin1');
    const end = got.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
    if (got.length < end + 4 + length) return;
    got = '';
    answer();
  });
}

type ServeText = (socket: WebSocket, text: string, request: http.IncomingMessage) => void;

/** A WebSocket server: called with each text it gets. Its origin begins with `ws:`. */
export const webSocketServer = (serve: ServeText): Promise<Hostile> => webSockets(http.createServer(), 'ws', serve);

/** The same behind TLS. */
export const secureWebSocketServer = (options: https.ServerOptions, serve: ServeText): Promise<Hostile> =>
  webSockets(https.createServer(options), 'wss', serve);

function webSockets(server: http.Server | https.Server, scheme: string, serve: ServeText): Promise<Hostile> {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => serve(socket, data.toString('utf8'), request));
  });
  return listening(server, scheme);
}
