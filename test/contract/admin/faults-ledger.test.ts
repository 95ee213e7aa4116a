// The faults of the ledger: congestion, fork and stall, as every interface shows them.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { CommitmentLevel, SlotStatus } from '../../../proto';
import { type HttpAnswer, walletOf } from '../../support/process/localnet';
import { PubSub } from '../../support/wire/pubSub';
import { testGeyser } from '../geyser/geyser-client';
import { compile, freshKey, memo, signatureIn, signTransaction, toBase64, transfer } from '../rpc/rpc-harness';
import { prepare } from '../../support/shared';

const { local, client: geyser } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });
let wallet: Keypair;
prepare(() => {
  wallet = walletOf(local.ready);
});
beforeEach(() => faults());

async function faults(...rules: object[]): Promise<void> {
  const answer = await local.admin('PUT', '/faults', { faults: rules });
  assert.equal(answer.status, 200, answer.text);
}

const PROCESSED = { commitment: 'processed' };
const result = async (method: string, params: unknown[] = []): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');
const slotNow = async (): Promise<number> => Number(await result('getSlot', [PROCESSED]));
const slots = (count = 1): Promise<void> => local.slots(count);
const balance = async (address: string): Promise<unknown> =>
  member(await result('getBalance', [address, PROCESSED]), 'value');

let notes = 0;
/** A signed transfer on the newest blockhash; no two are alike. */
async function transferTo(address: string): Promise<string> {
  const value = member(await result('getLatestBlockhash', [PROCESSED]), 'value');
  const instructions = [transfer(wallet.address, address, 1_000_000n), memo(`note ${++notes}`)];
  const message = compile(instructions, [wallet], member(value, 'blockhash') as string);
  return toBase64(signTransaction(message, [wallet]));
}

interface SendOptions {
  readonly key?: string;
  readonly maxRetries?: number;
}

async function send(wire: string, { key, ...config }: SendOptions = {}): Promise<string> {
  const options = { encoding: 'base64', preflightCommitment: 'processed', ...config };
  const answer: HttpAnswer = await local.rpc('sendTransaction', [wire, options], key);
  assert.equal(member(answer.json, 'result'), signatureIn(wire), answer.text);
  return signatureIn(wire);
}

/** The slot a transaction is in; null when it is in none. */
async function landedIn(signature: string): Promise<unknown> {
  const value = member(await result('getSignatureStatuses', [[signature]]), 'value');
  const [status] = isJsonArray(value) ? value : [];
  return status === null ? null : member(status, 'slot');
}

test('congestion drops unstaked sends and never those of a SWQoS key, which land in the next slot', async () => {
  await faults({ scope: 'http', kind: 'congestion' });
  const { key } = local.ready.keys.swqos;
  const [lost, staked] = [
    await send(await transferTo(freshKey().address), { maxRetries: 0 }),
    await send(await transferTo(freshKey().address), { key, maxRetries: 0 }),
  ];
  const slot = await slotNow();
  assert.equal(await landedIn(staked), null);
  await slots(20);
  assert.equal(await landedIn(staked), slot + 1);
  assert.equal(await landedIn(lost), null);
});

test('congestion with ms brings unstaked sends that much later', async () => {
  await faults({ scope: 'http', kind: 'congestion', ms: 3 * local.ready.slotMs });
  const signature = await send(await transferTo(freshKey().address));
  const slot = await slotNow();
  await slots(2);
  assert.equal(await landedIn(signature), null);
  await slots(2);
  assert.equal(await landedIn(signature), slot + 3);
});

test('without maxRetries the node tries again until it gets through', async () => {
  await faults({ scope: 'http', kind: 'congestion', times: 2 });
  const signature = await send(await transferTo(freshKey().address));
  const slot = await slotNow();
  await slots(19);
  assert.equal(await landedIn(signature), null);
  await slots(2);
  assert.equal(await landedIn(signature), slot + 20);
});

