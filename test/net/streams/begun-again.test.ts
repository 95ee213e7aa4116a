// Streams whose endpoint comes back with another ledger: nothing of it is taken for a repeat, nothing that was lost is
// reported as replayed, and what follows is measured against the new ledger. A node that is merely behind is the same ledger.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { ANOTHER_LEDGER } from '../../../net/streams/ledgerWatch';
import { startTestLedger } from '../../support/process/localnet';
import { asking, begin, grpcService, requestOf, slotUpdate, SUBSCRIBE, update } from '../../support/wire/grpcServices';
import { httpServer, webSocketServer } from '../../support/wire/hostile';
import { watch, type Watched } from '../../support/lsp/keptStreams';
import { asking as askingWs, confirm, notify } from '../../support/wire/webSockets';
import { keysOf } from '../../support/wire/wire';

/** Of a gRPC message: whether it is compressed, and its length. */
const FRAME_HEAD = 5;
const SLOTS = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

/** Slots of one connection, from the first to the last; it breaks behind them. */
type Slots = readonly [first: number, last: number];

/** A JSON-RPC service that answers each question for its genesis hash with the next of these, then with the last. */
async function genesis(t: TestContext, hashes: readonly string[]) {
  let asked = 0;
  let answered = (): void => undefined;
  const once = new Promise<void>((resolve) => (answered = resolve));
  const server = await httpServer(({ body }, response) => {
    assert.match(body, /"getGenesisHash"/);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: hashes[asked++] ?? hashes.at(-1) }));
    answered();
  });
  t.after(() => server.close());
  return { rpcUrl: server.origin, once };
}

/** A stream over one connection after the other, each with these messages; all but the last one break behind them. */
async function connections(
  t: TestContext,
  each: readonly (readonly Buffer[])[],
  { request = SLOTS, hashes }: { readonly request?: typeof SLOTS; readonly hashes?: readonly string[] } = {},
) {
  const asked: (bigint | undefined)[] = [];
  const rpc = hashes === undefined ? undefined : await genesis(t, hashes);
  const server = await grpcService(({ stream, messages: [first = Buffer.alloc(0)] }) => {
    const messages = each[asked.length] ?? [];
    asked.push(requestOf(first).fromSlot);
    begin(stream, { 'grpc-status': '14', 'grpc-message': 'gone' });
    for (const message of messages) stream.write(message);
    if (asked.length < each.length) void Promise.resolve(rpc?.once).then(() => stream.end());
  });
  t.after(() => server.close());
  const profile = { name: 'test', grpcUrl: server.origin, ...(rpc !== undefined && { rpcUrl: rpc.rpcUrl }) };
  const watched = watch(t, { profile, request });
  const bytes = each.flat().reduce((sum, { length }) => sum + length - FRAME_HEAD, 0);
  await watched.until((stream) => stream.tick().bytes === bytes);
  return { asked, watched };
}

const slots = ([first, last]: Slots): readonly Buffer[] =>
  Array.from({ length: last - first + 1 }, (_, at) => slotUpdate(BigInt(first + at)));
const numbers = (...ranges: readonly Slots[]): readonly string[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String(first + at)));
const gapsOf = (watched: Watched) =>
  watched.gaps().map(({ fromSlot, toSlot, isFilled }) => [fromSlot, toSlot, isFilled]);

