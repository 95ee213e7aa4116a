// Instruction data that lies about itself: lengths of four thousand million, texts longer than the data, enums nested without
// end, unknown variants, bytes too many, another beginning. It is read in time, the reason is said, and its bytes are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainedCall } from '../../../core/solana/explain/explanation';
import { explanationLines } from '../../../core/solana/explain/text';
import { explainAnswer } from '../../../core/requests/tools/explain';
import { bytesText } from '../../../core/solana/decode/decodedText';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { printJson } from '../../../core/solana/json/json';
import { transactionView } from '../../../server/explain/view';
import { borsh, layOut, type Part } from '../../support/data/layouts';
import { explained, PROGRAM, SYSTEM } from '../../support/data/ranTransaction';

const HEAD = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const MOST = 0xffff_ffff;
const call = (at: number, name: string, ...types: unknown[]) => ({
  name,
  discriminator: [...HEAD.subarray(0, 7), at],
  accounts: [],
  args: types.map((type, place) => ({ name: `a${place}`, type })),
});
const defined = (name: string) => ({ defined: { name } });
const IDL = {
  address: PROGRAM,
  metadata: { name: 'demo', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    call(1, 'numbers', { vec: 'u64' }),
    call(2, 'blob', 'bytes'),
    call(3, 'words', { vec: 'string' }),
    call(4, 'order', defined('Order')),
    call(5, 'tree', defined('Tree')),
    call(6, 'grid', { vec: { vec: 'u8' } }, { vec: { vec: { option: 'u8' } } }),
    call(7, 'empties', { vec: defined('Empty') }),
    call(8, 'none'),
  ],
  types: [
    { name: 'Empty', type: { kind: 'struct', fields: [] } },
    {
      name: 'Order',
      type: {
        kind: 'struct',
        fields: [
          { name: 'note', type: 'string' },
          { name: 'legs', type: { vec: defined('Side') } },
        ],
      },
    },
    { name: 'Side', type: { kind: 'enum', variants: [{ name: 'Buy' }, { name: 'Sell', fields: ['u64'] }] } },
    {
      name: 'Tree',
      type: { kind: 'enum', variants: [{ name: 'Leaf' }, { name: 'Branch', fields: [defined('Tree')] }] },
    },
  ],
};
const { idl, problems } = readIdl(JSON.stringify(IDL));
assert.ok(idl);
assert.deepEqual(problems, []);
const programs = programsOf([{ idl }]);

const dataOf = (at: number, ...parts: readonly Part[]): Uint8Array => layOut(HEAD.subarray(0, 7), [1, at], ...parts);

/** A call with this data as every face shows it: the terminal, the tool for language models, the panel. */
function faces(data: Uint8Array, program = 4) {
  const explanation = explained({ outer: [{ program, data }], programs });
  const [first] = explanation.calls;
  assert.ok(first);
  const [tool] = [explainAnswer(explanation)].map(({ calls }) => printJson(calls ?? null));
  const parts = (transactionView(explanation).calls[0]?.parts ?? []).map(({ name, text }) => `${name}: ${text}`);
  return { call: first, text: explanationLines(explanation).join('\n'), tool: tool ?? '', panel: parts.join('\n') };
}