test('maxRetries bounds how often the node tries, and a blockhash that has run out ends it too', async () => {
  await faults({ scope: 'http', kind: 'congestion' });
  const [two, old] = [
    await send(await transferTo(freshKey().address), { maxRetries: 1 }),
    await send(await transferTo(freshKey().address)),
  ];
  await slots(11);
  await faults();
  await slots(11);
  assert.equal(await landedIn(two), null);
  assert.notEqual(await landedIn(old), null);
  await faults({ scope: 'http', kind: 'congestion' });
  const expired = await send(await transferTo(freshKey().address));
  await slots(160);
  await faults();
  await slots(10);
  assert.equal(await landedIn(expired), null);
});

test('congestion with a probability lets some unstaked sends through at once', async () => {
  await faults({ scope: 'http', kind: 'congestion', probability: 0 });
  const signature = await send(await transferTo(freshKey().address));
  const slot = await slotNow();
  await slots(1);
  assert.equal(await landedIn(signature), slot);
});

test('a resend of the same transaction while it is held up lands once', async () => {
  await faults({ scope: 'http', kind: 'congestion', ms: 1_000, times: 1 });
  const to = freshKey().address;
  const wire = await transferTo(to);
  await send(wire);
  await send(wire);
  await slots(5);
  assert.equal(await balance(to), 1_000_000);
});

test('a fork takes a slot and its transactions back; the node sends again what it may', async () => {
  const [kept, gone] = [freshKey().address, freshKey().address];
  const again = await send(await transferTo(kept));
  const once = await send(await transferTo(gone), { maxRetries: 0 });
  const slot = await slotNow();
  assert.equal(await balance(gone), 1_000_000);
  await faults({ scope: 'ws', kind: 'fork', times: 1 });
  await slots(1);
  assert.equal(await balance(kept), 1_000_000);
  assert.equal(await balance(gone), 0);
  await slots(3);
  assert.equal(await landedIn(again), slot + 1);
  assert.equal(await landedIn(once), null);
  const dead = async (): Promise<unknown> =>
    member(member((await local.rpc('getBlock', [slot, { commitment: 'confirmed' }])).json, 'error'), 'code');
  // A later block is final.
  assert.equal(await dead(), -32007);
  const block = await result('getBlock', [slot + 1, { commitment: 'confirmed', transactionDetails: 'signatures' }]);
  assert.equal(member(block, 'parentSlot'), slot - 1);
  assert.deepEqual(member(block, 'signatures'), [again]);
  assert.equal(await result('getTransaction', [once, { commitment: 'confirmed' }]), null);
});

test('after a fork what was sent once can be sent again, on the same blockhash', async () => {
  const to = freshKey().address;
  const wire = await transferTo(to);
  await send(wire, { maxRetries: 0 });
  await faults({ scope: 'http', kind: 'fork', times: 1 });
  await slots(1);
  assert.equal(await balance(to), 0);
  await send(wire);
  assert.equal(await balance(to), 1_000_000);
});

test('WebSocket: a lost slot is reported dead, its account as before, and its signature is not confirmed', async () => {
  const client = await PubSub.open(local);
  const to = freshKey().address;
  const wire = await transferTo(to);
  const [updates, account, confirmed] = [
    await client.subscribe('slotsUpdatesSubscribe'),
    await client.subscribe('accountSubscribe', [to, { ...PROCESSED, encoding: 'base64' }]),
    await client.subscribe('signatureSubscribe', [signatureIn(wire), { commitment: 'confirmed' }]),
  ];
  const blocks = await client.subscribe('blockSubscribe', ['all', { commitment: 'confirmed' }]);
  await send(wire, { maxRetries: 0 });
  const slot = await slotNow();
  await faults({ scope: 'ws', kind: 'fork', times: 1 });
  await slots(2);
  const lamports: unknown[] = [];
  for (let i = 0; i < 2; i++) lamports.push(member(member(await client.notified(account), 'value'), 'lamports'));
  assert.deepEqual(lamports, [1_000_000, 0]);
  const types: unknown[] = [];
  while (types.at(-1) !== 'optimisticConfirmation') {
    const update = await client.notified(updates);
    types.push(member(update, 'type'));
    if (member(update, 'type') === 'dead') {
      assert.equal(member(update, 'slot'), slot);
      assert.equal(typeof member(update, 'err'), 'string');
    }
  }
  assert.deepEqual(types, ['frozen', 'dead', 'createdBank', 'frozen', 'createdBank', 'optimisticConfirmation']);
  assert.equal(member(member(await client.notified(blocks), 'context'), 'slot'), slot + 1);
  await slots(5);
  await client.call('getVersion');
  const about = client.seen.filter((message) => member(member(message, 'params'), 'subscription') === confirmed);
  assert.deepEqual(about, []);
  client.close();
});

