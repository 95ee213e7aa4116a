// Live streams through the built server: opened from a block or for an account, reported by ticks, paged, filtered,
// exported.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import type * as live from '../../../protocol/streams';
import { startTestLedger, testLedger } from '../../support/process/localnet';
import { LiveStreams, STREAMS_FILE as FILE } from '../../support/lsp/liveStreams';
import { startServer } from '../../support/lsp/serverProcess';
import { startServerOn } from '../../support/lsp/requestFile';
import { grantingBroker, localProfile, localWindow } from '../../support/lsp/window';

const SLOTS = '### Slots\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "all": {} } }\n';

const local = testLedger(['--plan', 'Ultra']);

async function panel(t: TestContext, text = SLOTS): Promise<LiveStreams> {
  const { server, broker } = await startServerOn(t, local);
  await server.open(FILE, text);
  return new LiveStreams(server, broker);
}

test('A block opens a stream whose ticks count what came, and whose rows are numbered from 0', async (t) => {
  const view = await panel(t);
  const info = await view.block();
  assert.deepEqual(
    [info.title, info.method, info.transport, info.endpoint, info.key?.type],
    ['Slots', 'geyser.Geyser/Subscribe', 'GRPC', 'local', 'grpc'],
  );
  const tick = await local.slotsUntil(view.tick(({ total }) => total >= 5));
  assert.deepEqual([tick.state.kind, tick.first, tick.dropped], ['live', 0, 0]);
  // Confirmed and final are one moment: two updates in one row.
  assert.ok(tick.next >= 3 && tick.next < tick.total, `${tick.next} rows of ${tick.total} updates`);
  const { rows } = await view.rows(info.id, '', 0, 3);
  assert.deepEqual(
    rows.map(({ number, kind }) => [number, kind]),
    [
      [0, 'update'],
      [1, 'update'],
      [2, 'update'],
    ],
  );
  const [first] = rows;
  assert.ok(first?.kind === 'update' && first.cells.length === info.columns.length);
  assert.match(first.cells[0] ?? '', /^\d+$/);
});

test('A row in full is the update as JSON', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  const row = await view.ask<live.StreamRowResult>('solanaRpc/streamRow', { id, number: 0 });
  assert.ok(row.kind === 'row' && !row.isCut, JSON.stringify(row));
  assert.match(row.json, /"slot": "\d+"/);
});

test('A filter pages what passes, and says where it cannot be read', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 20));
  const { rows, first, next } = await view.rows(id, 'status == finalized');
  assert.equal(first, 0);
  assert.ok(rows.length > 0 && next >= rows.length);
  assert.ok(rows.every((row) => row.kind === 'update' && row.cells.includes('confirmed, finalized')));
  const params = { id, from: 0, count: 1, filter: 'slot >= many' };
  const bad = await view.ask<live.StreamRowsResult>('solanaRpc/streamRows', params);
  assert.ok(bad.kind === 'badFilter' && bad.start === 8 && bad.end === 12, JSON.stringify(bad));
});

test('Stopped, a stream keeps its rows; reopened, it continues under its id from its last slot', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 3));
  assert.deepEqual(await view.ask('solanaRpc/stopStream', { id }), { kind: 'done' });
  const stopped = await view.tick(({ state }) => state.kind === 'ended');
  assert.deepEqual(stopped.state, { kind: 'ended', by: 'user' });
  assert.ok((await view.rows(id)).rows.length >= 3);
  assert.deepEqual(await view.ask('solanaRpc/reopenStream', { id }), { kind: 'done' });
  await local.slotsUntil(view.tick(({ total, state }) => total > stopped.total && state.kind === 'live'));
  const { rows } = await view.rows(id, '', 0, 500);
  const gap = rows.find((row) => row.kind === 'gap');
  assert.ok(gap?.kind === 'gap' && gap.isFilled && gap.fromSlot === stopped.slot, JSON.stringify(gap));
});

