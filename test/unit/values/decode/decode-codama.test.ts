// Codama documents: what identifies a record, what else of a program is read, and what a malformed node says.
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import { decodeAccount } from '../../../../core/solana/decode/decode';
import { recordOf } from '../../../../core/solana/decode/idl/decode';
import { decodeInstruction } from '../../../../core/solana/decode/transactions/instructions';
import { programsOf } from '../../../../core/solana/decode/idl/registry';
import {
  account,
  argument,
  array,
  boolean,
  byConstant,
  byField,
  bySize,
  bytes,
  bytesValue,
  CODAMA_PROGRAM,
  constant,
  definedType,
  emptyVariant,
  enumOf,
  field,
  fixed,
  fixedCount,
  link,
  number,
  numberValue,
  option,
  preOffset,
  publicKey,
  root,
  sentinel,
  sized,
  stateOf,
  struct,
  text,
  tuple,
  type Node,
  readCodamaDocument,
  idlOf,
  fieldsOf,
} from '../../../support/data/codama';
import { argumentsOf, texts } from '../../../support/data/decoded';
import { keyOf, layOut } from '../../../support/data/layouts';

const key = encodeBase58(keyOf(0xaa));
const u8 = number('u8');
const u16 = number('u16');

const kindOf = (document: unknown, data: Uint8Array): string | undefined =>
  recordOf(idlOf(document).accounts, data)?.name;

test('every discriminator of an account must hold; the account that asks for most is it; without any nothing is', () => {
  const tag = field('tag', u8, { defaultValue: numberValue(1), defaultValueStrategy: 'omitted' });
  const data = struct(tag, field('kind', u16));
  const document = root({
    accounts: [
      account('unknown', data),
      account('byTag', data, [byField('tag', 0)]),
      account('byTagAndSize', data, [byField('tag', 0), bySize(3)]),
      account('byKind', data, [byField('tag', 0), byConstant(1, constant(u16, numberValue(9)))]),
      account('bySize', data, [bySize(5)]),
    ],
  });
  assert.equal(kindOf(document, layOut([1, 1], [1, 0])), 'byTag');
  assert.equal(kindOf(document, layOut([1, 1], [2, 0])), 'byTagAndSize');
  assert.equal(kindOf(document, layOut([1, 1], [2, 9])), 'byKind');
  assert.equal(kindOf(document, layOut([1, 2], [2, 9])), undefined);
  assert.equal(kindOf(document, layOut([1, 2], [4, 9])), 'bySize');
  // The tag says nothing that the name does not.
  assert.deepEqual(fieldsOf(document, [1, 1], [2, 9]), { kind: '9' });
});

/** Constants that identify an account, and their bytes. */
const CONSTANTS: readonly (readonly [what: string, type: Node, value: Node, bytes: Uint8Array])[] = [
  ['a number', number('u32', 'be'), numberValue(258), Uint8Array.of(0, 0, 1, 2)],
  ['base16', bytes, bytesValue('0A0b'), Uint8Array.of(10, 11)],
  ['base58', fixed(32, bytes), bytesValue(key, 'base58'), keyOf(0xaa)],
  ['base64', bytes, bytesValue('aGV5IQ==', 'base64'), layOut('hey!')],
  ['text', sized(text(), u8), { kind: 'stringValueNode', string: 'ab' }, layOut([1, 2], 'ab')],
  ['a public key', publicKey, { kind: 'publicKeyValueNode', publicKey: key }, keyOf(0xaa)],
  ['a flag', boolean(), { kind: 'booleanValueNode', boolean: true }, Uint8Array.of(1)],
  [
    'an array',
    array(u8, fixedCount(2)),
    { kind: 'arrayValueNode', items: [numberValue(1), numberValue(2)] },
    Uint8Array.of(1, 2),
  ],
  ['a variant', link('kinds'), { kind: 'enumValueNode', enum: link('kinds'), variant: 'second' }, Uint8Array.of(6)],
  ['some', option(u8), { kind: 'someValueNode', value: numberValue(3) }, Uint8Array.of(1, 3)],
  ['a shortU16', number('shortU16'), numberValue(200), Uint8Array.of(0xc8, 1)],
];
for (const [what, type, value, expected] of CONSTANTS)
  test(`an account is known by ${what}`, () => {
    const kinds = definedType('kinds', enumOf([emptyVariant('first'), emptyVariant('second', { discriminator: 6 })]));
    const accounts = [account('one', struct(field('tag', type, { defaultValue: value })), [byField('tag', 0)])];
    const { accounts: found } = idlOf(root({ accounts, definedTypes: [kinds] }));
    assert.deepEqual(found[0]?.discriminators, [{ kind: 'bytes', offset: 0, bytes: expected }]);
  });