describe('over gRPC', () => {
  test('slots far below the one asked for are another ledger: a gap that nobody fills, and the next one is of the new ledger', async (t) => {
    const { asked, watched } = await connections(t, [slots([50_000, 50_003]), slots([10, 13]), slots([13, 20])]);
    assert.deepEqual(watched.column('slot'), numbers([50_000, 50_003], [10, 20]));
    assert.deepEqual(gapsOf(watched), [
      ['50003', '10', false],
      ['13', '14', true],
    ]);
    assert.match(watched.gaps()[0]?.reason ?? '', /another ledger/);
    assert.deepEqual(asked, [undefined, 50_003n, 13n]);
    assert.equal(watched.stream.tick().slot, '20');
  });

  test('another genesis hash is another ledger, even where it has reached the same slots', async (t) => {
    const each = [slots([100, 103]), slots([100, 105]), slots([100, 107])];
    const { asked, watched } = await connections(t, each, { hashes: ['A', 'B'] });
    assert.deepEqual(watched.column('slot'), numbers([100, 103], [100, 107]));
    assert.deepEqual(gapsOf(watched), [
      ['103', '100', false],
      ['105', '106', true],
    ]);
    assert.deepEqual(asked, [undefined, undefined, 105n]);
  });

  test('a node that is a few slots behind is the same ledger: every slot comes once, and nothing is missing', async (t) => {
    const { watched } = await connections(t, [slots([90, 140]), slots([95, 143])]);
    assert.deepEqual(watched.column('slot'), numbers([90, 143]));
    assert.deepEqual(gapsOf(watched), [['140', '141', true]]);
  });

  test('a node with the same genesis hash is the same ledger, however far it is behind', async (t) => {
    const each = [slots([50_000, 50_003]), slots([10, 13])];
    const { watched } = await connections(t, each, { hashes: ['A'] });
    assert.deepEqual(watched.column('slot'), numbers([50_000, 50_003], [10, 13]));
    assert.doesNotMatch(watched.gaps()[0]?.reason ?? '', /another ledger/);
    assert.equal(watched.stream.tick().slot, '50003');
  });

  test('a service that was asked for a replay and did not give one has not filled the gap', async (t) => {
    const { watched } = await connections(t, [slots([100, 103]), slots([110, 111])]);
    assert.deepEqual(gapsOf(watched), [['103', '110', false]]);
  });

  test('the block of another ledger at a known slot is not a repeat', async (t) => {
    const meta = (slot: number, blockhash: string): Buffer =>
      update({ updateOneof: { case: 'blockMeta', value: { slot: BigInt(slot), blockhash } } });
    const request = asking(SUBSCRIBE, '{"blocksMeta":{"all":{}}}');
    const { watched } = await connections(t, [[meta(7, 'a')], [meta(7, 'a'), meta(7, 'b'), meta(8, 'c')]], { request });
    assert.deepEqual(watched.column('blockhash'), ['a', 'b', 'c']);
  });
});

test('an account is not compared with the one that another ledger had at its address', async (t) => {
  const pubkey = new Uint8Array(32).fill(7);
  const account = (slot: bigint, lamports: bigint): Buffer =>
    update({ updateOneof: { case: 'account', value: { slot, account: { pubkey, lamports, owner: pubkey } } } });
  const request = asking(SUBSCRIBE, '{"accounts":{"all":{}}}');
  const each = [[account(500n, 1n), account(501n, 2n)], [account(3n, 9n)]];
  const { watched } = await connections(t, each, { request });
  const since = [1, 3].map((number) => {
    const detail = watched.stream.detail({ number });
    return detail.kind === 'row' ? detail.since : detail.kind;
  });
  assert.deepEqual(since, [0, undefined]);
});

describe('over a WebSocket', () => {
  test('slots far below the newest are another ledger: the stream does not count as behind', async (t) => {
    const each: readonly Slots[] = [
      [50_000, 50_003],
      [10, 13],
      [20, 21],
    ];
    let calls = 0;
    const server = await webSocketServer((socket, text) => {
      if (!text.includes('slotSubscribe')) return;
      const [first, last] = each[calls++] ?? assert.fail();
      confirm(socket);
      for (const slot of numbers([first, last])) notify(socket, `{"slot":${slot}}`);
      if (calls < each.length) setImmediate(() => socket.terminate());
    });
    t.after(() => server.close());
    const watched = watch(t, { profile: { name: 'test', wsUrl: server.origin }, request: askingWs('slotSubscribe') });
    await watched.until(({ ring }) => ring.next === 12);
    assert.deepEqual(gapsOf(watched), [
      ['50003', '10', false],
      ['13', '20', false],
    ]);
    assert.match(watched.gaps()[0]?.reason ?? '', /another ledger/);
    assert.equal(watched.stream.tick().slot, '21');
  });
});

test('an account is read again from a local service that began again, by its newest slot there', async (t) => {
  const first = await startTestLedger(['--seed', 'again', '--warp-slot', '50000']);
  const { rpcUrl, wsUrl, grpcUrl, keys, wallet } = first.ready;
  const { address } = wallet;
  const params = `["${address}",{"encoding":"base64","commitment":"confirmed"}]`;
  const profile = { name: 'local', rpcUrl, wsUrl };
  const request = askingWs('accountSubscribe', params);
  const watched = watch(t, { profile, request, account: address }, keysOf({ rpc: keys.rpc.key }));
  await watched.until((stream) => stream.tick().total === 1);
  await first.stop();
  const ports = ['--port', new URL(rpcUrl).port, '--grpc-port', new URL(grpcUrl).port];
  const second = await startTestLedger(['--seed', 'again', ...ports]);
  t.after(() => second.stop());
  await watched.until((stream) => stream.tick().total === 2);
  assert.deepEqual(
    watched.rows().map(({ kind }) => kind),
    ['update', 'gap', 'update'],
  );
  assert.equal(watched.gaps()[0]?.reason, ANOTHER_LEDGER);
  assert.ok(Number(watched.stream.tick().slot) < 50_000);
});
