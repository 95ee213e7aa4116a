// How far a stream is behind, over real connections: what the panel is told of a stream that is alone at its endpoint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, begin, grpcService, SUBSCRIBE, update, type Serve } from '../support/wire/grpcServices';
import { watch, type Wanted } from '../support/lsp/keptStreams';
import { startLocalnet } from '../support/process/localnet';
import { asking as askingWs } from '../support/wire/webSockets';
import { keysOf } from '../support/wire/wire';

const SLOTS = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

/** A slot whose update was made so many milliseconds ago. */
function slotMade(slot: bigint, agoMs: number): Buffer {
  const at = Date.now() - agoMs;
  const createdAt = { seconds: BigInt(Math.floor(at / 1_000)), nanos: (at % 1_000) * 1_000_000 };
  return update({ filters: ['all'], createdAt, updateOneof: { case: 'slot', value: { slot } } });
}

test('A lone gRPC stream whose messages were long under way is that many slots behind', async (t) => {
  const serve: Serve = ({ stream }) => {
    begin(stream, { 'grpc-status': '0' });
    stream.write(slotMade(7n, 8_000));
  };
  const server = await grpcService(serve);
  t.after(() => server.close());
  const watched = watch(t, { profile: { name: 'test', grpcUrl: server.origin }, request: SLOTS });
  await watched.until(({ ring }) => ring.next === 1);
  const tick = watched.stream.changed();
  assert.ok(tick?.slot === '7' && (tick.lag ?? 0) >= 20, JSON.stringify(tick));
});

test('Of the local service a lone gRPC stream has a number, and a lone WebSocket stream none', async (t) => {
  const local = await startLocalnet(['--plan', 'Ultra', '--slot-ms', '50']);
  t.after(() => local.stop());
  const { grpcUrl, wsUrl, keys } = local.ready;
  const own = keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key });
  const over = async (wanted: Wanted): Promise<number | undefined> => {
    const watched = watch(t, wanted, own);
    await watched.until(({ ring }) => ring.next >= 3);
    return watched.stream.changed()?.lag;
  };
  assert.equal(typeof (await over({ profile: { name: 'g', grpcUrl }, request: SLOTS })), 'number');
  assert.equal(await over({ profile: { name: 'w', wsUrl }, request: askingWs('slotSubscribe', '[]') }), undefined);
});
