// The WebSocket side of the service: lets good upgrades in, refuses the others with the status and body that HTTP
// gives, and ends connections with their keys.
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { browserRefusal, hostRefusal } from '../guard/browser';
import { keepUpgraded } from '../guard/connections';
import { parseTarget, type Query } from '../guard/target';
import type { ServiceContext } from '../calls/context';
import { errorReply } from '../http/envelope';
import { identify, refusalHeaders, wrongKeyType, type Access, type Payer, type AccessRefusal } from '../keys/access';
import type { EndReason } from '../keys/keyring';
import type { Feed } from './feed';
import { answerUpgrade, openFaulty } from './upgrade';
import { serveConnection } from './connection';

/** Where the WebSocket is, and who may come in. */
export interface WebSocketDoor {
  readonly path: string;
  /** Why a browser's request is refused; `port` is the one that was asked. */
  refusal(headers: IncomingHttpHeaders, port: number): string | undefined;
  payer(context: ServiceContext, authorization: string | undefined, query: Query): Access<Payer>;
}

/** The WebSocket of the service (docs/local-service.md, "Over WebSocket"). */
export const KEYED_DOOR: WebSocketDoor = {
  path: '/ws/sol',
  refusal: (headers, port) => browserRefusal(headers, port, false),
  payer: (context, authorization, query) => {
    const identified = identify(context.keyring, { authorization, query }, context.now());
    if (!identified.ok) return identified;
    const key = identified.value.find(({ type }) => type === 'rpc');
    return key === undefined
      ? { ok: false, refusal: wrongKeyType(identified.value[0], 'rpc', 'the WebSocket') }
      : { ok: true, value: key };
  },
};

/** Bytes of one message; a node takes 4096, an honest subscription with four filters fits in this. */
const MAX_MESSAGE = 16 * 1024;
/** Connections at one time. */
const MAX_CONNECTIONS = 200;
/** Of two protocol pings in a row one must have been answered. */
const PING_MS = 30_000;
/** The close codes of a connection whose key may not be used any more, or not for now. */
const CLOSE_CODES: Readonly<Record<EndReason, number>> = { rotated: 4001, revoked: 4001, suspended: 4003 };

export interface WebSocketService {
  /** Cuts every connection without a closing frame; how many there were. */
  drop(): number;
  close(): void;
}

/** Answers the upgrades of `server`. */
export function serveWebSocket(
  context: ServiceContext,
  feed: Feed,
  server: Server,
  door: WebSocketDoor = KEYED_DOOR,
): WebSocketService {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
  const opening = new Set<Duplex>();
  const open = new Map<WebSocket, { readonly key: Payer; alive: boolean }>();

  const waiting = (): number => [...open.keys()].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);

  keepUpgraded(server);
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      serveWithoutUpgrade(server, request, stream, head);
      return;
    }
    const access = admit(context, door, request, open.size);
    if (!access.ok) {
      refuse(stream, access.refusal);
      return;
    }
    const key = access.value;
    opening.add(stream);
    stream.on('close', () => opening.delete(stream));
    openFaulty(context.faults, key, stream, () => {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const state = { key, alive: true };
        open.set(socket, state);
        socket.on('pong', () => (state.alive = true));
        socket.on('close', () => open.delete(socket));
        serveConnection(context, { socket, stream, key, feed, waiting });
      });
    });
  });

  const stopListening = context.keyring.onEnd((keyId, reason) => {
    for (const [socket, { key }] of open)
      if (key.keyId === keyId) socket.close(CLOSE_CODES[reason], `The key was ${reason}`);
  });
  const heartbeat = setInterval(() => {
    for (const [socket, state] of open) {
      if (!state.alive) socket.terminate();
      state.alive = false;
      socket.ping();
    }
  }, PING_MS).unref();

  const drop = (): number => {
    const count = open.size;
    for (const socket of open.keys()) socket.terminate();
    return count;
  };
  return {
    drop,
    close: () => {
      clearInterval(heartbeat);
      stopListening();
      drop();
      for (const stream of opening) stream.destroy();
    },
  };
}

/**
 * Ignores an Upgrade to anything but a WebSocket (RFC 9110, 7.8), as to h2c. Node has ended its reading of HTTP by now: it
 * gets the request once more without the header, as the last of its connection.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const { method = '', url = '', rawHeaders, httpVersion } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\nConnection: close\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!/^(?:connection|upgrade)$/i.test(name)) text += `${name}: ${rawHeaders[at + 1] ?? ''}\r\n`;
  }
  stream.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', stream);
}

type Status = AccessRefusal['status'] | 400 | 404 | 503;
type UpgradeRefusal = Omit<AccessRefusal, 'status'> & { readonly status: Status };

function admit(
  context: ServiceContext,
  door: WebSocketDoor,
  request: IncomingMessage,
  connections: number,
): Access<Payer> | { readonly ok: false; readonly refusal: UpgradeRefusal } {
  const refused = (status: Status, message: string) => ({ ok: false, refusal: { status, message } }) as const;
  const url = parseTarget(request.url);
  const twoHosts = hostRefusal(request);
  if (twoHosts !== undefined) return refused(400, twoHosts);
  const guarded = door.refusal(request.headers, request.socket.localPort ?? 0);
  if (guarded !== undefined) return refused(403, guarded);
  if (url?.pathname !== door.path) return refused(404, `There is no WebSocket at this path; use ${door.path}`);
  const access = door.payer(context, request.headers.authorization, url.searchParams);
  if (!access.ok) return access;
  if (connections >= MAX_CONNECTIONS) return refused(503, 'There are too many WebSocket connections');
  context.keyring.used(access.value.keyId);
  return access;
}

function refuse(stream: Duplex, refusal: UpgradeRefusal): void {
  const { status, message } = refusal;
  const body = errorReply('null', { code: status, message });
  answerUpgrade(stream, status, body, {
    'content-type': 'application/json',
    ...(status === 401 || status === 403 ? refusalHeaders({ ...refusal, status }) : {}),
  });
}
