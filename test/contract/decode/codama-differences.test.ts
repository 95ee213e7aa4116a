// Where our decoder and @codama/dynamic-codecs 1.2.0 differ on purpose: what theirs makes of the bytes, and what ours does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rootNodeFromAnchor } from '@codama/nodes-from-anchor';
import { decodeAccount } from '../../../core/solana/decode/decode';
import type { DecodedField } from '../../../core/solana/decode/decoded';
import { valueText } from '../../../core/solana/decode/decodedText';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import {
  account,
  array,
  bytes,
  bySize,
  CODAMA_PROGRAM,
  definedType,
  emptyVariant,
  enumOf,
  field,
  link,
  map,
  number,
  option,
  prefixedCount,
  root,
  sized,
  struct,
  type Node,
} from '../../support/data/codama';
import { layOut, type Part } from '../../support/data/layouts';
import { codecOf } from './codama-codec';

const u8 = number('u8');

interface Both {
  /** Their value of the one field, or what they threw. */
  readonly theirs: () => unknown;
  readonly ours: () => string;
}

/** One account of the one field `value`, identified by the size of the data. */
function both(type: Node, definedTypes: readonly Node[], ...parts: readonly Part[]): Both {
  const data = layOut(...parts);
  const document = root({
    definedTypes,
    accounts: [account('state', struct(field('value', type)), [bySize(data.length)])],
  });
  return {
    theirs: () => (codecOf(document, 'accounts').decode(data) as { value: unknown }).value,
    ours: () =>
      fieldsOf(document, data)
        .map(({ name, value }) => `${name}: ${valueText(value)}`)
        .join(', '),
  };
}

function fieldsOf(document: object, data: Uint8Array): readonly DecodedField[] {
  const { idl, problems } = readIdl(JSON.stringify(document));
  assert.deepEqual(problems, []);
  assert.ok(idl);
  const read = decodeAccount({ owner: CODAMA_PROGRAM, lamports: 1n, data, executable: false }, programsOf([{ idl }]));
  assert.ok(read, 'not decoded');
  return read.fields;
}

test('a big-endian number: theirs reads it as little-endian', () => {
  const { theirs, ours } = both(number('u32', 'be'), [], Uint8Array.of(0, 0, 0, 1));
  assert.equal(theirs(), 16_777_216);
  assert.equal(ours(), 'value: 1');
});

test('a type that contains itself: theirs overflows the stack', () => {
  const node = definedType('node', struct(field('of', u8), field('next', option(link('node')))));
  const { theirs, ours } = both(link('node'), [node], Uint8Array.of(1, 1, 2, 1, 3, 0));
  assert.throws(theirs, RangeError);
  assert.equal(ours(), 'value: { of: 1, next: { of: 2, next: { of: 3, next: none } } }');
});

test('a count of items without bytes: theirs makes each of them', () => {
  const { theirs, ours } = both(array(struct()), [], [4, 1_048_576]);
  assert.equal((theirs() as readonly unknown[]).length, 1_048_576);
  assert.equal(ours(), 'value: [1,048,576 more]');
});

test('a variant with an explicit discriminator: theirs uses its position', () => {
  const { theirs, ours } = both(enumOf([emptyVariant('bid', { discriminator: 5 })]), [], [1, 5]);
  assert.throws(theirs);
  assert.equal(ours(), 'value: bid');
});

test('a map: theirs orders its keys as an object does, and keeps one of each', () => {
  const entries = Uint8Array.of(3, 2, 20, 1, 10, 2, 21);
  const { theirs, ours } = both(map(u8, u8, prefixedCount(u8)), [], entries);
  assert.deepEqual(theirs(), { 1: 10, 2: 21 });
  assert.equal(ours(), 'value: [{ 0: 2, 1: 20 }, { 0: 1, 1: 10 }, { 0: 2, 1: 21 }]');
});

test('bytes after the fields: theirs does not say that there are any', () => {
  const { theirs, ours } = both(u8, [], Uint8Array.of(1, 0, 9));
  assert.equal(theirs(), 1);
  assert.equal(ours(), 'value: 1, bytes after the fields: 0x0009');
});

test('options and bytes: theirs wraps them', () => {
  const { theirs, ours } = both(option(sized(bytes, u8)), [], Uint8Array.of(1, 1, 255));
  assert.deepEqual(theirs(), { __option: 'Some', value: ['base64', '/w=='] });
  assert.equal(ours(), 'value: 0xff');
});

