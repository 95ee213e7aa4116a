// Requests with `@auth none` through the built server: the local service refuses them, and the key broker is not asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../support/process/localnet';
import { onlyOutcome, openRequests } from '../../support/lsp/requestFile';

const local = testLedger();

for (const [name, block, refusal] of [
  ['HTTPS', '{ "method": "getSlot" }', 'HTTP 401'],
  ['gRPC', 'GRPC geyser.Geyser/GetSlot\n', ''],
  ['a WebSocket', '# @until 1 messages\n{ "method": "slotSubscribe" }', 'HTTP 401'],
] as const)
  test(`A request that is asked without a key over ${name} is refused by the service, and no key is offered`, async (t) => {
    const { broker, send } = await openRequests(t, local, `### With\n${block}\n### Without\n# @auth none\n${block}\n`);
    assert.equal(onlyOutcome(await local.slotsUntil(send(1))).status, 'passed');
    const { length } = broker.asked;
    const line = block.split('\n').length + 2;
    const { error, key, status } = onlyOutcome(await send(line));
    assert.deepEqual([status, error?.kind, key], ['failed', 'unauthorized', undefined], JSON.stringify(error));
    const { host } = new URL(name === 'gRPC' ? local.ready.grpcUrl : local.ready.rpcUrl);
    const said = refusal === '' ? '' : ` (${refusal})`;
    assert.equal(error?.message, `${host} refused the request, which was asked without a key${said}.`);
    assert.equal(broker.asked.length, length);
  });

test('A priority send without a key is refused by the service, and asks for none', async (t) => {
  const sending = 'SWQOS\n{ "method": "sendTransaction", "params": ["AQ==", { "encoding": "base64" }] }\n';
  const { broker, send } = await openRequests(t, local, `### With\n${sending}### Without\n# @auth none\n${sending}`);
  assert.equal(onlyOutcome(await send(1)).error?.kind, 'rpc');
  const { length } = broker.asked;
  const { error, key } = onlyOutcome(await send(4));
  assert.deepEqual([error?.kind, key], ['unauthorized', undefined], JSON.stringify(error));
  assert.equal(broker.asked.length, length);
});

test('The blockhash of a transaction that is sent without a key is asked for without one, too', async (t) => {
  const text =
    '### A\n# @auth none\n{ "method": "sendTransaction", "params": ["{{$memo hello}}", { "encoding": "base64" }] }\n';
  const { broker, send } = await openRequests(t, local, text);
  assert.equal(onlyOutcome(await send(0)).error?.kind, 'unauthorized');
  assert.deepEqual(
    broker.asked.filter(({ kind }) => kind === 'key'),
    [],
  );
});

test('A refusal for want of a key passes where an assertion expects it', async (t) => {
  const { send } = await openRequests(t, local, '### A\n# @auth none\n{ "method": "getSlot" }\n?? status == 401\n');
  assert.equal(onlyOutcome(await send(0)).status, 'passed');
});
