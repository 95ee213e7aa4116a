// ws://…/ws/sol: whole blocks, votes, the one plain method, and the notice to a suspended key's streams.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { Voter } from '../../../localnet/ledger/chain/votes';
import { keypairFromSeed } from '../../../localnet/ledger/wallets/keys';
import { kitV1, transferInstruction } from '../../support/data/v1Transactions';
import { startTestLedger, testLedger } from '../../support/process/localnet';
import { errorCode, PubSub } from '../../support/wire/pubSub';
import { geyserClient } from '../geyser/geyser-client';

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });

const ONE = 'Vote111111111111111111111111111111111111115';
const OTHER = 'Vote111111111111111111111111111111111111116';
const LATEST_SLOTS = 40;

const result = async (method: string, params: unknown[] = []): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');
const airdrop = async (address: string): Promise<unknown> => result('requestAirdrop', [address, 1_000_000]);
const slotNow = (): Promise<JsonValue | undefined> => result('getSlot', [{ commitment: 'processed' }]);
const blockOf = (notification: JsonValue | undefined): JsonValue | undefined =>
  member(member(notification, 'value'), 'block');
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);

test('blockSubscribe sends a block as getBlock returns it, once it has reached its commitment', async () => {
  const client = await PubSub.open(local);
  const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, showRewards: true };
  const confirmed = await client.subscribe('blockSubscribe', ['all', { ...config, commitment: 'confirmed' }]);
  const finalized = await client.subscribe('blockSubscribe', ['all', config]);
  await airdrop(ONE);
  const slot = await slotNow();
  await local.slots(1);
  const notification = await client.notified(confirmed);
  assert.equal(member(member(notification, 'context'), 'slot'), slot);
  assert.equal(member(member(notification, 'value'), 'slot'), slot);
  assert.equal(member(member(notification, 'value'), 'err'), null);
  const asked = await result('getBlock', [slot, { ...config, rewards: true, commitment: 'confirmed' }]);
  assert.deepEqual(blockOf(notification), asked);
  await local.slots(LATEST_SLOTS);
  const slots: unknown[] = [];
  while (!slots.includes(slot)) slots.push(member(member(await client.notified(finalized), 'context'), 'slot'));
  client.close();
});

test('blockSubscribe for an account sends only the transactions that mention it, and no block without one', async () => {
  const client = await PubSub.open(local);
  const mentioning = await client.subscribe('blockSubscribe', [
    { mentionsAccountOrProgram: ONE },
    { commitment: 'confirmed', transactionDetails: 'signatures' },
  ]);
  await airdrop(OTHER);
  await local.slots(1);
  await airdrop(OTHER);
  const mine = await airdrop(ONE);
  await local.slots(1);
  assert.deepEqual(member(blockOf(await client.notified(mentioning)), 'signatures'), [mine]);
  assert.deepEqual(client.seen, []);
  client.close();
});

for (const [details, has, lacks] of [
  ['full', 'transactions', 'signatures'],
  ['accounts', 'transactions', 'signatures'],
  ['signatures', 'signatures', 'transactions'],
  ['none', 'blockhash', 'transactions'],
] as const) {
  test(`blockSubscribe with transactionDetails ${details} shows ${has} and no rewards unless asked`, async () => {
    const client = await PubSub.open(local);
    const id = await client.subscribe('blockSubscribe', [
      'all',
      { commitment: 'confirmed', transactionDetails: details },
    ]);
    await airdrop(ONE);
    await local.slots(1);
    const block = blockOf(await client.notified(id));
    assert.notEqual(member(block, has), undefined);
    assert.equal(member(block, lacks), undefined);
    assert.equal(member(block, 'rewards'), undefined);
    const [first] = listOf(member(block, 'transactions'));
    // base64 where no encoding is named; the list of accounts has no encoding.
    if (details === 'full') assert.equal(listOf(member(first, 'transaction'))[1], 'base64');
    if (details === 'accounts') assert.ok(listOf(member(member(first, 'transaction'), 'accountKeys')).length > 0);
    client.close();
  });
}

test('a block with a version 1 transaction is left out where only version 0 is allowed, with its version, and ends the stream', async () => {
  const client = await PubSub.open(local);
  const [old, newer] = await Promise.all(
    [0, 1].map((maxSupportedTransactionVersion) =>
      client.subscribe('blockSubscribe', [
        { mentionsAccountOrProgram: OTHER },
        { commitment: 'confirmed', maxSupportedTransactionVersion },
      ]),
    ),
  );
  assert.ok(old !== undefined && newer !== undefined);
  const payer = await createKeyPairSignerFromBytes(decodeBase58(local.ready.wallet.secretKey) ?? new Uint8Array());
  await airdrop(OTHER);
  await local.slots(1);
  for (const subscription of [old, newer]) assert.ok(blockOf(await client.notified(subscription)));
  const latest = await result('getLatestBlockhash', [{ commitment: 'processed' }]);
  const blockhash = member(member(latest, 'value'), 'blockhash');
  assert.ok(typeof blockhash === 'string');
  const wire = await kitV1({
    payer,
    blockhash,
    instructions: [transferInstruction(payer, OTHER, 2n)],
    config: { computeUnitLimit: 450, loadedAccountsDataSizeLimit: 65_536 },
  });
  const options = { encoding: 'base64', skipPreflight: true };
  await result('sendTransaction', [Buffer.from(wire).toString('base64'), options]);
  await local.slots(1);
  assert.ok(blockOf(await client.notified(newer)));
  const notification = await client.notified(old);
  assert.equal(blockOf(notification), null);
  assert.deepEqual(member(member(notification, 'value'), 'err'), { UnsupportedTransactionVersion: 1 });
  await airdrop(OTHER);
  await local.slots(1);
  assert.ok(blockOf(await client.notified(newer)));
  await client.call('getVersion');
  assert.deepEqual(client.seen, []);
  assert.equal(member(await client.call('blockUnsubscribe', [old]), 'result'), true);
  client.close();
});

