// Codama documents and data from somebody who means harm: nothing throws, and nothing costs more than its size.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeRecord } from '../../../../core/solana/decode/idl/decode';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import type { DecodedValue } from '../../../../core/solana/decode/decoded';
import {
  account,
  array,
  bytes,
  bytesValue,
  constant,
  definedType,
  emptyVariant,
  enumOf,
  field,
  fixedCount,
  link,
  number,
  postOffset,
  prefixedCount,
  publicKey,
  remainderCount,
  remainderOption,
  root,
  sentinel,
  sized,
  struct,
  text,
  tuple,
  zeroable,
  type Node,
} from '../../../support/data/codama';
import { layOut } from '../../../support/data/layouts';
import { readHostile } from './codama-hostile';

const u8 = number('u8');

/** The data as a value of the type; `undefined` if it does not fit. */
function valueOf(type: Node, data: Uint8Array, ...definedTypes: readonly Node[]): DecodedValue | undefined {
  const document = root({ definedTypes, accounts: [account('state', struct(field('value', type)))] });
  const { idl } = readIdl(JSON.stringify(document));
  const [record] = idl?.accounts ?? [];
  assert.ok(idl && record);
  return decodeRecord(idl, record, data)?.[0]?.value;
}

test('two thousand damaged documents are read, and hostile data is decoded by them, without a throw', () => {
  const { read, decoded, problems } = readHostile(2_000, 1);
  assert.deepEqual(problems, []);
  // Damage that nothing is left of would prove little.
  assert.ok(read > 1_000 && decoded > 2_000, `${read} read, ${decoded} decoded`);
});

const nested = (depth: number, of: Node, wrap: (type: Node) => Node): Node =>
  Array.from({ length: depth }).reduce<Node>((type) => wrap(type), of);

test('type nodes nested without end are unreadable from a depth on', () => {
  const value = valueOf(
    nested(100, u8, (type) => struct(field('x', type))),
    new Uint8Array(8),
  );
  assert.match(
    JSON.stringify(value, (key, one: unknown) => (key === 'bytes' ? undefined : one)),
    /nest too deep/,
  );
});

test('a document nested deeper than JSON is read is refused as a whole', () => {
  const deep = `${'{"kind":"structTypeNode","type":'.repeat(50_000)}null${'}'.repeat(50_000)}`;
  const whole = JSON.stringify(root({ accounts: [account('state', struct())], constants: ['HERE'] }));
  const { idl, problems } = readIdl(whole.replace('"HERE"', `{"name":"c","type":${deep},"value":${deep}}`));
  assert.equal(idl, undefined);
  assert.match(problems.map(({ message }) => message).join(), /^Nested deeper than 512 levels/);
});

test('types that are links in a circle are read and decode nothing', () => {
  const circle = [definedType('a', link('b')), definedType('b', link('a'))];
  assert.equal(valueOf(link('a'), new Uint8Array(8), ...circle), undefined);
});

test('a struct that contains itself twice and has no bytes ends', () => {
  const self = definedType('self', struct(field('a', link('self')), field('b', link('self'))));
  assert.equal(valueOf(link('self'), new Uint8Array(8), self), undefined);
});

test('four thousand types whose constants need each other in turn are read', () => {
  const chain = Array.from({ length: 4_000 }, (_, at) =>
    definedType(`t${at}`, sentinel(bytes, constant(link(`t${at + 1}`), bytesValue('01')))),
  );
  const { idl, problems } = readIdl(JSON.stringify(root({ definedTypes: chain })));
  assert.equal(idl?.types.size, 4_000);
  assert.ok(problems.length > 0);
});

test('counts of items that take no bytes end, however large they are', () => {
  const huge = layOut([4, 0xffff_ffff]);
  assert.equal(valueOf(array(remainderOption(u8)), huge), undefined);
  assert.deepEqual(valueOf(array(tuple()), huge), { kind: 'list', items: [], more: 0xffff_ffff });
  assert.deepEqual(valueOf(array(struct(), remainderCount), huge), { kind: 'list', items: [] });
  assert.equal(valueOf(array(remainderOption(postOffset(-1, 'relative', u8)), remainderCount), huge), undefined);
  assert.equal(valueOf(array(tuple(), prefixedCount(number('u64'))), new Uint8Array(8).fill(255)), undefined);
  assert.equal(valueOf(array(publicKey, fixedCount(Number.MAX_SAFE_INTEGER)), huge), undefined);
});

test('offsets that go back cannot read the same bytes without end', () => {
  const back = postOffset(0, 'preOffset', sized(text(), number('u16')));
  const again = array(tuple(back, remainderOption(tuple())), fixedCount(2_000));
  const data = layOut([2, 60_000], new Uint8Array(60_000).fill(0x61));
  assert.equal(valueOf(again, data), undefined);
});

test('lists within lists stop at the most values that are decoded', () => {
  const inner = array(enumOf([emptyVariant('a')]), prefixedCount(u8));
  const data = layOut(
    [4, 1_000],
    Buffer.concat(Array.from({ length: 1_000 }, () => layOut([1, 250], new Uint8Array(250)))),
  );
  assert.equal(valueOf(array(inner), data), undefined);
});

test('a long sentinel that almost is everywhere is looked for in time with the data', () => {
  const end = constant(bytes, bytesValue(`${'61'.repeat(250)}62`));
  assert.equal(valueOf(sentinel(text(), end), new Uint8Array(200_000).fill(0x61)), undefined);
});

test('base58 of more than a thousand bytes is shown as bytes', () => {
  const value = valueOf(text('base58'), new Uint8Array(2_000_000).fill(255));
  assert.ok(value?.kind === 'bytes' && value.bytes.length === 2_000_000);
});

test('a constant longer than any in use makes its type unreadable', () => {
  const long = constant(bytes, bytesValue('ff'.repeat(300)));
  for (const type of [sentinel(text(), long), zeroable(u8, { zeroValue: long })]) {
    const value = valueOf(type, new Uint8Array(8));
    assert.ok(value?.kind === 'bytes' && value.unread === type.kind);
  }
});

test('more than a hundred thousand nodes are not read', () => {
  const wide = tuple(...Array.from({ length: 4_000 }, () => bytes));
  const accounts = Array.from({ length: 30 }, (_, at) => account(`a${at}`, wide));
  const { idl, problems } = readIdl(JSON.stringify(root({ accounts })));
  assert.equal(idl?.accounts.length, 30);
  assert.match(problems[0]?.message ?? '', /too many/);
});

test('names that mean something to JavaScript are names', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const types = names.map((name) => definedType(name, struct(field(name, u8))));
  const value = valueOf(struct(...names.map((name) => field(name, link(name)))), Uint8Array.of(1, 2, 3), ...types);
  assert.ok(value?.kind === 'fields');
  assert.deepEqual(
    value.fields.map(({ name }) => name),
    names,
  );
  assert.equal(Object.hasOwn(Object.prototype, 'kind'), false);
});
