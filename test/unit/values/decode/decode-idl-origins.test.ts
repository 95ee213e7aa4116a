// Every origin and form of IDL that is read, one row each as in docs/language.md: the bytes that its instructions, accounts
// and events begin with.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import { jsonOf } from '../../../../core/solana/json/json';
import { decodeAccount } from '../../../../core/solana/decode/decode';
import { guessLayout } from '../../../../core/solana/decode/guess';
import { recordOf } from '../../../../core/solana/decode/idl/decode';
import { ENCODER } from '../../../../core/solana/decode/idl/encoder';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import { programsOf } from '../../../../core/solana/decode/idl/registry';
import type { Idl } from '../../../../core/solana/decode/idl/model';
import { argumentsOf, texts } from '../../../support/data/decoded';
import { keyOf } from '../../../support/data/layouts';

const PROGRAM = encodeBase58(keyOf(0x11));
const hash = (text: string): readonly number[] => [...createHash('sha256').update(text).digest().subarray(0, 8)];
const u64 = (value: number): readonly number[] => [value, 0, 0, 0, 0, 0, 0, 0];

const STATE = { kind: 'struct', fields: [{ name: 'count', type: 'u64' }] };
const ARGS = [{ name: 'amount', type: 'u64' }];
const plain = (name: string): object => ({ name, accounts: [], args: ARGS });
const shank = (name: string, value: unknown, type: unknown = 'u8'): object => ({
  ...plain(name),
  discriminant: { type, value },
});

/** A file of the form before Anchor 0.30, which Shank writes too. */
const old = (instructions: readonly object[], metadata: object = {}): object => ({
  version: '0.1.0',
  name: 'demo',
  instructions,
  accounts: [{ name: 'State', type: STATE }],
  events: [{ name: 'Done', fields: [{ name: 'count', type: 'u64', index: false }] }],
  metadata: { address: PROGRAM, ...metadata },
});

const CODAMA_ARGUMENTS = [
  { kind: 'instructionArgumentNode', name: 'amount', type: { kind: 'numberTypeNode', format: 'u64', endian: 'le' } },
];

/** A Codama document whose instruction and account begin with these bytes. */
const codama = (origin: string, head: string, more: object = {}): object => {
  const size = head.length / 2 || 1;
  const discriminator = {
    name: 'discriminator',
    type: { kind: 'fixedSizeTypeNode', size: Math.ceil(size), type: { kind: 'bytesTypeNode' } },
    defaultValue: { kind: 'bytesValueNode', data: head, encoding: 'base16' },
    defaultValueStrategy: 'omitted',
  };
  const discriminators = [{ kind: 'fieldDiscriminatorNode', name: 'discriminator', offset: 0 }];
  return {
    kind: 'rootNode',
    standard: 'codama',
    version: '1.0.0',
    program: {
      kind: 'programNode',
      name: 'demo',
      publicKey: PROGRAM,
      origin,
      instructions: [
        {
          kind: 'instructionNode',
          name: 'second',
          accounts: [],
          arguments: [{ kind: 'instructionArgumentNode', ...discriminator }, ...CODAMA_ARGUMENTS],
          discriminators,
        },
      ],
      accounts: [
        {
          kind: 'accountNode',
          name: 'State',
          data: {
            kind: 'structTypeNode',
            fields: [
              {
                kind: 'structFieldTypeNode',
                name: 'count',
                type: { kind: 'numberTypeNode', format: 'u64', endian: 'le' },
              },
            ],
          },
        },
      ],
    },
    ...more,
  };
};

function read(file: object): Idl {
  const { idl, problems } = readIdl(JSON.stringify(file));
  assert.deepEqual(problems, []);
  assert.ok(idl);
  return idl;
}

/** The data of the call `second(7)`. */
function written(idl: Idl, name = 'second'): readonly number[] {
  const instruction = idl.instructions.find((one) => one.name === name);
  assert.ok(instruction);
  const encoded = ENCODER.instruction(idl, instruction, jsonOf('{"amount":7}'));
  assert.ok(encoded.ok);
  // The same bytes read as the same call.
  assert.equal(recordOf(idl.instructions, encoded.bytes)?.name, name);
  assert.deepEqual(texts(argumentsOf(idl, instruction, encoded.bytes)), { amount: '7' });
  return [...encoded.bytes];
}

/** Whether these bytes are read as the account `State`. */
const isState = (idl: Idl, bytes: readonly number[]): boolean =>
  decodeAccount(
    { owner: PROGRAM, lamports: 1n, data: Uint8Array.from(bytes), executable: false },
    programsOf([{ idl }]),
  ) !== undefined;

