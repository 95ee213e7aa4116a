// Streams that break again and again: one subscription upstream, missed updates delivered once, and what the stream says
// of it is what happened.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { systemClock } from '../../../net/clock';
import {
  asking,
  begin,
  grpcService,
  requestOf,
  slotUpdate,
  SUBSCRIBE,
  type Serve,
} from '../../support/wire/grpcServices';
import { webSocketServer } from '../../support/wire/hostile';
import type { Watched } from '../../support/lsp/keptStreams';
import { watch, type Wanted } from '../../support/lsp/keptStreams';
import { testLedger } from '../../support/process/localnet';
import { asking as askingWs, confirm, notify } from '../../support/wire/webSockets';
import { keysOf } from '../../support/wire/wire';

const SLOTS = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

async function watchGrpc(t: TestContext, serve: Serve, request = SLOTS): Promise<Watched> {
  const server = await grpcService(serve);
  t.after(() => server.close());
  return watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request });
}

describe('gRPC', () => {
  test('100 breaks leave one subscription upstream, no update twice, none missing, and a gap row each', async (t) => {
    let open = 0;
    let most = 0;
    let calls = 0;
    let tip = 100;
    const watched = await watchGrpc(t, ({ stream, messages: [first = Buffer.alloc(0)] }) => {
      calls++;
      most = Math.max(most, ++open);
      stream.once('close', () => open--);
      const from = Number(requestOf(first).fromSlot ?? BigInt(tip));
      begin(stream, { 'grpc-status': '14', 'grpc-message': 'gone' });
      tip += 3;
      for (let slot = from; slot < tip; slot++) stream.write(slotUpdate(BigInt(slot)));
      if (calls <= 100) stream.end();
    });
    await watched.until(() => calls === 101 && watched.column('slot').at(-1) === String(tip - 1));
    const slots = watched.column('slot');
    assert.deepEqual(
      slots,
      Array.from({ length: 303 }, (_, at) => String(100 + at)),
    );
    assert.deepEqual([open, most, watched.gaps().length], [1, 1, 100]);
    assert.deepEqual([watched.stream.tick().reconnects, watched.stream.tick().total], [100, 303]);
    const [gap] = watched.gaps();
    assert.deepEqual([gap?.fromSlot, gap?.toSlot, gap?.isFilled], ['102', '103', true]);
    await watched.stream.stop();
    await watched.until(() => open === 0);
  });

  test('a replay that the service does not keep is a gap that nobody fills', async (t) => {
    const asked: (bigint | undefined)[] = [];
    const watched = await watchGrpc(t, ({ stream, messages: [first = Buffer.alloc(0)] }) => {
      const { fromSlot } = requestOf(first);
      asked.push(fromSlot);
      if (fromSlot !== undefined) {
        begin(stream, { 'grpc-status': '11', 'grpc-message': `from_slot ${fromSlot} is not available` });
        stream.end();
        return;
      }
      begin(stream, { 'grpc-status': '14' });
      if (asked.length > 1) stream.write(slotUpdate(900n));
      else for (let slot = 400n; slot <= 500n; slot++) stream.write(slotUpdate(slot));
      if (asked.length === 1) stream.end();
    });
    await watched.until(({ ring }) => ring.next === 103);
    assert.deepEqual(asked, [undefined, 460n, 500n, undefined]);
    const [gap] = watched.gaps();
    assert.deepEqual([gap?.fromSlot, gap?.toSlot, gap?.isFilled], ['500', '900', false]);
  });

  test('a close because we read too slowly is reported as such, and the missed updates are replayed', async (t) => {
    let calls = 0;
    const watched = await watchGrpc(t, ({ stream }) => {
      begin(stream, { 'grpc-status': '13', 'grpc-message': 'lagged: 7 messages wait unread' });
      stream.write(slotUpdate(BigInt(++calls)));
      if (calls === 1) stream.end();
    });
    await watched.until(({ ring }) => ring.next === 3);
    assert.ok(watched.states.some(({ kind }) => kind === 'lagged'));
    assert.match(watched.gaps()[0]?.reason ?? '', /too slowly/);
  });

  test('an empty replay ends, too: a quiet stream is live again', async (t) => {
    let calls = 0;
    const server = await grpcService(({ stream }) => {
      begin(stream, { 'grpc-status': '14' });
      if (++calls === 1) stream.end(slotUpdate(1n));
    });
    t.after(() => server.close());
    const clock = { ...systemClock, sleep: (_: number, signal: AbortSignal) => systemClock.sleep(0, signal) };
    const watched = watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request: SLOTS, clock });
    await watched.until(() => watched.states.some(({ kind }) => kind === 'catchingUp'));
    await watched.until(({ state }) => state.kind === 'live');
    assert.deepEqual([calls, watched.stream.tick().total], [2, 1]);
  });

  test('a request that the service does not take is refused, and not sent again', async (t) => {
    let calls = 0;
    const watched = await watchGrpc(t, ({ stream }) => {
      calls++;
      begin(stream, { 'grpc-status': '3', 'grpc-message': 'failed to create filter' });
      stream.end();
    });
    await assert.rejects(
      watched.until(() => false),
      /INVALID_ARGUMENT/,
    );
    assert.equal(calls, 1);
  });

  test('a stream that the service ends as announced has ended', async (t) => {
    const watched = await watchGrpc(t, ({ stream }) => {
      begin(stream);
      stream.end(slotUpdate(1n));
    });
    await watched.until(({ state }) => state.kind === 'ended');
    assert.deepEqual(watched.stream.state, { kind: 'ended', by: 'service' });
  });

  test('no request leaves once it is stopped, not even while it waits to try again', async (t) => {
    let calls = 0;
    const server = await grpcService(({ stream }) => {
      calls++;
      begin(stream, { 'grpc-status': '14' });
      stream.end(slotUpdate(1n));
    });
    t.after(() => server.close());
    // A wait that only its signal ends.
    let waits = 0;
    const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        waits++;
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    const wanted = {
      profile: { name: 'test', grpcUrl: server.origin },
      request: SLOTS,
      clock: { ...systemClock, sleep },
    };
    const watched = watch(t, wanted);
    await watched.until(({ state }) => state.kind === 'reconnecting' && waits > 0);
    await watched.stream.stop();
    assert.deepEqual([calls, watched.stream.state.kind], [1, 'ended']);
    // Another stream's request arrives after everything sent earlier.
    const other = watch(t, wanted);
    await other.until(({ ring }) => ring.next > 0);
    assert.equal(calls, 2);
  });
});

