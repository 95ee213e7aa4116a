// Instructions by the names of IDLs: what is encoded is decoded to the same by the same IDL, accounts are derived as Anchor
// and Codama derive them, and what cannot be right is one fault at its place.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { compileTransaction } from '../../../core/requests/transaction/compile';
import { transactionFaults } from '../../../core/requests/methods/transactions/check';
import type { Programs } from '../../../core/solana/decode/decoded';
import { fieldLines } from '../../../core/solana/decode/decodedText';
import { ENCODER } from '../../../core/solana/decode/idl/encoder';
import type { Idl } from '../../../core/solana/decode/idl/model';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { decodeMessage } from '../../../core/solana/wire/transaction';
import { programAddress } from '../../../core/solana/chain/programAddress';
import { keyBytes } from '../../../core/solana/chain/keys';
import { argumentsOf } from '../../support/data/decoded';

const address = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const WALLET = address(1);
const PROGRAM = address(0x11);
const MINT = address(3);
const tag = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 8);
const key = (text: string): Uint8Array => keyBytes(text) ?? assert.fail(text);

const counterText = readFileSync(path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json'), 'utf8');
const COUNTER = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';

const VAULT = {
  address: PROGRAM,
  metadata: { name: 'token_vault', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'deposit_into',
      discriminator: [9, 8, 7, 6, 5, 4, 3, 2],
      accounts: [
        { name: 'owner', writable: true, signer: true },
        {
          name: 'vault',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [...Buffer.from('vault')] },
              { kind: 'account', path: 'owner' },
              { kind: 'arg', path: 'label' },
              { kind: 'arg', path: 'params.id' },
            ],
          },
        },
        { name: 'referrer', optional: true },
        { name: 'mint' },
        { name: 'system_program', address: '11111111111111111111111111111111' },
      ],
      args: [
        { name: 'label', type: 'string' },
        { name: 'params', type: { defined: { name: 'Params' } } },
        { name: 'note', type: { option: 'string' } },
      ],
    },
  ],
  types: [
    {
      name: 'Params',
      type: {
        kind: 'struct',
        fields: [
          { name: 'id', type: 'u16' },
          { name: 'kind', type: { defined: { name: 'Kind' } } },
          { name: 'keys', type: { vec: 'pubkey' } },
          { name: 'hash', type: { array: ['u8', 3] } },
          { name: 'delta', type: 'i128' },
        ],
      },
    },
    {
      name: 'Kind',
      type: {
        kind: 'enum',
        variants: [
          { name: 'Plain' },
          { name: 'Timed', fields: [{ name: 'until_slot', type: 'u64' }] },
          { name: 'Pair', fields: ['u8', 'bool'] },
        ],
      },
    },
  ],
};

const idlOf = (text: string): Idl => readIdl(text).idl ?? assert.fail('no IDL');
const PROGRAMS: Programs = programsOf([counterText, JSON.stringify(VAULT)].map((text) => ({ idl: idlOf(text) })));

const ARGS = `{ "label": "höme", "params": { "id": 513, "kind": { "Timed": { "untilSlot": 18446744073709551615 } }, "keys": ["${WALLET}"], "hash": "hex:0102ff", "delta": -5 }, "note": null }`;

function encoded(idl: Idl, name: string, args: string): Uint8Array {
  const instruction = idl.instructions.find((one) => one.name === name) ?? assert.fail(name);
  const made = ENCODER.instruction(idl, instruction, parseJson(args));
  assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.faults));
  return made.bytes;
}