test('a discriminator that is not understood identifies nothing, and says so', () => {
  const accounts = [
    account('a', struct(field('tag', u8)), [byField('tag', 0)]),
    account('b', struct(field('tag', u8)), [{ kind: 'otherDiscriminatorNode' }, bySize(1)]),
    account('c', struct(field('tag', u8)), [byConstant(0, constant(bytes, bytesValue('')))]),
    account('d', struct(field('tag', u8)), [byField('gone', 0)]),
  ];
  const { idl, problems } = readCodamaDocument(root({ accounts }));
  assert.deepEqual(
    idl?.accounts.map(({ discriminators }) => discriminators),
    [[], [], [], []],
  );
  assert.deepEqual(
    problems.map(({ place }) => place),
    ['a', 'b', 'c', 'd'].map((name) => `accounts.${name}.discriminators`),
  );
});

test('a document without any list is one without entries', () => {
  const document = {
    kind: 'rootNode',
    standard: 'codama',
    version: '1.11.0',
    program: { kind: 'programNode', name: 'bare', publicKey: CODAMA_PROGRAM },
  };
  const { address, name, accounts, instructions, events } = idlOf(document);
  assert.deepEqual([address, name, accounts, instructions, events], [CODAMA_PROGRAM, 'bare', [], [], []]);
  const account = { kind: 'accountNode', name: 'a', data: { kind: 'structTypeNode' } };
  const instruction = { kind: 'instructionNode', name: 'i' };
  const error = { kind: 'errorNode', code: 1, name: 'e' };
  const lists = idlOf({
    ...document,
    program: { ...document.program, accounts: [account], instructions: [instruction], errors: [error] },
  });
  assert.deepEqual(lists.accounts[0]?.discriminators, []);
  assert.deepEqual(lists.instructions[0], { name: 'i', discriminators: [], start: 0, accounts: [], args: [] });
  assert.deepEqual(lists.errors.get(1), { name: 'e' });
});

test('instructions, their accounts, events, errors and constants are read', () => {
  const tag = { defaultValue: numberValue(3), defaultValueStrategy: 'omitted' };
  const idl = idlOf(
    root({
      instructions: [
        {
          kind: 'instructionNode',
          name: 'transfer',
          optionalAccountStrategy: 'programId',
          accounts: [
            { kind: 'instructionAccountNode', name: 'from', isWritable: true, isSigner: 'either', isOptional: false },
            {
              kind: 'instructionAccountNode',
              name: 'program',
              isWritable: false,
              isSigner: false,
              isOptional: true,
              defaultValue: { kind: 'publicKeyValueNode', publicKey: key },
            },
          ],
          remainingAccounts: [
            {
              kind: 'instructionRemainingAccountsNode',
              isSigner: true,
              value: { kind: 'argumentValueNode', name: 'signers' },
            },
          ],
          arguments: [argument('discriminator', u8, tag), argument('amount', number('u64'))],
          discriminators: [byField('discriminator', 0)],
        },
      ],
      events: [{ kind: 'eventNode', name: 'moved', data: tuple(u8), discriminators: [bySize(1)] }],
      errors: [{ kind: 'errorNode', code: 6000, name: 'tooMany', message: 'Too many', docs: [] }],
      constants: [{ kind: 'constantNode', name: 'limit', type: number('u64'), value: numberValue(5) }],
    }),
  );
  const data = layOut([1, 3], [8, 41], [1, 1]);
  const instruction = recordOf(idl.instructions, data);
  assert.ok(instruction);
  assert.deepEqual(texts(argumentsOf(idl, instruction, data)), {
    amount: '41',
    'bytes after the fields': '0x01',
  });
  assert.deepEqual(instruction.accounts, [
    { name: 'from', isOptional: false, isWritable: true, isSigner: 'either' },
    { name: 'program', isOptional: true, isWritable: false, isSigner: false, address: key },
    { name: 'signers', isOptional: false, isWritable: false, isSigner: true, isRepeated: true },
  ]);
  assert.equal(recordOf(idl.events, layOut([1, 1]))?.name, 'moved');
  assert.deepEqual(idl.errors.get(6000), { name: 'tooMany', message: 'Too many' });
  assert.deepEqual(
    idl.constants.map(({ name, text: value }) => [name, value]),
    [['limit', '5']],
  );
});

test('types of another program of the document are that program’s, and its accounts too', () => {
  const other = {
    name: 'other',
    publicKey: key,
    definedTypes: [definedType('pair', struct(field('x', u8), field('y', link('pair2')))), definedType('pair2', u16)],
    accounts: [account('theirs', struct(field('p', link('pair'))), [bySize(3)])],
  };
  const main = {
    definedTypes: [definedType('pair', u8)],
    accounts: [account('mine', struct(field('a', link('pair')), field('b', link('pair', 'other'))), [bySize(4)])],
  };
  const { idl, additional, problems } = readCodamaDocument(root(main, other));
  assert.deepEqual(problems, []);
  assert.ok(idl);
  assert.deepEqual(fieldsOf(root(main, other), Uint8Array.of(1, 2, 3, 0)), { a: '1', b: '{ x: 2, y: 3 }' });
  assert.deepEqual(
    additional.map(({ name, address }) => [name, address]),
    [['other', key]],
  );
  const known = programsOf(additional.map((one) => ({ idl: one })));
  const decoded = decodeAccount({ owner: key, lamports: 1n, data: Uint8Array.of(2, 3, 0), executable: false }, known);
  assert.deepEqual(texts(decoded?.fields ?? []), { p: '{ x: 2, y: 3 }' });
});

