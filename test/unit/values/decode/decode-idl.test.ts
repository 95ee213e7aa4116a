// Anchor IDLs of both forms: what they decode, and what a malformed one says instead of throwing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import { decodeAccount } from '../../../../core/solana/decode/decode';
import type { Decoded, DecodedField } from '../../../../core/solana/decode/decoded';
import { valueText } from '../../../../core/solana/decode/decodedText';
import { recordOf } from '../../../../core/solana/decode/idl/decode';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import { programsOf } from '../../../../core/solana/decode/idl/registry';
import { argumentsOf, texts } from '../../../support/data/decoded';
import { borsh, keyOf, layOut, type Part } from '../../../support/data/layouts';

const PROGRAM = encodeBase58(keyOf(0x11));
const A = encodeBase58(keyOf(0xaa));
const discriminator = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 8);

const OLD = {
  version: '0.1.0',
  name: 'old_counter',
  instructions: [
    {
      name: 'setTheCount',
      accounts: [{ name: 'counter', isMut: true, isSigner: false }],
      args: [{ name: 'to', type: 'u64' }],
    },
  ],
  accounts: [
    {
      name: 'Counter',
      type: {
        kind: 'struct',
        fields: [
          { name: 'authority', type: 'publicKey' },
          { name: 'count', type: 'u64' },
        ],
      },
    },
  ],
  events: [{ name: 'Counted', fields: [{ name: 'count', type: 'u64', index: false }] }],
  errors: [{ code: 6000, name: 'TooMany', msg: 'Too many' }],
  metadata: { address: PROGRAM },
};

/** A new-form IDL whose one account `State` has these fields. */
function idlOf(fields: unknown, ...types: unknown[]): string {
  return JSON.stringify({
    address: PROGRAM,
    metadata: { name: 'demo', version: '0.1.0', spec: '0.1.0' },
    instructions: [],
    accounts: [{ name: 'State', discriminator: [1, 2, 3, 4, 5, 6, 7, 8] }],
    types: [{ name: 'State', type: { kind: 'struct', fields } }, ...types],
  });
}

const HEAD = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

function decodeState(text: string, ...parts: Part[]): Decoded | undefined {
  const { idl, problems } = readIdl(text);
  assert.ok(idl);
  assert.deepEqual(problems, []);
  const data = layOut(HEAD, ...parts);
  return decodeAccount({ owner: PROGRAM, lamports: 1n, data, executable: false }, programsOf([{ idl }]));
}

function fieldsOf(text: string, ...parts: Part[]): Record<string, string> {
  const decoded = decodeState(text, ...parts);
  assert.ok(decoded, 'nothing was decoded');
  return texts(decoded.fields);
}

test('an IDL of the old form decodes an account by the hash of its name', () => {
  const { idl, problems } = readIdl(JSON.stringify(OLD));
  assert.ok(idl);
  assert.deepEqual(problems, []);
  const data = layOut(discriminator('account:Counter'), keyOf(0xaa), [8, 41]);
  const decoded = decodeAccount({ owner: PROGRAM, lamports: 1n, data, executable: false }, programsOf([{ idl }]));
  assert.ok(decoded);
  assert.deepEqual(
    [decoded.kind, decoded.title, texts(decoded.fields)],
    ['idl', 'Counter (old_counter)', { authority: A, count: '41' }],
  );
});

test('instructions of the old form are known by the hash of their snake-case names, events by theirs', () => {
  const { idl } = readIdl(JSON.stringify(OLD));
  assert.ok(idl);
  const data = layOut(discriminator('global:set_the_count'), [8, 7]);
  const instruction = recordOf(idl.instructions, data);
  assert.equal(instruction?.name, 'setTheCount');
  assert.deepEqual(texts(argumentsOf(idl, instruction, data)), { to: '7' });
  assert.equal(recordOf(idl.events, discriminator('event:Counted'))?.name, 'Counted');
  assert.deepEqual(idl.errors.get(6000), { name: 'TooMany', message: 'Too many' });
});

