// Sizes and prefixes that types of an IDL of the form before Anchor 0.30 may give, as Kinobi and Codama read them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonOf } from '../../../../core/solana/json/json';
import { ENCODER } from '../../../../core/solana/decode/idl/encoder';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import { argumentsOf } from '../../../support/data/decoded';

/** A file with one instruction, whose data begins with 1 and has one argument. */
const fileWith = (type: unknown): string =>
  JSON.stringify({
    version: '0.1.0',
    name: 'demo',
    instructions: [{ name: 'a', accounts: [], args: [{ name: 'x', type }], discriminant: { type: 'u8', value: 1 } }],
    types: [{ name: 'Wide', type: { kind: 'enum', size: 'u16', variants: [{ name: 'A' }, { name: 'B' }] } }],
    metadata: { origin: 'shank' },
  });

describe('sizes and prefixes of types', () => {
  for (const [type, value, bytes] of [
    [{ vec: 'u8' }, '[7]', [1, 0, 0, 0, 7]],
    [{ vec: 'u16', size: 'u8' }, '[7]', [1, 7, 0]],
    [{ vec: 'u8', size: 'shortU16' }, '[7]', [1, 7]],
    [{ vec: 'u8', size: 'remainder' }, '[7,8]', [7, 8]],
    [{ hashSet: 'u8', size: 2 }, '[7,8]', [7, 8]],
    [{ bTreeMap: ['u8', 'u8'], size: 'u16' }, '[[7,8]]', [1, 0, 7, 8]],
    [{ option: 'u8' }, 'null', [0]],
    [{ option: 'u8', prefix: 'u32' }, '7', [1, 0, 0, 0, 7]],
    [{ option: 'u16', fixed: true }, 'null', [0, 0, 0]],
    [{ coption: 'u8' }, 'null', [0, 0, 0, 0, 0]],
    [{ coption: 'u8', prefix: 'u8', fixed: false }, 'null', [0]],
    [{ defined: 'Wide' }, '"B"', [1, 0]],
    ['shortU16', '300', [172, 2]],
  ] as const)
    test(JSON.stringify(type), () => {
      const { idl, problems } = readIdl(fileWith(type));
      assert.deepEqual(problems, []);
      const [instruction] = idl?.instructions ?? [];
      assert.ok(idl !== undefined && instruction !== undefined);
      const encoded = ENCODER.instruction(idl, instruction, jsonOf(`{"x":${value}}`));
      assert.deepEqual(encoded.ok && [...encoded.bytes], [1, ...bytes]);
      const [read] = encoded.ok ? argumentsOf(idl, instruction, encoded.bytes) : [];
      assert.equal(read?.name, 'x');
    });

  test('a size or prefix that is not an integer type is a problem', () => {
    for (const type of [
      { vec: 'u8', size: 'string' },
      { option: 'u8', prefix: 'bool' },
      { hashMap: ['u8', 'u8'], size: 'f32' },
    ]) {
      const { problems } = readIdl(fileWith(type));
      assert.equal(problems.length, 1, JSON.stringify(type));
    }
  });
});
