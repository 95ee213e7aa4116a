// What is explained of a transaction: calls joined with their logs, the fee in its parts, limits, balances, notes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from '../../../core/explain/explain';
import type { ExplainedCall, Explanation } from '../../../core/explain/explanation';
import { explanationLines } from '../../../core/explain/text';
import { NO_PROGRAMS } from '../../../core/values/decode/decoded';
import { transactionFromJson } from '../../../core/values/decode/transactions/decode';
import { encodeBase58 } from '../../../core/values/encoding/base58';
import type { JsonValue } from '../../../core/values/json/json';
import { keyOf, layOut } from '../../support/data/layouts';

const key = (byte: number): string => encodeBase58(keyOf(byte));
const [PAYER, SOURCE, TARGET, MINT, PROGRAM, OTHER] = [key(1), key(2), key(3), key(4), key(0x11), key(0x12)];
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const SYSTEM = '11111111111111111111111111111111';
const ED25519 = 'Ed25519SigVerify111111111111111111111111111';
/** Their places: 0 to 9. */
const ACCOUNTS = [PAYER, SOURCE, TARGET, MINT, PROGRAM, TOKEN, BUDGET, OTHER, ED25519, SYSTEM];

interface Call {
  readonly program: number;
  readonly data?: Uint8Array;
  readonly height?: number;
}

const transfer = layOut([1, 12], [8, 1_500_000], [1, 6]);
const asJson = ({ program, data = new Uint8Array(), height }: Call): JsonValue => ({
  programIdIndex: program,
  accounts: program === 5 ? [1, 3, 2, 0] : [0],
  data: encodeBase58(data),
  ...(height !== undefined && { stackHeight: height }),
});

interface Ran {
  readonly outer: readonly Call[];
  /** Called by the instruction `innerOf`, the first without it. */
  readonly inner?: readonly Call[];
  readonly innerOf?: number;
  readonly logs?: readonly string[];
  readonly fee?: number;
  readonly err?: JsonValue;
}

function explained({ outer, inner = [], innerOf = 0, logs = [], fee = 5_000, err = null }: Ran): Explanation {
  const holding = (account: number, amount: string): JsonValue => ({
    accountIndex: account,
    mint: MINT,
    owner: PAYER,
    uiTokenAmount: { amount, decimals: 6 },
  });
  const form = {
    transaction: {
      signatures: [encodeBase58(new Uint8Array(64).fill(9))],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 6 },
        accountKeys: ACCOUNTS,
        recentBlockhash: key(8),
        instructions: outer.map(asJson),
      },
    },
    meta: {
      err,
      fee,
      preBalances: [9_000_000, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      postBalances: [9_000_000 - fee, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      preTokenBalances: [holding(1, '2000000'), holding(2, '5')],
      postTokenBalances: [holding(1, '500000'), holding(2, '1500005')],
      innerInstructions: [{ index: innerOf, instructions: inner.map(asJson) }],
      logMessages: logs,
      computeUnitsConsumed: 700,
    },
  };
  const result = transactionFromJson(form, NO_PROGRAMS);
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return explain(result.value, { wire: new Uint8Array(1200) });
}

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

/** Place, own units and logs of each call, in order. */
const outline = (calls: readonly ExplainedCall[]): unknown[] =>
  calls.flatMap(({ path, units, logs, calls: inner }) => [
    [path.join('.'), units?.total, units?.own, logs.join('|')],
    ...outline(inner),
  ]);

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
    '600 compute units were charged beside those of the calls: a program that crashes forfeits what is left.',
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

test('the fee has its parts, and limits stand beside what was used', () => {
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

test('an instruction that occurs twice and a size near the bound are noted', () => {
  const { notes, size } = explained({ outer: [{ program: 4 }, { program: 4 }] });
  assert.deepEqual(size, { bytes: 1200, of: 1232 });
  assert.deepEqual(notes, [
    'It has 1200 of at most 1232 bytes: 32 are left.',
    'Instruction 2 is the same as instruction 1.',
  ]);
});

test('as text', () => {
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
