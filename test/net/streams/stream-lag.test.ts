// How far a stream lags behind, over real connections: the ticks of a stream that is the only one of its endpoint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, begin, grpcService, SUBSCRIBE, update, type Serve } from '../../support/wire/grpcServices';
import { SlotTips } from '../../../runner/streams/slotTips';
import { watch, type Wanted } from '../../support/lsp/keptStreams';
import { startTestLedger } from '../../support/process/localnet';
import { asking as askingWs } from '../../support/wire/webSockets';
import { keysOf } from '../../support/wire/wire';

const SLOTS = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

/** A slot whose update was made so many milliseconds ago. */
function slotMade(slot: bigint, agoMs: number): Buffer {
  const at = Date.now() - agoMs;
  const createdAt = { seconds: BigInt(Math.floor(at / 1_000)), nanos: (at % 1_000) * 1_000_000 };
  return update({ filters: ['all'], createdAt, updateOneof: { case: 'slot', value: { slot } } });
}

test('A lone gRPC stream whose messages were long under way is that many slots behind, at its own pace', async (t) => {
  let write: (message: Buffer) => void = () => undefined;
  const serve: Serve = ({ stream }) => {
    begin(stream, { 'grpc-status': '0' });
    write = (message) => void stream.write(message);
    write(slotMade(3n, 8_800));
  };
  const server = await grpcService(serve);
  t.after(() => server.close());
  const watched = watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request: SLOTS });
  await watched.until(({ ring }) => ring.next === 1);
  assert.equal(watched.stream.changed()?.lag, undefined);
  write(slotMade(7n, 8_000));
  await watched.until(({ ring }) => ring.next === 2);
  const tick = watched.stream.changed();
  // 8,000 ms at 200 ms a slot, less what passed between the two messages.
  assert.ok(tick?.slot === '7' && (tick.lag ?? 0) >= 25, JSON.stringify(tick));
});

test('Of the local service a lone gRPC stream has a number, and a lone WebSocket stream none', async (t) => {
  const local = await startTestLedger(['--plan', 'Ultra']);
  t.after(() => local.stop());
  const { grpcUrl, wsUrl, keys } = local.ready;
  const own = keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key });
  const over = async (wanted: Wanted): Promise<number | undefined> => {
    const watched = watch(t, wanted, own);
    let lag: number | undefined;
    const seen = watched.until(({ ring }) => {
      lag = watched.stream.changed()?.lag ?? lag;
      return lag !== undefined || ring.next >= 40;
    });
    await local.slotsUntil(seen);
    return lag;
  };
  assert.equal(typeof (await over({ profile: { name: 'g', grpcUrl }, request: SLOTS })), 'number');
  assert.equal(await over({ profile: { name: 'w', wsUrl }, request: askingWs('slotSubscribe', '[]') }), undefined);
});

test('Streams of addresses that no endpoint has are not measured by each other', async (t) => {
  const tips = new SlotTips();
  const newest = async (slot: bigint): Promise<number | undefined> => {
    const server = await grpcService(({ stream }) => {
      begin(stream, { 'grpc-status': '0' });
      stream.write(update({ filters: ['all'], updateOneof: { case: 'slot', value: { slot } } }));
    });
    t.after(() => server.close());
    const request = { ...SLOTS, url: `${server.origin}/geyser.Geyser/Subscribe` };
    const watched = watch(t, { profile: { name: '' }, request, tips, id: String(slot) });
    await watched.until(({ ring }) => ring.next === 1);
    return watched.stream.changed()?.lag;
  };
  assert.equal(await newest(1_000n), undefined);
  assert.equal(await newest(5n), undefined);
});