test('after blockUnsubscribe no block comes', async () => {
  const client = await PubSub.open(local);
  const id = await client.subscribe('blockSubscribe', ['all', { commitment: 'confirmed' }]);
  assert.equal(member(await client.call('blockUnsubscribe', [id]), 'result'), true);
  await local.slots(1);
  await client.call('getVersion');
  assert.deepEqual(client.seen, []);
  client.close();
});

test('voteSubscribe sends one vote of the one node for each confirmed block of TowerBFT', async (t) => {
  const tower = await startTestLedger(['--consensus', 'tower'], { clock: 'slots' });
  t.after(() => tower.stop());
  const ask = async (method: string, params: readonly JsonValue[] = []): Promise<JsonValue | undefined> =>
    member((await tower.rpc(method, params)).json, 'result');
  const client = await PubSub.open(tower);
  const votes = await client.subscribe('voteSubscribe');
  const slot = (await ask('getSlot', [{ commitment: 'processed' }])) ?? null;
  await tower.slots(1);
  const vote = await client.notified(votes);
  const block = await ask('getBlock', [slot, { commitment: 'confirmed' }]);
  assert.deepEqual(listOf(member(vote, 'slots')), [slot]);
  assert.equal(member(vote, 'hash'), member(block, 'blockhash'));
  assert.equal(member(vote, 'timestamp'), member(block, 'blockTime'));
  assert.equal(decodeBase58(member(vote, 'votePubkey') as string)?.length, 32);
  assert.equal(decodeBase58(member(vote, 'signature') as string)?.length, 64);
  assert.equal(member(await client.call('voteUnsubscribe', [votes]), 'result'), true);
  client.close();
});

test('the signature of a vote is that of a vote transaction by the node', () => {
  const identity = keypairFromSeed(Buffer.alloc(32, 7));
  const hash = 'So11111111111111111111111111111111111111112';
  const voter = new Voter(identity, ONE);
  const block = {
    slot: 9,
    parentSlot: 8,
    height: 5,
    blockhash: hash,
    bankId: 1,
    previousBlockhash: hash,
    blockTime: 1_700_000_000,
    epochStartTime: 0,
    transactions: [],
    transactionCount: 0,
  };
  const signed: Uint8Array[] = [];
  const listening = new Voter(
    {
      ...identity,
      sign: (message) => {
        signed.push(message);
        return identity.sign(message);
      },
    },
    ONE,
  );
  const { signature } = listening.vote(block);
  assert.equal(signature, voter.vote(block).signature);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), identity.publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  assert.ok(verify(null, signed[0] ?? Buffer.alloc(0), key, decodeBase58(signature) ?? Buffer.alloc(0)));
});

test('getVersion is the one method of HTTP that the WebSocket answers', async () => {
  const client = await PubSub.open(local);
  assert.deepEqual(member(await client.call('getVersion'), 'result'), await result('getVersion'));
  assert.equal(errorCode(await client.call('getSlot')), -32601);
  client.close();
});

test('a suspended key: its WebSocket is closed with 4003, its gRPC stream ended PERMISSION_DENIED, others run on', async () => {
  const [rpc, grpc] = [await local.newKey({ type: 'rpc' }), await local.newKey({ type: 'grpc' })];
  const [mine, other] = [await PubSub.open(local, rpc.key), await PubSub.open(local)];
  const client = geyserClient(local, { authorization: `Bearer ${grpc.key}` });
  const stream = client.subscribe();
  await stream.settled();
  const closed = once(mine.socket, 'close');
  for (const { keyId } of [rpc, grpc]) await local.admin('PATCH', `/keys/${keyId}`, { state: 'suspended' });
  const [closeCode, reason] = (await closed) as [number, Buffer];
  assert.equal(closeCode, 4003);
  assert.match(reason.toString(), /suspended/);
  const { code, details, metadata } = await stream.ended;
  assert.equal(code, status.PERMISSION_DENIED);
  assert.match(details, /temporarily suspended/);
  assert.deepEqual(metadata.get('retry-after'), ['30']);
  await other.subscribe('slotSubscribe');
  other.close();
  client.close();
});