describe('arguments', () => {
  test("an Anchor instruction begins with its discriminator and has its arguments in Borsh's layout", () => {
    assert.deepEqual(
      Buffer.from(encoded(idlOf(counterText), 'increment', '{ "amount": 2 }')),
      Buffer.concat([tag('global:increment'), Buffer.from([2, 0, 0, 0, 0, 0, 0, 0])]),
    );
  });

  test('what is encoded is decoded to the same', () => {
    const idl = idlOf(JSON.stringify(VAULT));
    const [instruction] = idl.instructions;
    assert.ok(instruction);
    const bytes = encoded(idl, 'deposit_into', ARGS);
    assert.deepEqual([...bytes.subarray(0, 8)], [9, 8, 7, 6, 5, 4, 3, 2]);
    assert.deepEqual(fieldLines(argumentsOf(idl, instruction, bytes)), [
      'label: höme',
      'params:',
      '  id: 513',
      '  kind: Timed',
      '    until_slot: 18446744073709551615',
      '  keys: 1 item',
      `    [0]: ${WALLET}`,
      '  hash: 0x0102ff',
      '  delta: -5',
      'note: none',
    ]);
  });

  test('a tuple variant takes a list, a plain one its name', () => {
    const idl = idlOf(JSON.stringify(VAULT));
    const of = (kind: string): number[] => [
      ...encoded(
        idl,
        'deposit_into',
        ARGS.replace('{ "Timed": { "untilSlot": 18446744073709551615 } }', kind),
      ).subarray(8 + 4 + 5 + 2),
    ];
    assert.deepEqual(of('"Plain"').slice(0, 1), [0]);
    assert.deepEqual(of('{ "Pair": [7, true] }').slice(0, 3), [2, 7, 1]);
  });

  test('a Codama document has its discriminator among the arguments', () => {
    const number = (format: string) => ({ kind: 'numberTypeNode', format, endian: 'le' });
    const document = {
      kind: 'rootNode',
      standard: 'codama',
      version: '1.0.0',
      additionalPrograms: [],
      program: {
        kind: 'programNode',
        name: 'counter',
        publicKey: PROGRAM,
        version: '0.0.1',
        accounts: [],
        definedTypes: [],
        errors: [],
        pdas: [
          {
            kind: 'pdaNode',
            name: 'counter',
            seeds: [
              {
                kind: 'constantPdaSeedNode',
                type: { kind: 'stringTypeNode', encoding: 'utf8' },
                value: { kind: 'stringValueNode', string: 'counter' },
              },
              { kind: 'variablePdaSeedNode', name: 'authority', type: { kind: 'publicKeyTypeNode' } },
              { kind: 'variablePdaSeedNode', name: 'index', type: number('u32') },
            ],
          },
        ],
        instructions: [
          {
            kind: 'instructionNode',
            name: 'increment',
            accounts: [
              {
                kind: 'instructionAccountNode',
                name: 'counter',
                isWritable: true,
                isSigner: false,
                isOptional: false,
                defaultValue: {
                  kind: 'pdaValueNode',
                  pda: { kind: 'pdaLinkNode', name: 'counter' },
                  seeds: [
                    {
                      kind: 'pdaSeedValueNode',
                      name: 'authority',
                      value: { kind: 'accountValueNode', name: 'authority' },
                    },
                    { kind: 'pdaSeedValueNode', name: 'index', value: { kind: 'argumentValueNode', name: 'index' } },
                  ],
                },
              },
              {
                kind: 'instructionAccountNode',
                name: 'authority',
                isWritable: false,
                isSigner: true,
                isOptional: false,
                defaultValue: { kind: 'identityValueNode' },
              },
            ],
            arguments: [
              {
                kind: 'instructionArgumentNode',
                name: 'discriminator',
                type: number('u8'),
                defaultValue: { kind: 'numberValueNode', number: 5 },
                defaultValueStrategy: 'omitted',
              },
              { kind: 'instructionArgumentNode', name: 'index', type: number('u32') },
            ],
            discriminators: [{ kind: 'fieldDiscriminatorNode', name: 'discriminator', offset: 0 }],
          },
        ],
      },
    };
    const read = readIdl(JSON.stringify(document));
    assert.deepEqual(read.problems, []);
    const idl = read.idl ?? assert.fail();
    assert.deepEqual([...encoded(idl, 'increment', '{ "index": 258 }')], [5, 2, 1, 0, 0]);
    const made = compile(
      '{ "program": "counter", "instruction": "increment", "args": { "index": 258 } }',
      programsOf([{ idl }]),
    );
    const wanted = programAddress([Buffer.from('counter'), key(WALLET), Uint8Array.of(2, 1, 0, 0)], PROGRAM)?.address;
    assert.deepEqual(made.accounts, [wanted, WALLET]);
  });
});

function compile(call: string, programs = PROGRAMS): { readonly data: number[]; readonly accounts: string[] } {
  const made = compileTransaction(parseJson(`{ "instructions": [${call}] }`), {
    programs,
    wallet: WALLET,
    blockhash: address(9),
    mints: new Map(),
    tables: new Map(),
  });
  assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.faults));
  const message = decodeMessage(made.message);
  assert.ok(message.ok);
  const [instruction] = message.value.instructions;
  assert.ok(instruction);
  const at = (index: number): string => encodeBase58(message.value.accountKeys[index] ?? new Uint8Array(0));
  return { data: [...instruction.data], accounts: [...instruction.accounts].map(at) };
}

