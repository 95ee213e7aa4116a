// Requests with `@auth none` through the built server: the local service refuses them, and the key broker is not asked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult } from '../../../protocol/lsp';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';

let local: Localnet;
before(async () => {
  local = await startTestLedger();
});
after(() => local.stop());

const FILE = 'file:///requests/keyless.jsonrpc';

async function open(t: { after(done: () => Promise<void>): void }, text: string) {
  const broker = grantingBroker(local);
  const server = await startServer({ answer: (request) => broker.answer(request), window: localWindow(local) });
  t.after(() => server.stop());
  await server.open(FILE, text);
  return { server, broker };
}

async function send(server: RunningServer, line: number): Promise<ExecuteOutcome> {
  const params: ExecuteParams = { uri: FILE, version: 1, lines: [line] };
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
  assert.equal(result.kind, 'done', JSON.stringify(result));
  const [outcome] = result.kind === 'done' ? result.outcomes : [];
  assert.ok(outcome !== undefined);
  return outcome;
}

for (const [name, block, refusal] of [
  ['HTTPS', '{ "method": "getSlot" }', 'HTTP 401'],
  ['gRPC', 'GRPC geyser.Geyser/GetSlot\n', ''],
  ['a WebSocket', '# @until 1 messages\n{ "method": "slotSubscribe" }', 'HTTP 401'],
] as const)
  test(`A request that is asked without a key over ${name} is refused by the service, and no key is offered`, async (t) => {
    const { server, broker } = await open(t, `### With\n${block}\n### Without\n# @auth none\n${block}\n`);
    assert.equal((await local.slotsUntil(send(server, 1))).status, 'passed');
    const { length } = broker.asked;
    const line = block.split('\n').length + 2;
    const { error, key, status } = await send(server, line);
    assert.deepEqual([status, error?.kind, key], ['failed', 'unauthorized', undefined], JSON.stringify(error));
    const { host } = new URL(name === 'gRPC' ? local.ready.grpcUrl : local.ready.rpcUrl);
    const said = refusal === '' ? '' : ` (${refusal})`;
    assert.equal(error?.message, `${host} refused the request, which was asked without a key${said}.`);
    assert.equal(broker.asked.length, length);
  });

test('A priority send without a key is refused by the service, and asks for none', async (t) => {
  const sending = 'SWQOS\n{ "method": "sendTransaction", "params": ["AQ==", { "encoding": "base64" }] }\n';
  const { server, broker } = await open(t, `### With\n${sending}### Without\n# @auth none\n${sending}`);
  assert.equal((await send(server, 1)).error?.kind, 'rpc');
  const { length } = broker.asked;
  const { error, key } = await send(server, 4);
  assert.deepEqual([error?.kind, key], ['unauthorized', undefined], JSON.stringify(error));
  assert.equal(broker.asked.length, length);
});

test('The blockhash of a transaction that is sent without a key is asked for without one, too', async (t) => {
  const text =
    '### A\n# @auth none\n{ "method": "sendTransaction", "params": ["{{$memo hello}}", { "encoding": "base64" }] }\n';
  const { server, broker } = await open(t, text);
  assert.equal((await send(server, 0)).error?.kind, 'unauthorized');
  assert.deepEqual(
    broker.asked.filter(({ kind }) => kind === 'key'),
    [],
  );
});

test('A refusal for want of a key passes where an assertion expects it', async (t) => {
  const { server } = await open(t, '### A\n# @auth none\n{ "method": "getSlot" }\n?? status == 401\n');
  assert.equal((await send(server, 0)).status, 'passed');
});
