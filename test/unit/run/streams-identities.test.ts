// Identities of updates: made of bytes, kept in sets, and how long they are remembered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addToIdentity, beginIdentity, madeIdentity } from '../../../core/service/streams/identities';
import { Recent } from '../../../runner/streams/recent';

function named(...parts: readonly (readonly number[])[]): string {
  beginIdentity(2);
  for (const part of parts) addToIdentity(Uint8Array.from(part), 0, part.length);
  return madeIdentity();
}

const numbered = (number: number): string => named([number & 255, (number >> 8) & 255, (number >> 16) & 255, 7, 7]);

describe('identities', () => {
  test('the same bytes give the same name at any offset', () => {
    const bytes = Uint8Array.from([9, 9, 1, 2, 3, 4, 5, 9]);
    beginIdentity(2);
    addToIdentity(bytes, 2, 7);
    assert.equal(madeIdentity(), named([1, 2, 3, 4, 5]));
  });

  test('each byte, the order, the length and the borders between parts count', () => {
    const names = [
      named(),
      named([]),
      named([0]),
      named([0, 0]),
      named([0], [0]),
      named([1, 2, 3, 4, 5]),
      named([1, 2, 3, 4], [5]),
      named([1, 2, 3, 5, 4]),
      named([5, 2, 3, 4, 1]),
      ...Array.from({ length: 12 }, (_, at) => named(Array.from({ length: 12 }, (_none, place) => +(place === at)))),
    ];
    assert.equal(new Set(names).size, names.length);
  });

  test('of 300,000 names that differ in one byte or two both halves differ for nearly all', () => {
    const names = Array.from({ length: 300_000 }, (_, number) => numbered(number));
    assert.equal(new Set(names).size, names.length);
    // Of so many random halves about ten meet another one.
    for (const half of [0, 2])
      assert.ok(new Set(names.map((name) => name.slice(half, half + 2))).size > names.length - 100);
  });
});

describe('updates of the newest slots', () => {
  const has = (recent: Recent, from: number, number: number): boolean =>
    [...recent.since(from)].includes(numbered(number));

  test('as many slots as may be replayed are remembered, from the requested one', () => {
    const recent = new Recent(1, 1_000);
    for (const slot of [10, 11, 12]) {
      assert.ok(recent.concerns(slot, slot));
      recent.add(numbered(slot), slot, slot);
    }
    assert.ok(recent.concerns(11, 12) && !recent.concerns(10, 12) && !recent.concerns(NaN, 12));
    assert.deepEqual(
      [10, 11, 12].map((slot) => has(recent, 0, slot)),
      [false, true, true],
    );
    assert.ok(!has(recent, 12, 11) && has(recent, 12, 12));
  });

  test('where there is no more room the oldest slots go, and the newest stays whole', () => {
    const recent = new Recent(64, 100);
    const add = (slot: number, from: number, count: number): number => {
      let added = 0;
      for (let number = from; number < from + count && recent.concerns(slot, slot); number++, added++)
        recent.add(numbered(number), slot, slot);
      return added;
    };
    assert.equal(add(10, 0, 60), 60);
    assert.equal(add(11, 100, 60), 60);
    assert.deepEqual([has(recent, 0, 0), has(recent, 0, 100), has(recent, 0, 159)], [false, true, true]);
    assert.equal(add(11, 200, 60), 40);
    assert.ok(has(recent, 0, 100));
  });

  test('an update that comes twice takes the room of one', () => {
    const recent = new Recent(1, 2);
    for (const number of [1, 1, 2]) recent.add(numbered(number), 5, 5);
    assert.equal([...recent.since(5)].length, 2);
  });
});
