// A suspended key: what the server's main thread or its streams find out holds at once for both, and so does its end.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ExecuteParams, ExecuteResult } from '../../../protocol/lsp';
import type { TestKeyResult } from '../../../protocol/usage';
import type * as live from '../../../protocol/streams';
import { LiveStreams, STREAMS_FILE } from '../../support/lsp/liveStreams';
import { type IssuedKey, type KeyType, testLedger, setFaults } from '../../support/process/localnet';
import { startServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';

/** Per transport: the type of its key, a request that is answered, and behind it a stream. */
const OVER = {
  WS: {
    type: 'rpc',
    origin: 'wsUrl',
    text: '### Slot\n{ "method": "getSlot" }\n\n### Slots\nWS\n{ "method": "slotSubscribe" }\n',
    stream: 3,
  },
  GRPC: {
    type: 'grpc',
    origin: 'grpcUrl',
    text: '### Slot\nGRPC geyser.Geyser/GetSlot\n{}\n\n### Slots\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "all": {} } }\n',
    stream: 4,
  },
} as const;
type Over = keyof typeof OVER;
const BOTH = ['WS', 'GRPC'] as const satisfies readonly Over[];

const local = testLedger(['--plan', 'Ultra']);

class Window {
  constructor(
    readonly streams: LiveStreams,
    private readonly over: Over,
    readonly issued: IssuedKey,
    private readonly keys: Map<KeyType, string>,
  ) {}

  /** The kind of the request's error; undefined without one. */
  async asked(): Promise<string | undefined> {
    const params: ExecuteParams = { uri: STREAMS_FILE, version: 1, lines: [0] };
    const result = await this.streams.ask<ExecuteResult>('solanaRpc/execute', params);
    assert.ok(result.kind === 'done' && result.outcomes.length === 1, JSON.stringify(result));
    return result.outcomes[0]?.error?.kind;
  }

  stream = (): Promise<live.OpenStreamResult> =>
    this.streams.ask('solanaRpc/openStream', {
      source: { kind: 'block', uri: STREAMS_FILE, version: 1, line: OVER[this.over].stream },
    });

  /** Another key takes the place of the one this window has. */
  async replace(): Promise<void> {
    const { type, origin } = OVER[this.over];
    this.keys.set(type, (await local.newKey({ type, plan: 'Ultra' })).key);
    this.streams.server.push({ kind: 'revoke', origin: new URL(local.ready[origin]).origin, type });
  }

  /** The service suspends the key, or lifts the suspension, which nobody here knows. */
  set = async (state: 'suspended' | 'active'): Promise<void> => {
    assert.equal((await local.admin('PATCH', `/keys/${this.issued.keyId}`, { state })).status, 200);
  };

  waits = (): Promise<live.StreamTick> =>
    this.streams.tick(({ state }) => state.kind === 'reconnecting' && state.nextInMs > 10_000);
}

async function open(t: TestContext, over: Over): Promise<Window> {
  const { type, text } = OVER[over];
  const issued = await local.newKey({ type, plan: 'Ultra' });
  const keys = new Map<KeyType, string>([[type, issued.key]]);
  const broker = grantingBroker(local);
  const server = await startServer({
    answer: (request) => {
      const reply = broker.answer(request);
      const own = request.kind === 'key' ? keys.get(request.query.type) : undefined;
      return reply.kind === 'granted' && own !== undefined ? { ...reply, secret: own } : reply;
    },
    window: localWindow(local),
  });
  t.after(() => server.stop());
  await server.open(STREAMS_FILE, text);
  return new Window(new LiveStreams(server, broker), over, issued, keys);
}

for (const over of BOTH) {
  test(`A suspension that a stream over ${over} learns of applies to requests, until the key is replaced`, async (t) => {
    const window = await open(t, over);
    assert.equal((await window.stream()).kind, 'opened');
    await local.slotsUntil(window.streams.tick(({ total }) => total > 0));
    await window.set('suspended');
    const { state } = await window.waits();
    assert.ok(state.kind === 'reconnecting' && state.error.kind === 'suspended', JSON.stringify(state));
    await window.set('active');
    assert.equal(await window.asked(), 'suspended');
    await window.replace();
    await window.streams.tick((tick) => tick.state.kind === 'live' && tick.reconnects > 0);
    assert.equal(await window.asked(), undefined);
  });

  test(`A suspension that a request learns of applies to streams over ${over}, also to the first`, async (t) => {
    const window = await open(t, over);
    await window.set('suspended');
    assert.equal(await window.asked(), 'suspended');
    await window.set('active');
    assert.equal((await window.stream()).kind, 'opened');
    const { state } = await window.streams.tick((tick) => tick.state.kind === 'refused');
    assert.ok(state.kind === 'refused' && /nothing was sent/.test(state.error.message), JSON.stringify(state));
  });

  test(`A test that finds the suspension over sets the streams over ${over} going, and requests with them`, async (t) => {
    const window = await open(t, over);
    const first = await window.stream();
    await local.slotsUntil(window.streams.tick(({ total }) => total > 0));
    await window.set('suspended');
    await window.waits();
    assert.ok(first.kind === 'opened');
    await window.set('active');
    assert.deepEqual(await window.streams.ask<TestKeyResult>('solanaRpc/testKey', testOf(over)), { kind: 'accepted' });
    const again = await window.streams.tick((tick) => tick.state.kind === 'live' && tick.reconnects > 0);
    assert.equal(again.id, first.stream.id);
    assert.equal(await window.asked(), undefined);
  });
}

test('A suspension that a request learns of applies to streams opened next to a running one', async (t) => {
  const window = await open(t, 'WS');
  assert.equal((await window.stream()).kind, 'opened');
  const { id } = await local.slotsUntil(window.streams.tick(({ total }) => total > 0));
  const body = '{"jsonrpc":"2.0","error":{"code":403,"message":"The key is temporarily suspended"},"id":1}';
  const fault = { scope: 'http', kind: 'status', status: 403, headers: { 'retry-after': '30' }, body, times: 1 };
  await setFaults(t, local, fault);
  assert.equal(await window.asked(), 'suspended');
  assert.equal((await window.stream()).kind, 'opened');
  const second = await window.streams.tick((tick) => tick.id !== id && tick.state.kind !== 'connecting');
  assert.ok(second.state.kind === 'refused' && second.state.error.kind === 'suspended', JSON.stringify(second.state));
});

const testOf = (over: Over) => ({ profile: 'local', type: OVER[over].type });