/** Type as the new form spells it, bytes, text. */
const TYPES: readonly (readonly [type: unknown, parts: readonly Part[], text: string])[] = [
  ['u8', [[1, 255]], '255'],
  ['i8', [[1, -1]], '-1'],
  ['i16', [[2, -300]], '-300'],
  ['u32', [[4, 4_000_000_000]], '4000000000'],
  ['i64', [[8, -(2n ** 63n)]], String(-(2n ** 63n))],
  ['u128', [[16, 2n ** 128n - 1n]], String(2n ** 128n - 1n)],
  ['i128', [[16, -5n]], '-5'],
  [
    'u256',
    [
      [16, 1n],
      [16, 1n],
    ],
    String(2n ** 128n + 1n),
  ],
  ['f32', [Buffer.from(Float32Array.of(0.5).buffer)], '0.5'],
  ['f64', [Buffer.from(Float64Array.of(-2.25).buffer)], '-2.25'],
  ['bool', [[1, 1]], 'true'],
  ['string', [borsh('héllo')], 'héllo'],
  ['bytes', [[4, 2], Uint8Array.of(0xab, 0xcd)], '0xabcd'],
  ['pubkey', [keyOf(0xaa)], A],
  [{ option: 'u8' }, [[1, 0]], 'none'],
  [
    { option: 'u8' },
    [
      [1, 1],
      [1, 9],
    ],
    '9',
  ],
  [
    { coption: 'u16' },
    [
      [4, 0],
      [2, 7],
    ],
    'none',
  ],
  [
    { coption: 'u16' },
    [
      [4, 1],
      [2, 7],
    ],
    '7',
  ],
  [
    { vec: 'u16' },
    [
      [4, 2],
      [2, 1],
      [2, 2],
    ],
    '[1, 2]',
  ],
  [
    { vec: 'u8' },
    [
      [4, 2],
      [1, 1],
      [1, 2],
    ],
    '0x0102',
  ],
  [
    { array: ['i16', 2] },
    [
      [2, -1],
      [2, 2],
    ],
    '[-1, 2]',
  ],
  [{ array: [{ array: ['u8', 2] }, 2] }, [Uint8Array.of(1, 2, 3, 4)], '[0x0102, 0x0304]'],
  [
    { tuple: ['u8', 'bool'] },
    [
      [1, 3],
      [1, 0],
    ],
    '{ 0: 3, 1: false }',
  ],
  [{ hashMap: ['u8', 'string'] }, [[4, 1], [1, 1], borsh('x')], '[{ 0: 1, 1: x }]'],
  [
    { bTreeSet: 'u16' },
    [
      [4, 1],
      [2, 3],
    ],
    '[3]',
  ],
];
for (const [type, parts, text] of TYPES) {
  test(`${JSON.stringify(type)} reads as ${text}`, () => {
    assert.deepEqual(
      fieldsOf(
        idlOf([
          { name: 'value', type },
          { name: 'next', type: 'u8' },
        ]),
        ...parts,
        [1, 77],
      ),
      {
        value: text,
        next: '77',
      },
    );
  });
}

test('defined structs, tuples and enums with fields nest', () => {
  const side = {
    name: 'Side',
    type: {
      kind: 'enum',
      variants: [
        { name: 'Bid' },
        { name: 'Ask', fields: [{ name: 'price', type: 'u64' }] },
        { name: 'Both', fields: ['u8', 'u8'] },
      ],
    },
  };
  const order = {
    name: 'Order',
    type: { kind: 'struct', fields: [{ name: 'side', type: { defined: { name: 'Side' } } }] },
  };
  const text = idlOf([{ name: 'orders', type: { vec: { defined: { name: 'Order' } } } }], side, order);
  assert.deepEqual(fieldsOf(text, [4, 3], [1, 0], [1, 1], [8, 5], [1, 2], [1, 8], [1, 9]), {
    orders: '[{ side: Bid }, { side: Ask { price: 5 } }, { side: Both { 0: 8, 1: 9 } }]',
  });
});

test('generics stand for types and for lengths', () => {
  const list = {
    name: 'List',
    generics: [
      { kind: 'type', name: 'T' },
      { kind: 'const', name: 'N', type: 'usize' },
    ],
    type: { kind: 'struct', fields: [{ name: 'items', type: { array: [{ generic: 'T' }, { generic: 'N' }] } }] },
  };
  const use = {
    defined: {
      name: 'List',
      generics: [
        { kind: 'type', type: 'u16' },
        { kind: 'const', value: '3' },
      ],
    },
  };
  assert.deepEqual(fieldsOf(idlOf([{ name: 'list', type: use }], list), [2, 1], [2, 2], [2, 3]), {
    list: '{ items: [1, 2, 3] }',
  });
});

