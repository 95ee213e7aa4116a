// A stream that moves to another key while updates arrive: each is delivered once, and if the new key does not open it,
// the stream continues as before. On the real local service, and on services that end the old connection at the worst
// moment.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import type { Net } from '../../../net/api';
import { createNet } from '../../../net/transports';
import {
  asking,
  begin,
  grpcService,
  requestOf,
  slotUpdate,
  SUBSCRIBE,
  update,
  type Serve,
} from '../../support/wire/grpcServices';
import { webSocketServer } from '../../support/wire/hostile';
import { watch, Watched, type Wanted } from '../../support/lsp/keptStreams';
import { testLedger } from '../../support/process/localnet';
import { asking as askingWs, confirm, notify } from '../../support/wire/webSockets';
import { keysOf, KEY } from '../../support/wire/wire';

const IN_TIME = (): AbortSignal => AbortSignal.timeout(15_000);
const MOVED = { kind: 'moved', isUnsure: false } as const;

describe('on the local service', () => {
  const local = testLedger(['--plan', 'Ultra']);

  /** Sends transfers one after the other while `work` runs. Returns their signatures, in order. */
  async function during(work: () => Promise<void>): Promise<readonly string[]> {
    let isDone = false;
    const working = work().finally(() => (isDone = true));
    const sent: string[] = [];
    const { address } = local.ready.wallet;
    // A few more behind it: the joint is not over with the move.
    for (let more = 0; more < 10; more += isDone ? 1 : 0) {
      const { text } = await local.rpc('requestAirdrop', [address, 1_000 + sent.length]);
      const signature = (JSON.parse(text) as { readonly result?: string }).result;
      assert.ok(signature !== undefined, text);
      sent.push(signature);
    }
    await working;
    return sent;
  }

  /** A stream with the first of two keys of a type. */
  async function withTwoKeys(t: TestContext, type: 'rpc' | 'grpc', request: Wanted['request']) {
    const first = await local.newKey({ type, plan: 'Ultra' });
    const second = await local.newKey({ type, plan: 'Ultra' });
    const used = { key: first.key };
    const { grpcUrl, wsUrl } = local.ready;
    const watched = watch(
      t,
      { profile: { name: 'local', grpcUrl, wsUrl }, request },
      { key: (query, signal) => keysOf({ [type]: used.key }).key(query, signal) },
    );
    await watched.until(({ state }) => state.kind === 'live');
    return { watched, first, second, used };
  }

  const CASES: readonly (readonly [over: string, type: 'rpc' | 'grpc', request: Wanted['request']])[] = [
    ['gRPC', 'grpc', asking(SUBSCRIBE, '{"transactions":{"all":{"vote":false}},"commitment":"PROCESSED"}')],
    ['a WebSocket', 'rpc', askingWs('logsSubscribe', '["all",{"commitment":"processed"}]')],
  ];
  for (const [over, type, request] of CASES)
    test(`every transaction sent while a stream over ${over} moves to another key is delivered once`, async (t) => {
      const { watched, first, second, used } = await withTwoKeys(t, type, request);
      const sent = await during(async () => {
        for (const key of [second.key, first.key, second.key]) {
          used.key = key;
          assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
        }
      });
      await local.admin('DELETE', `/keys/${first.keyId}`);
      const delivered = (): readonly string[] => watched.column('signature').filter((one) => sent.includes(one));
      await watched.until(() => delivered().length >= sent.length);
      assert.deepEqual(delivered(), sent);
      assert.deepEqual(
        [watched.gaps().length, watched.stream.state.kind, watched.stream.tick().reconnects],
        [0, 'live', 3],
      );
    });

  test('over a WebSocket no slot is missing and none is delivered twice', async (t) => {
    const { watched, second, used } = await withTwoKeys(t, 'rpc', askingWs('slotSubscribe'));
    await local.slots(5);
    await watched.until(({ ring }) => ring.next >= 5);
    used.key = second.key;
    assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
    const seen = watched.stream.ring.next;
    await local.slots(10);
    await watched.until(({ ring }) => ring.next >= seen + 10);
    const slots = watched.column('slot').map(Number);
    assert.deepEqual(
      slots,
      slots.map((_, at) => (slots[0] ?? 0) + at),
    );
  });

  for (const [over, type, request] of CASES)
    test(`a key that is refused leaves the stream over ${over} on its old connection, and says why`, async (t) => {
      const { watched, used } = await withTwoKeys(t, type, request);
      used.key = 'nobody-issued-this-key';
      const sent = await during(async () => {
        const moved = await watched.stream.move(IN_TIME());
        assert.equal(moved.kind === 'stayed' && moved.error.kind, 'keyRejected');
      });
      await watched.until(() => watched.column('signature').length >= sent.length);
      assert.deepEqual(watched.column('signature'), sent);
      assert.deepEqual([watched.stream.state.kind, watched.stream.tick().reconnects], ['live', 0]);
    });

  test('over gRPC nothing is missed where the old key died before the new one was there', async (t) => {
    const { keyId, key } = await local.newKey({ type: 'grpc', plan: 'Ultra' });
    const used = { key };
    const { grpcUrl } = local.ready;
    const [, , request] = CASES[0] ?? assert.fail();
    const watched = watch(
      t,
      { profile: { name: 'local', grpcUrl }, request, hasNewKey: () => Promise.resolve(used.key !== key) },
      { key: (query, signal) => keysOf({ grpc: used.key }).key(query, signal) },
    );
    await watched.until(({ state }) => state.kind === 'live');
    const sent = await during(async () => {
      await watched.until(({ ring }) => ring.next > 0);
      const { text } = await local.admin('POST', `/keys/${keyId}/rotate`);
      await watched.until(({ state }) => state.kind === 'keyRotated');
      used.key = (JSON.parse(text) as { readonly key: string }).key;
      assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
    });
    // The stream's first slot is replayed whole, including what landed in it before the stream was open.
    const delivered = (): readonly string[] => watched.column('signature').filter((one) => sent.includes(one));
    await watched.until(() => delivered().length >= sent.length);
    assert.deepEqual(delivered(), sent);
    assert.deepEqual(
      watched.gaps().map(({ isFilled, reason }) => [isFilled, reason]),
      [[true, 'The key was replaced.']],
    );
  });

  test('over a WebSocket it is said that nobody knows what was missed where the old key died first', async (t) => {
    const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Ultra' });
    const used = { key };
    const { wsUrl } = local.ready;
    const watched = watch(
      t,
      {
        profile: { name: 'local', wsUrl },
        request: askingWs('slotSubscribe'),
        hasNewKey: () => Promise.resolve(used.key !== key),
      },
      { key: (query, signal) => keysOf({ rpc: used.key }).key(query, signal) },
    );
    await watched.until(({ state }) => state.kind === 'live');
    const { text } = await local.admin('POST', `/keys/${keyId}/rotate`);
    await watched.until(({ state }) => state.kind === 'keyRotated');
    used.key = (JSON.parse(text) as { readonly key: string }).key;
    assert.deepEqual(await watched.stream.move(IN_TIME()), { kind: 'moved', isUnsure: true });
    assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
    assert.equal(watched.gaps().length, 1);
  });
});