test('a node that is not known makes its type unreadable, and nothing else', () => {
  const strange: Node = { kind: 'strangeTypeNode' };
  const accounts = [
    account(
      'state',
      struct(
        field('before', u8),
        field('odd', sized(strange)),
        field('after', u8),
        field('last', strange),
        field('gone', u8),
      ),
      [bySize(9)],
    ),
    account('sound', struct(field('value', u8)), [bySize(1)]),
  ];
  const { problems } = readCodamaDocument(root({ accounts }));
  assert.deepEqual(problems, [
    { place: 'accounts.state.odd', message: 'cannot read strangeTypeNode' },
    { place: 'accounts.state.last', message: 'cannot read strangeTypeNode' },
  ]);
  // An unknown node with a size is skipped; nothing can be found after a node without one.
  assert.deepEqual(fieldsOf(root({ accounts }), [1, 1], [4, 1], [1, 5], [1, 6], [2, 7]), {
    before: '1',
    odd: 'cannot read strangeTypeNode: 0x05',
    after: '6',
    last: 'cannot read strangeTypeNode: 0x0700',
  });
  assert.deepEqual(fieldsOf(root({ accounts }), [1, 9]), { value: '9' });
});

/** Nodes that make no sense, and what is said of them. */
const MALFORMED: readonly (readonly [type: unknown, message: string])[] = [
  [null, 'cannot read a type that is missing'],
  [{ kind: 'numberTypeNode', format: 'u7' }, 'cannot read numberTypeNode'],
  [{ kind: 'numberTypeNode', format: 'u8', endian: 'me' }, 'cannot read numberTypeNode'],
  [{ kind: 'fixedSizeTypeNode', size: -1, type: bytes }, 'cannot read fixedSizeTypeNode'],
  [{ kind: 'fixedSizeTypeNode', size: 1.5, type: bytes }, 'cannot read fixedSizeTypeNode'],
  [{ kind: 'arrayTypeNode', item: u8 }, 'cannot read arrayTypeNode'],
  [{ kind: 'arrayTypeNode', item: u8, count: { kind: 'otherCountNode' } }, 'cannot read arrayTypeNode'],
  [{ kind: 'stringTypeNode', encoding: 'base99' }, 'cannot read stringTypeNode'],
  [sentinel(text(), constant(bytes, bytesValue(''))), 'cannot read sentinelTypeNode'],
  [preOffset(1, 'constructor', u8), 'cannot read preOffsetTypeNode'],
  [{ kind: 'constructor' }, 'cannot read constructor'],
  [{ kind: '__proto__' }, 'cannot read __proto__'],
  [link('gone'), 'cannot read the type "gone", which is not there'],
  [enumOf([{ kind: 'otherVariant', name: 'x' }]), 'cannot read otherVariant'],
];
for (const [type, message] of MALFORMED)
  test(`${JSON.stringify(type)} is a problem with its place`, () => {
    const { idl, problems } = readCodamaDocument(stateOf(type as Node));
    assert.equal(idl?.accounts.length, 1);
    assert.equal(problems[0]?.message, message);
    assert.match(problems[0].place, /^accounts\.state\.value/);
  });

test('a document without a program says so', () => {
  assert.deepEqual(readCodamaDocument({ kind: 'rootNode', standard: 'codama' }), {
    idl: undefined,
    additional: [],
    problems: [{ place: 'program', message: 'a Codama document has a program' }],
  });
});

test('roles of an instruction that leaves its optional accounts out are those of the others', () => {
  const role = (name: string, isOptional: boolean): Node => ({
    kind: 'instructionAccountNode',
    name,
    isWritable: false,
    isSigner: false,
    isOptional,
  });
  const idl = idlOf(
    root({
      instructions: [
        {
          kind: 'instructionNode',
          name: 'call',
          optionalAccountStrategy: 'omitted',
          accounts: [role('from', false), role('referrer', true), role('to', false)],
          remainingAccounts: [
            {
              kind: 'instructionRemainingAccountsNode',
              isOptional: true,
              value: { kind: 'argumentValueNode', name: 'more' },
            },
          ],
          arguments: [argument('tag', u8, { defaultValue: numberValue(1) })],
          discriminators: [byField('tag', 0)],
        },
      ],
    }),
  );
  const rolesOf = (count: number): readonly (string | undefined)[] => {
    const accounts = Array.from({ length: count + 1 }, () => ({
      address: CODAMA_PROGRAM,
      isSigner: false,
      isWritable: false,
    }));
    const places = Array.from({ length: count }, (_, at) => at);
    const call = { kind: 'raw', program: count, accounts: places, data: Uint8Array.of(1) } as const;
    return decodeInstruction(call, accounts, [0], programsOf([{ idl }])).accounts.map((one) => one.role);
  };
  assert.deepEqual(rolesOf(2), ['from', 'to']);
  assert.deepEqual(rolesOf(3), ['from', 'referrer', 'to']);
  assert.deepEqual(rolesOf(5), ['from', 'referrer', 'to', 'more', 'more']);
});
