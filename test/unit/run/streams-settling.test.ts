// Which slots a stream shows to be confirmed and final, and which two of its messages report one moment.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pubSubShape } from '../../../core/service/streams/pubsub';
import { Settling } from '../../../runner/streams/settling';
import type { Shape } from '../../../core/service/streams/shape';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { messageOf } from '../../support/wire/protobufBytes';
import { SUBSCRIBE } from '../../support/wire/streamed';

const [PROCESSED, CONFIRMED, FINALIZED] = [0, 1, 2];
const slotsShape = (filter: object = {}) => yellowstoneShape(SUBSCRIBE, { slots: { s: filter } } as never);

/** SubscribeUpdate: slot 3 {slot 1, status 3, bank_id 5}, created_at 11 {seconds 1, nanos 2}. */
const status = (slot: number, is: number, { bank = 1, ms = 0 } = {}): Uint8Array =>
  messageOf([3, messageOf([1, slot], [3, is], [5, bank])], [11, messageOf([1, 1_700_000_000], [2, ms * 1_000_000])]);

const notification = (result: object): Uint8Array =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { result, subscription: 4 } }));

/** Which of the messages belong to the one before, and the newest final slot after them. */
function settled(shape: Shape, ...messages: readonly Uint8Array[]) {
  const settling = new Settling(shape);
  const joined = messages.map((bytes) => settling.take(bytes, 0, bytes.length));
  return { joined, final: settling.final };
}

describe('slots over gRPC', () => {
  const shape = slotsShape();

  test('confirmed and final together are one moment, in either order', () => {
    for (const [first, second] of [
      [CONFIRMED, FINALIZED],
      [FINALIZED, CONFIRMED],
    ] as const)
      assert.deepEqual(
        settled(shape, status(9, PROCESSED), status(9, first), status(9, second, { ms: 90 }), status(10, first)),
        { joined: [false, false, true, false], final: first === FINALIZED ? 10 : 9 },
      );
  });

  test('what is final later, of another slot or bank, or behind another message, is not the same moment', () => {
    for (const between of [
      [status(9, CONFIRMED), status(9, FINALIZED, { ms: 150 })],
      [status(9, CONFIRMED), status(8, FINALIZED)],
      [status(9, CONFIRMED), status(9, FINALIZED, { bank: 2 })],
      [status(9, CONFIRMED), status(10, PROCESSED), status(9, FINALIZED)],
      [status(9, CONFIRMED), status(9, CONFIRMED)],
    ])
      assert.ok(!settled(shape, ...between).joined.includes(true));
  });

  test('three messages are not one moment', () => {
    const { joined } = settled(shape, status(9, CONFIRMED), status(9, FINALIZED), status(9, CONFIRMED));
    assert.deepEqual(joined, [false, true, false]);
  });

  test('nothing is final before it is shown, and a stream of one commitment never shows it', () => {
    assert.equal(settled(shape, status(9, CONFIRMED)).final, -1);
    for (const filter of [{ filterByCommitment: true }, { filter_by_commitment: true }])
      assert.deepEqual(settled(slotsShape(filter), status(9, CONFIRMED), status(9, FINALIZED)), {
        joined: [false, false],
        final: undefined,
      });
    const other = yellowstoneShape(SUBSCRIBE, { blocksMeta: { m: {} } });
    assert.equal(settled(other, status(9, FINALIZED)).final, undefined);
  });
});

describe('slots over a WebSocket', () => {
  test('the root of slotSubscribe is the newest final slot', () => {
    const slot = (root: number) => notification({ parent: 8, root, slot: 9 });
    assert.deepEqual(settled(pubSubShape('slotSubscribe'), slot(7), slot(8)), { joined: [false, false], final: 8 });
  });

  test('optimisticConfirmation and root of slotsUpdatesSubscribe are one moment', () => {
    const update = (type: string, timestamp: number, slot = 9) => notification({ slot, timestamp, type });
    const messages = [
      update('frozen', 1),
      update('optimisticConfirmation', 2),
      update('root', 3),
      update('root', 4, 8),
    ];
    const shape = pubSubShape('slotsUpdatesSubscribe');
    assert.deepEqual(settled(shape, ...messages), { joined: [false, false, true, false], final: 8 });
  });

  test('other subscriptions report nothing final', () => {
    assert.equal(settled(pubSubShape('accountSubscribe'), notification({})).final, undefined);
  });
});