/** The lie in the data, the data, the name that its beginning gives it, and the reason. */
const LIES: readonly (readonly [what: string, data: Uint8Array, name: string | undefined, unread: string])[] = [
  [
    'a list of 4,294,967,295 numbers in 16 bytes',
    dataOf(1, [4, MOST], [8, 1], [8, 2]),
    'numbers',
    'it does not fit the IDL: a0: 4,294,967,295 items of 8 bytes are more than the 16 bytes that are left',
  ],
  [
    '4,294,967,295 bytes in 3',
    dataOf(2, [4, MOST], 'abc'),
    'blob',
    'it does not fit the IDL: a0: 4,294,967,295 bytes are more than the 3 that are left',
  ],
  [
    '4,294,967,295 texts, the second longer than the data',
    dataOf(3, [4, MOST], borsh('one'), [4, 200], 'two'),
    'words',
    'it does not fit the IDL: a0[1]: 200 bytes are more than the 3 that are left',
  ],
  [
    '4,294,967,295 texts without a byte',
    dataOf(3, [4, MOST], new Uint8Array(600)),
    'words',
    'it does not fit the IDL: a0[150]: the data ends before it',
  ],
  [
    'a variant that there is not',
    dataOf(4, borsh('x'), [4, 2], [1, 0], [1, 9]),
    'order',
    'it does not fit the IDL: a0.legs[1]: there is no variant 9',
  ],
  [
    'a variant whose value is cut',
    dataOf(4, borsh('x'), [4, 1], [1, 1], [4, 7]),
    'order',
    'it does not fit the IDL: a0.legs[0].0: the data ends before it',
  ],
  ['enums nested a thousand deep', dataOf(5, new Uint8Array(1_000).fill(1)), 'tree', 'nested more than 48 deep'],
  [
    'lists of lists that each claim the most',
    dataOf(6, [4, MOST], [4, MOST]),
    'grid',
    'it does not fit the IDL: a0[0]: 4,294,967,295 bytes are more than the 0 that are left',
  ],
  ['no arguments at all', dataOf(1), 'numbers', 'it does not fit the IDL: a0: the data ends before it'],
  ['another beginning', layOut([8, 1], [8, 2]), undefined, 'no instruction of the IDL begins with these bytes'],
  ['half a beginning', HEAD.subarray(0, 4), undefined, 'no instruction of the IDL begins with these bytes'],
  [
    'an event that there is not',
    layOut(Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d), [8, 3]),
    undefined,
    'no event of the IDL begins with these bytes and fits them',
  ],
];

for (const [what, data, name, unread] of LIES)
  test(`data with ${what} is shown as bytes, with the reason`, () => {
    const { call: found, text, tool, panel } = faces(data);
    assert.deepEqual([found.name, found.fields], [name, []]);
    const reason = found.unread ?? '';
    assert.ok(reason.endsWith(unread), reason);
    for (const [face, shown] of Object.entries({ text, tool, panel })) {
      assert.ok(shown.includes(bytesText(data)), `${face} has no bytes: ${shown}`);
      assert.ok(shown.includes(reason.slice(0, 200)), `${face} has no reason: ${shown}`);
    }
  });

const readable = ({ name, fields, unread }: ExplainedCall) => [name, fields.map((one) => one.name), unread];

test('bytes after the arguments are shown next to them, and items without bytes are counted', () => {
  const trailing = faces(dataOf(1, [4, 1], [8, 7], 'more'));
  assert.deepEqual(readable(trailing.call), ['numbers', ['a0', 'bytes after the fields'], undefined]);
  assert.match(trailing.text, /bytes after the fields: 0x6d6f7265/);
  assert.match(faces(dataOf(7, [4, MOST])).text, /a0: \[4,294,967,295 more\]/);
});

test('an instruction without arguments has nothing that was not read', () => {
  assert.deepEqual(readable(faces(dataOf(8)).call), ['none', [], undefined]);
});

test('data of a program with a table that is cut keeps its name, and says so', () => {
  const { call: found, text } = faces(layOut([4, 2], [4, 7]), 9);
  assert.equal(found.program, SYSTEM);
  assert.deepEqual(readable(found), ['transfer', [], 'the data ends before its last field']);
  assert.match(
    text,
    /System Program: transfer.*\n +data: 0x0200000007000000\n +not read: the data ends before its last field/,
  );
});

test('any bytes that follow a beginning are read, or the reason is said', () => {
  let seed = 22;
  const random = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) >>> 8;
  for (let turn = 0; turn < 4_000; turn++) {
    const tail = Uint8Array.from({ length: random() % 60 }, () => (random() % 3 === 0 ? 255 : random() % 4));
    const { call: found } = faces(dataOf(1 + (turn % 8), tail));
    assert.ok(found.name !== undefined);
    assert.ok(found.unread !== undefined || found.fields.length > 0 || found.name === 'none', found.name);
  }
});
