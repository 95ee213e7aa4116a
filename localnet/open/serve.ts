// The service as solana-test-validator offers it: HTTP on one port and the WebSocket on the next, both at the root path,
// without keys, plans, limits or usage. Pages that are served from this machine may call it; no other page may.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { deliverRouted, type Routed } from '../faults/deliver';
import { hostRefusal, openRefusal } from '../guard/browser';
import { parseTarget } from '../guard/target';
import { restError, type HttpReply } from '../http/answer';
import type { ServiceContext } from '../calls/context';
import { boundedServer, closeServer, failRequest, listenOn } from '../http/listen';
import { MAX_BODY, answerRequest } from '../calls/sol';
import type { Payer, RpcPayers } from '../keys/access';
import { UNBOUNDED } from '../keys/allowance';
import type { Feed } from '../websocket/feed';
import { serveWebSocket, type WebSocketDoor } from '../websocket/listen';

/** Any client. Its id takes the place of a key's in faults. */
const ANYONE: Payer = { keyId: 'open', type: 'rpc', allowance: UNBOUNDED };
const PAYERS: RpcPayers = { first: ANYONE, payerOf: () => ANYONE };

const doorOf = (anyHost: boolean): WebSocketDoor => ({
  path: '/',
  refusal: (headers, port) => openRefusal(headers, port, anyHost),
  payer: () => ({ ok: true, value: ANYONE }),
});

/** How long a browser may keep the answer to a preflight, in seconds. */
const PREFLIGHT_SECONDS = '86400';

/** Both ports, bound but not yet served: early clients wait until they are. */
export interface OpenPorts {
  readonly http: Server;
  readonly webSocket: Server;
  /** True where they are open to every interface. */
  readonly anyHost: boolean;
  /** Hands those who came early to the listeners that are there by now. */
  release(): void;
  close(): Promise<void>;
}

export interface OpenService {
  /** Cuts every WebSocket without a closing frame; how many there were. */
  drop(): number;
  close(): Promise<void>;
}

/** Takes `port` and the one after it; rejects when one of them is not to be had, and then takes none. */
export async function takeOpenPorts(port: number, host = '127.0.0.1'): Promise<OpenPorts> {
  const [http, webSocket] = [boundedServer(), boundedServer()];
  const close = async (): Promise<void> => {
    await Promise.all([http, webSocket].filter(({ listening }) => listening).map(closeServer));
  };
  const releases = [held(http, ['request']), held(webSocket, ['request', 'upgrade'])];
  try {
    await listenOn(http, port, host);
    await listenOn(webSocket, port + 1, host);
  } catch (error) {
    await close();
    throw error;
  }
  const release = (): void => {
    for (const one of releases) one();
  };
  return { http, webSocket, anyHost: host !== '127.0.0.1', release, close };
}

/** Serves on ports that were taken. */
export function serveOpen(context: ServiceContext, feed: Feed, ports: OpenPorts): OpenService {
  const sockets = serveWebSocket(context, feed, ports.webSocket, doorOf(ports.anyHost));
  serve(ports.http, ports.anyHost, (request) => answerHttp(context, request));
  serve(ports.webSocket, ports.anyHost, () =>
    Promise.resolve({
      answer: restError(426, 'This port is the WebSocket; HTTP is on the port before it', { upgrade: 'websocket' }),
    }),
  );
  ports.release();
  return {
    drop: () => sockets.drop(),
    close: async () => {
      sockets.close();
      await ports.close();
    },
  };
}

/**
 * Holds requests to a server back; the returned function lets them through. The server's bounds hold meanwhile. A server
 * that is asked for no upgrades has them as requests, as HTTP has it.
 */
function held(server: Server, events: readonly ('request' | 'upgrade')[]): () => void {
  const early: (() => void)[] = [];
  const keepers = events.map((event) => {
    const keep = (request: IncomingMessage, ...rest: readonly unknown[]): void => {
      early.push(() => void (request.socket.destroyed || server.emit(event, request, ...rest)));
    };
    server.on(event, keep);
    return () => server.off(event, keep);
  });
  return () => {
    for (const end of keepers) end();
    for (const again of early.splice(0)) again();
  };
}

type Answering = (request: IncomingMessage) => Promise<Routed | undefined>;

function serve(server: Server, anyHost: boolean, answer: Answering): void {
  server.on('request', (request, response) => {
    const refusal = openRefusal(request.headers, request.socket.localPort ?? 0, anyHost);
    respond(request, response, refusal, answer).catch((error: unknown) => failRequest(response, error));
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: string | undefined,
  answer: Answering,
): Promise<void> {
  const twoHosts = hostRefusal(request);
  const routed =
    twoHosts !== undefined
      ? { answer: restError(400, twoHosts) }
      : refusal === undefined
        ? await answer(request)
        : { answer: restError(403, refusal) };
  if (refusal === undefined) for (const [name, value] of readableBy(request)) response.setHeader(name, value);
  await deliverRouted(request, response, routed);
}

async function answerHttp(context: ServiceContext, request: IncomingMessage): Promise<Routed | undefined> {
  const path = parseTarget(request.url)?.pathname;
  if (path === '/health' && (request.method === 'GET' || request.method === 'HEAD')) return { answer: text(200, 'ok') };
  if (request.headers.upgrade?.toLowerCase() === 'websocket') return { answer: noWebSocket(request) };
  if (path !== '/') return { answer: text(404, 'JSON-RPC is at the root path') };
  if (request.method === 'OPTIONS') return { answer: preflight() };
  if (request.method !== 'POST') return { answer: text(405, 'Use POST', { allow: 'POST, OPTIONS' }) };
  const body = await context.bodies.read(request, MAX_BODY);
  return body.kind === 'gone' ? undefined : answerRequest(context, PAYERS, request, body);
}

/** Clients use the next port for their WebSocket; the answer names it for those that do not. */
function noWebSocket({ socket }: IncomingMessage): HttpReply {
  const port = (socket.localPort ?? 0) + 1;
  return text(400, `This port is HTTP. The WebSocket is on port ${port}.`, { connection: 'close' });
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers, contentType: 'text/plain', body };
}

function preflight(): HttpReply {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': '*',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
    body: '',
  };
}

/** Lets a page of this machine, which has been let in, read the answer. */
function readableBy({ headers }: IncomingMessage): [name: string, value: string][] {
  const { origin } = headers;
  if (origin === undefined) return [];
  return [
    ['access-control-allow-origin', origin],
    ['vary', 'origin'],
  ];
}