test('data that ends too soon: theirs throws, ours names no field', () => {
  const { theirs, ours } = both(struct(field('a', u8), field('b', number('u64'))), [], [1, 7], [4, 1]);
  assert.throws(theirs, /expected 8 bytes, got 4/);
  assert.throws(ours, /not decoded/);
});

test('a boolean that is neither 0 nor 1: theirs is false', () => {
  const { theirs, ours } = both({ kind: 'booleanTypeNode', size: u8 }, [], [1, 2]);
  assert.equal(theirs(), false);
  assert.equal(ours(), 'value: 2');
});

test('a document without empty lists, as newer tools write it: theirs cannot read it', () => {
  const data = struct(field('value', u8));
  const accounts = [{ kind: 'accountNode', name: 'state', data, discriminators: [bySize(1)] }];
  const program = { kind: 'programNode', name: 'demo', publicKey: CODAMA_PROGRAM, accounts };
  const document: Node = { kind: 'rootNode', standard: 'codama', version: '1.11.0', program };
  assert.throws(() => codecOf(document, 'accounts'), /is not iterable/);
  assert.deepEqual(fieldsOf(document, Uint8Array.of(4)), [{ name: 'value', value: { kind: 'integer', value: 4n } }]);
});

/** An Anchor IDL with these fields, which theirs knows after a conversion by @codama/nodes-from-anchor alone. */
const anchorWith = (...fields: readonly { readonly name: string; readonly type: string }[]) => ({
  address: CODAMA_PROGRAM,
  metadata: { name: 'demo', version: '0.1.0', spec: '0.1.0' },
  instructions: [],
  constants: [{ name: 'MAX_SUPPLY', type: 'u64', value: '21_000_000' }],
  accounts: [{ name: 'State', discriminator: [7] }],
  types: [
    {
      name: 'State',
      serialization: 'bytemuckunsafe',
      repr: { kind: 'c' },
      type: { kind: 'struct', fields },
    },
  ],
});
const ANCHOR = anchorWith({ name: 'is_open', type: 'u8' }, { name: 'total_supply', type: 'u64' });
/** Its account: the gap of a C struct is between the two fields. */
const STATE = layOut([1, 7], [8, 1], [8, 41]);

const converted = (anchor: object): Node =>
  rootNodeFromAnchor(anchor as Parameters<typeof rootNodeFromAnchor>[0]) as unknown as Node;
const readAnchor = (data: Uint8Array, anchor: object): readonly (readonly [string, string])[] =>
  fieldsOf(anchor, data).map(({ name, value }) => [name, valueText(value)]);

test('names of an Anchor IDL: theirs writes them in camelCase', () => {
  const theirs = codecOf(converted(ANCHOR), 'accounts').decode(STATE.subarray(0, 10)) as object;
  assert.deepEqual(Object.keys(theirs), ['discriminator', 'isOpen', 'totalSupply']);
  assert.deepEqual(
    readAnchor(STATE, ANCHOR).map(([name]) => name),
    ['is_open', 'total_supply'],
  );
});

test('the gap of a C struct in an Anchor IDL: theirs reads into it', () => {
  const theirs = codecOf(converted(ANCHOR), 'accounts').decode(STATE) as { readonly totalSupply: bigint };
  assert.equal(theirs.totalSupply, 41n << 56n);
  assert.deepEqual(readAnchor(STATE, ANCHOR), [
    ['is_open', '1'],
    ['total_supply', '41'],
  ]);
});

test('constants of an Anchor IDL: theirs leaves them out', () => {
  assert.doesNotMatch(JSON.stringify(converted(ANCHOR)), /max_?supply|21_?000_?000/i);
  const { idl, problems } = readIdl(JSON.stringify(ANCHOR));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    idl?.constants.map(({ name, text }) => [name, text]),
    [['MAX_SUPPLY', '21_000_000']],
  );
});

for (const [type, bytes, value] of [
  ['u256', [...new Array<number>(16).fill(0), 1, ...new Array<number>(15).fill(0)], 2n ** 128n],
  ['i256', new Array<number>(32).fill(255), -1n],
] as const)
  test(`${type} in an Anchor IDL: theirs refuses the whole of it`, () => {
    const anchor = anchorWith({ name: 'root_hash', type });
    assert.throws(() => converted(anchor), /Unrecognized Anchor IDL type/);
    assert.deepEqual(readAnchor(Uint8Array.of(7, ...bytes), anchor), [['root_hash', String(value)]]);
  });
