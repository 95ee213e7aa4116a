// Streams and priority landing through the built server: messages while they come, Cancel, and both keys over IPC.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult } from '../../../protocol/lsp';
import { finalizing, testLedger } from '../../support/process/localnet';
import { type RunningServer } from '../../support/lsp/serverProcess';
import { onlyOutcome, openRequests, progress, REQUEST_FILE, responseText } from '../../support/lsp/requestFile';
import { localWindow } from '../../support/lsp/window';

const local = testLedger(['--plan', 'Ultra']);

async function open(t: TestContext, text: string) {
  const opened = await openRequests(t, local, text);
  const cancel = new CancellationTokenSource();
  const params: ExecuteParams = { uri: REQUEST_FILE, version: 1, lines: [0] };
  const { connection } = opened.server;
  return {
    ...opened,
    cancel,
    send: () => connection.sendRequest<ExecuteResult>('solanaRpc/execute', params, cancel.token),
    sendAll: () => opened.send(),
  };
}

/** The first progress of a stream for which `holds`. */
const streaming = (server: RunningServer, holds: (outcome: ExecuteOutcome) => boolean): Promise<ExecuteOutcome> =>
  progress(server, ({ state, outcome }) =>
    state === 'streaming' && outcome !== undefined && holds(outcome) ? outcome : undefined,
  );

/** Which document shows it. */
const placeOf = ({ response }: ExecuteOutcome) => [response?.request, response?.run];

const shown = async (server: RunningServer, outcome: ExecuteOutcome): Promise<readonly { slot: number }[]> =>
  JSON.parse(await responseText(server, outcome)) as { slot: number }[];

test('Messages show as they arrive; Cancel ends the stream, which is then complete in the same document', async (t) => {
  const { server, cancel, send } = await open(
    t,
    '### Slots\nWS\n{ "method": "slotSubscribe" }\n?? messages.length > 1\n',
  );
  const live = streaming(server, ({ stream }) => (stream?.count ?? 0) >= 2);
  const running = send();
  const seen = await local.slotsUntil(live);
  assert.deepEqual([seen.stream?.isOpen, seen.title, seen.transport], [true, 'Slots', 'WS']);
  assert.ok((await shown(server, seen)).length >= 2);
  cancel.cancel();
  const outcome = onlyOutcome(await running);
  assert.deepEqual([outcome.status, outcome.stream?.isOpen, outcome.error], ['passed', false, undefined]);
  assert.deepEqual(placeOf(outcome), placeOf(seen));
  const all = await shown(server, outcome);
  assert.equal(all.length, outcome.stream?.count);
  assert.ok(all.every(({ slot }) => slot > 0));
});

test('A stream with @until ends by itself', async (t) => {
  const { send } = await open(t, '### Slots\n# @until 3 messages\nWS\n{ "method": "slotSubscribe" }\n');
  const outcome = onlyOutcome(await local.slotsUntil(send()));
  assert.deepEqual([outcome.status, outcome.stream], ['passed', { count: 3, dropped: 0, isOpen: false }]);
});

test('Sent with the whole file, a stream without @until ends after ten seconds and says so; only a running one is cancelled', async (t) => {
  const { server, sendAll } = await open(
    t,
    '### Slot\n{ "method": "getSlot" }\n### Slots\n{ "method": "slotSubscribe" }\n### Height\n{ "method": "getBlockHeight" }\n',
  );
  const ended = progress(server, ({ state, line, outcome }) =>
    state === 'done' && line === 4 && outcome === undefined ? true : undefined,
  );
  const running = sendAll();
  await ended;
  const lenses = await server.connection.sendRequest<{ command: { title: string; command: string } }[]>(
    'textDocument/codeLens',
    { textDocument: { uri: REQUEST_FILE } },
  );
  const titles = lenses.map(({ command }) => command.title).filter((title) => title === 'Send' || title === 'Cancel');
  assert.deepEqual(titles, ['Send', 'Cancel', 'Send']);
  const result = await running;
  const outcomes = result.kind === 'done' ? result.outcomes : [];
  const slots = outcomes.find(({ line }) => line === 2);
  assert.equal(slots?.status, 'passed');
  assert.match(slots?.notes?.join() ?? '', /^Ended after 10 s, since it has no @until\./);
  assert.equal(outcomes.length, 3);
});

