// Every WebSocket method on the service without keys: what a subscription receives, to the last member and at each
// commitment, how it ends, and what is refused.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { member, type JsonValue } from '../../../core/solana/json/json';
import { PubSub } from '../../support/wire/pubSub';
import { openFixture, type Fixture } from './open-fixture';
import { call } from './open-harness';
import { commitmentOf } from '../../corpus/methods/method';
import { SUBSCRIPTIONS } from '../../corpus/methods/subscriptions';
import { literal, noticeOf, nothing, object, text, u64, assertShape } from '../../corpus/shapes';

const ANY = ['processed', 'confirmed', 'finalized'] as const;

let fixture: Fixture;
let socket: PubSub;
before(async () => {
  fixture = await openFixture();
  socket = await PubSub.open(fixture.open.local, 'none', fixture.open.wsUrl);
});
after(async () => {
  socket.socket.terminate();
  await fixture.stop();
});

const resultOf = (answer: JsonValue): JsonValue => {
  const result = member(answer, 'result');
  assert.ok(result !== undefined, JSON.stringify(answer));
  return result;
};

/** Money for the receiver, and the slots that make it final. */
async function happen(): Promise<string> {
  const wire = await fixture.transfer();
  const sent = await call(fixture.open, 'sendTransaction', wire, { encoding: 'base64' });
  await fixture.open.local.slots(40);
  return typeof sent === 'string' ? sent : '';
}

const isNotice =
  (kind: string, id: JsonValue) =>
  (message: JsonValue): boolean =>
    member(message, 'method') === `${kind}Notification` && member(member(message, 'params'), 'subscription') === id;

async function notification(kind: string, id: JsonValue): Promise<JsonValue> {
  return member(member(await socket.next(isNotice(kind, id)), 'params'), 'result') ?? null;
}

for (const method of SUBSCRIPTIONS) {
  const { name, given, options, notification: shape, wrong } = method;
  if (shape === undefined) continue;
  const kind = name.replace('Subscribe', '');
  describe(name, () => {
    for (const commitment of commitmentOf(method)?.words ?? [undefined])
      test(`notifies${commitment === undefined ? '' : ` at ${commitment}`}, until it is unsubscribed`, async () => {
        const config = commitment === undefined ? [] : [{ ...options, commitment }];
        const id = resultOf(await socket.call(name, [...((await given?.(fixture.subjects)) ?? []), ...config]));
        assertShape(id, u64, 'subscription');
        await happen();
        assertShape(await notification(kind, id), shape, kind);
        assert.equal(resultOf(await socket.call(`${kind}Unsubscribe`, [id])), true);
        const again = member(await socket.call(`${kind}Unsubscribe`, [id]), 'error');
        assert.deepEqual(again, { code: -32602, message: 'Invalid subscription id.' });
      });
    test('refuses invalid params', async () => {
      const error = member(await socket.call(name, wrong), 'error');
      assert.equal(member(error, 'code'), -32602);
    });
  });
}

describe('signatureSubscribe', () => {
  for (const commitment of ANY)
    test(`notifies once at ${commitment} and ends`, async () => {
      const wire = await fixture.transfer();
      const id = encodeBase58(Buffer.from(wire, 'base64').subarray(1, 65));
      const config = { commitment, enableReceivedNotification: true };
      const subscription = resultOf(await socket.call('signatureSubscribe', [id, config]));
      await call(fixture.open, 'sendTransaction', wire, { encoding: 'base64' });
      await fixture.open.local.slots(40);
      assertShape(await notification('signature', subscription), noticeOf(literal('receivedSignature')), 'received');
      assertShape(await notification('signature', subscription), noticeOf(object({ err: nothing })), 'signature');
      const error = member(await socket.call('signatureUnsubscribe', [subscription]), 'error');
      assert.deepEqual(error, { code: -32602, message: 'Invalid subscription id.' });
    });
  test('can be unsubscribed before', async () => {
    const subscription = resultOf(await socket.call('signatureSubscribe', ['1'.repeat(64)]));
    assert.equal(resultOf(await socket.call('signatureUnsubscribe', [subscription])), true);
  });
  test('notifies of a transaction that has landed already', async () => {
    const landed = await happen();
    const id = resultOf(await socket.call('signatureSubscribe', [landed, { commitment: 'finalized' }]));
    assertShape(await notification('signature', id), noticeOf(object({ err: nothing })), 'signature');
  });
  test('refuses a text that is not a signature', async () => {
    const error = member(await socket.call('signatureSubscribe', ['x']), 'error');
    assert.equal(member(error, 'code'), -32602);
  });
});

describe('voteSubscribe', () => {
  test('is taken and silent: with Alpenglow votes are not transactions', async () => {
    const id = resultOf(await socket.call('voteSubscribe'));
    await happen();
    assert.equal(resultOf(await socket.call('voteUnsubscribe', [id])), true);
    assert.deepEqual(socket.seen.filter(isNotice('vote', id)), []);
  });
});

describe('Besides subscriptions', () => {
  test('getVersion is answered, other methods of HTTP are not', async () => {
    assertShape(
      resultOf(await socket.call('getVersion')),
      object({ 'feature-set': u64, 'solana-core': text }),
      'version',
    );
    const error = member(await socket.call('getSlot'), 'error');
    assert.deepEqual(error, { code: -32601, message: 'Method not found' });
  });
  test('the ping of web clients gets no answer', async () => {
    socket.socket.send('{"jsonrpc":"2.0","method":"ping"}');
    await socket.call('getVersion');
    assert.deepEqual(
      socket.seen.filter((message) => member(message, 'method') === undefined),
      [],
    );
  });
});
