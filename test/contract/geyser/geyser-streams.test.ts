// How a Subscribe stream lives: greeting, pings, its one set of filters, order, commitments, replay, slow readers.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { compressionAlgorithms, status } from '@grpc/grpc-js';
import { CommitmentLevel, Geyser, SlotStatus, type SubscribeUpdate } from '../../../proto';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { geyserClient, type TestClient, testGeyser } from './geyser-client';
import { ServiceWallet } from './geyser-wallet';
import { freshKey, SYSTEM } from '../rpc/rpc-harness';
import { mockTimers } from '../../support/mockTimers';

const SLOTS_KEPT = 150;

const { local, client } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);

const address = (): string => freshKey().address;
const nextSlot = (count = 1): Promise<void> => local.slots(count);
const openSlot = async (): Promise<bigint> => (await client.unary(Geyser.method.getSlot)).slot;

/** A summary of an update: its kind and slot, or a slot's status. */
function summaryOf({ updateOneof }: SubscribeUpdate): string {
  switch (updateOneof.case) {
    case 'slot':
      return `${SlotStatus[updateOneof.value.status]} ${updateOneof.value.slot}`;
    case 'ping':
    case 'pong':
    case undefined:
      return updateOneof.case ?? 'nothing';
    default:
      return `${updateOneof.case} ${updateOneof.value.slot}`;
  }
}

test('a stream opens and greets with a ping before the client has said anything', async () => {
  const stream = client.subscribe();
  const ping = await stream.nextOf('ping');
  assert.deepEqual(ping.filters, []);
  stream.cancel();
});

/** A client of a service whose clock the test moves. */
async function stepped(t: TestContext): Promise<{ readonly own: InProcessService; readonly ownClient: TestClient }> {
  const own = await serviceInProcess('Shared Metal');
  const ownClient = geyserClient(own);
  t.after(async () => {
    ownClient.close();
    await own.stop();
  });
  return { own, ownClient };
}

test('an open stream gets a ping every ten seconds', async (t) => {
  const timers = mockTimers(t, 'setInterval');
  const { ownClient } = await stepped(t);
  const stream = ownClient.subscribe();
  // A pong is written after the pings that were due before its request was read.
  await stream.settled();
  for (const pings of [1, 2, 3]) {
    assert.equal(stream.updates.filter(({ updateOneof }) => updateOneof.case === 'ping').length, pings);
    timers.tick(9_999);
    await stream.settled();
    assert.equal(stream.updates.filter(({ updateOneof }) => updateOneof.case === 'ping').length, pings);
    timers.tick(1);
    await stream.settled();
  }
  stream.cancel();
});

test('a ping in a request is answered by a pong with its id, and the rest of that request is ignored', async () => {
  const stream = client.subscribe();
  stream.send({ slots: { kept: {} } });
  stream.send({ ping: { id: -3 }, accounts: { ignored: { account: ['bad'] } } });
  const { updateOneof } = await stream.nextOf('pong');
  assert.equal(updateOneof.value.id, -3);
  await nextSlot();
  assert.deepEqual((await stream.nextOf('slot')).filters, ['kept']);
  stream.cancel();
});

test('every request replaces the whole set of filters', async () => {
  const stream = client.subscribe();
  stream.send({ slots: { s: {} }, blocksMeta: { m: {} } });
  stream.send({ entry: { e: {} } });
  await stream.settled();
  const slot = await openSlot();
  await nextSlot();
  await stream.settled();
  assert.deepEqual(
    stream.updates.map(summaryOf).filter((text) => !text.startsWith('p')),
    [`entry ${slot}`],
  );
  stream.cancel();
});

test('an empty set stops the updates and keeps the stream', async () => {
  const stream = client.subscribe();
  stream.send({ slots: { s: {} } });
  stream.send({});
  await stream.settled();
  await nextSlot();
  await stream.settled();
  assert.equal(
    stream.updates.some(({ updateOneof }) => updateOneof.case === 'slot'),
    false,
  );
  stream.send({ slots: { again: {} } });
  await stream.settled();
  await nextSlot();
  assert.deepEqual((await stream.nextOf('slot')).filters, ['again']);
  stream.cancel();
});

test('half close by the client does not end the stream', async () => {
  const stream = client.subscribe();
  stream.send({ slots: { s: {} } });
  await stream.settled();
  stream.halfClose();
  await nextSlot();
  await stream.nextOf('slot');
  await nextSlot();
  await stream.nextOf('slot');
  stream.cancel();
});

test('a slot sends its writes and transactions as they happen, its block as it closes, then its status', async () => {
  const stream = client.subscribe();
  const every = { transactions: { t: {} }, accounts: { a: {} }, blocks: { b: {} }, blocksMeta: { m: {} } };
  stream.send({ ...every, entry: { e: {} }, slots: { s: { filterByCommitment: true } } });
  await stream.settled();
  const slot = await openSlot();
  await wallet.transfer(address());
  await stream.nextOf('transaction');
  await nextSlot();
  await stream.settled();
  assert.deepEqual(
    stream.updates.map(summaryOf).filter((text) => !text.startsWith('p')),
    // The leader's share of the fees is written when the block is complete.
    ['account', 'account', 'transaction', 'account', 'entry', 'block', 'blockMeta', 'SLOT_PROCESSED'].map(
      (it) => `${it} ${slot}`,
    ),
  );
  stream.cancel();
});

