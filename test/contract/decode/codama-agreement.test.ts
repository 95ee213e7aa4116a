// Our decoder and @codama/dynamic-codecs on 10,000 values of generated programs: both read the same out of the same bytes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeRecord, recordOf } from '../../../core/solana/decode/idl/decode';
import {
  account,
  argument,
  byConstant,
  byField,
  constant,
  field,
  hiddenPrefix,
  idlOf,
  number,
  numberValue,
  root,
  struct,
  type Node,
} from '../../support/data/codama';
import { Generator, randomOf } from '../../support/data/codamaPrograms';
import { ours, theirs, type Plain } from '../../support/data/codamaValues';
import { argumentsOf } from '../../support/data/decoded';
import { layOut } from '../../support/data/layouts';
import { codecOf } from './codama-codec';

const PROGRAMS = 250;
const VALUES = 20;

/** A discriminator of two bytes. */
const TAG = 0x0b0a;
const tag = constant(number('u16'), numberValue(TAG));

interface Case {
  readonly document: Node;
  /** The types of its one account and its one instruction, without their discriminators. */
  readonly data: Node;
  readonly args: readonly Node[];
  readonly links: (name: string) => Node;
  readonly state: () => Uint8Array;
  readonly call: () => Uint8Array;
}

function generated(seed: number): Case {
  const random = randomOf(seed);
  const generator = new Generator(random);
  const made = Array.from({ length: 1 + random(5) }, () => generator.type());
  const fields = made.map(({ node }, at) => field(`field${at}`, node));
  const data = struct(...fields);
  const args = made.map(({ node }, at) => argument(`field${at}`, node));
  const definedTypes = generator.definedTypes();
  const isHidden = random(2) === 0;
  const discriminator = field('tag', number('u16'), { defaultValue: numberValue(TAG) });
  const document = root({
    definedTypes,
    accounts: [
      isHidden
        ? account('state', hiddenPrefix(data, tag), [byConstant(0, tag)])
        : account('state', struct(discriminator, ...fields), [byField('tag', 0)]),
    ],
    instructions: [
      {
        kind: 'instructionNode',
        name: 'call',
        accounts: [],
        optionalAccountStrategy: 'programId',
        arguments: [argument('tag', number('u16'), { defaultValue: numberValue(TAG) }), ...args],
        discriminators: [byField('tag', 0)],
      },
    ],
  });
  const value = (): Uint8Array => layOut([2, TAG], ...made.map((one) => one.value()));
  const types = new Map(definedTypes.map((node) => [node['name'], node['type'] as Node]));
  return {
    document,
    data,
    args,
    links: (name) => types.get(name) ?? assert.fail(`no type ${name}`),
    state: value,
    call: value,
  };
}

const withoutTag = (value: unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== 'tag'));

const what = (seed: number, bytes: Uint8Array): string => `seed ${seed}, ${Buffer.from(bytes).toString('hex')}`;

test(`${PROGRAMS} generated programs: ${PROGRAMS * VALUES * 2} accounts and instructions read the same`, () => {
  let compared = 0;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const { document, data, args, links, state, call } = generated(seed * 7_919);
    for (const [kind] of JSON.stringify(document).matchAll(/"\w+(?:TypeNode|LinkNode|CountNode)"/g)) kinds.add(kind);
    const idl = idlOf(document);
    const codecs = { account: codecOf(document, 'accounts'), instruction: codecOf(document, 'instructions') };
    for (let turn = 0; turn < VALUES; turn++) {
      const bytes = state();
      const record = recordOf(idl.accounts, bytes) ?? assert.fail(what(seed, bytes));
      const fields = decodeRecord(idl, record, bytes) ?? assert.fail(`not decoded: ${what(seed, bytes)}`);
      const expected = theirs(data, withoutTag(codecs.account.decode(bytes)), links);
      assert.deepEqual(ours({ kind: 'fields', fields }), expected, what(seed, bytes));

      const called = call();
      const instruction = recordOf(idl.instructions, called) ?? assert.fail(what(seed, called));
      const found = argumentsOf(idl, instruction, called);
      const wanted: Plain = theirs({ kind: 'structTypeNode', fields: args }, codecs.instruction.decode(called), links);
      assert.deepEqual(ours({ kind: 'fields', fields: found }), wanted, what(seed, called));
      compared += 2;
    }
  }
  assert.equal(compared, 10_000);
  // Every type node of the specification has been among them.
  for (const kind of [
    ...'amount array boolean bytes dateTime enum fixedSize hiddenPrefix hiddenSuffix map number option'.split(' '),
    ...'postOffset preOffset publicKey remainderOption sentinel set sizePrefix solAmount string struct'.split(' '),
    ...'tuple zeroableOption enumEmptyVariant enumStructVariant enumTupleVariant structField'.split(' '),
  ])
    assert.ok(kinds.has(`"${kind}TypeNode"`), kind);
  for (const kind of ['definedTypeLinkNode', 'fixedCountNode', 'prefixedCountNode', 'remainderCountNode'])
    assert.ok(kinds.has(`"${kind}"`), kind);
});