test('A closed stream is forgotten, and its id is gone', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  const kindOfRows = async (): Promise<string> =>
    (await view.ask<live.StreamRowsResult>('solanaRpc/streamRows', { id, from: 0, count: 1, filter: '' })).kind;
  assert.equal(await kindOfRows(), 'rows');
  assert.deepEqual(await view.ask('solanaRpc/closeStream', { id }), { kind: 'done' });
  assert.equal(await kindOfRows(), 'gone');
});

test('@until ends a stream and says so', async (t) => {
  const view = await panel(t, '### Slots\n# @until 3 messages\nWS\n{ "method": "slotSubscribe" }\n');
  await view.block();
  const tick = await local.slotsUntil(view.tick(({ state }) => state.kind === 'ended'));
  assert.deepEqual([tick.state, tick.total], [{ kind: 'ended', by: 'until' }, 3]);
});

test('A block that is not a stream is refused, and nothing is sent', async (t) => {
  const view = await panel(t, '### Airdrop\n{ "method": "requestAirdrop", "params": ["{{$wallet}}", 1] }\n');
  const source = { kind: 'block', uri: FILE, version: 1, line: 0 };
  const answer = await view.ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
  assert.equal(answer.kind, 'refused');
  assert.deepEqual(view.broker.asked, []);
});

test('Without trust no stream opens, and those that run stop when it is lost', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  await view.server.connection.sendNotification('solanaRpc/windowChanged', { ...localWindow(local), trusted: false });
  const stopped = await view.tick(({ state }) => state.kind === 'ended');
  assert.ok(stopped.state.kind === 'ended' && /not trusted/.test(stopped.state.error?.message ?? ''));
  const source = { kind: 'block', uri: FILE, version: 1, line: 0 };
  assert.equal((await view.ask<live.OpenStreamResult>('solanaRpc/openStream', { source })).kind, 'refused');
  assert.equal((await view.ask<live.StreamResult>('solanaRpc/reopenStream', { id })).kind, 'refused');
});

test('Streams of the local service end with it and say so; those of other endpoints continue', async (t) => {
  const view = await panel(
    t,
    '### Local\nWS\n{ "method": "slotSubscribe" }\n\n### Other\n# @endpoint other\nWS\n{ "method": "slotSubscribe" }\n',
  );
  const other: PlacedProfile = { profile: { ...localProfile(local), name: 'other' }, source: 'user' };
  const tell = (profiles: readonly PlacedProfile[]): Promise<void> =>
    view.server.connection.sendNotification('solanaRpc/windowChanged', { ...localWindow(local), profiles });
  await tell([...localWindow(local).profiles, other]);
  const [own, theirs] = [await view.block(0), await view.block(4)];
  await tell([other]);
  const stopped = await view.tick(({ id, state }) => id === own.id && state.kind === 'ended');
  assert.ok(stopped.state.kind === 'ended');
  assert.match(stopped.state.error?.message ?? '', /^The local service does not run any more/);
  const { total } = await view.tick(({ id }) => id === theirs.id);
  await local.slotsUntil(
    view.tick((tick) => tick.id === theirs.id && tick.total > total && tick.state.kind === 'live'),
  );
});

