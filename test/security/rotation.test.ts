// A rotation with two windows open on one storage, seen from the service: which key each request and each connection came
// with. After the swap the old one is no longer used; if the swap fails, both keep using it.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { originsFor } from '../../client/profiles/origins';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import { Secret } from '../../core/service/keys/secret';
import type { ExecuteResult } from '../../protocol/lsp';
import type { MoveStreamsResult, OpenStreamResult, StreamTick } from '../../protocol/streams';
import { openKeyWindow, type KeyWindow } from '../support/lsp/keyWindow';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { startRecorder, type Recorder } from '../support/wire/recorder';
import { SharedSecrets } from '../support/lsp/sharedSecrets';

const HTTP = 1;
const WS = 2;
const SLOTS = '### Slots\n{ "method": "slotSubscribe" }\n';

let local: Localnet;
let recorder: Recorder;
before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
  recorder = await startRecorder(local.ready);
});
after(async () => {
  await recorder.close();
  await local.stop();
});

const profile = (): EndpointProfile => ({
  name: 'hosted',
  rpcUrl: recorder.httpUrl(HTTP),
  wsUrl: recorder.wsUrl(WS),
});

const passed = (result: ExecuteResult): boolean =>
  result.kind === 'done' && result.outcomes.every(({ status }) => status === 'passed');

/** The keys sent with a script's messages after its first `from`; unsubscribing may still use the old one. */
const keysSince = (script: number, from: number): readonly string[] =>
  recorder
    .sent(script)
    .slice(from)
    .filter(({ body }) => !body.includes('slotUnsubscribe'))
    .map(({ authorization = '' }) => authorization.replace('Bearer ', ''));

async function twoWindows(t: TestContext) {
  const secrets = new SharedSecrets();
  const placed = [{ profile: profile(), source: 'user' }] as const;
  const here = await openKeyWindow(t, secrets, placed);
  const there = await openKeyWindow(t, secrets, placed);
  const old = await local.newKey({ type: 'rpc', plan: 'Ultra' });
  const origins = originsFor(profile(), 'rpc');
  const { id } = await here.vault.add({ type: 'rpc', label: 'main', profile: 'hosted', origins }, new Secret(old.key));
  return { secrets, here, there, old, id };
}

/** Opens a stream in the window; resolves when it runs, with a wait for its next life. */
async function watch({ server, show }: KeyWindow) {
  const ticks: StreamTick[] = [];
  let wake = (): void => undefined;
  server.connection.onNotification('solanaRpc/streamTick', (tick: StreamTick) => {
    ticks.push(tick);
    wake();
  });
  const live = async (reconnects: number): Promise<void> => {
    while (!ticks.some((tick) => tick.state.kind === 'live' && tick.total > 0 && tick.reconnects >= reconnects))
      await new Promise<void>((resolve) => (wake = resolve));
  };
  const source = { kind: 'block', uri: await show(SLOTS), version: 1, line: 0 };
  const opened = await server.connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
  assert.equal(opened.kind, 'opened', JSON.stringify(opened));
  await local.slotsUntil(live(0));
  return { key: opened.stream.key, live };
}

test('after a rotation in one window neither uses the old key again, for requests or streams', async (t) => {
  const { here, there, old, id } = await twoWindows(t);
  const [mine, other] = [await watch(here), await watch(there)];
  assert.ok(passed(await here.send()) && passed(await there.send()));
  assert.deepEqual(new Set([...keysSince(HTTP, 0), ...keysSince(WS, 0)]), new Set([old.key]));

  const next = await local.newKey({ type: 'rpc', plan: 'Ultra' });
  const [requests, connections] = [recorder.sent(HTTP).length, recorder.sent(WS).length];
  await here.vault.swap(id, new Secret(next.key), { keyId: next.keyId, state: { kind: 'active' } });
  const moved = await here.server.connection.sendRequest<MoveStreamsResult>('solanaRpc/moveStreams', { key: mine.key });
  assert.deepEqual([moved.moved, moved.failed], [1, []]);
  // The old one dies at the service: a connection that still has it is cut, and comes back by itself.
  await local.admin('DELETE', `/keys/${old.keyId}`);
  await mine.live(1);
  await other.live(1);
  assert.ok(passed(await here.send()) && passed(await there.send()));
  assert.deepEqual(keysSince(HTTP, requests), [next.key, next.key]);
  assert.deepEqual([...new Set(keysSince(WS, connections))], [next.key]);
});

test('if the new key cannot be stored, both windows keep using the old one', async (t) => {
  const { secrets, here, there, old, id } = await twoWindows(t);
  const next = await local.newKey({ type: 'rpc', plan: 'Ultra' });
  const requests = recorder.sent(HTTP).length;
  secrets.failing = true;
  await assert.rejects(here.vault.swap(id, new Secret(next.key), { state: { kind: 'active' } }));
  secrets.failing = false;
  assert.ok(passed(await here.send()) && passed(await there.send()));
  assert.deepEqual(keysSince(HTTP, requests), [old.key, old.key]);
});

test('a rotation reaches the other window: it lists the new key as active, in the same place', async (t) => {
  const { here, there, id } = await twoWindows(t);
  const next = await local.newKey({ type: 'rpc', plan: 'Ultra' });
  await here.vault.swap(id, new Secret(next.key), { keyId: next.keyId, state: { kind: 'active' } });
  const [listed, ...more] = await there.vault.list();
  assert.deepEqual(more, []);
  assert.deepEqual([listed?.id, listed?.keyId, listed?.state.kind], [id, next.keyId, 'active']);
  assert.ok((await there.vault.secret(id))?.equals(new Secret(next.key)));
});
