// The server's report on an answer besides its body: the exchange, requests sent together, the way of a transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgressParams } from '../../../protocol/lsp';
import { finalizing, testLedger } from '../../support/process/localnet';
import { httpServer } from '../../support/wire/hostile';
import { onlyOutcome, openRequests, responseText } from '../../support/lsp/requestFile';

const local = testLedger();

const balance = (address: string) =>
  `### Balance\n# @name balance\n{ "method": "getBalance", "params": ["${address}"] }\n`;

test('An answer that is not JSON is kept as plain text', async (t) => {
  const page = '<html><body>Bad gateway</body></html>';
  const service = await httpServer((_request, response) => void response.end(page));
  t.after(() => service.close());
  const { server, send } = await openRequests(t, local, `### A\nPOST ${service.origin}\n\n{ "method": "getSlot" }\n`);
  const outcome = onlyOutcome(await send(0));
  assert.equal(outcome.response?.isText, true);
  assert.equal(await responseText(server, outcome), page);
  assert.equal(onlyOutcome(await send(0)).status, 'failed');
});

test('An outcome has the request as it was sent, the answer’s headers and where the time went, without keys', async (t) => {
  const { send } = await openRequests(t, local, balance(local.ready.wallet.address));
  const { wire, durationMs, response } = onlyOutcome(await send(0));
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
  const { server, send } = await openRequests(
    t,
    local,
    '### A\n{ "method": "getSlot" }\n### B\n{ "method": "getBlockHeight" }\n',
  );
  const ended: number[] = [];
  server.connection.onNotification('solanaRpc/progress', ({ state, outcome }: ProgressParams) => {
    if (state === 'done' && outcome !== undefined) ended.push(outcome.line);
  });
  const result = await send();
  const names = result.kind === 'done' ? result.outcomes.map(({ together }) => together) : [];
  assert.ok(names[0] !== undefined && names[0] === names[1], String(names));
  assert.deepEqual(ended, [0, 2]);
  assert.equal(onlyOutcome(await send(0)).together, undefined);
});

test('A transaction that the user sends is followed to its end, and one of a test is not', async (t) => {
  const pay =
    '### Pay\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5}}", { "encoding": "base64" }] }\n';
  const { send } = await openRequests(t, local, pay);
  assert.equal(onlyOutcome(await send(0)).landing, undefined);
  const { landing, status } = onlyOutcome(await finalizing(local, () => send(0, { follow: true })));
  assert.equal(status, 'passed');
  assert.equal(landing?.level, 'finalized');
  assert.deepEqual(Object.keys(landing?.times ?? {}).sort(), ['confirmed', 'finalized', 'processed']);
});
