// Long-lived streams: connections that break a hundred times leave nothing behind, a machine that slept, a node that is
// behind, and how often a stream sends ticks.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { NetClock } from '../../net/api';
import { systemClock } from '../../net/clock';
import type { StreamTick } from '../../protocol/streams';
import { Pulse } from '../../runner/streams/pulse';
import { SlotTips } from '../../runner/streams/slotTips';
import { assertWithin, sized } from '../support/night';
import { collect } from '../support/process/garbage';
import { asking, begin, grpcService, slotUpdate, SUBSCRIBE } from '../support/wire/grpcServices';
import { httpServer, webSocketServer } from '../support/wire/hostile';
import type { Watched } from '../support/lsp/keptStreams';
import { watch, type Wanted } from '../support/lsp/keptStreams';
import { testLedger } from '../support/process/localnet';
import { asking as askingWs, confirm, notify } from '../support/wire/webSockets';
import { keysOf } from '../support/wire/wire';

/** Of a connection; what is loaded and compiled in the first ones is not counted. */
const WARM_UP = sized(2, 10);
const BREAKS = sized(8, 100);

const SLOTS = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

const twice = (slots: readonly number[]): number => slots.length - new Set(slots).size;
const missing = (slots: readonly number[]): number =>
  slots.slice(1).reduce((sum, slot, at) => sum + Math.max(0, slot - (slots[at] ?? slot) - 1), 0);

describe('on the local service', () => {
  const local = testLedger(['--plan', 'Ultra', '--slot-ms', '50'], { clock: 'running' });

  const own = (t: TestContext, request: Wanted['request'], more: Partial<Wanted> = {}): Watched => {
    const { grpcUrl, wsUrl, rpcUrl, keys } = local.ready;
    const profile = { name: 'local', grpcUrl, wsUrl, rpcUrl };
    return watch(t, { profile, request, ...more }, keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key }));
  };
  const slotsOf = (watched: Watched): readonly number[] => watched.column('slot').map(Number);

  /** Resources that keep this process alive, by kind. */
  const held = (): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  };
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  for (const [over, request] of [
    ['gRPC', asking(SUBSCRIBE, '{"blocksMeta":{"all":{}}}')],
    ['a WebSocket', askingWs('slotSubscribe')],
  ] as const)
    test(`forced breaks over ${over} leave as many sockets and timers as before`, async (t) => {
      const watched = own(t, request);
      const broken = async (times: number): Promise<void> => {
        const from = watched.stream.tick().reconnects;
        for (let cuts = 1; cuts <= times; cuts++) {
          await local.admin('POST', '/streams/drop');
          await watched.until((stream) => stream.tick().reconnects === from + cuts && stream.state.kind === 'live');
        }
      };
      await watched.until(({ state }) => state.kind === 'live');
      await broken(WARM_UP);
      const [sockets, timers, bytes] = [held()['TCPSocketWrap'] ?? 0, held()['Timeout'] ?? 0, heap()];
      await broken(BREAKS);
      await watched.until(() => (held()['TCPSocketWrap'] ?? 0) <= sockets && (held()['Timeout'] ?? 0) <= timers);
      assertWithin(heap() - bytes, 5_000_000);
      assert.equal(watched.gaps().length, WARM_UP + BREAKS);
      const slots = slotsOf(watched);
      assert.equal(twice(slots), 0);
      if (request.transport === 'GRPC') assert.equal(missing(slots), 0);
    });

  test('after sleep the machine reconnects, and no update is missing or delivered twice', async (t) => {
    let ahead = 0;
    const clock: NetClock = { ...systemClock, unixMs: () => Date.now() + ahead };
    const watched = own(t, asking(SUBSCRIBE, '{"blocksMeta":{"all":{}}}'), { clock });
    const pulse = new Pulse(() => clock.unixMs());
    const beat = (): void => pulse.beat([watched.stream], () => undefined);
    await watched.until(({ ring }) => ring.next >= 3);
    ahead = 19_000;
    beat();
    assert.equal(watched.stream.tick().reconnects, 0);
    ahead += 3_600_000;
    beat();
    await watched.until((stream) => stream.tick().reconnects === 1 && stream.state.kind === 'live');
    const since = watched.stream.ring.next;
    await watched.until(({ ring }) => ring.next >= since + 5);
    assert.deepEqual([twice(slotsOf(watched)), missing(slotsOf(watched))], [0, 0]);
    beat();
    assert.equal(watched.stream.tick().reconnects, 1);
  });

  test('a stream that was stopped stays so when the machine wakes', async (t) => {
    let ahead = 0;
    const watched = own(t, SLOTS);
    const pulse = new Pulse(() => ahead);
    await watched.until(({ state }) => state.kind === 'live');
    await watched.stream.stop();
    ahead = 3_600_000;
    pulse.beat([watched.stream], () => undefined);
    assert.deepEqual([watched.stream.state.kind, watched.stream.tick().reconnects], ['ended', 0]);
  });
});

