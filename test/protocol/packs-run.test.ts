// The example of every method of the packs, sent by the terminal to a server that writes down what it gets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { methodOf } from '../../core/solana/json/calls';
import { PACK_IDS } from '../../core/service/providers/packIds';
import { PACKS } from '../../core/requests/methods/packs/packs';
import { member, parseJson, printJson, type JsonValue } from '../../core/solana/json/json';
import { testWorkspace } from '../support/process/cli';

/** Received requests, as text, by method. A stream that ends is unsubscribed from as well. */
const recorded = new Map<string, string[]>();

const record = (text: string): JsonValue => {
  const request = parseJson(text);
  const method = methodOf(request) ?? '';
  recorded.set(method, [...(recorded.get(method) ?? []), printJson(member(request, 'params') ?? null)]);
  return member(request, 'id') ?? null;
};

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const id = record(Buffer.concat(parts).toString());
    response.setHeader('content-type', 'application/json');
    response.end(printJson({ jsonrpc: '2.0', id, result: null }));
  });
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    const method = methodOf(parseJson(text)) ?? '';
    const id = record(text);
    const isOpening = method.endsWith('Subscribe');
    socket.send(printJson({ jsonrpc: '2.0', id, result: isOpening ? 7 : true }));
    if (!isOpening) return;
    const params = { subscription: 7, result: { slot: 5 } };
    socket.send(printJson({ jsonrpc: '2.0', method: method.replace('Subscribe', 'Notification'), params }));
  });
});

/** The diagnostics that `check --json` found in its one file. */
const diagnosticsIn = (json: string): unknown =>
  (JSON.parse(json) as { readonly files: readonly { readonly diagnostics: unknown }[] }).files[0]?.diagnostics;

const workspace = testWorkspace();
let port = 0;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  for (const socket of sockets.clients) socket.terminate();
  server.close();
  server.closeAllConnections();
});

const CALLS = PACKS.flatMap(({ methods, extensions = [] }) => [
  ...methods.map(({ name, example, subscription }) => ({ name, example, isStream: subscription !== undefined })),
  ...extensions.map(({ name, example }) => ({ name, example, isStream: false })),
]);

test('every example checks clean, is sent as it is written, and a stream of a pack is heard', async () => {
  const blocks = CALLS.map(({ name, example, isStream }) => {
    const until = isStream ? '# @until 1 messages or 10s\n' : '';
    const wanted = isStream
      ? '?? messages[0].slot == 5'
      : name.endsWith('Unsubscribe')
        ? '?? result == true'
        : '?? result isNull';
    return `### ${name}\n${until}${printJson({ method: name, params: example })}\n${wanted}\n`;
  });
  workspace.write('packs.jsonrpc', `# @pack ${PACK_IDS.join(' ')}\n\n${blocks.join('\n')}`);
  const checked = await workspace.run(['check', 'packs.jsonrpc', '--json']);
  assert.deepEqual(diagnosticsIn(checked.stdout), [], checked.stdout);
  const urls = ['--rpc-url', `http://127.0.0.1:${port}`, '--ws-url', `ws://127.0.0.1:${port}`];
  const { code, stdout, stderr } = await workspace.run(['run', 'packs.jsonrpc', ...urls]);
  assert.equal(code, 0, `${stdout}${stderr}`);
  for (const { name, example } of CALLS) assert.ok(recorded.get(name)?.includes(printJson(example)), name);
});
