// A transaction that ran, as a node answers it: the test says its calls, logs and what else the node says.
import assert from 'node:assert/strict';
import { explainTransaction } from '../../../core/solana/explain/explain';
import type { ExplainedCall, Explanation } from '../../../core/solana/explain/explanation';
import { NO_PROGRAMS, type Programs } from '../../../core/solana/decode/decoded';
import { transactionFromJson } from '../../../core/solana/decode/transactions/decode';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonObject, JsonValue } from '../../../core/solana/json/json';
import { keyOf, layOut } from './layouts';

const key = (byte: number): string => encodeBase58(keyOf(byte));
export const [PAYER, SOURCE, TARGET, MINT, PROGRAM, OTHER] = [key(1), key(2), key(3), key(4), key(0x11), key(0x12)];
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const BUDGET = 'ComputeBudget111111111111111111111111111111';
export const SYSTEM = '11111111111111111111111111111111';
export const ED25519 = 'Ed25519SigVerify111111111111111111111111111';
/** Their places: 0 to 9. */
const ACCOUNTS = [PAYER, SOURCE, TARGET, MINT, PROGRAM, TOKEN, BUDGET, OTHER, ED25519, SYSTEM];

interface Call {
  readonly program: number;
  readonly data?: Uint8Array;
  readonly height?: number;
}

export const transfer = layOut([1, 12], [8, 1_500_000], [1, 6]);
const asJson = ({ program, data = new Uint8Array(), height }: Call): JsonValue => ({
  programIdIndex: program,
  accounts: program === 5 ? [1, 3, 2, 0] : [0],
  data: encodeBase58(data),
  ...(height !== undefined && { stackHeight: height }),
});

export interface Ran {
  readonly outer: readonly Call[];
  /** Called by the instruction `innerOf`, the first without it. */
  readonly inner?: readonly Call[];
  readonly innerOf?: number;
  readonly logs?: readonly string[];
  readonly fee?: number;
  readonly err?: JsonValue;
  /** Members of the meta that are others. */
  readonly meta?: JsonObject;
  /** The known IDLs. */
  readonly programs?: Programs;
}

export function explained({
  outer,
  inner = [],
  innerOf = 0,
  logs = [],
  fee = 5_000,
  err = null,
  meta,
  programs = NO_PROGRAMS,
}: Ran): Explanation {
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
      ...meta,
    },
  };
  const result = transactionFromJson(form, programs);
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return explainTransaction(result.value, { wire: new Uint8Array(1200) });
}

/** Place, own units and logs of each call, in order. */
export const outline = (calls: readonly ExplainedCall[]): unknown[] =>
  calls.flatMap(({ path, units, logs, calls: inner }) => [
    [path.join('.'), units?.total, units?.own, logs.join('|')],
    ...outline(inner),
  ]);

/** Calls of a program within each other, `levels` of them, each with its log and 100 compute units. */
export function nestedCalls(levels: number): Ran {
  const heights = Array.from({ length: levels - 1 }, (_, at) => at + 2);
  const programs = [PROGRAM, ...heights.map(() => OTHER)];
  return {
    outer: [{ program: 4 }],
    inner: heights.map((height) => ({ program: 7, height })),
    logs: [
      ...programs.map((program, at) => `Program ${program} invoke [${at + 1}]`),
      ...programs
        .toReversed()
        .flatMap((program, at) => [
          `Program ${program} consumed ${(at + 1) * 100} of 200000 compute units`,
          `Program ${program} success`,
        ]),
    ],
  };
}