describe('WebSocket', () => {
  const slots = askingWs('slotSubscribe');

  test('a break is a gap with the slots before and after it', async (t) => {
    let calls = 0;
    const server = await webSocketServer((socket, text) => {
      if (!text.includes('slotSubscribe')) return;
      confirm(socket);
      notify(socket, `{"slot":${++calls * 10}}`);
      if (calls === 1) setImmediate(() => socket.terminate());
    });
    t.after(() => server.close());
    const watched = watch(t, { profile: { name: 'test', wsUrl: server.origin }, request: slots });
    await watched.until(({ ring }) => ring.next === 3);
    const [gap] = watched.gaps();
    assert.deepEqual([gap?.number, gap?.fromSlot, gap?.toSlot, gap?.isFilled], [1, '10', '20', false]);
    assert.deepEqual(watched.column('slot'), ['10', '20']);
  });

  test('100 breaks leave one connection', async (t) => {
    let open = 0;
    let calls = 0;
    const server = await webSocketServer((socket, text) => {
      if (!text.includes('slotSubscribe')) return;
      open++;
      socket.once('close', () => open--);
      confirm(socket);
      notify(socket, `{"slot":${++calls}}`);
      if (calls <= 100) setImmediate(() => socket.terminate());
    });
    t.after(() => server.close());
    const watched = watch(t, { profile: { name: 'test', wsUrl: server.origin }, request: slots });
    await watched.until(() => calls === 101 && watched.stream.tick().total === 101 && open === 1);
    assert.equal(watched.gaps().length, 100);
  });
});