test('over a WebSocket equal notifications are all delivered, whichever connection they arrive on', async (t) => {
  const sockets: WebSocket[] = [];
  const server = await webSocketServer((socket, text) => {
    if (!text.includes('slotSubscribe')) return;
    sockets.push(socket);
    // The old connection delivers both before the new one does.
    if (sockets.length === 2 && sockets[0] !== undefined) {
      notify(sockets[0], '{"slot":1}');
      notify(sockets[0], '{"slot":1}');
    }
    confirm(socket);
    if (sockets.length === 2) {
      for (const slot of [1, 1, 2]) notify(socket, `{"slot":${slot}}`);
    }
  });
  t.after(() => server.close());
  const watched = watch(t, {
    profile: { name: 'test', wsUrl: server.origin },
    request: askingWs('slotSubscribe'),
  });
  await watched.until(({ state }) => state.kind === 'live');
  assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
  await watched.until(() => watched.column('slot').includes('2'));
  assert.deepEqual(watched.column('slot'), ['1', '1', '2']);
});

test('over a WebSocket an old connection that breaks before the new one opens leaves a reported gap', async (t) => {
  const sockets: WebSocket[] = [];
  const server = await webSocketServer((socket, text) => {
    if (!text.includes('slotSubscribe')) return;
    sockets.push(socket);
    if (sockets.length === 1) {
      confirm(socket);
      notify(socket, '{"slot":10}');
    } else sockets[0]?.terminate();
  });
  t.after(() => server.close());
  const net = createNet({ keys: keysOf({ rpc: KEY }), random: () => 0 });
  const openRaw: Net['openRaw'] = async (...args) => {
    const opened = await net.openRaw(...args);
    // The new one is confirmed once the old one is known to have ended.
    if (opened.ok)
      void opened.value.ended.then(() => {
        const [, fresh] = sockets;
        if (fresh === undefined) return;
        confirm(fresh);
        notify(fresh, '{"slot":20}');
      });
    return opened;
  };
  const watched = new Watched(
    { ...net, openRaw },
    { profile: { name: 'test', wsUrl: server.origin }, request: askingWs('slotSubscribe') },
  );
  t.after(async () => {
    await watched.stream.stop();
    await net.close();
  });
  await watched.until(({ ring }) => ring.next === 1);
  assert.deepEqual(await watched.stream.move(IN_TIME()), { kind: 'moved', isUnsure: true });
  await watched.until(() => watched.column('slot').includes('20'));
  const [gap, ...more] = watched.gaps();
  assert.deepEqual([gap?.fromSlot, gap?.isFilled, more.length, sockets.length], ['10', false, 0, 2]);
});