test('at confirmed a slot comes when it is confirmed and so final, with the last write of each account', async () => {
  const to = address();
  const stream = client.subscribe();
  const commitment = CommitmentLevel.CONFIRMED;
  stream.send({ commitment, transactions: { t: {} }, accounts: { a: { account: [to] } }, slots: { s: {} } });
  await stream.settled();
  const slot = await openSlot();
  await wallet.transfer(to);
  await wallet.transfer(to, 2_000_000n);
  await stream.settled();
  assert.equal(
    stream.updates.some(({ updateOneof }) => updateOneof.case === 'transaction'),
    false,
  );
  await nextSlot();
  await stream.settled();
  const seen = stream.updates.map(summaryOf).filter((text) => text.endsWith(` ${slot}`));
  assert.deepEqual(
    seen,
    ['SLOT_PROCESSED', 'account', 'transaction', 'transaction', 'SLOT_CONFIRMED', 'SLOT_FINALIZED'].map(
      (it) => `${it} ${slot}`,
    ),
  );
  const account = stream.updates.find(({ updateOneof }) => updateOneof.case === 'account')?.updateOneof;
  assert.equal(account?.case === 'account' && account.value.account?.lamports, 3_000_000n);
  stream.cancel();
});

test('at finalized a transaction comes when its slot is final', async () => {
  const stream = client.subscribe();
  const to = address();
  stream.send({ commitment: CommitmentLevel.FINALIZED, transactions: { t: { accountInclude: [to] } } });
  await stream.settled();
  const slot = await openSlot();
  await wallet.transfer(to);
  await stream.settled();
  assert.equal(
    stream.updates.some(({ updateOneof }) => updateOneof.case === 'transaction'),
    false,
  );
  await nextSlot();
  assert.equal((await stream.nextOf('transaction')).updateOneof.value.slot, slot);
  stream.cancel();
});

test('a later request can move the stream to another commitment', async () => {
  const slots = { s: { filterByCommitment: true } };
  const stream = client.subscribe();
  stream.send({ slots });
  stream.send({ slots, commitment: CommitmentLevel.CONFIRMED });
  await stream.settled();
  await nextSlot();
  assert.equal((await stream.nextOf('slot')).updateOneof.value.status, SlotStatus.SLOT_CONFIRMED);
  stream.cancel();
});

test('an update carries the time it was made', async (t) => {
  const { own, ownClient } = await stepped(t);
  const stream = ownClient.subscribe();
  stream.send({ slots: { s: {} } });
  await stream.settled();
  own.pass(5_001);
  own.ledger.cheats.nextSlot();
  const { createdAt } = await stream.nextOf('slot');
  assert.equal(Number(createdAt?.seconds) * 1000 + Number(createdAt?.nanos) / 1e6, own.now());
  stream.cancel();
});

test('from_slot replays a slot and everything after it, the open slot included, and continues live', async () => {
  const from = await openSlot();
  await wallet.transfer(address());
  await nextSlot();
  await wallet.transfer(address());
  const stream = client.subscribe();
  stream.send({ fromSlot: from, transactions: { t: {} }, slots: { s: { filterByCommitment: true } } });
  await stream.settled();
  await wallet.transfer(address());
  await nextSlot();
  await stream.settled();
  assert.deepEqual(
    stream.updates.map(summaryOf).filter((text) => !text.startsWith('p')),
    [
      `transaction ${from}`,
      `SLOT_PROCESSED ${from}`,
      `transaction ${from + 1n}`,
      `transaction ${from + 1n}`,
      `SLOT_PROCESSED ${from + 1n}`,
    ],
  );
  stream.cancel();
});

test('from_slot replays at the commitment of its request', async () => {
  const from = await openSlot();
  await wallet.transfer(address());
  await nextSlot();
  await wallet.transfer(address());
  const stream = client.subscribe();
  stream.send({ fromSlot: from, commitment: CommitmentLevel.CONFIRMED, transactions: { t: {} } });
  await stream.settled();
  assert.deepEqual(
    stream.updates.map(summaryOf).filter((text) => !text.startsWith('p')),
    [`transaction ${from}`],
  );
  await nextSlot();
  assert.equal((await stream.nextOf('transaction')).updateOneof.value.slot, from + 1n);
  stream.cancel();
});

