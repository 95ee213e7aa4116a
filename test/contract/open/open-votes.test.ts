// The votes of a node with TowerBFT, in place of solana-test-validator of that time: over the WebSocket and in blocks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { integerOf, isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { PubSub } from '../../support/wire/pubSub';
import { listen } from '../clients/kit-harness';
import { call, kitOn, startOpen, type OpenLocalnet } from './open-harness';
import { address, assertShape, hash, i64, list, nullable, object, signature, u64 } from '../../corpus/shapes';

let open: OpenLocalnet;
let socket: PubSub;
before(async () => {
  open = await startOpen(['--consensus', 'tower', '--paused']);
  socket = await PubSub.open(open.local, 'none', open.wsUrl);
});
after(async () => {
  socket.socket.terminate();
  await open.local.stop();
});

const resultOf = (answer: JsonValue): JsonValue => {
  const result = member(answer, 'result');
  assert.ok(result !== undefined, JSON.stringify(answer));
  return result;
};

test('voteSubscribe notifies of the votes that getVoteAccounts shows, until it is unsubscribed', async () => {
  const id = resultOf(await socket.call('voteSubscribe'));
  await open.local.slots(3);
  const votes: JsonValue[] = [];
  for (let count = 0; count < 3; count++) {
    const message = await socket.next((one) => member(one, 'method') === 'voteNotification');
    votes.push(member(member(message, 'params'), 'result') ?? null);
  }
  const shape = object({ hash, signature, slots: list(u64, 1), timestamp: nullable(i64), votePubkey: address });
  for (const vote of votes) assertShape(vote, shape, 'vote');
  const rows = member(await call(open, 'getVoteAccounts', { commitment: 'processed' }), 'current');
  assert.ok(isJsonArray(rows));
  const slots = member(votes.at(-1), 'slots');
  assert.ok(isJsonArray(slots));
  assert.equal(integerOf(slots[0]), integerOf(member(rows[0], 'lastVote')));
  assert.equal(member(votes.at(-1), 'votePubkey'), member(rows[0], 'votePubkey'));
  assert.equal(resultOf(await socket.call('voteUnsubscribe', [id])), true);
});

test('voteSubscribe refuses params', async () => {
  assert.equal(member(member(await socket.call('voteSubscribe', [{}]), 'error'), 'code'), -32602);
});

test('@solana/kit has the votes of voteNotifications', async () => {
  const { rpcSubscriptions } = kitOn(open);
  const [vote] = await listen(
    (options) => rpcSubscriptions.voteNotifications().subscribe(options),
    () => open.local.slots(1),
  );
  assert.equal(vote?.slots.length, 1);
});

test('a block holds the vote for the one before it', async () => {
  const { transactions } = (await call(open, 'getBlock', Number(await call(open, 'getSlot')))) as unknown as {
    readonly transactions: readonly unknown[];
  };
  assert.equal(transactions.length, 1);
});