test('over gRPC without a replay the old connection ends once everything it had was delivered', async (t) => {
  const open: { write(bytes: Buffer): unknown }[] = [];
  const serve: Serve = ({ stream, messages: [first = Buffer.alloc(0)] }) => {
    const { fromSlot } = requestOf(first);
    if (fromSlot !== undefined) {
      begin(stream, { 'grpc-status': '13', 'grpc-message': 'from_slot is not supported' });
      stream.end();
      return;
    }
    begin(stream, { 'grpc-status': '14' });
    open.push(stream);
    if (open.length === 2) {
      for (const slot of [2n, 3n]) open[0]?.write(slotUpdate(slot));
      for (const slot of [3n, 4n]) stream.write(slotUpdate(slot));
    } else stream.write(slotUpdate(1n));
  };
  const server = await grpcService(serve, {
    rest: ({ stream }, message) => {
      const { ping } = requestOf(message);
      if (ping !== undefined) stream.write(update({ updateOneof: { case: 'pong', value: { id: ping.id } } }));
    },
  });
  t.after(() => server.close());
  const watched = watch(t, {
    profile: { name: 'test', grpcUrl: server.origin },
    request: asking(SUBSCRIBE, '{"slots":{"all":{}}}'),
  });
  await watched.until(({ ring }) => ring.next === 1);
  const moved = await watched.stream.move(IN_TIME());
  assert.deepEqual(moved, MOVED);
  await watched.until(({ ring }) => ring.next >= 4);
  assert.deepEqual([...watched.column('slot')].sort(), ['1', '2', '3', '4']);
});

describe('a stream that moves again before the first move has brought all', () => {
  /** Slots sent when each connection is requested: on the previous one, and then, once delivered, on itself. */
  interface Connection {
    readonly before: readonly number[];
    readonly own: readonly number[];
  }
  type Bring = (slots: readonly number[]) => void;

  /** Moves it twice; returns the delivered slots in order, once `last` is among them. */
  async function movedTwice(
    connections: readonly Connection[],
    last: number,
    open: (connected: (confirm: () => void, bring: Bring) => void) => Promise<Watched>,
  ): Promise<readonly number[]> {
    const brought: Bring[] = [];
    const slots = (): readonly number[] => watched.column('slot').map(Number);
    const connected = async (confirm: () => void, bring: Bring): Promise<void> => {
      const at = brought.push(bring) - 1;
      const { before, own } = connections[at] ?? assert.fail();
      brought[at - 1]?.(before);
      const awaited = before.at(-1);
      if (awaited !== undefined) await watched.until(() => slots().includes(awaited));
      confirm();
      bring(own);
    };
    const watched = await open((confirm, bring) => void connected(confirm, bring));
    await watched.until(({ state }) => state.kind === 'live' && slots().length > 0);
    for (let move = 0; move < 2; move++) assert.deepEqual(await watched.stream.move(IN_TIME()), MOVED);
    await watched.until(() => slots().includes(last));
    return slots();
  }

  test('over gRPC delivers nothing twice of a late replay', async (t) => {
    const connections: readonly Connection[] = [
      { before: [], own: [1, 2] },
      { before: [3], own: [] },
      { before: [2, 3, 4], own: [3, 4, 5] },
    ];
    const slots = await movedTwice(connections, 5, async (connected) => {
      const server = await grpcService(({ stream }) => {
        const bring: Bring = (some) => some.forEach((slot) => stream.write(slotUpdate(BigInt(slot))));
        connected(() => begin(stream), bring);
      });
      t.after(() => server.close());
      const request = asking(SUBSCRIBE, '{"slots":{"all":{}}}');
      return watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request });
    });
    assert.deepEqual(slots, [1, 2, 3, 4, 5]);
  });

  test('over a WebSocket delivers nothing twice that both connections receive', async (t) => {
    const connections: readonly Connection[] = [
      { before: [], own: [1] },
      { before: [2, 2], own: [] },
      { before: [2, 2, 3], own: [3, 4] },
    ];
    const slots = await movedTwice(connections, 4, async (connected) => {
      const server = await webSocketServer((socket, text) => {
        if (!text.includes('slotSubscribe')) return;
        const bring: Bring = (some) => some.forEach((slot) => notify(socket, `{"slot":${slot}}`));
        connected(() => confirm(socket), bring);
      });
      t.after(() => server.close());
      return watch(t, { profile: { name: 'test', wsUrl: server.origin }, request: askingWs('slotSubscribe') });
    });
    assert.deepEqual(slots, [1, 2, 2, 3, 4]);
  });
});
