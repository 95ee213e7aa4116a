// A proxy in front of the local service that records each request and passes everything on, both ways. A separate address
// per script (`/N/sol`) identifies the sender.
import http from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

export interface Recorded {
  /** The body as it came. */
  readonly body: string;
  readonly authorization: string | undefined;
  readonly query: string;
  /** The service's answer; of a WebSocket the first message. */
  answer: string;
  status: number;
}

export interface Recorder {
  readonly httpUrl: (script: number) => string;
  readonly wsUrl: (script: number) => string;
  /** The requests of a script, in order. */
  sent(script: number): readonly Recorded[];
  /** The same, once the service has answered the first of it. */
  answered(script: number): Promise<readonly Recorded[]>;
  close(): Promise<void>;
}

export async function startRecorder(service: { readonly rpcUrl: string; readonly wsUrl: string }): Promise<Recorder> {
  const recorded = new Map<number, Recorded[]>();
  const answers = new EventEmitter();
  const note = (url: URL, body: string, authorization: string | undefined): Recorded => {
    const script = Number(url.pathname.split('/')[1]);
    const one: Recorded = { body, authorization, query: url.search, answer: '', status: 0 };
    recorded.set(script, [...(recorded.get(script) ?? []), one]);
    return one;
  };
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? '', 'http://recorder');
      const { authorization } = request.headers;
      const one = note(url, Buffer.concat(chunks).toString(), authorization);
      const answer = await fetch(service.rpcUrl + url.search, {
        method: 'POST',
        headers: {
          'content-type': request.headers['content-type'] ?? '',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: one.body,
      });
      one.status = answer.status;
      one.answer = await answer.text();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(one.answer);
    })();
  });
  // A client that pauses between two requests would else meet a connection that is just being closed.
  server.keepAliveTimeout = 0;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client, request) => {
    const url = new URL(request.url ?? '', 'http://recorder');
    const { authorization } = request.headers;
    const upstream = new WebSocket(service.wsUrl + url.search, { headers: authorization ? { authorization } : {} });
    const opened = once(upstream, 'open');
    opened.catch(() => client.close());
    let last: Recorded | undefined;
    client.on('message', (data: Buffer) => {
      last = note(url, data.toString(), authorization);
      void opened.then(() => upstream.send(data.toString()));
    });
    upstream.on('message', (data: Buffer) => {
      if (last?.answer === '') {
        last.answer = data.toString();
        answers.emit('answer');
      }
      client.send(data.toString());
    });
    client.on('close', () => upstream.close());
    // Passes on the service's close code, if any: the meaning of the end depends on it.
    upstream.on('close', (code, reason) => (code >= 3_000 ? client.close(code, reason) : client.close()));
    upstream.on('error', () => client.close());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    httpUrl: (script) => `http://127.0.0.1:${port}/${script}/sol`,
    wsUrl: (script) => `ws://127.0.0.1:${port}/${script}/sol`,
    sent: (script) => recorded.get(script) ?? [],
    async answered(script) {
      while ((recorded.get(script)?.[0]?.answer ?? '') === '') await once(answers, 'answer');
      return recorded.get(script) ?? [];
    },
    async close() {
      sockets.clients.forEach((client) => client.terminate());
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