test('a stream sends one tick per beat however many updates arrive, and none without a change', async (t) => {
  let write: (count: number) => void = () => undefined;
  const server = await grpcService(({ stream }) => {
    begin(stream);
    let slot = 0n;
    write = (count) => {
      for (let written = 0; written < count; written++) stream.write(slotUpdate(++slot));
    };
    write(1);
  });
  t.after(() => server.close());
  const watched = watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request: SLOTS });
  const pulse = new Pulse(Date.now);
  const ticks: StreamTick[] = [];
  const beat = (): void => pulse.beat([watched.stream], (tick) => ticks.push(tick));
  await watched.until(({ ring }) => ring.next === 1);
  beat();
  write(20_000);
  await watched.until(({ ring }) => ring.next === 20_001);
  beat();
  assert.deepEqual(
    ticks.map(({ total }) => total),
    [1, 20_001],
  );
  // The rate goes down to nothing within a second's beats; then there is silence.
  for (let beats = 0; beats < 12; beats++) beat();
  const sent = ticks.length;
  for (let beats = 0; beats < 50; beats++) beat();
  assert.deepEqual([ticks.length, ticks.at(-1)?.rate], [sent, 0]);
});

test('a stream whose node is behind says by how many slots, as another of its endpoint knows', async (t) => {
  let write: (slot: bigint) => void = () => undefined;
  let calls = 0;
  const server = await grpcService(({ stream }) => {
    begin(stream);
    if (++calls === 1) stream.write(slotUpdate(200n));
    else {
      write = (slot) => void stream.write(slotUpdate(slot));
      write(150n);
    }
  });
  t.after(() => server.close());
  const tips = new SlotTips();
  const wanted = { profile: { name: 'test', grpcUrl: server.origin }, request: SLOTS, tips };
  const ahead = watch(t, wanted);
  await ahead.until(({ ring }) => ring.next === 1);
  const stale = watch(t, { ...wanted, id: 'stale' });
  await stale.until(({ ring }) => ring.next === 1);
  const lag = (): number | undefined => {
    for (const { stream } of [ahead, stale]) stream.changed();
    return stale.stream.tick().lag;
  };
  assert.equal(lag(), 50);
  write(199n);
  await stale.until(({ ring }) => ring.next === 2);
  assert.equal(lag(), 1);
});

test('an account whose node is behind after a break is not shown as it was before: a gap says so', async (t) => {
  const address = 'Vote111111111111111111111111111111111111119';
  const account = '{"lamports":7,"owner":"11111111111111111111111111111111","data":["","base64"],"executable":false}';
  const asked: string[] = [];
  const node = await httpServer(({ body }, response) => {
    if (body.includes('getAccountInfo')) asked.push(body);
    const id = /"id":(\d+)/.exec(body)?.[1] ?? '1';
    response.setHeader('content-type', 'application/json');
    response.end(
      asked.length === 1
        ? `{"jsonrpc":"2.0","result":{"context":{"slot":500},"value":${account}},"id":${id}}`
        : `{"jsonrpc":"2.0","error":{"code":-32016,"message":"Minimum context slot has not been reached"},"id":${id}}`,
    );
  });
  let calls = 0;
  const sockets = await webSocketServer((socket, text) => {
    if (!text.includes('accountSubscribe')) return;
    confirm(socket);
    if (++calls === 1) notify(socket, `{"context":{"slot":510},"value":${account}}`);
  });
  t.after(async () => {
    await node.close();
    await sockets.close();
  });
  // Waits of the stream take no time; those of the transports are the machine's.
  const clock: NetClock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(0, signal) };
  const watched = watch(t, {
    profile: { name: 'test', rpcUrl: node.origin, wsUrl: sockets.origin },
    request: askingWs('accountSubscribe', `["${address}",{"encoding":"base64"}]`),
    account: address,
    clock,
  });
  await watched.until(({ ring }) => ring.next === 2);
  watched.stream.again();
  await watched.until(() => watched.gaps().length === 2);
  assert.match(watched.gaps()[1]?.reason ?? '', /is behind the one before/);
  assert.ok(asked.length > 2 && asked.slice(1).every((body) => body.includes('"minContextSlot":510')));
  assert.equal(watched.stream.tick().total, 2);
});
