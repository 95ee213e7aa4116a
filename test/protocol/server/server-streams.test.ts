// Streams and priority landing through the built server: messages while they come, Cancel, and both keys over IPC.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult, ProgressParams } from '../../../protocol/lsp';
import { finalizing, startTestLedger, type Localnet } from '../../support/process/localnet';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';

const FILE = 'file:///requests/streams.jsonrpc';
let local: Localnet;
before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
});
after(() => local.stop());

async function open(t: TestContext, text: string) {
  const broker = grantingBroker(local);
  const server = await startServer({ answer: (request) => broker.answer(request), window: localWindow(local) });
  t.after(() => server.stop());
  await server.open(FILE, text);
  const cancel = new CancellationTokenSource();
  const params: ExecuteParams = { uri: FILE, version: 1, lines: [0] };
  return {
    server,
    broker,
    cancel,
    send: () => server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params, cancel.token),
    sendAll: () => server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 }),
  };
}

/** The first progress of a stream for which `holds`. */
const streaming = (server: RunningServer, holds: (outcome: ExecuteOutcome) => boolean): Promise<ExecuteOutcome> =>
  new Promise((resolve) => {
    server.connection.onNotification('solanaRpc/progress', ({ state, outcome }: ProgressParams) => {
      if (state === 'streaming' && outcome !== undefined && holds(outcome)) resolve(outcome);
    });
  });

/** Which document shows it. */
const placeOf = ({ response }: ExecuteOutcome) => [response?.request, response?.run];

function only(result: ExecuteResult): ExecuteOutcome {
  const [outcome] = result.kind === 'done' ? result.outcomes : [];
  assert.ok(outcome !== undefined, JSON.stringify(result));
  return outcome;
}

async function shown(server: RunningServer, { response }: ExecuteOutcome): Promise<readonly { slot: number }[]> {
  assert.ok(response !== undefined);
  const file = path.join(server.storage, 'responses', `${response.request}-${response.run}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as { slot: number }[];
}

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
  const outcome = only(await running);
  assert.deepEqual([outcome.status, outcome.stream?.isOpen, outcome.error], ['passed', false, undefined]);
  assert.deepEqual(placeOf(outcome), placeOf(seen));
  const all = await shown(server, outcome);
  assert.equal(all.length, outcome.stream?.count);
  assert.ok(all.every(({ slot }) => slot > 0));
});

test('A stream with @until ends by itself', async (t) => {
  const { send } = await open(t, '### Slots\n# @until 3 messages\nWS\n{ "method": "slotSubscribe" }\n');
  const outcome = only(await local.slotsUntil(send()));
  assert.deepEqual([outcome.status, outcome.stream], ['passed', { count: 3, dropped: 0, isOpen: false }]);
});

test('Sent with the whole file, a stream without @until ends after ten seconds and says so; only a running one is cancelled', async (t) => {
  const { server, sendAll } = await open(
    t,
    '### Slot\n{ "method": "getSlot" }\n### Slots\n{ "method": "slotSubscribe" }\n### Height\n{ "method": "getBlockHeight" }\n',
  );
  const ended = new Promise<void>((resolve) => {
    server.connection.onNotification('solanaRpc/progress', ({ state, line, outcome }: ProgressParams) => {
      if (state === 'done' && line === 4 && outcome === undefined) resolve();
    });
  });
  const running = sendAll();
  await ended;
  const lenses = await server.connection.sendRequest<{ command: { title: string; command: string } }[]>(
    'textDocument/codeLens',
    { textDocument: { uri: FILE } },
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
  assert.equal(only(await local.slotsUntil(running)).together, seen.together);
});

test('A stream that is cut fails, keeps what came, and says why', async (t) => {
  const { server, send } = await open(t, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  const live = streaming(server, ({ stream }) => (stream?.count ?? 0) >= 1);
  const running = send();
  await local.slotsUntil(live);
  await local.admin('POST', '/streams/drop');
  const outcome = only(await running);
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
  const outcome = only(await finalizing(local, send));
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
  const outcome = only(await running);
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
  const outcome = only(await send());
  assert.equal(outcome.error?.kind, 'ambiguous');
  assert.match(outcome.lostSignature ?? '', /^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
});

test('A gRPC call shows its message, with the gRPC key asked for its own origin', async (t) => {
  const { server, broker, send } = await open(t, '### Slot\nGRPC geyser.Geyser/GetSlot\n{}\n?? result.slot > 0\n');
  const outcome = only(await send());
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
  const outcome = only(await running);
  assert.deepEqual([outcome.status, outcome.stream?.isOpen, outcome.error], ['passed', false, undefined]);
});
