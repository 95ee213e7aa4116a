// The ring of a stream: messages are kept unchanged, dropped ones are counted, and the bound on bytes holds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FilterIndex } from '../../../server/streams/filterIndex';
import { Ring } from '../../../runner/streams/ring';

const text = (ring: Ring, number: number): string =>
  ring.read(number, (bytes, start, end) => bytes.toString('latin1', start, end));

/** Adds messages that lie in one array, one behind the other. */
function addAll(ring: Ring, messages: readonly string[]): void {
  const bytes = Buffer.from(messages.join(''));
  let at = 0;
  for (const message of messages) {
    ring.add(bytes, at, at + message.length, at);
    at += message.length;
  }
}

describe('Ring', () => {
  test('keeps messages of one array and of many, byte for byte, with their numbers, times and slots', () => {
    const ring = new Ring(undefined, undefined, () => 7);
    addAll(ring, ['one', 'two!', '']);
    addAll(ring, ['three']);
    assert.deepEqual([ring.first, ring.next, ring.dropped], [0, 4, 0]);
    assert.deepEqual(
      [0, 1, 2, 3].map((number) => text(ring, number)),
      ['one', 'two!', '', 'three'],
    );
    assert.deepEqual([ring.size(1), ring.time(1), ring.slot(1)], [4, 7, 3]);
  });

  test('above its limit of rows the oldest are dropped, and counted one by one', () => {
    const gone: number[] = [];
    const ring = new Ring({ rows: 3, bytes: 1_000_000 }, (number) => gone.push(number));
    for (let at = 0; at < 5_000; at++) addAll(ring, [`m${at}`]);
    assert.deepEqual([ring.first, ring.next, ring.dropped], [4_997, 5_000, 4_997]);
    assert.equal(gone.length, 4_997);
    assert.deepEqual([text(ring, 4_997), text(ring, 4_999)], ['m4997', 'm4999']);
    assert.equal(ring.holds(4_996), false);
  });

  test('above its limit of bytes the oldest are dropped: nothing is lost uncounted, and the memory stays under the bound', () => {
    const bytes = 4 * 1024 * 1024;
    const ring = new Ring({ rows: 50_000, bytes });
    let most = 0;
    for (let at = 0; at < 20_000; at++) {
      addAll(ring, [String(at).padEnd(1_000, 'x')]);
      most = Math.max(most, ring.held);
    }
    assert.ok(most <= bytes, `${most}`);
    assert.equal(ring.dropped + (ring.next - ring.first), 20_000);
    for (let number = ring.first; number < ring.next; number++) assert.equal(parseInt(text(ring, number)), number);
  });

  test('a message larger than any slab is kept alone with what fits next to it', () => {
    const ring = new Ring({ rows: 10, bytes: 8 * 1024 * 1024 });
    addAll(ring, ['small']);
    addAll(ring, ['x'.repeat(7_990_000)]);
    addAll(ring, ['after']);
    assert.equal(ring.dropped + ring.next - ring.first, 3);
    assert.equal(text(ring, 2), 'after');
    assert.ok(ring.held <= 8 * 1024 * 1024);
  });

  test('gap rows have numbers and no bytes, and are no dropped updates', () => {
    const ring = new Ring({ rows: 2, bytes: 1_000_000 });
    ring.addGap({ fromSlot: 1, toSlot: undefined, isFilled: false, reason: 'away' });
    addAll(ring, ['a', 'b', 'c']);
    assert.deepEqual([ring.first, ring.next, ring.dropped], [2, 4, 1]);
    assert.equal(ring.gap(0), undefined);
  });
});

describe('FilterIndex', () => {
  const isEven = (bytes: Uint8Array, start: number): boolean => (bytes[start] ?? 0) % 2 === 0;

  test('finds kept and arriving messages, and forgets dropped ones', () => {
    const ring = new Ring({ rows: 100, bytes: 1_000_000 });
    const add = (value: number): number => ring.add(Buffer.from([value]), 0, 1, 0);
    for (let at = 0; at < 10; at++) add(at);
    const index = new FilterIndex('even', isEven, ring);
    assert.deepEqual(index.slice(0, 10), [0, 2, 4, 6, 8]);
    for (let at = 0; at < 200; at++) index.add(add(at));
    assert.equal(index.size, 50);
    assert.ok(index.slice(0, 50).every((number) => ring.holds(number) && number % 2 === 0));
  });
});
