// Every type node of Codama documents: what its bytes are, and bytes that do not fit it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import {
  array,
  boolean,
  byteConstant,
  bytes,
  bytesValue,
  constant,
  emptyVariant,
  enumOf,
  field,
  fixed,
  fixedCount,
  hiddenPrefix,
  hiddenSuffix,
  map,
  number,
  numberValue,
  option,
  postOffset,
  preOffset,
  prefixedCount,
  publicKey,
  remainderCount,
  remainderOption,
  sentinel,
  set,
  sized,
  stateOf,
  struct,
  structVariant,
  text,
  tuple,
  tupleVariant,
  zeroable,
  type Node,
  idlOf,
  fieldsOf,
} from '../../../support/data/codama';
import { borsh, keyOf, type Part } from '../../../support/data/layouts';

const key = encodeBase58(keyOf(0xaa));
const u8 = number('u8');
const u16 = number('u16');
const next = (type: Node): Node => struct(field('a', type), field('b', u8));

/** Name, node and bytes of a type, and the value as text; a value that is followed by another is `{ a, b }`. */
const TYPES: readonly (readonly [what: string, type: Node, parts: readonly Part[], value: string])[] = [
  ['u32', number('u32'), [[4, 4_000_000_000]], '4000000000'],
  ['u32 be', number('u32', 'be'), [Uint8Array.of(0, 0, 0, 1)], '1'],
  ['i16 be', number('i16', 'be'), [Uint8Array.of(0xff, 0xfe)], '-2'],
  ['u64 be', number('u64', 'be'), [Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 2)], String(2n ** 56n + 2n)],
  ['i128', number('i128'), [[16, -5]], '-5'],
  ['i128 be', number('i128', 'be'), [new Uint8Array(16).fill(255)], '-1'],
  ['f32', number('f32'), [Buffer.from(Float32Array.of(0.5).buffer)], '0.5'],
  ['f64 be', number('f64', 'be'), [Uint8Array.of(0xc0, 2, 0, 0, 0, 0, 0, 0)], '-2.25'],
  ['shortU16 of one byte', number('shortU16'), [Uint8Array.of(0x7f)], '127'],
  ['shortU16 of three bytes', number('shortU16'), [Uint8Array.of(0xff, 0xff, 3)], '65535'],
  ['bool', boolean(), [[1, 1]], 'true'],
  [
    'bool of four bytes',
    next(boolean(number('u32'))),
    [
      [4, 1],
      [1, 9],
    ],
    '{ a: true, b: 9 }',
  ],
  ['bool be', next(boolean(number('u16', 'be'))), [Uint8Array.of(0, 1, 9)], '{ a: true, b: 9 }'],
  ['bool that is neither', boolean(), [[1, 2]], '2'],
  ['public key', publicKey, [keyOf(0xaa)], key],
  ['bytes to the end', bytes, [Uint8Array.of(1, 2, 3)], '0x010203'],
  ['text to the end', text(), ['héllo'], 'héllo'],
  ['base16', text('base16'), [Uint8Array.of(0xab, 1)], 'ab01'],
  ['base58', text('base58'), [keyOf(0xaa)], key],
  ['base64', text('base64'), ['hey!'], 'aGV5IQ=='],
  ['text behind a u32', next(sized(text())), [borsh('ab'), [1, 9]], '{ a: ab, b: 9 }'],
  ['bytes behind a u8', next(sized(bytes, u8)), [[1, 2], 'ab', [1, 9]], '{ a: 0x6162, b: 9 }'],
  ['text behind a shortU16', next(sized(text(), number('shortU16'))), [[1, 2], 'ab', [1, 9]], '{ a: ab, b: 9 }'],
  [
    'a struct behind its size, with padding',
    next(sized(struct(field('x', u8)), u16)),
    [
      [2, 3],
      [1, 5],
      [2, 0],
      [1, 9],
    ],
    '{ a: { x: 5 }, b: 9 }',
  ],
  ['text of a fixed size', next(fixed(5, text())), ['ab', new Uint8Array(3), [1, 9]], '{ a: ab, b: 9 }'],
  ['bytes of a fixed size', next(fixed(2, bytes)), ['ab', [1, 9]], '{ a: 0x6162, b: 9 }'],
  ['text up to a byte', next(sentinel(text(), byteConstant(0))), ['abc', [1, 0], [1, 9]], '{ a: abc, b: 9 }'],
  [
    'text up to bytes',
    next(sentinel(text(), constant(bytes, bytesValue('ffff')))),
    ['a', Uint8Array.of(255, 0x62, 255, 255, 9)],
    '{ a: a\ufffdb, b: 9 }',
  ],
  [
    'option, none',
    next(option(u16)),
    [
      [1, 0],
      [1, 9],
    ],
    '{ a: none, b: 9 }',
  ],
  [
    'option, some',
    next(option(u16)),
    [
      [1, 1],
      [2, 5],
      [1, 9],
    ],
    '{ a: 5, b: 9 }',
  ],
  [
    'option of a u32 tag that is fixed, none',
    next(option(u16, { prefix: number('u32'), fixed: true })),
    [
      [4, 0],
      [2, 0],
      [1, 9],
    ],
    '{ a: none, b: 9 }',
  ],
  [
    'option that is fixed, some',
    next(option(u16, { fixed: true })),
    [
      [1, 1],
      [2, 5],
      [1, 9],
    ],
    '{ a: 5, b: 9 }',
  ],
  ['zeroable, none', next(zeroable(publicKey)), [keyOf(0), [1, 9]], '{ a: none, b: 9 }'],
  ['zeroable, some', next(zeroable(publicKey)), [keyOf(0xaa), [1, 9]], `{ a: ${key}, b: 9 }`],
  [
    'zeroable with a custom zero',
    next(zeroable(u16, { zeroValue: constant(bytes, bytesValue('ffff')) })),
    [
      [2, 0xffff],
      [1, 9],
    ],
    '{ a: none, b: 9 }',
  ],
  [
    'zeroable, zeros that are a value',
    next(zeroable(u16, { zeroValue: constant(u16, numberValue(7)) })),
    [
      [2, 0],
      [1, 9],
    ],
    '{ a: 0, b: 9 }',
  ],
  ['remainder option, none', remainderOption(u8), [], 'none'],
  ['remainder option, some', remainderOption(u8), [[1, 9]], '9'],
  [
    'array of a fixed count',
    next(array(u16, fixedCount(2))),
    [
      [2, 1],
      [2, 2],
      [1, 9],
    ],
    '{ a: [1, 2], b: 9 }',
  ],
  [
    'array behind a u8',
    next(array(u16, prefixedCount(u8))),
    [
      [1, 1],
      [2, 5],
      [1, 9],
    ],
    '{ a: [5], b: 9 }',
  ],
  [
    'array behind a u16 be',
    next(array(u16, prefixedCount(number('u16', 'be')))),
    [Uint8Array.of(0, 1), [2, 5], [1, 9]],
    '{ a: [5], b: 9 }',
  ],
  [
    'array behind a shortU16',
    next(array(u16, prefixedCount(number('shortU16')))),
    [
      [1, 1],
      [2, 5],
      [1, 9],
    ],
    '{ a: [5], b: 9 }',
  ],
  [
    'array of what is left',
    array(u16, remainderCount),
    [
      [2, 1],
      [2, 2],
    ],
    '[1, 2]',
  ],
  ['array of nothing left', array(u16, remainderCount), [], '[]'],
  [
    'set',
    set(u16),
    [
      [4, 1],
      [2, 5],
    ],
    '[5]',
  ],
  [
    'map',
    map(u8, boolean(), prefixedCount(u8)),
    [
      [1, 1],
      [1, 4],
      [1, 1],
    ],
    '[{ 0: 4, 1: true }]',
  ],
  [
    'map of a fixed count',
    map(u8, u8, fixedCount(1)),
    [
      [1, 4],
      [1, 5],
    ],
    '[{ 0: 4, 1: 5 }]',
  ],
  [
    'tuple',
    tuple(u8, boolean()),
    [
      [1, 3],
      [1, 0],
    ],
    '{ 0: 3, 1: false }',
  ],
  ['enum by index', enumOf([emptyVariant('bid'), emptyVariant('ask')]), [[1, 1]], 'ask'],
  ['enum of two bytes', enumOf([emptyVariant('bid'), emptyVariant('ask')], u16), [[2, 1]], 'ask'],
  ['enum by discriminator', enumOf([emptyVariant('bid', { discriminator: 5 }), emptyVariant('ask')]), [[1, 5]], 'bid'],
  [
    'enum with a struct',
    enumOf([structVariant('ask', field('price', u16))]),
    [
      [1, 0],
      [2, 5],
    ],
    'ask { price: 5 }',
  ],
  [
    'enum with a tuple',
    enumOf([tupleVariant('both', u8, u8)]),
    [
      [1, 0],
      [1, 5],
      [1, 6],
    ],
    'both { 0: 5, 1: 6 }',
  ],
  ['hidden prefix', hiddenPrefix(u8, byteConstant(3), byteConstant(4)), [Uint8Array.of(3, 4, 9)], '9'],
  ['hidden suffix', next(hiddenSuffix(u8, byteConstant(3))), [Uint8Array.of(8, 3, 9)], '{ a: 8, b: 9 }'],
  ['offset before, relative', next(preOffset(2, 'relative', u8)), [Uint8Array.of(0, 0, 8, 9)], '{ a: 8, b: 9 }'],
  [
    'offset before, back',
    struct(field('a', u8), field('b', preOffset(-1, 'relative', u16))),
    [Uint8Array.of(8, 1)],
    '{ a: 8, b: 264 }',
  ],
  ['offset before, padded', next(preOffset(2, 'padded', u8)), [Uint8Array.of(0, 0, 8, 9)], '{ a: 8, b: 9 }'],
  ['offset before, absolute', fixed(3, preOffset(2, 'absolute', u8)), [Uint8Array.of(0, 0, 8)], '8'],
  ['offset before, from the end', fixed(3, preOffset(-1, 'absolute', u8)), [Uint8Array.of(0, 0, 8)], '8'],
  ['offset after, relative', next(postOffset(2, 'relative', u8)), [Uint8Array.of(8, 0, 0, 9)], '{ a: 8, b: 9 }'],
  ['offset after, padded', next(postOffset(2, 'padded', u8)), [Uint8Array.of(8, 0, 0, 9)], '{ a: 8, b: 9 }'],
  [
    'offset after, from before the value',
    next(postOffset(3, 'preOffset', u8)),
    [Uint8Array.of(8, 0, 0, 9)],
    '{ a: 8, b: 9 }',
  ],
  [
    'offset after, absolute',
    fixed(4, next(postOffset(3, 'absolute', u8))),
    [Uint8Array.of(8, 0, 0, 9)],
    '{ a: 8, b: 9 }',
  ],
  ['amount', { kind: 'amountTypeNode', decimals: 2, unit: 'USD', number: u16 }, [[2, 1_250]], '12.5 USD (raw 1250)'],
  [
    'lamports',
    { kind: 'solAmountTypeNode', number: number('u64') },
    [[8, 1_500_000_000]],
    '1,500,000,000 lamports (1.5 SOL)',
  ],
  [
    'time',
    { kind: 'dateTimeTypeNode', number: number('i64') },
    [[8, 1_738_324_800]],
    '2025-01-31T12:00:00Z (1738324800)',
  ],
];
for (const [what, type, parts, value] of TYPES)
  test(`${what} reads as ${value}`, () => {
    const document = stateOf(type);
    idlOf(document);
    assert.deepEqual(fieldsOf(document, [1, 7], ...parts), { value });
  });

