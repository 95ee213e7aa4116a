// Doubles of providers on loopback: one TLS server that represents every provider's host, behind a CONNECT proxy that
// leads there for every requested host. Each host answers only requests in exactly its provider's form, and refuses any
// other with the provider's own status and text, in which it repeats what it got.
import { once } from 'node:events';
import http from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { authority } from './certificates';

/** One interface of a provider as its documentation has it. */
export interface Form {
  readonly kind: 'http' | 'ws' | 'grpc';
  /** With a port where it is not 443. */
  readonly host: string;
  /** Path and query, exactly. Of gRPC: in front of the call's own path. */
  readonly path: string;
  /** Headers or metadata, exactly; any other of CREDENTIALS is refused. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** Headers in which a key might come where none belongs. */
const CREDENTIALS = ['authorization', 'x-token', 'x-api-key', 'api-key', 'x-jito-auth', 'cookie'];

export interface Seen {
  readonly kind: Form['kind'];
  readonly host: string;
  readonly path: string;
  readonly accepted: boolean;
  readonly body: string;
}

export interface Doubles {
  /** The environment in which a terminal reaches them. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that the proxy was asked for, with their ports. */
  readonly connected: string[];
  /** Proxy-Authorization of each CONNECT; empty if absent. */
  readonly authorizations: string[];
  readonly seen: Seen[];
  /** The forms that are served from now on, and how others are refused. */
  serve(forms: readonly Form[], refusal: Refusal): void;
  close(): Promise<void>;
}

const VERSION = Buffer.from([0x0a, 0x05, ...Buffer.from('1.2.3')]);

export async function startDoubles(hosts: readonly string[]): Promise<Doubles> {
  const root = authority();
  const folder = mkdtempSync(path.join(tmpdir(), 'providers-'));
  writeFileSync(path.join(folder, 'ca.pem'), root.ca);
  const certificate = root.issue(hosts.map((host) => `DNS:${host.replace(/:\d+$/, '')}`).join(','));
  const seen: Seen[] = [];
  const connected: string[] = [];
  const authorizations: string[] = [];
  let forms: readonly Form[] = [];
  let refusal: Refusal = { status: 401, body: '' };

  /** Notes a request; true where it has a form of its host. */
  const judge = (got: Omit<Seen, 'accepted' | 'body'>, headers: http.IncomingHttpHeaders, body = ''): boolean => {
    const accepted = forms.some(
      (form) =>
        form.kind === got.kind &&
        form.host === got.host &&
        (form.kind === 'grpc' ? `${form.path}/geyser.Geyser/GetVersion` : form.path) === got.path &&
        CREDENTIALS.every((name) => headers[name] === lowerCased(form.headers)[name]),
    );
    seen.push({ ...got, accepted, body });
    return accepted;
  };
  const refused = (got: string): string => refusal.body.replace('{got}', () => JSON.stringify(got));

  const call = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const isGood = judge({ kind: 'grpc', host: request.authority, path: request.url }, request.headers);
    request.resume();
    response.setHeader('content-type', 'application/grpc');
    response.addTrailers(
      isGood
        ? { 'grpc-status': '0' }
        : { 'grpc-status': '16', 'grpc-message': encodeURIComponent(refused(JSON.stringify(request.headers))) },
    );
    response.end(isGood ? Buffer.concat([Buffer.from([0, 0, 0, 0, VERSION.length]), VERSION]) : '');
  };

  const server = http2.createSecureServer({ ...certificate, allowHTTP1: true });
  server.on('request', (request, response) => {
    if (request.httpVersionMajor !== 1) return call(request, response);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const got = { kind: 'http', host: request.headers.host ?? '', path: request.url } as const;
      const isGood = judge(got, request.headers, body);
      response.writeHead(isGood ? 200 : refusal.status, { 'content-type': 'application/json', 'x-echo': 'seen' });
      response.end(isGood ? answer(body) : refused(`${request.url} ${JSON.stringify(request.headers)}`));
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    const got = { kind: 'ws', host: request.headers.host ?? '', path: request.url ?? '' } as const;
    if (!judge(got, request.headers)) {
      const text = refused(`${request.url} ${JSON.stringify(request.headers)}`);
      socket.end(
        `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { id: number };
        client.send(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
        const params = { subscription: 7, result: { parent: 1, root: 0, slot: 2 } };
        client.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params }));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const open = new Set<Duplex>();
  const proxy = http.createServer((_, response) => void response.writeHead(405).end());
  proxy.on('connect', (request, client: net.Socket, head: Buffer) => {
    connected.push(request.url ?? '');
    authorizations.push(request.headers['proxy-authorization'] ?? '');
    const onward = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyPort = (proxy.address() as AddressInfo).port;
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem') },
    connected,
    authorizations,
    seen,
    serve(next, how) {
      forms = next;
      refusal = how;
      seen.length = 0;
      connected.length = 0;
      authorizations.length = 0;
    },
    async close() {
      for (const socket of open) socket.destroy();
      proxy.closeAllConnections();
      const closed = [once(proxy, 'close'), once(server, 'close')];
      proxy.close();
      server.close();
      await Promise.all(closed);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const lowerCased = (headers: Form['headers'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Answers as a node does: a slot, a signature, a status that is final at once. */
function answer(body: string): string {
  const { id, method } = JSON.parse(body) as { id: number; method: string };
  const results: Readonly<Record<string, unknown>> = {
    getSlot: 1,
    getBlockHeight: 1,
    sendTransaction: '5'.repeat(87),
    getSignatureStatuses: {
      context: { slot: 2 },
      value: [{ slot: 2, confirmations: null, err: null, confirmationStatus: 'finalized' }],
    },
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? null });
}
