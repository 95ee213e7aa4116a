// The explanation of a transaction: calls joined with their logs, the fee in its parts, limits, balances, notes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../../core/solana/explain/explanation';
import { explanationLines } from '../../../core/solana/explain/text';
import { groupDigits } from '../../../core/solana/chain/lamports';
import { layOut } from '../../support/data/layouts';
import {
  BUDGET,
  explained,
  MINT,
  nestedCalls,
  OTHER,
  outline,
  PAYER,
  PROGRAM,
  SOURCE,
  SYSTEM,
  TARGET,
  TOKEN,
  transfer,
} from '../../support/data/ranTransaction';

const NESTED = [
  `Program ${PROGRAM} invoke [1]`,
  'Program log: first',
  `Program ${OTHER} invoke [2]`,
  `Program ${TOKEN} invoke [3]`,
  'Program log: Instruction: TransferChecked',
  `Program ${TOKEN} consumed 100 of 199500 compute units`,
  `Program ${TOKEN} success`,
  `Program ${OTHER} consumed 300 of 199800 compute units`,
  `Program ${OTHER} success`,
  'Program log: second',
  `Program return: ${PROGRAM} AQI=`,
  `Program ${PROGRAM} consumed 700 of 200000 compute units`,
  `Program ${PROGRAM} success`,
];

const JOINED = [
  ['0', 700n, 400n, 'first|second'],
  ['0.0', 300n, 200n, ''],
  ['0.0.0', 100n, 100n, 'Instruction: TransferChecked'],
];

test('each call has its own logs and compute units, whose own parts add up to the whole', () => {
  const inner = [
    { program: 7, height: 2 },
    { program: 5, data: transfer, height: 3 },
  ];
  const { calls, outcome } = explained({ outer: [{ program: 4 }], inner, logs: NESTED });
  assert.deepEqual(outline(calls), JOINED);
  assert.deepEqual([...(calls[0]?.returned ?? [])], [1, 2]);
  assert.equal(calls[0]?.calls[0]?.calls[0]?.name, 'transferChecked');
  assert.deepEqual(outcome, { kind: 'succeeded' });
});

test('logs nest the calls of a node that gives no heights', () => {
  const inner = [{ program: 7 }, { program: 5, data: transfer }];
  assert.deepEqual(outline(explained({ outer: [{ program: 4 }], inner, logs: NESTED }).calls), JOINED);
});

for (const [what, change] of [
  ['with heights', {}],
  ['without heights', { inner: (nestedCalls(9).inner ?? []).map(({ program }) => ({ program })) }],
  ['without logs', { logs: [] }],
] as const)
  test(`calls nest as deep as a cluster may allow, eight below the instruction, ${what}`, () => {
    const { calls } = explained({ ...nestedCalls(9), ...change });
    const places = outline(calls).map((row) => (row as unknown[])[0]);
    assert.deepEqual(
      places,
      Array.from({ length: 9 }, (_, at) => ['0', ...Array.from({ length: at }, () => '0')].join('.')),
    );
  });

test('where the logs were cut, the instructions say what was called', () => {
  const inner = [
    { program: 7, height: 2 },
    { program: 5, data: transfer, height: 3 },
  ];
  const logs = [...NESTED.slice(0, 3), 'Log truncated'];
  const { calls } = explained({ outer: [{ program: 4 }, { program: 7 }], inner, logs });
  assert.deepEqual(outline(calls), [
    ['0', undefined, undefined, 'first'],
    ['0.0', undefined, undefined, ''],
    ['0.0.0', undefined, undefined, ''],
    ['1', undefined, undefined, ''],
  ]);
  assert.equal(calls[0]?.calls[0]?.isCut, true);
});

test('a log of as many lines as a transaction can pay for is read whole; of a longer one the rest is counted', () => {
  const [first = '', ...rest] = NESTED;
  const withLines = (count: number): Explanation => {
    const lines = Array.from({ length: count }, (_, at) => `Program log: ${at}`);
    return explained({ outer: [{ program: 4 }, { program: 7 }], logs: [first, ...lines, ...rest.slice(-2)] });
  };
  const payable = withLines(14_000).calls[0];
  assert.deepEqual([payable?.logs.length, payable?.logs.at(-1), payable?.isCut], [14_000, '13999', undefined]);
  const { calls } = withLines(20_000);
  // The lines that begin and end the call are read and counted as well.
  const [cut] = calls;
  assert.deepEqual([cut?.logs.length, cut?.isCut, cut?.unreadLines], [16_383, true, 3_619]);
  const lines = explanationLines(withLines(20_000));
  assert.ok(lines.includes('    the log has 3,619 more lines, which are not shown'), lines.slice(-12).join('\n'));
});

