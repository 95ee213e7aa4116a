// What tells updates apart: names made of bytes, the sets they are kept in, and which of them are still remembered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addToIdentity, beginIdentity, Identities, newIdentity, type Identity } from '../../core/streams/identities';
import { Gone } from '../../server/streams/gone';

function named(...parts: readonly (readonly number[])[]): Identity {
  const identity = newIdentity();
  beginIdentity(identity, 2);
  for (const part of parts) addToIdentity(identity, Uint8Array.from(part), 0, part.length);
  return identity;
}

const numbered = (number: number): Identity => named([number & 255, (number >> 8) & 255, (number >> 16) & 255, 7, 7]);

describe('identities', () => {
  test('the same bytes give the same name, wherever they stand', () => {
    const bytes = Uint8Array.from([9, 9, 1, 2, 3, 4, 5, 9]);
    const moved = newIdentity();
    beginIdentity(moved, 2);
    addToIdentity(moved, bytes, 2, 7);
    assert.deepEqual(moved, named([1, 2, 3, 4, 5]));
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
    assert.equal(new Set(names.map(({ high, low }) => `${high} ${low}`)).size, names.length);
  });

  test('of 300,000 names that differ in one byte or two both halves differ for nearly all', () => {
    const names = Array.from({ length: 300_000 }, (_, number) => numbered(number));
    assert.equal(new Set(names.map(({ high, low }) => high * 2 ** 21 + (low % 2 ** 21))).size, names.length);
    // Of so many random halves about ten meet another one.
    for (const half of ['high', 'low'] as const)
      assert.ok(new Set(names.map((name) => name[half])).size > names.length - 100, half);
  });

  test('a set holds what was added, once, and nothing else', () => {
    const set = new Identities();
    for (let number = 0; number < 20_000; number++) {
      set.add(numbered(number));
      set.add(numbered(number));
    }
    set.add({ high: 0, low: 0 });
    assert.equal(set.size, 20_001);
    assert.ok(set.has({ high: 0, low: 0 }));
    for (let number = 0; number < 20_000; number++) assert.ok(set.has(numbered(number)));
    for (let number = 20_000; number < 40_000; number++) assert.ok(!set.has(numbered(number)));
    const copy = new Identities();
    copy.addAll(set);
    assert.equal(copy.size, 20_001);
    assert.ok(copy.has(numbered(19_999)) && copy.has({ high: 0, low: 0 }));
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

  test('there are never more than half a million, and a new slot makes room for others', () => {
    const gone = new Gone();
    let number = 0;
    for (; gone.concerns(10, 10) && number < 600_000; number++) gone.add(numbered(number), 10, 10);
    assert.equal(number, 500_000);
    assert.ok(!gone.concerns(11, 11) && gone.concerns(12, 12));
    gone.add(numbered(1), 12, 12);
    assert.equal(gone.takeAll().size, 1);
  });
});
