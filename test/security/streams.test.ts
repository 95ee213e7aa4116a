// A flood of updates into a stream: the counts are exact, ticks stay few, and the memory that holds messages stays under
// its bound.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createNet } from '../../net/transports';
import { asking, begin, grpcService, slotUpdate, SUBSCRIBE } from '../support/wire/grpcServices';
import { Watched } from '../support/lsp/keptStreams';
import { keysOf, KEY } from '../support/wire/wire';

const UPDATES = 400_000;
const BATCH = 1_000;
const LIMITS = { rows: 5_000, bytes: 2 * 1024 * 1024 };

test('each of 400,000 updates is counted, dropped ones exactly, and the ring stays under its bound', async (t) => {
  const service = await grpcService(({ stream }) => {
    begin(stream);
    void (async () => {
      for (let sent = 0; sent < UPDATES; sent += BATCH) {
        const batch = Array.from({ length: BATCH }, (_, at) => slotUpdate(BigInt(sent + at)));
        if (!stream.write(Buffer.concat(batch))) await once(stream, 'drain');
      }
      stream.end();
    })().catch(() => undefined);
  });
  t.after(() => service.close());
  const net = createNet({ keys: keysOf({ grpc: KEY }) });
  t.after(() => net.close());
  const request = asking(SUBSCRIBE, '{"slots":{"all":{}}}');
  const watched = new Watched(net, { profile: { name: 'test', grpcUrl: service.origin }, request, limits: LIMITS });
  // As a panel does that filters: the index is kept while they come.
  watched.rows('parent == 0');
  let held = 0;
  await watched.until(({ ring, state }) => {
    held = Math.max(held, ring.held);
    return state.kind === 'ended';
  });
  const tick = watched.stream.tick();
  assert.deepEqual(
    [tick.total, tick.next, tick.dropped, tick.next - tick.first, tick.slot],
    [UPDATES, UPDATES, UPDATES - LIMITS.rows, LIMITS.rows, String(UPDATES - 1)],
  );
  assert.ok(held <= LIMITS.bytes, `${held} bytes were held`);
  assert.deepEqual(
    watched.column('slot').map(Number),
    Array.from({ length: LIMITS.rows }, (_, at) => UPDATES - LIMITS.rows + at),
  );
  assert.deepEqual(watched.rows('slot >= 399990').length, 10);
});
