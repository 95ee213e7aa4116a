// The server's report on an answer besides its body: the exchange, requests sent together, the way of a transaction.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult, ProgressParams } from '../../../protocol/lsp';
import { finalizing, startTestLedger, type Localnet } from '../../support/process/localnet';
import { httpServer } from '../../support/wire/hostile';
import { startServer, type RunningServer, type StartOptions } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';

let local: Localnet;
before(async () => {
  local = await startTestLedger();
});
after(() => local.stop());

const FILE = 'file:///requests/sample.jsonrpc';

async function open(t: { after(done: () => Promise<void>): void }, text: string, options: StartOptions = {}) {
  const broker = grantingBroker(local);
  const server = await startServer({
    answer: (request) => broker.answer(request),
    ...options,
    window: { ...localWindow(local), ...options.window },
  });
  t.after(() => server.stop());
  await server.open(FILE, text);
  return { server, broker };
}

const send = (server: RunningServer, line?: number): Promise<ExecuteResult> => {
  const params: ExecuteParams = { uri: FILE, version: 1, ...(line !== undefined && { lines: [line] }) };
  return server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
};

function only(result: ExecuteResult): ExecuteOutcome {
  assert.equal(result.kind, 'done', JSON.stringify(result));
  assert.equal(result.kind === 'done' && result.outcomes.length, 1);
  const [outcome] = result.kind === 'done' ? result.outcomes : [];
  assert.ok(outcome !== undefined);
  return outcome;
}

async function responseOf(server: RunningServer, { response }: ExecuteOutcome): Promise<string> {
  assert.ok(response !== undefined);
  return readFile(path.join(server.storage, 'responses', `${response.request}-${response.run}.json`), 'utf8');
}

const balance = (address: string) =>
  `### Balance\n# @name balance\n{ "method": "getBalance", "params": ["${address}"] }\n`;

test('An answer that is not JSON is kept as plain text', async (t) => {
  const page = '<html><body>Bad gateway</body></html>';
  const service = await httpServer((_request, response) => void response.end(page));
  t.after(() => service.close());
  const { server } = await open(t, `### A\nPOST ${service.origin}\n\n{ "method": "getSlot" }\n`);
  const outcome = only(await send(server, 0));
  assert.equal(outcome.response?.isText, true);
  assert.equal(await responseOf(server, outcome), page);
  assert.equal(only(await send(server, 0)).status, 'failed');
});

test('An outcome has the request as it was sent, the answer’s headers and where the time went, without keys', async (t) => {
  const { server } = await open(t, balance(local.ready.wallet.address));
  const { wire, durationMs, response } = only(await send(server, 0));
  assert.equal(response?.isText, undefined);
  assert.equal(wire?.sent?.method, 'POST');
  assert.equal(wire?.sent?.url, new URL(local.ready.rpcUrl).href);
  const sent = new Map(wire?.sent?.headers);
  assert.equal(sent.get('content-type'), 'application/json');
  assert.equal(sent.get('authorization'), 'Bearer [redacted]');
  assert.match(new Map(wire?.headers).get('content-type') ?? '', /json/);
  const { connection, waiting, download } = wire?.phases ?? { connection: -1, waiting: -1, download: -1 };
  for (const ms of [connection, waiting, download]) assert.ok(ms >= 0, String(ms));
  assert.ok(Math.abs(connection + waiting + download - durationMs) < 0.01);
  assert.ok(!JSON.stringify(wire).includes(local.ready.keys.rpc.key));
});

test('The requests of a whole file are named as sent together, and each is reported as it ends', async (t) => {
  const { server } = await open(t, '### A\n{ "method": "getSlot" }\n### B\n{ "method": "getBlockHeight" }\n');
  const ended: number[] = [];
  server.connection.onNotification('solanaRpc/progress', ({ state, outcome }: ProgressParams) => {
    if (state === 'done' && outcome !== undefined) ended.push(outcome.line);
  });
  const result = await send(server);
  const names = result.kind === 'done' ? result.outcomes.map(({ together }) => together) : [];
  assert.ok(names[0] !== undefined && names[0] === names[1], String(names));
  assert.deepEqual(ended, [0, 2]);
  assert.equal(only(await send(server, 0)).together, undefined);
});

test('A transaction that the user sends is followed to its end, and one of a test is not', async (t) => {
  const pay =
    '### Pay\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5}}", { "encoding": "base64" }] }\n';
  const { server } = await open(t, pay);
  const params: ExecuteParams = { uri: FILE, version: 1, lines: [0] };
  const request = (more: Partial<ExecuteParams>) =>
    server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { ...params, ...more });
  assert.equal(only(await request({})).landing, undefined);
  const { landing, status } = only(await finalizing(local, () => request({ follow: true })));
  assert.equal(status, 'passed');
  assert.equal(landing?.level, 'finalized');
  assert.deepEqual(Object.keys(landing?.times ?? {}).sort(), ['confirmed', 'finalized', 'processed']);
});
