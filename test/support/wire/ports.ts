// Ports of this machine: free ones, and taken ones.
import { once } from 'node:events';
import net from 'node:net';

/** A port that is free together with the one after it. */
export async function freePair(): Promise<number> {
  for (;;) {
    const first = await listening(0);
    const { port } = first.address() as net.AddressInfo;
    const second = port < 65_535 ? await listening(port + 1).catch(() => undefined) : undefined;
    await Promise.all([first, second].map(closed));
    if (second !== undefined) return port;
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