test('data that a program logs and no IDL reads is among its lines', () => {
  const data = 'Program data: AQIDBAUGBwgJ CgsM';
  const { calls } = explained({ outer: [{ program: 4 }], logs: [...NESTED.slice(0, 2), data, ...NESTED.slice(9)] });
  assert.deepEqual(calls[0]?.logs, ['first', 'data: AQIDBAUGBwgJ CgsM', 'second']);
});

test('a precompile, which logs nothing, does not take the logs of the next instruction', () => {
  const { calls, fee } = explained({
    outer: [{ program: 8, data: Uint8Array.of(2, 0) }, { program: 4 }],
    logs: [`Program ${PROGRAM} invoke [1]`, 'Program log: mine', `Program ${PROGRAM} success`],
    fee: 15_000,
  });
  assert.deepEqual(
    calls.map(({ logs }) => logs),
    [[], ['mine']],
  );
  assert.deepEqual(fee, { base: 15_000n, total: 15_000n, priority: 0n });
});

test('a program of the runtime costs what it always costs, and what it was called for is not the own part of its caller', () => {
  const logs = [
    `Program ${SYSTEM} invoke [1]`,
    `Program ${SYSTEM} success`,
    `Program ${PROGRAM} invoke [1]`,
    `Program ${SYSTEM} invoke [2]`,
    `Program ${SYSTEM} success`,
    `Program ${PROGRAM} consumed 550 of 200000 compute units`,
    `Program ${PROGRAM} success`,
  ];
  const { calls, limits } = explained({
    outer: [{ program: 9 }, { program: 4 }],
    innerOf: 1,
    inner: [{ program: 9 }],
    logs,
  });
  assert.deepEqual(
    outline(calls).map((row) => (row as unknown[]).slice(0, 3)),
    [
      ['0', 150n, 150n],
      ['1', 550n, 400n],
      ['1.0', 150n, 150n],
    ],
  );
  assert.equal(limits.unitsOutsideCalls, undefined);
});

test('a larger heap costs each call of a deployed program its units, which no log line has', () => {
  const { calls } = explained({
    outer: [{ program: 6, data: layOut([1, 1], [4, 98_304]) }, { program: 4 }],
    innerOf: 1,
    inner: [{ program: 7 }],
    logs: [
      `Program ${BUDGET} invoke [1]`,
      `Program ${BUDGET} success`,
      `Program ${PROGRAM} invoke [1]`,
      `Program ${OTHER} invoke [2]`,
      `Program ${OTHER} consumed 100 of 1000 compute units`,
      `Program ${OTHER} success`,
      `Program ${PROGRAM} consumed 300 of 2000 compute units`,
      `Program ${PROGRAM} success`,
    ],
  });
  assert.deepEqual(
    [calls[1]?.units, calls[1]?.calls[0]?.units],
    [
      { total: 316n, own: 200n },
      { total: 116n, own: 116n },
    ],
  );
});

test('compute units that are of no call are noted: a crash forfeits what is left', () => {
  const crashed = explained({
    outer: [{ program: 4 }],
    logs: [
      `Program ${PROGRAM} invoke [1]`,
      `Program ${PROGRAM} consumed 100 of 700 compute units`,
      `Program ${PROGRAM} failed: Access violation reading 8 bytes`,
    ],
    err: { InstructionError: [0, 'ProgramFailedToComplete'] },
  });
  assert.equal(crashed.limits.unitsOutsideCalls, 600n);
  assert.deepEqual(crashed.notes.slice(1), [
    '600 compute units were charged in addition to those of the calls: a program that crashes forfeits what is left.',
  ]);
});

test('return data belongs to the call that set it, not to the callers that pass it on', () => {
  const returned = (mine: string): readonly (readonly number[] | undefined)[] => {
    const { calls } = explained({
      outer: [{ program: 4 }],
      inner: [{ program: 7 }],
      logs: [
        `Program ${PROGRAM} invoke [1]`,
        `Program ${OTHER} invoke [2]`,
        `Program return: ${OTHER} AQI=`,
        `Program ${OTHER} success`,
        `Program return: ${PROGRAM} ${mine}`,
        `Program ${PROGRAM} success`,
      ],
    });
    return [calls[0], calls[0]?.calls[0]].map((call) => call?.returned && [...call.returned]);
  };
  assert.deepEqual(returned('AQI='), [undefined, [1, 2]]);
  assert.deepEqual(returned('AwQ='), [
    [3, 4],
    [1, 2],
  ]);
});

test('an instruction that the runtime refused after its program succeeded is marked', () => {
  const { calls } = explained({
    outer: [{ program: 4 }],
    logs: [`Program ${PROGRAM} invoke [1]`, `Program ${PROGRAM} success`],
    err: { InstructionError: [0, 'UnbalancedInstruction'] },
  });
  assert.equal(calls[0]?.failure, 'UnbalancedInstruction');
});