describe('accounts', () => {
  test('the signer is the wallet, seeds of constants, accounts and arguments make addresses, known ones are there', () => {
    const { accounts } = compile(
      `{ "program": "token_vault", "instruction": "depositInto", "args": ${ARGS}, "accounts": { "mint": "${MINT}" } }`,
    );
    const vault = programAddress(
      [Buffer.from('vault'), key(WALLET), Buffer.from('höme'), Uint8Array.of(1, 2)],
      PROGRAM,
    )?.address;
    // An optional account that nobody gives has the program's address.
    assert.deepEqual(accounts, [WALLET, vault, PROGRAM, MINT, '11111111111111111111111111111111']);
  });

  test('what is named takes the place of what is derived', () => {
    const { accounts } = compile(
      `{ "program": "${PROGRAM}", "instruction": "deposit_into", "args": ${ARGS}, "accounts": { "mint": "${MINT}", "vault": "${address(5)}", "referrer": "${address(6)}" }, "remainingAccounts": [{ "pubkey": "${address(7)}" }] }`,
    );
    assert.deepEqual(accounts.slice(1, 4), [address(5), address(6), MINT]);
    assert.equal(accounts.at(-1), address(7));
  });
});

describe('exactly one fault for each mistake', () => {
  const good = `{ "program": "counter", "instruction": "increment", "args": { "amount": 2 }, "accounts": { "counter": "${address(5)}" } }`;
  const vault = `{ "program": "token_vault", "instruction": "deposit_into", "args": ${ARGS}, "accounts": { "mint": "${MINT}" } }`;
  const found = (call: string, isUnknown: (value: JsonValue) => boolean = () => false): string[] =>
    transactionFaults(parseJson(`{ "instructions": [${call}] }`), {
      programs: PROGRAMS,
      wallet: undefined,
      isUnknown,
    }).map(
      ({ code, path: at, target, near }) =>
        `${code} ${target} ${at.slice(2).join('.')}${near === undefined ? '' : ` ~${near}`}`,
    );

  test('what is right has none', () => {
    assert.deepEqual(found(good), []);
    assert.deepEqual(found(vault), []);
    assert.deepEqual(found(good.replace('counter"', `${COUNTER}"`)), []);
    assert.deepEqual(found(vault.replace('"label"', '"Label"')), []);
    assert.deepEqual(found(vault.replace(/"note": null/, '"note": "x"')), []);
  });

  const cases: readonly (readonly [from: string, to: string, fault: string, of?: string])[] = [
    ['"counter", "instruction"', '"countr", "instruction"', 'enum-value value program ~counter'],
    ['"counter", "instruction"', `"${address(0x22)}", "instruction"`, 'enum-value value program'],
    ['"increment"', '"incremnt"', 'enum-value value instruction ~increment'],
    ['"amount": 2', '"amuont": 2', 'unknown-field key args.amuont ~amount'],
    ['{ "amount": 2 }', '{}', 'missing-field value args'],
    ['"amount": 2', '"amount": 2, "memo": 1', 'unknown-field key args.memo'],
    ['"amount": 2', '"amount": -2', 'out-of-range value args.amount'],
    ['"amount": 2', '"amount": true', 'wrong-type value args.amount'],
    ['"amount": 2', '"amount": 18446744073709551616', 'out-of-range value args.amount'],
    [`"counter": "${address(5)}"`, `"countr": "${address(5)}"`, 'unknown-field key accounts.countr ~counter'],
    [`{ "counter": "${address(5)}" }`, '{}', 'missing-field value accounts'],
    [`"counter": "${address(5)}"`, '"counter": "abc"', 'not-base58 value accounts.counter'],
    [`{ "counter": "${address(5)}" }`, '[]', 'wrong-type value accounts'],
    [' }', ', "data": "hex:00" }', 'conflicting-fields key data'],
    ['"hex:0102ff"', '"hex:0102"', 'out-of-range value args.params.hash', vault],
    ['"Timed"', '"Timd"', 'enum-value value args.params.kind ~Timed', vault],
    ['"untilSlot"', '"until"', 'unknown-field key args.params.kind.Timed.until ~until_slot', vault],
    [`"mint": "${MINT}"`, '', 'missing-field value accounts', vault],
    ['"id": 513', '"id": 70000', 'out-of-range value args.params.id', vault],
    [`"keys": ["${WALLET}"]`, '"keys": ["x"]', 'wrong-type value args.params.keys.0', vault],
  ];
  for (const [from, to, fault, of = good] of cases)
    test(`${from} → ${to}`.slice(0, 100), () => {
      const at = of.lastIndexOf(from);
      assert.ok(at >= 0);
      assert.deepEqual(found(of.slice(0, at) + to + of.slice(at + from.length)), [fault]);
    });

  test('what only a run knows is not judged', () => {
    const isUnknown = (value: JsonValue): boolean => typeof value === 'string' && value.includes('{{');
    assert.deepEqual(found(good.replace('2', '"{{x}}"').replace(address(5), '{{y}}'), isUnknown), []);
    assert.deepEqual(found(vault.replace('"höme"', '"{{x}}"'), isUnknown), []);
    assert.deepEqual(found(good.replace('"counter"', '"{{p}}"'), isUnknown), []);
  });
});
