// The gRPC calls with one answer, by @grpc/grpc-js and the generated messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { CommitmentLevel, Geyser } from '../../../proto';
import { member } from '../../../core/solana/json/json';
import { failureOf, testGeyser } from './geyser-client';

const { method } = Geyser;
const COMMITMENTS = ['PROCESSED', 'CONFIRMED', 'FINALIZED'] as const;

const { local, client } = testGeyser(['--plan', 'Ultra'], { clock: 'slots' });

async function rpcResult(name: string, ...params: unknown[]) {
  return member((await local.rpc(name, params)).json, 'result');
}

test('Ping answers the count it got', async () => {
  assert.equal((await client.unary(method.ping, { count: -7 })).count, -7);
});

test('GetVersion answers a JSON text', async () => {
  const { version } = await client.unary(method.getVersion);
  assert.deepEqual(Object.keys((JSON.parse(version) as { version: object }).version), ['package', 'version', 'solana']);
});

for (const name of COMMITMENTS) {
  const commitment = CommitmentLevel[name];
  const config = { commitment: name.toLowerCase() };

  test(`GetSlot at ${name} is the slot of JSON-RPC`, async () => {
    const { slot } = await client.unary(method.getSlot, { commitment });
    assert.equal(Number(slot), await rpcResult('getSlot', config));
  });

  test(`GetBlockHeight at ${name} is the height of JSON-RPC`, async () => {
    const { blockHeight } = await client.unary(method.getBlockHeight, { commitment });
    assert.equal(Number(blockHeight), await rpcResult('getBlockHeight', config));
  });

  test(`GetLatestBlockhash at ${name} is the hash of JSON-RPC, valid to the height plus 300`, async () => {
    const answer = await client.unary(method.getLatestBlockhash, { commitment });
    const expected = await rpcResult('getLatestBlockhash', config);
    assert.equal(answer.blockhash, member(member(expected, 'value'), 'blockhash'));
    assert.equal(Number(answer.slot), member(member(expected, 'context'), 'slot'));
    assert.equal(Number(answer.lastValidBlockHeight), Number(await rpcResult('getBlockHeight', config)) + 300);
  });
}

test('a commitment that is left out is processed', async () => {
  const [without, processed, finalized] = await Promise.all([
    client.unary(method.getSlot),
    client.unary(method.getSlot, { commitment: CommitmentLevel.PROCESSED }),
    client.unary(method.getSlot, { commitment: CommitmentLevel.FINALIZED }),
  ]);
  assert.equal(without.slot, processed.slot);
  assert.ok(processed.slot > finalized.slot);
});

test('a commitment that does not exist is INVALID_ARGUMENT', async () => {
  const failure = await failureOf(client.unary(method.getSlot, { commitment: 9 as CommitmentLevel }));
  assert.equal(failure.code, status.INVALID_ARGUMENT);
});

test('IsBlockhashValid knows the latest blockhash', async () => {
  const { blockhash } = await client.unary(method.getLatestBlockhash);
  const { valid, slot } = await client.unary(method.isBlockhashValid, { blockhash });
  assert.equal(valid, true);
  assert.equal(slot, (await client.unary(method.getSlot)).slot);
});

test('IsBlockhashValid denies a hash that no block has', async () => {
  const { valid } = await client.unary(method.isBlockhashValid, { blockhash: local.ready.wallet.address });
  assert.equal(valid, false);
});

test('IsBlockhashValid refuses a text that is not a hash', async () => {
  const failure = await failureOf(client.unary(method.isBlockhashValid, { blockhash: 'no hash' }));
  assert.equal(failure.code, status.INVALID_ARGUMENT);
});

test('SubscribeReplayInfo names the oldest slot of the store', async () => {
  await local.slots(1);
  const { firstAvailable } = await client.unary(method.subscribeReplayInfo);
  const { slot } = await client.unary(method.getSlot);
  assert.ok(firstAvailable !== undefined && firstAvailable > 0n && firstAvailable <= slot);
});

test('SubscribeDeshred is UNIMPLEMENTED', async () => {
  const stream = client.subscribe(undefined, '/geyser.Geyser/SubscribeDeshred');
  assert.equal((await stream.ended).code, status.UNIMPLEMENTED);
});

for (const path of ['/geyser.Geyser/Nothing', '/geyser.Geyser/__proto__', '/other.Service/GetSlot', '/']) {
  test(`${path} is UNIMPLEMENTED`, async () => {
    assert.equal((await client.subscribe(undefined, path).ended).code, status.UNIMPLEMENTED);
  });
}