test('a failure is at the innermost call that failed', () => {
  const logs = [
    `Program ${PROGRAM} invoke [1]`,
    `Program ${TOKEN} invoke [2]`,
    `Program ${TOKEN} failed: custom program error: 0x1`,
    `Program ${PROGRAM} failed: custom program error: 0x1`,
  ];
  const inner = [{ program: 5, data: transfer, height: 2 }];
  const { outcome } = explained({
    outer: [{ program: 4 }],
    inner,
    logs,
    err: { InstructionError: [0, { Custom: 1 }] },
  });
  assert.ok(outcome.kind === 'failed');
  assert.deepEqual(outcome.at, [0, 0]);
});

test('the fee has its parts, and each limit is next to the amount used', () => {
  const { fee, limits } = explained({
    outer: [
      { program: 6, data: layOut([1, 2], [4, 40_000]) },
      { program: 6, data: layOut([1, 3], [8, 1_000_000]) },
      { program: 4 },
    ],
    fee: 45_000,
  });
  assert.deepEqual(fee, { base: 5_000n, total: 45_000n, priority: 40_000n });
  assert.deepEqual(limits.computeUnits, { asked: 40_000n, used: 700n });
  assert.equal(limits.microLamports, 1_000_000n);
});

for (const [what, outer, byDefault] of [
  ['a program', [4], 203_000n],
  ['programs of the runtime alone', [9], 6_000n],
  ['a precompile', [8], 6_000n],
  ['more than a transaction may use', [4, 4, 4, 4, 4, 4, 4, 4], 1_400_000n],
] as const)
  test(`a price without a limit pays for the default: ${what}`, () => {
    const price = { program: 6, data: layOut([1, 3], [8, 1_000_000]) };
    const explanation = explained({ outer: [price, ...outer.map((program) => ({ program }))], meta: { fee: null } });
    assert.deepEqual(explanation.limits.computeUnits, { byDefault, used: 700n });
    assert.deepEqual(explanation.fee, { base: 5_000n, priority: byDefault });
    const text = explanationLines(explanation).join('\n');
    assert.match(text, new RegExp(`\ncompute units: 700 used of ${groupDigits(String(byDefault))} by default\n`));
  });

test("tokens are counted by owner: what moved between an owner's own accounts is 0", () => {
  const { balances } = explained({ outer: [{ program: 4 }] });
  assert.deepEqual(balances, [
    {
      owner: PAYER,
      lamports: { before: 9_000_000n, after: 8_995_000n },
      tokens: [{ mint: MINT, decimals: 6, before: 2_000_005n, after: 2_000_005n }],
    },
  ]);
});

test('a token account says what happened to its tokens, and the text says it too', () => {
  const explanation = explained({ outer: [{ program: 4 }] });
  const held = explanation.accounts.flatMap(({ address, tokens }) => (tokens === undefined ? [] : [[address, tokens]]));
  assert.deepEqual(held, [
    [SOURCE, { mint: MINT, decimals: 6, before: 2_000_000n, after: 500_000n }],
    [TARGET, { mint: MINT, decimals: 6, before: 5n, after: 1_500_005n }],
  ]);
  assert.ok(
    explanationLines(explanation).some((line) => line.includes(SOURCE) && line.includes(`2 → 0.5 (-1.5) of ${MINT}`)),
  );
});

test('an instruction that occurs twice and a size near the bound are noted', () => {
  const { notes, size } = explained({ outer: [{ program: 4 }, { program: 4 }] });
  assert.deepEqual(size, { bytes: 1200, of: 1232 });
  assert.deepEqual(notes, [
    'It has 1200 of at most 1232 bytes: 32 are left.',
    'Instruction 2 is the same as instruction 1.',
  ]);
});

test('an explanation as text has its outcome, sizes, notes and nested calls', () => {
  const inner = [
    { program: 7, height: 2 },
    { program: 5, data: transfer, height: 3 },
  ];
  const text = explanationLines(explained({ outer: [{ program: 4 }], inner, logs: NESTED }));
  for (const line of [
    'outcome: succeeded',
    'version: legacy, 1,200 of at most 1,232 bytes, 32 left',
    'fee: 5,000 lamports (0.000005 SOL): 5,000 lamports for signatures, 0 for priority',
    'compute units: 700 used',
    `  1  ${PROGRAM}  700 CU, 400 without its calls`,
    '      1.1.1  SPL Token Program: transferChecked  100 CU',
  ])
    assert.ok(text.includes(line), `${line}\n\n${text.join('\n')}`);
});
