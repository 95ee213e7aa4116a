// Bounds the connections of a server: above the bound the oldest one without a request in progress is closed, so that
// clients that connect and say nothing cannot keep others out.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections at one time. A WebSocket counts as a request in progress. */
const MAX_CONNECTIONS = 512;

/** The sockets of a server, upgraded ones included, which Node forgets. */
interface Sockets {
  readonly open: Set<Socket>;
  readonly idle: Set<Socket>;
}

const socketsOf = new WeakMap<Server, Sockets>();

/** Ends every connection of a server that is watched, upgraded and half-open ones too. */
export function endConnections(server: Server): void {
  for (const socket of socketsOf.get(server)?.open ?? []) socket.destroy();
}

/**
 * Counts an upgraded connection as one at work. For servers that answer upgrades alone: where anybody listens for them, Node
 * answers none by itself.
 */
export function keepUpgraded(server: Server): void {
  server.on('upgrade', (request) => socketsOf.get(server)?.idle.delete(request.socket));
}

/** Watches the server's connections from now on; `bound` is for tests that cannot open hundreds. */
export function boundConnections(server: Server, bound = MAX_CONNECTIONS): void {
  const idle = new Set<Socket>();
  const open = new Set<Socket>();
  socketsOf.set(server, { open, idle });
  server.on('connection', (socket) => {
    open.add(socket);
    if (open.size > bound) {
      const [oldest] = idle;
      (oldest ?? socket).destroy();
      if (oldest !== undefined) idle.delete(oldest);
    }
    if (!socket.destroyed) idle.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    idle.delete(request.socket);
    response.on('close', () => {
      if (!request.socket.destroyed) idle.add(request.socket);
    });
  });
}