test('structs laid out like C keep their gaps', () => {
  const inner = {
    name: 'Inner',
    serialization: 'bytemuckunsafe',
    repr: { kind: 'c' },
    type: {
      kind: 'struct',
      fields: [
        { name: 'a', type: 'u8' },
        { name: 'b', type: 'u64' },
        { name: 'c', type: 'u16' },
      ],
    },
  };
  const text = idlOf(
    [
      { name: 'first', type: { defined: { name: 'Inner' } } },
      { name: 'last', type: 'u8' },
    ],
    inner,
  );
  assert.deepEqual(fieldsOf(text, [8, 1], [8, 2], [8, 3], [1, 4]), { first: '{ a: 1, b: 2, c: 3 }', last: '4' });
});

test('names that mean something to JavaScript are names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const types = names.map(
    (name) => `{"name":"${name}","type":{"kind":"struct","fields":[{"name":"${name}","type":"u8"}]}}`,
  );
  const fields = names.map((name) => `{"name":"${name}","type":{"defined":{"name":"${name}"}}}`);
  const text = `{"address":"${PROGRAM}","metadata":{"name":"__proto__"},"instructions":[],"accounts":[{"name":"State","discriminator":[1,2,3,4,5,6,7,8]}],"types":[{"name":"State","type":{"kind":"struct","fields":[${fields.join()}]}},${types.join()}]}`;
  const decoded = decodeState(text, Uint8Array.of(1, 2, 3, 4));
  assert.ok(decoded);
  assert.equal(decoded.title, 'State (__proto__)');
  assert.deepEqual(
    decoded.fields.map(({ name, value }: DecodedField) => [name, valueText(value)]),
    names.map((name, at) => [name, `{ ${name}: ${at + 1} }`]),
  );
  assert.equal(Object.hasOwn(Object.prototype, 'u8'), false);
});

/** Broken files and what they say. */
const BROKEN: readonly (readonly [name: string, text: string, place: string, message: RegExp])[] = [
  ['no JSON', '{', 'the file', /./],
  ['a list', '[]', 'the file', /object/],
  ['no instructions', '{}', 'instructions', /lists its instructions/],
  ['a wrong address', '{"instructions":[],"address":"x"}', 'address', /public key/],
  [
    'an unknown type',
    JSON.stringify({ instructions: [{ name: 'a', args: [{ name: 'b', type: 'u7' }] }] }),
    'instructions.a.args.b',
    /"u7"/,
  ],
  [
    'a type that is not there',
    idlOf([{ name: 'a', type: { defined: { name: 'Gone' } } }]),
    'types.State.a',
    /no type "Gone"/,
  ],
  [
    'a discriminator of texts',
    JSON.stringify({ instructions: [{ name: 'a', discriminator: ['x'] }] }),
    'instructions.a.discriminator',
    /bytes/,
  ],
  [
    'types nested without end',
    idlOf([{ name: 'a', type: JSON.parse('{"vec":'.repeat(60) + '"u8"' + '}'.repeat(60)) as unknown }]),
    'types.State.a',
    /nest deeper/,
  ],
];
for (const [name, text, place, message] of BROKEN) {
  test(`an IDL with ${name} says so at its place`, () => {
    const { problems } = readIdl(text);
    const found = problems.find((problem) => problem.place === place);
    assert.ok(found, JSON.stringify(problems));
    assert.match(found.message, message);
  });
}

test('a struct that holds itself, twice at every level and without bytes, ends', () => {
  const self = {
    name: 'Self',
    type: {
      kind: 'struct',
      fields: [
        { name: 'a', type: { defined: { name: 'Self' } } },
        { name: 'b', type: { defined: { name: 'Self' } } },
      ],
    },
  };
  assert.equal(decodeState(idlOf([{ name: 'x', type: { defined: { name: 'Self' } } }], self), [8, 1]), undefined);
});

test('four thousand million items without bytes are counted and not made', () => {
  const empty = { name: 'Empty', type: { kind: 'struct', fields: [] } };
  const text = idlOf([{ name: 'x', type: { vec: { defined: { name: 'Empty' } } } }], empty);
  assert.deepEqual(fieldsOf(text, [4, 0xffff_ffff]), { x: '[4,294,967,295 more]' });
});

test('items beyond the bound are passed over, and what follows them is read', () => {
  const text = idlOf([
    { name: 'x', type: { vec: 'u64' } },
    { name: 'y', type: 'u8' },
  ]);
  const decoded = decodeState(text, [4, 3_000], new Uint8Array(24_000), [1, 5]);
  assert.ok(decoded);
  const [list, last] = decoded.fields;
  assert.ok(list?.value.kind === 'list' && last);
  assert.deepEqual([list.value.items.length, list.value.more, valueText(last.value)], [1_024, 1_976, '5']);
});
