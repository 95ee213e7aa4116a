// Shank's IDL files and the documents that @codama/nodes-from-anchor makes of them: our readers write the same bytes of both.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rootNodeFromAnchor } from '@codama/nodes-from-anchor';
import { jsonOf } from '../../../core/solana/json/json';
import { ENCODER } from '../../../core/solana/decode/idl/encoder';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { CODAMA_PROGRAM } from '../../support/data/codama';

const args = [
  { name: 'list', type: { vec: 'u16', size: 'u8' } },
  { name: 'maybe', type: { option: 'u8', prefix: 'u32', fixed: true } },
  { name: 'cold', type: { coption: 'u16' } },
  { name: 'rest', type: { hashSet: 'u8', size: 'remainder' } },
];
const VALUES = '{"list":[1,2],"maybe":3,"cold":null,"rest":[4,5]}';

/** Names of instructions in camelCase are the same in both. */
function shankFile(discriminants: readonly (object | undefined)[], origin: object): string {
  return JSON.stringify({
    version: '0.1.0',
    name: 'demo',
    instructions: discriminants.map((discriminant, index) => ({
      name: `call${index}`,
      accounts: [],
      args,
      ...(discriminant === undefined ? {} : { discriminant }),
    })),
    accounts: [{ name: 'state', type: { kind: 'struct', fields: [{ name: 'count', type: 'u64' }] } }],
    metadata: { address: CODAMA_PROGRAM, ...origin },
  });
}

/** The data of each instruction, and how many conditions identify the account. */
function read(text: string): { readonly data: readonly string[]; readonly account: number | undefined } {
  const { idl, problems } = readIdl(text);
  assert.deepEqual(problems, []);
  assert.ok(idl);
  const data = idl.instructions.map((instruction) => {
    const encoded = ENCODER.instruction(idl, instruction, jsonOf(VALUES));
    assert.ok(encoded.ok, JSON.stringify(encoded));
    return Buffer.from(encoded.bytes).toString('hex');
  });
  return { data, account: idl.accounts[0]?.discriminators.length };
}

const u8 = { type: 'u8', value: 40 };
const u32 = { type: 'u32', value: 258 };
const none = Array.from({ length: 40 }, () => undefined);

for (const [title, discriminants, origin] of [
  ['Shank without discriminants', none, { origin: 'shank' }],
  [
    'Shank with discriminants of several types',
    [u8, u32, { type: 'u64', value: 1 }, { type: 'shortU16', value: 300 }],
    { origin: 'shank' },
  ],
  ['Shank with discriminants of some instructions', [undefined, u32, undefined, u8], { origin: 'shank' }],
  ['Anchor and without an origin, with discriminants of some', [undefined, u32, undefined, u8], {}],
] as const)
  test(`a file of ${title}, read as its document is`, () => {
    const file = shankFile(discriminants, origin);
    const document = JSON.stringify(rootNodeFromAnchor(JSON.parse(file) as Parameters<typeof rootNodeFromAnchor>[0]));
    assert.deepEqual(read(file), read(document));
  });
