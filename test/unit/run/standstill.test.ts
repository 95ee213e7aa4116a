// When a stream that reports every slot has stalled, and when its silence is normal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shapeOf } from '../../../core/service/streams/shapes';
import { Standstill } from '../../../runner/streams/standstill';

interface Looked {
  readonly isSteady?: boolean;
  /** In each second. */
  readonly isFlowing?: (at: number) => boolean;
}

/** Looks once a second; `slots` says which is the newest in that second. */
function secondsOf(slots: readonly number[], { isSteady = true, isFlowing }: Looked = {}) {
  const standstill = new Standstill(isSteady);
  return slots.map((slot, at) => {
    standstill.look({ now: 1_000_000 + at * 1_000, slot, isFlowing: isFlowing?.(at) ?? true });
    return standstill.seconds;
  });
}

/** The same for finality: in each second the newest slot, and the newest final one. */
function finalityOf(moments: readonly (readonly [slot: number, final: number | undefined])[]) {
  const standstill = new Standstill(true);
  return moments.map(([slot, final], at) => {
    standstill.look({ now: 1_000_000 + at * 1_000, slot, final, isFlowing: true });
    return [standstill.seconds, standstill.notFinal] as const;
  });
}
const last = (seconds: readonly (number | undefined)[]): number | undefined => seconds.at(-1);
const range = (count: number, slotAt: (at: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, at) => slotAt(at));

describe('a stream that reports every slot', () => {
  test('has stalled after ten seconds without a newer one, and says for how long', () => {
    const seconds = secondsOf([5, ...range(12, () => 8)]);
    assert.deepEqual(seconds.slice(-3), [undefined, 10, 11]);
  });

  test('continues with the next slot', () => {
    assert.equal(last(secondsOf([5, ...range(15, () => 8), 9])), undefined);
  });

  test('continues with an older slot, which is of another ledger', () => {
    assert.equal(last(secondsOf([50_000, ...range(8, () => 50_001), ...range(25, (at) => 10 + at)])), undefined);
  });

  test('has stalled where no slot has arrived at all', () => {
    assert.equal(last(secondsOf(range(13, () => -1))), 12);
  });

  test('may wait longer where its slots come more slowly', () => {
    const slow = range(61, (at) => Math.floor(at / 5));
    assert.equal(last(secondsOf([...slow, ...range(60, () => 12)])), undefined);
    assert.equal(last(secondsOf([...slow, ...range(100, () => 12)])), 100);
  });

  test('is not reported as stalled while it connects or is not read, nor for the time that it waited then', () => {
    const away = { isFlowing: (at: number) => at < 2 || at > 30 };
    assert.equal(last(secondsOf([1, 2, ...range(36, () => 2)], away)), undefined);
    assert.equal(last(secondsOf([1, 2, ...range(40, () => 2)], away)), 10);
  });
});

describe('a stream that reports which slots are final', () => {
  const moments = (count: number, at: (second: number) => readonly [number, number | undefined]) =>
    finalityOf(Array.from({ length: count }, (_, second) => at(second))).at(-1);

  test('says for how long none has become final while new ones come', () => {
    assert.deepEqual(
      moments(15, (at) => [100 + 5 * at, Math.min(99 + 5 * at, 114)]),
      [undefined, 11],
    );
    assert.deepEqual(
      moments(13, (at) => [100 + 5 * at, Math.min(99 + 5 * at, 114)]),
      [undefined, undefined],
    );
  });

  test('says so where none was final since it opened', () => {
    assert.deepEqual(
      moments(12, (at) => [100 + 5 * at, -1]),
      [undefined, 11],
    );
  });

  test('has nothing to say once slots become final again', () => {
    assert.deepEqual(
      moments(20, (at) => [100 + 5 * at, at < 19 ? 99 : 194]),
      [undefined, undefined],
    );
  });

  test('speaks of new slots alone where none come', () => {
    const ending = (slots: number) => (at: number) =>
      [Math.min(100 + 5 * at, slots), Math.min(99 + 5 * at, 114)] as const;
    assert.deepEqual(moments(16, ending(115)), [12, undefined]);
    assert.deepEqual(moments(17, ending(125)), [11, undefined]);
  });

  test('waits longer where slots come more slowly', () => {
    const slow = (halted: number) => (at: number) =>
      [Math.floor(at / 5), Math.min(Math.floor(at / 5), halted)] as const;
    assert.deepEqual(moments(100, slow(12)), [undefined, undefined]);
    assert.deepEqual(moments(176, slow(12)), [undefined, 115]);
  });

  test('never says it where the stream does not report it', () => {
    assert.deepEqual(
      moments(60, (at) => [100 + at, undefined]),
      [undefined, undefined],
    );
  });
});

test('a stream that is silent by nature never stalls', () => {
  const seconds = secondsOf([5, ...range(600, () => 6)], { isSteady: false });
  assert.ok(seconds.every((one) => one === undefined));
});

test('blocks that have to mention an address are silent by nature, all blocks are not', () => {
  const steady = (params: unknown): boolean =>
    shapeOf({ transport: 'WS', method: 'blockSubscribe', body: JSON.stringify({ params }) }).isSteady;
  assert.ok(steady(['all', { commitment: 'confirmed' }]));
  assert.ok(!steady([{ mentionsAccountOrProgram: '11111111111111111111111111111111' }]));
});
