// The shape checker of messages: what each part reads, what it refuses, and what an optional member may be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  count,
  either,
  kinds,
  list,
  misfit,
  oneOf,
  optional,
  record,
  text,
  upTo,
  type ReadBy,
} from '../../../../protocol/shapes';

const read = record({
  id: 'string',
  size: 'number?',
  tags: list(text(3, 1), 2),
  more: optional(record({ at: count })),
  old: optional(oneOf('a', 'b'), 'dropped'),
});
const sound: ReadBy<typeof read> = { id: 'x', tags: ['abc'] };

test('a record is read with its declared members alone', () => {
  assert.deepEqual(read({ ...sound, other: 1, more: { at: 1, other: 2 } }), { ...sound, more: { at: 1 } });
  assert.deepEqual(read({ ...sound, size: 1, old: 'b' }), { ...sound, size: 1, old: 'b' });
});

test('a record with a wrong or missing member is refused', () => {
  for (const wrong of [{ id: 1 }, { id: undefined }, { size: '1' }, { size: null }, { tags: [''] }, { tags: ['abcd'] }])
    assert.equal(read({ ...sound, ...wrong }), undefined, JSON.stringify(wrong));
  for (const wrong of [{ tags: ['a', 'b', 'c'] }, { tags: 'a' }, { more: {} }, { more: null }, { more: [] }])
    assert.equal(read({ ...sound, ...wrong }), undefined, JSON.stringify(wrong));
  for (const wrong of [undefined, null, 'x', 1, [], [sound]]) assert.equal(read(wrong), undefined);
});

test('only a member that may be dropped is left out when it is wrong', () => {
  assert.deepEqual(read({ ...sound, old: 'c' }), sound);
  assert.deepEqual(read({ ...sound, old: { toString: 'a' } }), sound);
});

test('a kind decides on the members, and only a declared one is read', () => {
  const message = kinds({ stop: {}, go: { to: upTo(5) } });
  assert.deepEqual(message({ kind: 'stop', to: 9 }), { kind: 'stop' });
  assert.deepEqual(message({ kind: 'go', to: 5 }), { kind: 'go', to: 5 });
  for (const wrong of [{ kind: 'go', to: 6 }, { kind: 'go' }, { kind: 'toString' }, { kind: '__proto__' }, null])
    assert.equal(message(wrong), undefined, JSON.stringify(wrong));
});

test('either of two readers may accept a value', () => {
  const step = either(count, text(1));
  assert.deepEqual([0, 'a', '', 'ab', -1, 1.5].map(step), [0, 'a', '', undefined, undefined, undefined]);
});

test('the first wrong parameter of a request is named', () => {
  const shape = { id: 'string', path: 'array?', view: 'object' } as const;
  assert.equal(misfit({ id: '', view: {} }, shape), undefined);
  assert.equal(misfit({ id: '', view: [] }, shape), 'view');
  assert.equal(misfit({ id: '', path: {}, view: {} }, shape), 'path');
  assert.equal(misfit({ view: {} }, shape), 'id');
});
