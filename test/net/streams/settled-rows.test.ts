// The slots of a ledger that runs Alpenglow, as a panel shows them: confirmed and final is one row, whose detail, filter and
// export have both messages; on a ledger that runs TowerBFT they are two rows.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { PreparedRequest } from '../../../core/requests/run/model';
import type { Watched } from '../../support/lsp/keptStreams';
import { watch } from '../../support/lsp/keptStreams';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { asking as askingGrpc, SUBSCRIBE } from '../../support/wire/grpcServices';
import { asking as askingWs } from '../../support/wire/webSockets';
import { keysOf } from '../../support/wire/wire';

const SLOTS = askingGrpc(SUBSCRIBE, '{"slots":{"all":{}}}');

let alpenglow: InProcessService;
let tower: InProcessService;
const folder = mkdtempSync(path.join(os.tmpdir(), 'settled-'));
before(async () => {
  alpenglow = await serviceInProcess('Shared Metal', { consensus: 'alpenglow' });
  tower = await serviceInProcess('Shared Metal', { consensus: 'tower' });
});
after(async () => {
  await alpenglow.stop();
  await tower.stop();
  rmSync(folder, { recursive: true });
});

/** A stream that has `messages` messages after `slots` slots, at least. */
async function watched(t: TestContext, local: InProcessService, request: PreparedRequest, messages: number) {
  const { grpcUrl, wsUrl, rpcUrl, keys } = local.ready;
  const own = keysOf({ rpc: keys.rpc.key, grpc: keys.grpc.key });
  const stream = watch(t, { profile: { name: 'local', grpcUrl, wsUrl, rpcUrl }, request }, own);
  await stream.until(({ state }) => state.kind === 'live');
  // It is live before its filters are read: slots end until something has come.
  await stream.until(({ ring }) => {
    if (ring.next === 0) local.ledger.cheats.nextSlot();
    return ring.next > 0;
  });
  await stream.until(({ ring }) => {
    if (stream.stream.tick().total < messages) local.ledger.cheats.nextSlot();
    return ring.next > 0 && stream.stream.tick().total >= messages;
  });
  return stream;
}

const statuses = (stream: Watched, field: string) => stream.column(field).slice(-4);

test('over gRPC a slot is processed, then confirmed and final in one row', async (t) => {
  const stream = await watched(t, alpenglow, SLOTS, 12);
  assert.deepEqual(new Set(statuses(stream, 'status')), new Set(['processed', 'confirmed, finalized']));
  const both = stream.rows().find((row) => row.kind === 'update' && row.cells.includes('confirmed, finalized'));
  assert.ok(both !== undefined);
  const detail = stream.stream.detail({ number: both.number });
  assert.ok(detail.kind === 'row');
  assert.deepEqual(detail.json.match(/SLOT_[A-Z]+/g), ['SLOT_CONFIRMED', 'SLOT_FINALIZED']);
  const one = stream.stream.ring.read(both.number, (_bytes, start, end) => end - start);
  assert.ok(stream.stream.ring.size(both.number) > one);
});

test('a filter for either finds the row, once', async (t) => {
  const stream = await watched(t, alpenglow, SLOTS, 12);
  for (const filter of ['status == finalized', 'status == confirmed', 'status != processed']) {
    const found = stream.rows(filter);
    const expected = stream.rows().filter((row) => row.kind === 'update' && row.cells.includes('confirmed, finalized'));
    assert.deepEqual(found, expected, filter);
    assert.ok(found.length > 1);
  }
  const before = stream.rows('status == finalized').length;
  const { total } = stream.stream.tick();
  await stream.until(() => {
    if (stream.stream.tick().total < total + 6) alpenglow.ledger.cheats.nextSlot();
    return stream.stream.tick().total >= total + 6;
  });
  const numbers = stream.rows('status == finalized').map(({ number }) => number);
  assert.ok(numbers.length > before);
  assert.deepEqual(numbers, [...new Set(numbers)]);
});

test('an export has every message', async (t) => {
  const stream = await watched(t, alpenglow, SLOTS, 12);
  for (const what of ['kept', 'fromNow'] as const) {
    const file = path.join(folder, `${what}.ndjson`);
    const started = stream.stream.tick().total;
    stream.stream.export({ id: 'one', file, draft: `${file}.draft`, format: 'ndjson', filter: '', what });
    await stream.until(() => {
      alpenglow.ledger.cheats.nextSlot();
      return stream.stream.tick().total >= started + 6;
    });
    stream.stream.stopExport();
    await stream.until(() => stream.stream.tick().export?.kind === 'written');
    const kinds = readFileSync(file, 'utf8').match(/SLOT_(?:CONFIRMED|FINALIZED)/g) ?? [];
    const [finals, all] = [kinds.filter((kind) => kind === 'SLOT_FINALIZED').length, kinds.length];
    assert.ok(finals > 0 && Math.abs(all - 2 * finals) <= 1, `${what}: ${kinds.join()}`);
  }
});

test('a row that was shown before its second message came is shown again', async (t) => {
  const stream = await watched(t, alpenglow, SLOTS, 3);
  const confirmed = stream.rows().find((row) => row.kind === 'update' && row.cells.includes('confirmed, finalized'));
  assert.ok(confirmed !== undefined);
  assert.equal(stream.stream.tick().changed, undefined);
  const { shape, ring } = stream.stream;
  const first = ring.read(confirmed.number, (bytes, start, end) => Buffer.from(bytes.subarray(start, end)));
  const second = ring.also(confirmed.number, (bytes, start, end) => Buffer.from(bytes.subarray(start, end)));
  assert.ok(second !== undefined);
  const take = (bytes: Buffer): void =>
    stream.stream.engine.take(bytes, 0, bytes.length, shape.slot(bytes, 0, bytes.length));
  take(first);
  stream.rows();
  take(second);
  assert.equal(stream.stream.tick().changed, 1);
});

test('over a WebSocket optimisticConfirmation and root are one row', async (t) => {
  const stream = await watched(t, alpenglow, askingWs('slotsUpdatesSubscribe', '[]'), 14);
  const types = new Set(stream.column('type'));
  assert.ok(types.has('optimisticConfirmation, root'), [...types].join());
  assert.ok(!types.has('root'));
});

test('where a slot is final 31 slots after it is confirmed there are two rows', async (t) => {
  const stream = await watched(t, tower, SLOTS, 12);
  assert.deepEqual(new Set(stream.column('status')), new Set(['processed', 'confirmed', 'finalized']));
});
