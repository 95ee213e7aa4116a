// HTTP servers with the bounds that every interface has: listens, closes, answers for a request that failed. Knows no route.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { boundConnections, endConnections } from '../guard/connections';

/** How long a client may take, in ms: to send its headers, its whole request, and between two requests. */
export interface HttpTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
}

export const HTTP_TIMEOUTS: HttpTimeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000 };

/** Bytes of a request's line and headers. */
const MAX_HEADERS = 16 * 1024;

/** A server with the bounds that every interface has; it listens nowhere yet. */
export function boundedServer(timeouts: HttpTimeouts = HTTP_TIMEOUTS): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    maxHeaderSize: MAX_HEADERS,
  });
  boundConnections(server);
  return server;
}

/** Rejects when the port is taken. Port 0 is any free one. */
export function listenOn(server: NetServer, port: number, host = '127.0.0.1'): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Rejects when the port is taken; it is free again once this is done. */
export async function probePort(port: number): Promise<void> {
  const server = boundedServer();
  await listenOn(server, port);
  await closeServer(server);
}

/** Ends every connection of a bounded server, and the server. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    endConnections(server);
  });
}

/** The port a listening server got. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Answers an unexpected exception: the client gets no details, the log gets the stack. */
export function failRequest(response: ServerResponse, error: unknown): void {
  process.stderr.write(
    `A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'content-type': 'application/json', connection: 'close' });
  response.end('{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":null}');
}
