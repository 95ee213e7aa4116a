// A service that repeats the key over WebSocket, gRPC and SWQoS, in every spelling and in everything it says: to runs, to
// open streams, their rows and their exports. The key is in nothing that the built server says, logs, traces or writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Trace, TraceFormat } from 'vscode-jsonrpc/node';
import type { AuthForm } from '../../core/service/keys/authForm';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { ExecuteResult } from '../../protocol/lsp';
import type * as live from '../../protocol/streams';
import { LiveStreams, STREAMS_FILE as FILE } from '../support/lsp/liveStreams';
import { startServer, type RunningServer } from '../support/lsp/serverProcess';
import type { Broker } from '../support/lsp/window';
import { assertNoLeak, echoesOf, escapedEchoesOf, filesBelow, leakIn } from '../support/process/leaks';
import { answer, begin, framed, grpcService, update, type Call } from '../support/wire/grpcServices';
import { httpServer, webSocketServer, type Hostile } from '../support/wire/hostile';

/** Spelled differently in a URL, in JSON and in base64. */
const KEY = "sk+live/7'Qw9=zzz&ABCDEF012345";
const ECHO = echoesOf(KEY).join(' ');
/** As a text inside JSON. */
const JSON_ECHO = `${JSON.stringify(ECHO).slice(1, -1)} ${escapedEchoesOf(KEY).join(' ')}`;
const BYTES = Buffer.from(`xx${KEY}yz`);

const pathOf = (url: string | undefined): string => new URL(url ?? '', 'http://x').pathname.slice(1);
const holdsKey = (url: string | undefined, headers: IncomingHttpHeaders): boolean =>
  leakIn(`${url} ${JSON.stringify(headers)}`, [KEY]) !== undefined;
const json = (text: string): { readonly id: number } => JSON.parse(text) as { readonly id: number };

