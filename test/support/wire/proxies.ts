// An HTTP proxy on loopback for tests of the way through one: it records what it is asked, and tunnels.
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { Hostile } from './hostile';

/** An HTTP proxy that tunnels every CONNECT to 127.0.0.1 at the port asked for; with a certificate it speaks TLS itself. */
export async function proxyServer(
  status = 200,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<Hostile & { readonly seen: string[] }> {
  const seen: string[] = [];
  const refuse: http.RequestListener = (_, response) => void response.writeHead(405).end();
  const server = certificate === undefined ? http.createServer(refuse) : https.createServer(certificate, refuse);
  const sockets = new Set<net.Socket>();
  server.on('connect', (request, client: net.Socket, head: Buffer) => {
    seen.push(JSON.stringify([request.url, request.headers]));
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1]);
    const onward = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