test('the store holds 150 slots; from_slot before them is OUT_OF_RANGE and names the oldest', async () => {
  await nextSlot(SLOTS_KEPT + 10);
  const open = await openSlot();
  const { firstAvailable } = await client.unary(Geyser.method.subscribeReplayInfo);
  assert.ok(firstAvailable !== undefined);
  assert.equal(open - firstAvailable, BigInt(SLOTS_KEPT));
  const stream = client.subscribe();
  stream.send({ fromSlot: firstAvailable, slots: { s: { filterByCommitment: true } } });
  await stream.settled();
  const seen = stream.updates.map(summaryOf).filter((text) => !text.startsWith('p'));
  assert.equal(seen.length, SLOTS_KEPT);
  assert.equal(seen[0], `SLOT_PROCESSED ${firstAvailable}`);
  stream.cancel();
  const tooOld = client.subscribe();
  tooOld.send({ fromSlot: firstAvailable - 1n, slots: { s: {} } });
  const { code, details } = await tooOld.ended;
  assert.equal(code, status.OUT_OF_RANGE);
  assert.equal(details, `broadcast from ${firstAvailable - 1n} is not available, last available: ${firstAvailable}`);
});

test('from_slot beyond the open slot replays nothing and continues live', async () => {
  const stream = client.subscribe();
  stream.send({ fromSlot: 2n ** 64n - 1n, slots: { s: { filterByCommitment: true } } });
  await stream.settled();
  const open = await openSlot();
  await nextSlot();
  assert.equal((await stream.nextOf('slot')).updateOneof.value.slot, open);
  stream.cancel();
});

test('a map entry with a key alone is a filter', async () => {
  const stream = client.subscribe();
  // blocks_meta { key: "bm" } and slots { key: "sl" }, without values.
  stream.sendRaw(Buffer.from('2a040a02626d12040a02736c', 'hex'));
  await stream.settled();
  await nextSlot();
  assert.deepEqual((await stream.nextOf('blockMeta')).filters, ['bm']);
  assert.deepEqual((await stream.nextOf('slot')).filters, ['sl']);
  stream.cancel();
});

test('bytes that are no message end the stream INVALID_ARGUMENT', async () => {
  const stream = client.subscribe();
  stream.sendRaw(Buffer.of(0xff, 0xff, 0xff));
  assert.equal((await stream.ended).code, status.INVALID_ARGUMENT);
});

test('a message above 4 MiB ends the stream RESOURCE_EXHAUSTED', async () => {
  const stream = client.subscribe();
  stream.sendRaw(Buffer.alloc(4 * 1024 * 1024 + 1));
  assert.equal((await stream.ended).code, status.RESOURCE_EXHAUSTED);
});

for (const [name, algorithm] of Object.entries({
  gzip: compressionAlgorithms.gzip,
  deflate: compressionAlgorithms.deflate,
})) {
  test(`messages compressed with ${name} are read`, async () => {
    const compressing = geyserClient(local, undefined, { 'grpc.default_compression_algorithm': algorithm });
    const stream = compressing.subscribe();
    stream.send({ slots: { ['name'.repeat(30)]: {} } });
    await stream.settled();
    await nextSlot();
    assert.deepEqual((await stream.nextOf('slot')).filters, ['name'.repeat(30)]);
    stream.cancel();
    compressing.close();
  });
}

test('a reader that is too slow is ended with INTERNAL "lagged", and others continue', async () => {
  const [slow, quick] = [client.subscribe(), client.subscribe()];
  const [big, other] = [address(), address()];
  slow.send({ accounts: { a: { account: [big] } } });
  quick.send({ accounts: { a: { account: [other] } } });
  await Promise.all([slow.settled(), quick.settled()]);
  slow.pause();
  // Waiting messages count by their size as sent, and this library accepts gzip.
  const data = randomBytes(1024 * 1024).toString('base64');
  for (let count = 0; count < 24; count++) {
    await local.cheat('setAccount', { address: big, lamports: 10 ** 10, owner: SYSTEM, data });
  }
  await wallet.transfer(other);
  await quick.nextOf('account');
  slow.resume();
  const { code, details } = await slow.ended;
  assert.equal(code, status.INTERNAL);
  assert.equal(details, 'lagged to receive geyser messages');
  quick.cancel();
});

test('one message may be larger than what may wait', async () => {
  const stream = client.subscribe();
  const big = address();
  stream.send({ accounts: { a: { account: [big] } } });
  await stream.settled();
  const data = Buffer.alloc(10 * 1024 * 1024, 7).toString('base64');
  await local.cheat('setAccount', { address: big, lamports: 10 ** 11, owner: SYSTEM, data });
  const { updateOneof } = await stream.nextOf('account');
  assert.equal(updateOneof.value.account?.data.length, 10 * 1024 * 1024);
  await stream.settled();
  stream.cancel();
});

test('the 129th stream is RESOURCE_EXHAUSTED', async () => {
  await local.admin('POST', '/streams/drop');
  const clients = [geyserClient(local), geyserClient(local)];
  const streams = clients.flatMap((each) => Array.from({ length: 64 }, () => each.subscribe()));
  await Promise.all(streams.map((stream) => stream.nextOf('ping')));
  assert.equal((await client.subscribe().ended).code, status.RESOURCE_EXHAUSTED);
  for (const stream of streams) stream.cancel();
  for (const each of clients) each.close();
});