test('WebSocket: a transaction that lands again after a fork is confirmed in its new slot', async () => {
  const client = await PubSub.open(local);
  const wire = await transferTo(freshKey().address);
  const confirmed = await client.subscribe('signatureSubscribe', [signatureIn(wire), { commitment: 'confirmed' }]);
  await send(wire);
  const slot = await slotNow();
  await faults({ scope: 'ws', kind: 'fork', times: 1 });
  await slots(2);
  assert.equal(member(member(await client.notified(confirmed), 'context'), 'slot'), slot + 1);
  client.close();
});

test('gRPC: a lost slot gets SLOT_DEAD, and a replay sends none of its contents', async () => {
  const stream = geyser.subscribe();
  stream.send({ slots: { s: { interslotUpdates: true } }, commitment: CommitmentLevel.PROCESSED });
  await stream.settled();
  const wire = await transferTo(freshKey().address);
  await send(wire, { maxRetries: 0 });
  const slot = await slotNow();
  await faults({ scope: 'grpc', kind: 'fork', times: 1 });
  await slots(2);
  const dead = await stream.nextOf('slot', ({ updateOneof }) => updateOneof.value.status === SlotStatus.SLOT_DEAD);
  assert.equal(dead.updateOneof.value.slot, BigInt(slot));
  assert.match(dead.updateOneof.value.deadError ?? '', /fork/);
  stream.cancel();
  const replay = geyser.subscribe();
  replay.send({
    slots: { s: { interslotUpdates: true } },
    transactions: { t: {} },
    commitment: CommitmentLevel.PROCESSED,
    fromSlot: BigInt(slot),
  });
  await replay.nextOf(
    'slot',
    ({ updateOneof: { value } }) => value.slot === BigInt(slot + 1) && value.status === SlotStatus.SLOT_CONFIRMED,
  );
  const statuses = replay.updates.flatMap(({ updateOneof }) =>
    updateOneof.case === 'slot' && updateOneof.value.slot === BigInt(slot) ? [updateOneof.value.status] : [],
  );
  assert.equal(statuses.at(-1), SlotStatus.SLOT_DEAD);
  assert.ok(!statuses.includes(SlotStatus.SLOT_CONFIRMED));
  assert.ok(!replay.updates.some(({ updateOneof }) => updateOneof.case === 'transaction'));
  replay.cancel();
});

test('a stall holds the slots back and is over when the faults are cleared', async () => {
  const client = await PubSub.open(local);
  const slotSubscription = await client.subscribe('slotSubscribe');
  await faults({ scope: 'ws', kind: 'stall', ms: 600_000, times: 2 });
  const stood = await slotNow();
  await local.cheat('resumeClock');
  // The fault is counted down at the moment at which the slot would have come.
  while (!(await local.admin('GET', '/faults')).text.includes('"times":1'));
  assert.equal(await slotNow(), stood);
  await faults();
  assert.equal(member(await client.notified(slotSubscription), 'slot'), stood + 1);
  await local.cheat('pauseClock');
  client.close();
});

test('a stall with times delays that many slots by ms', async () => {
  const client = await PubSub.open(local);
  const slotSubscription = await client.subscribe('slotSubscribe');
  await faults({ scope: 'grpc', kind: 'stall', ms: 700, times: 1 });
  const from = performance.now();
  await local.cheat('resumeClock');
  await client.notified(slotSubscription);
  assert.ok(performance.now() - from >= 690 + local.ready.slotMs);
  await client.notified(slotSubscription);
  await local.cheat('pauseClock');
  client.close();
});
