// Bounds the connections of a server: above the bound the oldest one without a request at work makes room, so that
// clients that connect and say nothing cannot keep others out.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections at one time. A WebSocket counts as one that is at work. */
const MAX_CONNECTIONS = 512;

/** Watches the server's connections from now on; `bound` is for tests that cannot open hundreds. */
export function boundConnections(server: Server, bound = MAX_CONNECTIONS): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    if (++open > bound) {
      const [oldest] = idle;
      (oldest ?? socket).destroy();
      if (oldest !== undefined) idle.delete(oldest);
    }
    if (!socket.destroyed) idle.add(socket);
    socket.on('close', () => {
      open--;
      idle.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    idle.delete(request.socket);
    response.on('close', () => {
      if (!request.socket.destroyed) idle.add(request.socket);
    });
  });
  server.on('upgrade', (request) => idle.delete(request.socket));
}