describe('a service that repeats the key', () => {
  let sockets: Hostile;
  let plain: Hostile;
  let grpc: Hostile;
  let server: RunningServer;
  let streams: LiveStreams;
  const trace: string[] = [];
  /** Profiles whose requests brought the key. */
  const keyed = new Set<string>();

  before(async () => {
    sockets = await webSocketServer((socket, text, { url, headers }) => {
      const way = pathOf(url);
      if (holdsKey(url, headers)) keyed.add(way);
      const { id } = json(text);
      if (way === 'ws-error')
        socket.send(`{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"${JSON_ECHO}","data":"${JSON_ECHO}"}}`);
      else if (way === 'ws-close') socket.close(1008, KEY);
      else {
        socket.send(`{"jsonrpc":"2.0","id":${id},"result":7}`);
        const result = `{"slot":1,"parent":0,"root":0,"${JSON_ECHO}":"${JSON_ECHO}"}`;
        socket.send(`{"jsonrpc":"2.0","method":"slotNotification","params":{"subscription":7,"result":${result}}}`);
        if (way === 'ws-garbage') socket.send(`<html>${ECHO}`);
      }
    });
    plain = await httpServer(
      ({ url, headers }, response) => {
        const way = pathOf(url);
        if (holdsKey(url, headers)) keyed.add(way);
        response.setHeader('content-type', 'application/json').setHeader('x-echo', KEY);
        response.end(
          way === 'swqos'
            ? `{"jsonrpc":"2.0","id":1,"result":"${JSON_ECHO}"}`
            : `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"${JSON_ECHO}","data":{"${JSON_ECHO}":1}}}`,
        );
      },
      (http) =>
        http.on('upgrade', ({ url, headers }, socket) => {
          if (holdsKey(url, headers)) keyed.add(pathOf(url));
          const body = JSON.stringify({ error: { message: ECHO } });
          socket.end(
            `HTTP/1.1 403 No\r\nx-echo: ${KEY}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          );
        }),
    );
    grpc = await grpcService((call) => {
      const way = String(call.headers['x-way']);
      if (holdsKey(String(call.headers[':path']), call.headers)) keyed.add(way);
      (GRPC[way] ?? GRPC['grpc'])?.(call);
    });
    const mine = (name: string, profile: Partial<PlacedProfile['profile']>): PlacedProfile => ({
      profile: { name, ...profile },
      source: 'user',
    });
    const ws = (name: string, base: string, form: AuthForm): PlacedProfile =>
      mine(name, { wsUrl: `${base.replace('http', 'ws')}/${name}`, auth: { ws: form } });
    const profiles = [
      ...['ws', 'ws-error', 'ws-close', 'ws-garbage'].map((name) => ws(name, sockets.origin, 'bearer')),
      ws('ws-query', sockets.origin, 'query'),
      ws('ws-refused', plain.origin, 'header:x-token'),
      mine('grpc', { grpcUrl: grpc.origin }),
      ...['swqos', 'swqos-error'].map((name) => mine(name, { rpcUrl: `${plain.origin}/${name}` })),
    ];
    const broker: Broker = { asked: [], answer: ({ id }) => ({ kind: 'granted', id, secret: KEY, label: 'test' }) };
    server = await startServer({ window: { profiles, endpoint: 'ws' }, answer: (request) => broker.answer(request) });
    streams = new LiveStreams(server, broker);
    const tracer = { log: (...parts: unknown[]) => void trace.push(parts.map(String).join(' ')) };
    await server.connection.trace(Trace.Verbose, tracer, { sendNotification: true, traceFormat: TraceFormat.Text });
  });
  after(async () => {
    await server?.stop();
    for (const one of [sockets, plain, grpc]) await one?.close();
  });

  const everything = (): string =>
    [...trace, server.stderr(), ...[...filesBelow(server.storage)].map((file) => readFileSync(file, 'utf8'))].join(
      '\n',
    );
  const assertClean = (): void => assertNoLeak(everything(), [KEY], 'the trace, the log or a file');

  const GRPC: Readonly<Record<string, (call: Call) => void>> = {
    // GetVersion: one text. Subscribe: the updates of a slot and of an account.
    grpc: ({ stream, headers }) => {
      if (String(headers[':path']).endsWith('/GetVersion')) {
        const text = Buffer.from(ECHO);
        const head = Buffer.from([0x0a, 0x80 | (text.length & 0x7f), text.length >> 7]);
        return answer(stream, framed(Buffer.concat([head, text])), { 'grpc-status': '0', 'x-echo': KEY });
      }
      begin(stream, { 'grpc-status': '0', 'x-echo': KEY });
      stream.write(update({ filters: [ECHO], updateOneof: { case: 'slot', value: { slot: 1n, deadError: ECHO } } }));
      const account = { pubkey: BYTES.subarray(0, 32), owner: BYTES.subarray(0, 32), data: BYTES, lamports: 1n };
      stream.write(update({ filters: ['a'], updateOneof: { case: 'account', value: { slot: 2n, account } } }));
    },
    'grpc-error': ({ stream }) =>
      answer(stream, Buffer.alloc(0), { 'grpc-status': '3', 'grpc-message': encodeURIComponent(ECHO), 'x-echo': KEY }),
    'grpc-refused': ({ stream }) => {
      stream.respond({ ':status': 400, 'content-type': 'text/plain', 'x-echo': KEY });
      stream.end(ECHO);
    },
    'grpc-garbage': ({ stream }) => answer(stream, framed(Buffer.from(ECHO))),
  };

  let version = 0;
  const open = async (text: string): Promise<number> => {
    version++;
    await server.open(FILE, text.replace('# @name', `# @name n${version}`));
    return version;
  };
  const run = async (text: string): Promise<string | undefined> => {
    const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', {
      uri: FILE,
      version: await open(text),
    });
    return result.kind === 'refused' ? result.error.kind : result.outcomes[0]?.error?.kind;
  };

  const SLOTS = '# @until 1 messages or 20s\nWS\n{ "method": "slotSubscribe" }\n';
  const SUBSCRIBE = 'GRPC geyser.Geyser/Subscribe';
  const FILTERS = '{ "slots": { "all": {} }, "accounts": { "a": {} } }';
  const grpcBlock = (way: string, method: string, body = ''): string =>
    `### A\n# @name\n# @endpoint grpc\n${method}\nx-way: ${way}\n\n${body}\n`;
  const sent = (name: string, body: string): string => `### A\n# @name\n# @endpoint ${name}\n# @timeout 20s\n${body}`;
  const transaction = '{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64" }] }\n';
  const ROWS: readonly (readonly [way: string, text: string, kind: string | undefined])[] = [
    ['ws', sent('ws', SLOTS), undefined],
    ['ws-query', sent('ws-query', SLOTS), undefined],
    ['ws-error', sent('ws-error', SLOTS), 'rpc'],
    ['ws-close', sent('ws-close', SLOTS), 'network'],
    ['ws-refused', sent('ws-refused', SLOTS), 'wrongKeyType'],
    ['grpc', grpcBlock('grpc', 'GRPC geyser.Geyser/GetVersion'), undefined],
    ['grpc-error', grpcBlock('grpc-error', 'GRPC geyser.Geyser/GetVersion'), 'rpc'],
    ['grpc-refused', grpcBlock('grpc-refused', 'GRPC geyser.Geyser/GetVersion'), 'protocol'],
    ['grpc-garbage', grpcBlock('grpc-garbage', 'GRPC geyser.Geyser/GetVersion'), 'protocol'],
    ['swqos', sent('swqos', `SWQOS\n${transaction}`), undefined],
    ['swqos-error', sent('swqos-error', `SWQOS\n${transaction}`), 'rpc'],
  ];
  for (const [way, text, kind] of ROWS)
    test(`${way}: a run ends as ${kind ?? 'answered'}, and nothing repeats the key`, async () => {
      keyed.delete(way);
      assert.equal(await run(text), kind);
      assert.ok(keyed.has(way), 'the service was given the key');
      assertClean();
    });

  const LIVE: readonly (readonly [way: string, text: string, rows: number])[] = [
    ['ws', sent('ws', 'WS\n{ "method": "slotSubscribe" }\n'), 1],
    ['ws-garbage', sent('ws-garbage', 'WS\n{ "method": "slotSubscribe" }\n'), 1],
    ['ws-refused', sent('ws-refused', 'WS\n{ "method": "slotSubscribe" }\n'), 0],
    ['grpc', grpcBlock('grpc', SUBSCRIBE, FILTERS), 2],
    ['grpc-error', grpcBlock('grpc-error', SUBSCRIBE, FILTERS), 0],
    ['grpc-refused', grpcBlock('grpc-refused', SUBSCRIBE, FILTERS), 0],
  ];
  for (const [way, text, rows] of LIVE)
    test(`${way}: a live stream, its rows in full and its exports repeat nothing of the key`, async () => {
      keyed.delete(way);
      const source = { kind: 'block', uri: FILE, version: await open(text), line: 0 } as const;
      const opened = await streams.ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
      assert.ok(opened.kind === 'opened', JSON.stringify(opened));
      const { id } = opened.stream;
      await streams.tick(
        (tick) => tick.id === id && (rows === 0 ? tick.state.kind !== 'connecting' : tick.total >= rows),
      );
      assert.ok(keyed.has(way), 'the service was given the key');
      await streams.rows(id);
      for (let number = 0; number < rows; number++) {
        const row = await streams.ask<live.StreamRowResult>('solanaRpc/streamRow', { id, number });
        assert.ok(row.kind === 'row' && row.json.includes('[redacted]'), JSON.stringify(row));
      }
      for (const format of ['ndjson', 'csv'] as const) {
        const file = path.join(server.storage, `${way}.${format}`);
        await streams.ask('solanaRpc/exportStream', { id, format, what: 'kept', filter: '', file });
      }
      await streams.ask('solanaRpc/closeStream', { id });
      assertClean();
    });

  test('the trace and the files hold what the service said, without the key', () => {
    const all = everything();
    for (const word of ['solanaRpc/execute', 'solanaRpc/streamRow', 'deadError']) assert.ok(all.includes(word), word);
    assert.ok(all.split('[redacted]').length > 50);
  });
});
