// The HTTP side of the service on 127.0.0.1: guards every request, hands it to its route, writes the answer. Listens on
// no other address and sends no CORS header.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { routeAdmin, type AdminContext } from '../admin/routes';
import { dashboard } from '../dashboard/page';
import { deliverFaulty } from '../faults/deliver';
import { browserRefusal, hostRefusal } from '../guard/browser';
import { boundConnections, endConnections } from '../guard/connections';
import { parseTarget, type Target } from '../guard/target';
import { routeRest } from '../usage/routes';
import { methodNotAllowed, restError } from './answer';
import type { Routed } from './context';
import { routeSol } from './sol';

/** How long a client may take, in ms: to send its headers, its whole request, and between two requests. */
export interface HttpTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
}

export const HTTP_TIMEOUTS: HttpTimeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000 };

/** Bytes of a request's line and headers. */
const MAX_HEADERS = 16 * 1024;

export interface HttpService {
  readonly port: number;
  readonly server: Server;
  /** Ends every connection and the server. */
  readonly close: () => Promise<void>;
}

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
export function listenOn(server: Server, port: number, host = '127.0.0.1'): Promise<void> {
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

/** Listens; rejects when the port is taken. Port 0 is any free one. */
export async function serveHttp(
  context: AdminContext,
  port: number,
  timeouts: HttpTimeouts = HTTP_TIMEOUTS,
): Promise<HttpService> {
  const server = boundedServer(timeouts);
  server.on('request', (request, response) => {
    handle(context, request, response).catch((error: unknown) => failRequest(response, error));
  });
  await listenOn(server, port);
  return {
    port: portOf(server),
    server,
    close: () => closeServer(server),
  };
}

/** The port a listening server got. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function handle(context: AdminContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = parseTarget(request.url);
  const refusal = browserRefusal(request.headers, request.socket.localPort ?? 0, url?.pathname === '/dashboard');
  const twoHosts = hostRefusal(request);
  const routed =
    twoHosts !== undefined
      ? { answer: restError(400, twoHosts) }
      : refusal !== undefined
        ? { answer: restError(403, refusal) }
        : url === undefined
          ? { answer: restError(400, 'The request target is not a path') }
          : await route(context, request, url);
  if (routed === undefined) {
    response.destroy();
    return;
  }
  // The unread rest of a body must not be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  await deliverFaulty(response, routed.answer, routed.fault);
}

async function route(context: AdminContext, request: IncomingMessage, url: Target): Promise<Routed | undefined> {
  const path = url.pathname;
  if (path === '/sol') return routeSol(context, request, url.searchParams);
  if (path === '/health' || path === '/dashboard') {
    if (request.method !== 'GET' && request.method !== 'HEAD') return { answer: methodNotAllowed('GET') };
    return {
      answer:
        path === '/health'
          ? { status: 200, contentType: 'text/plain', body: 'ok' }
          : dashboard(context.fork !== undefined),
    };
  }
  if (path.startsWith('/local/')) {
    const answer = await routeAdmin(context, request, path, url.searchParams);
    return answer && { answer };
  }
  return (
    routeRest(context, request, path, url.searchParams) ?? { answer: restError(404, 'There is nothing at this path') }
  );
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
