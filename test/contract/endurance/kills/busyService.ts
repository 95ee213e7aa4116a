// A service that keeps a client busy: small answers, a large one, and a subscription that never pauses. Each result
// says in which round it was made, at both of its ends.
import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { httpServer, webSocketServer } from '../../../support/wire/hostile';

export interface BusyService {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Results are of this round from now on. */
  round: number;
  /** The Authorization header of every request; '' if absent. */
  readonly authorizations: Set<string>;
  /** Resolves with the next request. */
  requested(): Promise<void>;
  /** Resolves once most of the next large answer has left. Its last piece never does: it waits for the end of its reader. */
  most(): Promise<void>;
  close(): Promise<void>;
}

/** Larger than what a client holds in memory (8 MB). */
const LARGE = 9_000_000;
const PIECE = 'x'.repeat(500_000);
/** Notifications between two breaths. */
const BURST = 20;

/** The method whose answer is large. */
export const LARGE_METHOD = 'getProgramAccounts';

/** `largeBytes`: of the large answer. */
export async function startBusyService(largeBytes = LARGE): Promise<BusyService> {
  let round = 0;
  const waiting: (() => void)[] = [];
  const most: (() => void)[] = [];
  const authorizations = new Set<string>();
  const rpc = await httpServer(async ({ body, headers }, response) => {
    authorizations.add(headers.authorization ?? '');
    const { id, method } = JSON.parse(body) as { readonly id: unknown; readonly method: string };
    const own = round;
    for (const resolve of waiting.splice(0)) resolve();
    response.setHeader('content-type', 'application/json');
    response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"first":${own},"items":["`);
    for (let sent = 0; method === LARGE_METHOD && sent < largeBytes && !response.destroyed; sent += PIECE.length) {
      if (sent + PIECE.length >= largeBytes && most.length > 0) {
        const gone = once(response, 'close');
        for (const resolve of most.splice(0)) resolve();
        await gone;
        return;
      }
      response.write(`${PIECE}","`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end(`"],"last":${own}}}`);
  });
  const sockets = await webSocketServer((socket) => {
    socket.send('{"jsonrpc":"2.0","result":7,"id":1}');
    pour(socket);
  });
  return {
    rpcUrl: `${rpc.origin}/`,
    wsUrl: `${sockets.origin}/`,
    get round() {
      return round;
    },
    set round(to) {
      round = to;
    },
    authorizations,
    requested: () => new Promise((resolve) => waiting.push(resolve)),
    most: () => new Promise((resolve) => most.push(resolve)),
    close: async () => {
      await Promise.all([rpc.close(), sockets.close()]);
    },
  };
}

function pour(socket: WebSocket, from = 1): void {
  if (socket.readyState !== socket.OPEN) return;
  for (let slot = from; slot < from + BURST; slot++)
    socket.send(
      `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":${slot},"parent":${slot - 1},"root":0},"subscription":7}}`,
    );
  setTimeout(() => pour(socket, from + BURST), 1);
}

/** A whole answer of one round, or a whole report of why none came. */
export function isOneAnswer(text: string): boolean {
  const { result, error } = JSON.parse(text) as {
    readonly result?: { readonly first: unknown; readonly last: unknown };
    readonly error?: object;
  };
  return result === undefined
    ? typeof error === 'object'
    : typeof result.first === 'number' && result.first === result.last;
}
