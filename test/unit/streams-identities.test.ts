// What tells updates apart: names made of bytes, the sets they are kept in, and which of them are still remembered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addToIdentity, beginIdentity, madeIdentity } from '../../core/streams/identities';
import { Gone } from '../../server/streams/gone';

function named(...parts: readonly (readonly number[])[]): string {
  beginIdentity(2);
  for (const part of parts) addToIdentity(Uint8Array.from(part), 0, part.length);
  return madeIdentity();
}

const numbered = (number: number): string => named([number & 255, (number >> 8) & 255, (number >> 16) & 255, 7, 7]);

describe('identities', () => {
  test('the same bytes give the same name, wherever they stand', () => {
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

describe('updates that made room', () => {
  test('those of the newest slot and the one before are remembered, and handed out once', () => {
    const gone = new Gone();
    for (const slot of [10, 11, 12]) {
      assert.ok(gone.concerns(slot, slot));
      gone.add(numbered(slot), slot, slot);
    }
    assert.ok(gone.concerns(11, 12) && !gone.concerns(10, 12) && !gone.concerns(NaN, 12));
    const all = gone.takeAll();
    assert.deepEqual(
      [10, 11, 12].map((slot) => all.has(numbered(slot))),
      [false, true, true],
    );
    assert.equal(gone.takeAll().size, 0);
  });

  test('there are never more than a quarter of a million, and a new slot makes room for others', () => {
    const gone = new Gone();
    let number = 0;
    for (; gone.concerns(10, 10) && number < 300_000; number++) gone.add(numbered(number), 10, 10);
    assert.equal(number, 250_000);
    assert.ok(!gone.concerns(11, 11) && gone.concerns(12, 12));
    gone.add(numbered(1), 12, 12);
    assert.equal(gone.takeAll().size, 1);
  });
});
