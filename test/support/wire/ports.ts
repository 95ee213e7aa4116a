// Ports of this machine: free ones, and taken ones.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Below the ports that systems give to connections and to listeners without a wish: nobody takes one by chance. */
const [FIRST, AFTER] = [10_000, 32_000];

/** A port that is free together with the one after it, and that no connection will take meanwhile. */
export async function freePair(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER);
    const pair = await Promise.all([port, port + 1].map((one) => listening(one).catch(() => undefined)));
    await Promise.all(pair.map(closed));
    if (pair.every((server) => server !== undefined)) return port;
  }
}

/** A listener on a port of this machine; rejects where the port is taken. */
export async function listening(port: number): Promise<net.Server> {
  const server = net.createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function closed(server: net.Server | undefined): Promise<void> {
  if (server === undefined) return;
  server.close();
  await once(server, 'close');
}
