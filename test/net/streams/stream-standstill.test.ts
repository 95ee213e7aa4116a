// A node that stalls while its connections stay open, on the real local service: what streams that hear of every slot say of
// it, and that an account's says nothing.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { NetClock } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import { asking as askingGrpc, SUBSCRIBE } from '../../support/wire/grpcServices';
import { watch, type Wanted } from '../../support/lsp/keptStreams';
import { testLedger } from '../../support/process/localnet';
import { asking as askingWs } from '../../support/wire/webSockets';
import { keysOf } from '../../support/wire/wire';

const local = testLedger(['--plan', 'Ultra', '--slot-ms', '50'], { clock: 'running' });

const faults = (faults: readonly unknown[]) => local.admin('PUT', '/faults', { faults });

/** An open stream, with a clock that can be put forward. */
async function flowing(t: TestContext, request: Wanted['request'], account?: string) {
  let ahead = 0;
  const clock: NetClock = { ...systemClock, now: () => performance.now() + ahead };
  const { grpcUrl, wsUrl, rpcUrl, keys } = local.ready;
  const profile = { name: 'local', grpcUrl, wsUrl, rpcUrl };
  const own = keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key });
  const watched = watch(t, { profile, request, clock, ...(account !== undefined && { account }) }, own);
  await watched.until(({ ring, state }) => ring.next >= 1 && state.kind === 'live');
  watched.stream.changed();
  return { watched, later: (ms: number) => void (ahead += ms) };
}

const SLOTS = [
  ['WS', askingWs('slotSubscribe', '[]')],
  ['GRPC', askingGrpc(SUBSCRIBE, '{"slots":{"all":{}}}')],
] as const;

for (const [over, request] of SLOTS)
  test(`A node that stalls: the slots over ${over} stop, and resume with it`, async (t) => {
    const { watched, later } = await flowing(t, request);
    t.after(() => faults([]));
    await faults([{ scope: 'ws', kind: 'stall', ms: 600_000, times: 1 }]);
    // Updates in transit still arrive; the standstill begins after them.
    let seconds: number | undefined;
    while (seconds === undefined) {
      later(12_000);
      seconds = watched.stream.tick().still;
      await new Promise((resolve) => setTimeout(resolve, 100));
      watched.stream.changed();
    }
    assert.ok(seconds >= 12, String(seconds));
    assert.equal(watched.stream.state.kind, 'live');
    await faults([]);
    await watched.until((stream) => {
      stream.changed();
      return stream.tick().still === undefined;
    });
  });

test('An account that nobody writes to is never reported as a standstill', async (t) => {
  const address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
  await local.rpc('requestAirdrop', [address, 1_000_000_000]);
  const { watched, later } = await flowing(t, askingWs('accountSubscribe', `["${address}"]`), address);
  for (let minutes = 0; minutes < 10; minutes++) {
    later(60_000);
    watched.stream.changed();
    assert.equal(watched.stream.tick().still, undefined);
  }
});