describe('the faults of the local service', () => {
  const local = testLedger(['--plan', 'Ultra', '--slot-ms', '50'], { clock: 'running' });

  const own = (t: TestContext, wanted: Partial<Wanted> = {}): Watched => {
    const { grpcUrl, wsUrl, rpcUrl, keys } = local.ready;
    const profile = { name: 'local', grpcUrl, wsUrl, rpcUrl };
    const port = keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key });
    return watch(t, { profile, request: SLOTS, ...wanted }, port);
  };
  const fault = (scope: string, kind: string, more: object = {}) =>
    local.admin('PUT', '/faults', { faults: [{ scope, kind, times: 1, ...more }] });
  const processed = (watched: Watched): readonly number[] => watched.column('slot', 'status == processed').map(Number);
  /** Slots that were delivered twice, and those missing in between. */
  const twice = (numbers: readonly number[]): number => numbers.length - new Set(numbers).size;
  const missing = (numbers: readonly number[]): number =>
    numbers.slice(1).reduce((sum, slot, at) => sum + Math.max(0, slot - (numbers[at] ?? slot) - 1), 0);
  const longer = (watched: Watched, by = 5): Promise<void> => {
    const since = processed(watched).length;
    return watched.until(() => processed(watched).length >= since + by);
  };

  test('cut again and again, every slot is delivered once', async (t) => {
    const watched = own(t);
    await longer(watched, 3);
    for (let cuts = 1; cuts <= 10; cuts++) {
      await local.admin('POST', '/streams/drop');
      await watched.until((stream) => stream.tick().reconnects === cuts && stream.state.kind === 'live');
    }
    await longer(watched);
    const slots = processed(watched);
    assert.deepEqual([twice(slots), missing(slots), watched.gaps().length], [0, 0, 10]);
  });

  test('an omitted update is missing, and a duplicated update is there twice: nothing is made up', async (t) => {
    const watched = own(t, { request: asking(SUBSCRIBE, '{"blocksMeta":{"all":{}}}') });
    const slots = (): readonly number[] => watched.column('slot').map(Number);
    await watched.until(() => slots().length >= 3);
    await fault('grpc', 'gap');
    await watched.until(() => missing(slots()) === 1);
    await fault('grpc', 'duplicate');
    await watched.until(() => twice(slots()) === 1);
    assert.deepEqual([watched.gaps().length, watched.stream.state.kind], [0, 'live']);
  });

  test('a lost slot is reported as dead', async (t) => {
    const watched = own(t, { request: asking(SUBSCRIBE, '{"slots":{"all":{"interslotUpdates":true}}}') });
    await longer(watched, 2);
    await fault('grpc', 'fork');
    await watched.until(() => watched.column('slot', 'status == dead').length === 1);
    assert.equal(watched.stream.state.kind, 'live');
  });

  test('a slot that comes late is waited for on the same connection', async (t) => {
    const watched = own(t);
    await longer(watched, 2);
    await fault('grpc', 'stall', { ms: 400 });
    await longer(watched);
    assert.deepEqual([watched.stream.tick().reconnects, missing(processed(watched))], [0, 0]);
  });

  test('a connection that the service retires is replaced, and nothing is missing', async (t) => {
    await fault('grpc', 'goaway', { ms: 150 });
    const watched = own(t);
    await watched.until((stream) => stream.tick().reconnects === 1 && stream.state.kind === 'live');
    await longer(watched);
    assert.deepEqual([twice(processed(watched)), missing(processed(watched))], [0, 0]);
  });

  test('a message that nobody can read ends the connection at most, and what follows is right', async (t) => {
    const watched = own(t);
    await longer(watched, 2);
    await fault('grpc', 'truncate');
    await watched.until((stream) => stream.tick().reconnects === 1 && stream.state.kind === 'live');
    await longer(watched);
    assert.deepEqual([twice(processed(watched)), missing(processed(watched))], [0, 0]);
  });

  test('an account over a WebSocket is read again after a cut', async (t) => {
    const { address } = local.ready.wallet;
    const params = `["${address}",{"encoding":"base64","commitment":"confirmed"}]`;
    const watched = own(t, { request: askingWs('accountSubscribe', params), account: address });
    await watched.until((stream) => stream.tick().total === 1);
    await local.admin('POST', '/streams/drop');
    await watched.until((stream) => stream.tick().total === 2);
    assert.deepEqual(
      watched.rows().map(({ kind }) => kind),
      ['update', 'gap', 'update'],
    );
    const [first, second] = watched.column('lamports');
    assert.ok(first !== undefined && first === second && /^\d+$/.test(first));
    const detail = watched.stream.detail({ number: 2 });
    assert.ok(detail.kind === 'row');
    assert.deepEqual([detail.since, detail.changes], [0, []]);
    assert.match(JSON.stringify(detail.decoded), /lamports/);
  });
});