interface Row {
  readonly title: string;
  /** In the table of docs/language.md. */
  readonly row: string;
  readonly file: object;
  /** Before the arguments of `second`. */
  readonly head: readonly number[];
  /** Before the fields of `State`; undefined: it is not recognised. */
  readonly account?: readonly number[];
  readonly usesAnchor?: true;
}

const ANCHOR_SECOND = hash('global:second');
const ANCHOR_STATE = hash('account:State');
const SHANK = { origin: 'shank' };

const ROWS: readonly Row[] = [
  {
    title: 'Anchor before 0.30',
    row: 'Anchor before 0.30, `metadata.origin` absent or `anchor`',
    file: old([plain('first'), plain('second')]),
    head: ANCHOR_SECOND,
    account: ANCHOR_STATE,
    usesAnchor: true,
  },
  {
    title: 'Anchor before 0.30 that names its origin',
    row: 'Anchor before 0.30, `metadata.origin` absent or `anchor`',
    file: old([plain('second')], { origin: 'anchor' }),
    head: ANCHOR_SECOND,
    account: ANCHOR_STATE,
    usesAnchor: true,
  },
  {
    title: 'Anchor before 0.30 that names its origin, with discriminants',
    row: 'Anchor before 0.30, `metadata.origin` absent or `anchor`',
    file: old([shank('second', 3, 'u16')], { origin: 'anchor' }),
    head: [3, 0],
    account: ANCHOR_STATE,
    usesAnchor: true,
  },
  {
    title: 'Anchor since 0.30',
    row: 'Anchor since 0.30',
    file: {
      address: PROGRAM,
      metadata: { name: 'demo', version: '0.1.0', spec: '0.1.0' },
      instructions: [{ ...plain('second'), discriminator: [9, 8, 7] }],
      accounts: [{ name: 'State', discriminator: [5] }],
      types: [{ name: 'State', type: STATE }],
    },
    head: [9, 8, 7],
    account: [5],
    usesAnchor: true,
  },
  {
    title: 'Shank without discriminants',
    row: 'Shank (`metadata.origin` is `shank`), instruction without a `discriminant`',
    file: old([plain('first'), plain('second')], SHANK),
    head: [1],
  },
  {
    title: 'Shank with discriminants',
    row: 'Shank, instruction with a `discriminant`',
    file: old([shank('first', 4), shank('second', 200)], SHANK),
    head: [200],
  },
  {
    title: 'Shank with wide discriminants',
    row: 'Shank, instruction with a `discriminant`',
    file: old([shank('second', 258, 'u32')], SHANK),
    head: [2, 1, 0, 0],
  },
  {
    title: 'Shank with discriminants of two bytes',
    row: 'Shank, instruction with a `discriminant`',
    file: old([shank('second', 7, 'u16')], SHANK),
    head: [7, 0],
  },
  {
    title: 'Shank with discriminants of eight bytes',
    row: 'Shank, instruction with a `discriminant`',
    file: old([shank('second', 3, 'u64')], SHANK),
    head: u64(3),
  },
  {
    title: 'Shank with discriminants that are bytes',
    row: 'Shank, instruction with a `discriminant`',
    file: old([shank('second', [1, 2, 3], { array: ['u8', 3] })], SHANK),
    head: [1, 2, 3],
  },
  {
    title: 'Shank with discriminants of some instructions, and none of this',
    row: 'Shank (`metadata.origin` is `shank`), instruction without a `discriminant`',
    file: old([shank('first', 9, 'u32'), plain('second')], SHANK),
    head: [1],
  },
  {
    title: 'Shank with discriminants of some instructions, and this one',
    row: 'Shank, instruction with a `discriminant`',
    file: old([plain('first'), shank('second', 9, 'u32')], SHANK),
    head: [9, 0, 0, 0],
  },
  {
    title: 'Shank that does not name its origin',
    row: 'no origin, every instruction with a `discriminant`',
    file: old([shank('first', 0), shank('second', 1)]),
    head: [1],
  },
  {
    title: 'no origin, discriminants of some instructions, and this one',
    row: 'Anchor before 0.30, `metadata.origin` absent or `anchor`',
    file: old([plain('first'), shank('second', 1)]),
    head: [1],
    account: ANCHOR_STATE,
    usesAnchor: true,
  },
  {
    title: 'no origin, discriminants of some instructions, and none of this',
    row: 'Anchor before 0.30, `metadata.origin` absent or `anchor`',
    file: old([shank('first', 1), plain('second')]),
    head: ANCHOR_SECOND,
    account: ANCHOR_STATE,
    usesAnchor: true,
  },
  {
    title: 'another origin with discriminants',
    row: 'another origin',
    file: old([shank('second', 6)], { origin: 'native' }),
    head: [6],
  },
  {
    title: 'Codama of an Anchor program',
    row: 'Codama, of any origin',
    file: codama('anchor', '0102030405060708'),
    head: [1, 2, 3, 4, 5, 6, 7, 8],
    usesAnchor: true,
  },
  { title: 'Codama of a Shank program', row: 'Codama, of any origin', file: codama('shank', '05'), head: [5] },
  {
    title: 'Codama of a Shank program, with one digit',
    row: 'Codama, of any origin',
    file: codama('shank', '5'),
    head: [5],
  },
  {
    title: 'Kinobi',
    row: 'Kinobi, documents with one `program`',
    file: codama('shank', '05', { standard: 'kinobi', version: '0.21.0' }),
    head: [5],
  },
];