test('A stream of a local service that started again is opened from its source, with the keys of now', async (t) => {
  const view = await panel(t, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  const info = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  const again = await startTestLedger(['--plan', 'Ultra']);
  t.after(() => again.stop());
  await view.server.connection.sendNotification('solanaRpc/windowChanged', localWindow(again));
  await view.tick(({ id, state }) => id === info.id && state.kind === 'ended');
  // The old place and its key are gone: nothing waits for a new one.
  assert.deepEqual(await view.ask('solanaRpc/reopenStream', { id: info.id }), { kind: 'gone' });
  const source = { ...info.source, endpoint: info.endpoint };
  const opened = await view.ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
  assert.equal(opened.kind, 'opened', JSON.stringify(opened));
  await view.server.connection.sendNotification('solanaRpc/windowChanged', { ...localWindow(again), profiles: [] });
  const gone = await view.ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
  assert.ok(gone.kind === 'refused' && gone.error.kind === 'noEndpoint' && gone.error.name === info.endpoint);
});

test('A stream that is reopened without a key says so at once, and resumes when one is stored', async (t) => {
  let isStored = true;
  const broker = grantingBroker(local);
  const server = await startServer({
    answer: (request) => (isStored ? broker.answer(request) : { kind: 'denied', id: request.id, reason: 'none' }),
    window: localWindow(local),
  });
  t.after(() => server.stop());
  await server.open(FILE, SLOTS);
  const view = new LiveStreams(server, broker);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  await view.ask('solanaRpc/stopStream', { id });
  isStored = false;
  server.push({ kind: 'revoke', origin: new URL(local.ready.grpcUrl).origin, type: 'grpc' });
  await view.ask('solanaRpc/reopenStream', { id });
  const refused = await view.tick(({ state }) => state.kind === 'refused' || state.kind === 'keyRotated');
  assert.ok(refused.state.kind === 'refused' && refused.state.error.kind === 'noKey', JSON.stringify(refused.state));
  isStored = true;
  server.push({ kind: 'revoke', origin: new URL(local.ready.grpcUrl).origin, type: 'grpc' });
  await view.tick(({ state, reconnects }) => state.kind === 'live' && reconnects > 0);
});

for (const over of ['WS', 'GRPC'] as const)
  test(`An account over ${over} begins with how it is now, and each update names its transaction`, async (t) => {
    const broker = grantingBroker(local);
    const window = localWindow(local);
    const profiles = window.profiles.map(({ profile: { wsUrl, ...profile }, source }) => ({
      profile: over === 'WS' && wsUrl !== undefined ? { ...profile, wsUrl } : profile,
      source,
    }));
    const server = await startServer({ answer: (request) => broker.answer(request), window: { ...window, profiles } });
    t.after(() => server.stop());
    await server.open(
      FILE,
      '### Pay\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5}}", { "encoding": "base64", "skipPreflight": true }] }\n',
    );
    const view = new LiveStreams(server, broker);
    const info = await view.open({ kind: 'account', address: local.ready.wallet.address });
    assert.equal(info.transport, over);
    await view.tick(({ total }) => total >= 1);
    await view.ask('solanaRpc/execute', { uri: FILE, version: 1 });
    await view.tick(({ total }) => total >= 2);
    const at = info.columns.findIndex(({ field }) => field === 'signature');
    let signature = '';
    while (signature === '') {
      const { rows } = await view.rows(info.id);
      assert.ok(rows[0]?.kind === 'update' && rows[0].cells[at] === '');
      signature = rows[1]?.kind === 'update' ? (rows[1].cells[at] ?? '') : '';
    }
    assert.match(signature, /^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

test('What is kept is exported whole, as NDJSON and as CSV', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 10));
  for (const format of ['ndjson', 'csv'] as const) {
    const file = path.join(view.server.storage, `slots.${format}`);
    const params: live.ExportStreamParams = { id, file, format, filter: '', what: 'kept' };
    assert.deepEqual(await view.ask('solanaRpc/exportStream', params), { kind: 'done' });
    const { export: written } = await view.tick((tick) => tick.export?.kind === 'written' && tick.export.file === file);
    assert.ok(written?.kind === 'written');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const lines = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
    assert.equal(lines.length, written.rows + (format === 'csv' ? 1 : 0));
    if (format === 'ndjson') for (const line of lines) assert.equal(typeof JSON.parse(line), 'object');
    else assert.equal(lines[0], 'Time,Slot,Status,Parent,Bank,Fate');
  }
  assert.deepEqual(
    (await readdir(view.server.storage)).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('Counters, the list and both kinds of file count the same updates, with a gap among them and under a filter', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  // A few slots, and no more: the list is read as one page.
  const came = async (holds: (tick: live.StreamTick) => boolean): Promise<void> => {
    await view.tick(({ state }) => state.kind === 'live');
    await local.slots(10);
    await view.tick((tick) => holds(tick) && tick.state.kind === 'live');
  };
  await came(({ total }) => total >= 10);
  await view.ask('solanaRpc/stopStream', { id });
  const { total } = await view.tick(({ state }) => state.kind === 'ended');
  await view.ask('solanaRpc/reopenStream', { id });
  await came((tick) => tick.total >= total + 10);
  await view.ask('solanaRpc/stopStream', { id });
  const tick = await view.tick((tick) => tick.state.kind === 'ended' && tick.total >= total + 10);
  for (const filter of ['', 'status == finalized', 'status == dead']) {
    const { rows, first, next } = await view.rows(id, filter, 0, 500);
    const updates = rows.filter(({ kind }) => kind === 'update').length;
    assert.equal(rows.length - updates, 1, 'one gap, under any filter');
    assert.equal(next - first, rows.length);
    if (filter === '') assert.equal(tick.next - tick.first, rows.length);
    // A row of two updates is two in a file, or the one that passes.
    const passing = filter === '' ? tick.total : updates;
    for (const [format, inFile] of [
      ['ndjson', passing + 1],
      // A table has no place for what is missing.
      ['csv', passing],
    ] as const) {
      const file = path.join(view.server.storage, `${filter.replaceAll(/\W+/g, '-')}counted.${format}`);
      const params: live.ExportStreamParams = { id, file, format, filter, what: 'kept' };
      await view.ask('solanaRpc/exportStream', params);
      const { export: written } = await view.tick(
        (tick) => tick.export?.kind === 'written' && tick.export.file === file,
      );
      const lines = (await readFile(file, 'utf8')).split('\n').length - 1;
      assert.deepEqual(
        [written?.kind === 'written' && written.rows, lines],
        [inFile, inFile + Number(format === 'csv')],
      );
    }
  }
});

test('Updates from now on goes into the file until the export is stopped', async (t) => {
  const view = await panel(t);
  const { id } = await view.block();
  const file = path.join(view.server.storage, 'onwards.ndjson');
  const params: live.ExportStreamParams = {
    id,
    file,
    format: 'ndjson',
    filter: 'status == processed',
    what: 'fromNow',
  };
  assert.deepEqual(await view.ask('solanaRpc/exportStream', params), { kind: 'done' });
  await local.slotsUntil(view.tick((tick) => tick.export?.kind === 'writing' && tick.export.rows >= 3));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await view.ask('solanaRpc/stopExport', { id }), { kind: 'done' });
  const { export: written } = await view.tick((tick) => tick.export?.kind === 'written');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  assert.equal(lines.length, written?.kind === 'written' && written.rows);
});

test('A rotated key: the stream waits for the new one and resumes by itself', async (t) => {
  const rotated = await local.newKey({ type: 'grpc', plan: 'Ultra', label: 'rotated' });
  let key = rotated.key;
  const broker = grantingBroker(local);
  const server = await startServer({
    answer: (request) => {
      const reply = broker.answer(request);
      return reply.kind === 'granted' ? { ...reply, secret: key } : reply;
    },
    window: localWindow(local),
  });
  t.after(() => server.stop());
  await server.open(FILE, SLOTS);
  const view = new LiveStreams(server, broker);
  await view.block();
  const before = await local.slotsUntil(view.tick(({ total }) => total >= 1));
  const answer = await local.admin('POST', `/keys/${rotated.keyId}/rotate`);
  await view.tick(({ state }) => state.kind === 'keyRotated');
  key = (JSON.parse(answer.text) as { key: string }).key;
  server.push({ kind: 'revoke', origin: new URL(local.ready.grpcUrl).origin, type: 'grpc' });
  const resumed = await view.tick(({ state, reconnects }) => state.kind === 'live' && reconnects > 0);
  assert.ok(resumed.total >= before.total);
});

test('Streams of a key move to the new one and say so', async (t) => {
  const view = await panel(t);
  const info = await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  const moved = await view.ask<live.MoveStreamsResult>('solanaRpc/moveStreams', { key: info.key });
  assert.deepEqual(moved, { moved: 1, unsure: 0, stayed: [], failed: [] });
  await view.tick(({ reconnects }) => reconnects === 1);
});

test('The server ends with its streams running', async (t) => {
  const view = await panel(t);
  await view.block();
  await local.slotsUntil(view.tick(({ total }) => total >= 1));
  const exit = once(view.server.child, 'exit');
  await view.ask('shutdown', null);
  await view.server.connection.sendNotification('exit');
  assert.deepEqual(await exit, [0, null]);
});