test('A stream is kept as one of those that were sent together from its first message on', async (t) => {
  const { server, sendAll } = await open(t, '### Slots\n# @until 3 messages\n{ "method": "slotSubscribe" }\n');
  const live = streaming(server, ({ stream }) => stream?.isOpen === true);
  const running = sendAll();
  const seen = await local.slotsUntil(live);
  assert.ok(seen.together !== undefined);
  assert.equal(onlyOutcome(await local.slotsUntil(running)).together, seen.together);
});

test('A stream that is cut fails, keeps what came, and says why', async (t) => {
  const { server, send } = await open(t, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  const live = streaming(server, ({ stream }) => (stream?.count ?? 0) >= 1);
  const running = send();
  await local.slotsUntil(live);
  await local.admin('POST', '/streams/drop');
  const outcome = onlyOutcome(await running);
  assert.deepEqual([outcome.status, outcome.error?.kind], ['failed', 'network']);
  assert.ok((await shown(server, outcome)).length >= 1);
});

test('A window that is not trusted opens no stream', async (t) => {
  const { server, broker, send } = await open(t, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  await server.connection.sendNotification('solanaRpc/windowChanged', { ...localWindow(local), trusted: false });
  assert.equal((await send()).kind, 'refused');
  assert.deepEqual(broker.asked, []);
});

test('A SWQOS block asks the vault for both keys, and its transaction is taken', async (t) => {
  const text = `### Land\nSWQOS\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 1}}", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n?? result isString\n`;
  const { broker, send } = await open(t, text);
  const outcome = onlyOutcome(await finalizing(local, send));
  assert.deepEqual([outcome.status, outcome.transport], ['passed', 'SWQOS'], JSON.stringify(outcome.error));
  const types = broker.asked.flatMap((asked) => (asked.kind === 'key' ? [asked.query.type] : []));
  assert.ok(types.includes('swqos') && types.includes('rpc'), types.join());
});

test('What became of the transaction shows as it goes, in the document of the send', async (t) => {
  const text =
    '### Land\nSWQOS\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 2}}", { "encoding": "base64", "skipPreflight": true }] }\n';
  const { server, send } = await open(t, text);
  const watched = streaming(server, ({ landing }) => landing?.isLanded === true);
  const running = send();
  const seen = await watched;
  await local.cheat('finalize');
  assert.equal(seen.landing?.isWatched, true);
  const outcome = onlyOutcome(await running);
  assert.match(outcome.landing?.text ?? '', /finalized after .*, slot \d+/);
  assert.deepEqual([outcome.landing?.isWatched, outcome.httpStatus], [false, 200]);
  assert.deepEqual(placeOf(outcome), placeOf(seen));
});

test('A send whose answer was lost names its signature', async (t) => {
  const text =
    '### Land\nSWQOS\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 3}}", { "encoding": "base64", "skipPreflight": true }] }\n';
  const { send } = await open(t, text);
  const fault = { scope: 'http', kind: 'drop', times: 1, method: 'sendTransaction' };
  await local.admin('PUT', '/faults', { faults: [fault] });
  const outcome = onlyOutcome(await send());
  assert.equal(outcome.error?.kind, 'ambiguous');
  assert.match(outcome.lostSignature ?? '', /^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
});

test('A gRPC call shows its message, with the gRPC key asked for its own origin', async (t) => {
  const { server, broker, send } = await open(t, '### Slot\nGRPC geyser.Geyser/GetSlot\n{}\n?? result.slot > 0\n');
  const outcome = onlyOutcome(await send());
  assert.deepEqual([outcome.status, outcome.transport, outcome.httpStatus], ['passed', 'GRPC', 200]);
  assert.match(JSON.stringify(await shown(server, outcome)), /^\{"slot":"\d+"\}$/);
  assert.deepEqual(
    broker.asked.flatMap((asked) => (asked.kind === 'key' ? [asked.query] : [])),
    [{ type: 'grpc', origin: new URL(local.ready.grpcUrl).origin, interface: 'grpc', profile: 'local' }],
  );
});

test('A gRPC stream shows its updates as they come, and ends with Cancel', async (t) => {
  const { server, cancel, send } = await open(t, '### S\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "all": {} } }\n');
  const live = streaming(server, ({ stream }) => (stream?.count ?? 0) >= 2);
  const running = send();
  assert.equal((await local.slotsUntil(live)).transport, 'GRPC');
  cancel.cancel();
  const outcome = onlyOutcome(await running);
  assert.deepEqual([outcome.status, outcome.stream?.isOpen, outcome.error], ['passed', false, undefined]);
});
