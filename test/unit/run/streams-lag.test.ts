// How far a stream is behind: by the service's clock, by the other streams of its endpoint, or unknown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pubSubShape } from '../../../core/service/streams/pubsub';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { Lag } from '../../../runner/streams/lag';
import { SlotTips } from '../../../runner/streams/slotTips';
import { notification, SUBSCRIBE, updateOf } from '../../support/wire/streamed';

const silent = (): number => NaN;

/** A stream that is looked at: `came` with an update, `waited` without. */
function stream(tips: SlotTips, id: string, { isSteady = false, endpoint = 'one' } = {}) {
  const lag = new Lag(tips, endpoint, id, isSteady);
  let rows = 0;
  let newest = -1;
  return {
    came(now: number, slot: number, sentAt = NaN): number | undefined {
      newest = slot;
      lag.look({ now, slot, rows: ++rows, isLive: true, cameAt: now, sentAt: () => sentAt });
      return lag.slots;
    },
    waited(now: number): number | undefined {
      lag.look({ now, slot: newest, rows, isLive: true, cameAt: now, sentAt: silent });
      return lag.slots;
    },
    end: () => lag.end(),
  };
}

describe('a stream alone', () => {
  for (const pace of [150, 400, 600])
    test(`is behind by the time its newest message was under way, at the measured ${pace} ms a slot`, () => {
      const alone = stream(new SlotTips(), 'a');
      assert.equal(alone.came(10_000, 100, 10_000), undefined);
      assert.equal(alone.came(10_000 + 3 * pace, 103, 10_000 + 3 * pace), undefined);
      assert.equal(alone.came(10_000 + 4 * pace, 104, 10_000 + 4 * pace), 0);
      assert.equal(alone.came(10_000 + 20 * pace, 110, 10_000 + 10 * pace), 10);
      assert.equal(alone.came(10_000 + 11 * pace, 111, 10_000 + 11 * pace + 50), 0);
    });

  test('the pace is that of the last slots, and a replay does not count', () => {
    const lag = new Lag(new SlotTips(), 'one', 'a', false);
    let rows = 0;
    const look = (slot: number, at: number, isLive: boolean, late = 0): number | undefined => {
      lag.look({ now: at + late, slot, rows: ++rows, isLive, cameAt: at + late, sentAt: () => at });
      return lag.slots;
    };
    for (let slot = 0; slot < 100; slot++) look(slot, slot * 400, true);
    for (let slot = 100; slot < 300; slot++) look(slot, 40_000 + (slot - 100) * 150, true);
    assert.equal(look(300, 70_000, true, 1_500), 10);
    for (let slot = 301; slot < 340; slot++) assert.equal(look(slot, 70_001, false, 1_500), undefined);
    assert.equal(look(340, 80_000, true, 1_500), undefined);
    assert.equal(look(350, 81_500, true, 1_500), 10);
  });

  test('has no number where the service sends no time', () => {
    const alone = stream(new SlotTips(), 'a');
    assert.equal(alone.came(10_000, 5), undefined);
    assert.equal(stream(new SlotTips(), 'b').waited(10_000), undefined);
  });

  test('measures the pace of another ledger once it began again', () => {
    const alone = stream(new SlotTips(), 'a');
    for (let slot = 50_000; slot < 50_010; slot++) alone.came(slot * 400, slot, slot * 400);
    const begun = 50_020 * 400;
    for (let slot = 0; slot < 10; slot++) alone.came(begun + slot * 100, slot, begun + slot * 100);
    assert.equal(alone.came(begun + 1_500, 10, begun + 1_000), 5);
  });

  test('that nothing comes on stays as it was', () => {
    const quiet = stream(new SlotTips(), 'a');
    quiet.came(6_000, 1, 6_000);
    assert.equal(quiet.came(10_000, 5, 9_000), 1);
    assert.equal(quiet.waited(90_000), 1);
  });
});

describe('next to another stream of its endpoint', () => {
  test('is not measured against a slot of the ledger before', () => {
    const tips = new SlotTips();
    const [one, other] = [stream(tips, 'a'), stream(tips, 'b')];
    one.came(10_000, 50_000);
    other.came(10_000, 50_000);
    assert.equal(one.came(11_000, 7), undefined);
    assert.equal(one.came(11_200, 8), undefined);
    assert.equal(other.came(11_300, 8), 0);
    assert.equal(one.came(11_400, 9), 0);
  });

  test('it is behind by the slots the other is ahead, as of its last update', () => {
    const tips = new SlotTips();
    const [account, slots] = [stream(tips, 'a'), stream(tips, 's', { isSteady: true })];
    slots.came(10_000, 100);
    assert.equal(account.came(10_100, 97), 3);
    slots.came(60_000, 200);
    assert.equal(account.waited(60_000), 3);
    assert.equal(account.came(60_100, 200), 0);
  });

  test('a stream of every slot falls further behind while nothing arrives', () => {
    const tips = new SlotTips();
    const [stalled, other] = [stream(tips, 'a', { isSteady: true }), stream(tips, 'b')];
    stalled.came(10_000, 100);
    other.came(20_000, 130);
    assert.equal(stalled.waited(20_000), 30);
  });

  test('a quiet stream does not serve as a reference, nor does an ended one', () => {
    const tips = new SlotTips();
    const [mine, other] = [stream(tips, 'a'), stream(tips, 'b')];
    other.came(10_000, 100);
    assert.equal(mine.came(11_000, 101), 0);
    assert.equal(mine.came(60_000, 150), undefined);
    other.came(60_000, 200);
    other.end();
    assert.equal(mine.came(60_000, 151), undefined);
  });

  test('the larger of the two measures counts; other endpoints do not', () => {
    const tips = new SlotTips();
    const [mine, other, away] = [stream(tips, 'a'), stream(tips, 'b'), stream(tips, 'c', { endpoint: 'two' })];
    away.came(10_000, 900);
    other.came(10_000, 104);
    mine.came(8_000, 96, 7_600);
    assert.equal(mine.came(10_000, 100, 9_200), 4);
    assert.equal(mine.came(14_000, 103, 10_400), 9);
  });
});

describe('the time a message was made', () => {
  test('is in every Yellowstone update, and in slot updates over a WebSocket', () => {
    const shape = yellowstoneShape(SUBSCRIBE, { slots: { a: {} } });
    const update = updateOf({
      filters: ['a'],
      updateOneof: { case: 'slot', value: { slot: 4n } },
      createdAt: { seconds: 1_700_000_000n, nanos: 250_000_000 },
    });
    assert.equal(shape.sentAt(update, 0, update.length), 1_700_000_000_250);
    const bare = updateOf({ filters: ['a'], updateOneof: { case: 'slot', value: { slot: 4n } } });
    assert.equal(shape.sentAt(bare, 0, bare.length), NaN);
    const slotUpdate = notification('slotsUpdatesNotification', {
      slot: 4,
      type: 'root',
      timestamp: 1_700_000_000_250,
    });
    assert.equal(pubSubShape('slotsUpdatesSubscribe').sentAt(slotUpdate, 0, slotUpdate.length), 1_700_000_000_250);
    assert.equal(pubSubShape('accountSubscribe').sentAt(slotUpdate, 0, slotUpdate.length), NaN);
  });

  test('lists the streams that send something at every slot', () => {
    assert.ok(yellowstoneShape(SUBSCRIBE, { slots: { a: {} } }).isSteady);
    assert.ok(!yellowstoneShape(SUBSCRIBE, { accounts: { a: {} } }).isSteady);
    assert.ok(pubSubShape('slotSubscribe').isSteady && !pubSubShape('logsSubscribe').isSteady);
  });
});