test('a fixed text with millions of zeros inside and at its end is read in one pass', () => {
  // The cost of a square would take this test to its limit.
  const zeros = '\0'.repeat(2_000_000);
  const type = fixed(2 * zeros.length + 1, text());
  const fields = fieldsOf(stateOf(type), [1, 7], `${zeros}x${zeros}`);
  assert.match(fields?.['value'] ?? '', /^\ufffd+/);
});

/** Bytes that do not fit their type. */
const UNFIT: readonly (readonly [what: string, type: Node, parts: readonly Part[]])[] = [
  ['too few bytes', number('u32'), [[2, 1]]],
  ['a shortU16 of four bytes', number('shortU16'), [Uint8Array.of(255, 255, 255, 1)]],
  ['a size beyond the end', sized(text()), [[4, 9], 'ab']],
  ['a negative size', sized(text(), number('i8')), [[1, -1]]],
  ['a size that is not a whole number', sized(text(), number('f32')), [Buffer.from(Float32Array.of(0.5).buffer), 'ab']],
  ['a sentinel that is not there', sentinel(text(), byteConstant(0)), ['abc']],
  ['a hidden prefix of other bytes', hiddenPrefix(u8, byteConstant(3)), [Uint8Array.of(4, 9)]],
  ['a variant that is not there', enumOf([emptyVariant('bid')]), [[1, 1]]],
  ['an offset before the start', preOffset(-9, 'relative', u8), [[1, 1]]],
  ['an offset beyond the end', preOffset(9, 'relative', u8), [[1, 1]]],
  ['a value larger than its room', fixed(1, u16), [[2, 1]]],
  [
    'a remainder that ends within an item',
    array(u16, remainderCount),
    [
      [2, 1],
      [1, 1],
    ],
  ],
];
for (const [what, type, parts] of UNFIT)
  test(`data with ${what} is not decoded`, () => {
    assert.equal(fieldsOf(stateOf(type), [1, 7], ...parts), undefined);
  });