describe('what an IDL of each origin begins its data with', () => {
  test('the table of docs/language.md has these rows and no others', () => {
    const page = readFileSync('docs/language.md', 'utf8');
    const [, table = ''] = /^\| IDL \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const rows = table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' | ')[0]?.slice(2));
    assert.deepEqual(rows, [...new Set(ROWS.map(({ row }) => row))]);
  });

  for (const { title, file, head, account, usesAnchor } of ROWS)
    test(title, () => {
      const idl = read(file);
      assert.deepEqual(written(idl), [...head, ...u64(7)]);
      assert.equal(idl.usesAnchor, usesAnchor);
      if (account !== undefined) assert.equal(isState(idl, [...account, ...u64(1)]), true);
      const others = [ANCHOR_STATE, [1], [0], []].filter((one) => one !== account);
      assert.deepEqual(
        others.map((one) => isState(idl, [...one, ...u64(1)])),
        others.map(() => false),
      );
    });
});

describe('an instruction whose beginning is not known', () => {
  const many = Array.from({ length: 257 }, (_, index) => plain(`n${index}`));
  for (const [title, file, place] of [
    ['another origin without a discriminant', old([plain('second')], { origin: 'native' }), 'instructions.second'],
    [
      'a discriminant that its type does not hold',
      old([shank('second', 256)], SHANK),
      'instructions.second.discriminant',
    ],
    [
      'a discriminant without a value',
      old([{ ...plain('second'), discriminant: { type: 'u8' } }], SHANK),
      'instructions.second.discriminant',
    ],
    ['a discriminant of an unknown type', old([shank('second', 1, 'u7')], SHANK), 'instructions.second.discriminant'],
    ['a place beyond one byte', old(many, SHANK), 'instructions.n256'],
  ] as const)
    test(`is left out and reported: ${title}`, () => {
      const { idl, problems } = readIdl(JSON.stringify(file));
      const last = place.split('.')[1];
      assert.equal(
        idl?.instructions.some(({ name }) => name === last),
        false,
      );
      assert.ok(
        problems.some((one) => one.place === place),
        JSON.stringify(problems),
      );
    });
});

test('optional accounts are left out or take the program as their place, and a signer may be either', () => {
  const accounts = [
    { name: 'a', isMut: true, isSigner: false, isOptional: true },
    { name: 'b', isMut: false, isSigner: true, isOptionalSigner: true },
  ];
  const idl = read(
    old(
      [
        { ...shank('x', 0), accounts },
        { ...shank('y', 1), accounts, legacyOptionalAccountsStrategy: true },
      ],
      SHANK,
    ),
  );
  assert.deepEqual(
    idl.instructions.map(({ omitsOptional }) => omitsOptional),
    [undefined, true],
  );
  assert.deepEqual(
    idl.instructions[0]?.accounts.map(({ isOptional, isSigner }) => [isOptional, isSigner]),
    [
      [true, false],
      [false, 'either'],
    ],
  );
});

test('data of a program whose accounts have no hash in front is guessed from its first byte', () => {
  const data = Uint8Array.from([...keyOf(0xaa).map((byte, index) => byte ^ (index * 7)), ...u64(5)]);
  const first = (idl?: Idl): string | undefined => guessLayout(data, idl)[0]?.value.kind;
  assert.equal(first(read(old([shank('a', 0)], SHANK))), 'pubkey');
  assert.equal(first(read(old([plain('a')]))), 'bytes');
});

test('a document of early Kinobi, which lists programs, is reported and not read', () => {
  const { idl, problems } = readIdl(JSON.stringify({ kind: 'rootNode', standard: 'kinobi', programs: [] }));
  assert.deepEqual([idl, problems.map(({ place }) => place)], [undefined, ['program']]);
});
