// The local service as an endpoint on another machine: a name that only a proxy on loopback knows, without keys, a list of
// the methods that were asked, and answers that can be held back.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Localnet } from '../process/localnet';
import { proxyServer } from './proxies';

export interface Away {
  /** A host that is not this machine; reached through `proxy` alone. */
  readonly host: string;
  readonly rpcUrl: string;
  readonly proxy: string;
  /** The same without a key on this machine. */
  readonly localUrl: string;
  /** Methods of the requests so far, in order. */
  readonly methods: readonly string[];
  /** Leaves the next request of this method without an answer; resolves once it was asked. */
  hold(method: string): Promise<void>;
  close(): Promise<void>;
}

export async function awayFrom(local: Localnet): Promise<Away> {
  const methods: string[] = [];
  const held = new Map<string, () => void>();
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const { method = '' } = JSON.parse(body.toString()) as { readonly method?: string };
      methods.push(method);
      const asked = held.get(method);
      if (asked !== undefined) {
        held.delete(method);
        asked();
        return;
      }
      local.post(body).then(
        ({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text),
        () => response.destroy(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await proxyServer();
  const host = `validator.example:${port}`;
  return {
    host,
    rpcUrl: `http://${host}/`,
    proxy: proxy.origin,
    localUrl: `http://127.0.0.1:${port}/`,
    methods,
    hold: (method) => new Promise((resolve) => held.set(method, resolve)),
    async close() {
      await proxy.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
