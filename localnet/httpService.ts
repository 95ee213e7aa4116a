// The HTTP side of the service on 127.0.0.1: guards every request, hands it to its route, writes the answer. Listens on
// no other address and sends no CORS header.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { routeAdmin, type AdminContext } from './admin/routes';
import { routeSol } from './calls/sol';
import { dashboard } from './dashboard/page';
import { deliverRouted, type Routed } from './faults/deliver';
import { browserRefusal, hostRefusal } from './guard/browser';
import { parseTarget, type GuardTarget } from './guard/target';
import { methodNotAllowed, restError } from './http/answer';
import { boundedServer, failRequest, listenOn, type HttpTimeouts } from './http/listen';
import { routeRest } from './usage/routes';

/** Listens; rejects when the port is taken. Port 0 is any free one. */
export async function serveHttp(
  context: AdminContext,
  port: number,
  timeouts: HttpTimeouts | undefined,
): Promise<Server> {
  const server = boundedServer(timeouts);
  server.on('request', (request, response) => {
    handle(context, request, response).catch((error: unknown) => failRequest(response, error));
  });
  await listenOn(server, port);
  return server;
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
  await deliverRouted(request, response, routed);
}

async function route(context: AdminContext, request: IncomingMessage, url: GuardTarget): Promise<Routed | undefined> {
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
