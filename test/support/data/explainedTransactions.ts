// Transactions as a node returns them, for tests of explanations: calls three deep, a failure in the innermost one, token
// transfers, and logs of any length.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { keyOf, layOut } from './layouts';

const key = (byte: number): string => encodeBase58(keyOf(byte));
export const [PAYER, SOURCE, TARGET, MINT, PROGRAM, OTHER] = [
  key(1),
  key(2),
  key(3),
  key(4),
  key(0x11),
  key(0x12),
] as const;
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Their places: 0 to 7. */
const ACCOUNTS = [PAYER, SOURCE, TARGET, MINT, PROGRAM, TOKEN, BUDGET, OTHER];

const instruction = (programIdIndex: number, accounts: readonly number[], data: Uint8Array, stackHeight?: number) => ({
  programIdIndex,
  accounts,
  data: encodeBase58(data),
  ...(stackHeight !== undefined && { stackHeight }),
});

const TRANSFER = layOut([1, 12], [8, 1_500_000], [1, 6]);

interface Wanted {
  readonly isFailed: boolean;
  /** Of the first program's own. */
  readonly lines?: readonly string[];
}

/** The result of getTransaction: a compute limit, and a program that calls another one, which transfers tokens. */
export function nestedTransaction({ isFailed, lines = ['Program log: first'] }: Wanted): JsonValue {
  const holding = (accountIndex: number, owner: string, amount: number) => ({
    accountIndex,
    mint: MINT,
    owner,
    uiTokenAmount: { amount: String(amount), decimals: 6 },
  });
  const end = (program: string): string =>
    isFailed ? `Program ${program} failed: custom program error: 0x1` : `Program ${program} success`;
  return {
    slot: 280_000_001,
    blockTime: 1_767_614_400,
    version: 'legacy',
    transaction: {
      signatures: [encodeBase58(new Uint8Array(64).fill(9))],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 4 },
        accountKeys: ACCOUNTS,
        recentBlockhash: key(8),
        instructions: [
          instruction(6, [], layOut([1, 2], [4, 40_000])),
          instruction(4, [0, 1, 2], Uint8Array.of(1, 2, 3)),
        ],
      },
    },
    meta: {
      err: isFailed ? { InstructionError: [1, { Custom: 1 }] } : null,
      fee: 5_000,
      preBalances: [9_000_000, 2_039_280, 2_039_280, 0, 0, 0, 0, 0],
      postBalances: [8_995_000, 2_039_280, 2_039_280, 0, 0, 0, 0, 0],
      preTokenBalances: [holding(1, PAYER, 2_000_000), holding(2, TARGET, 5)],
      postTokenBalances: isFailed
        ? [holding(1, PAYER, 2_000_000), holding(2, TARGET, 5)]
        : [holding(1, PAYER, 500_000), holding(2, TARGET, 1_500_005)],
      innerInstructions: [
        {
          index: 1,
          instructions: [instruction(7, [0], new Uint8Array(), 2), instruction(5, [1, 3, 2, 0], TRANSFER, 3)],
        },
      ],
      logMessages: [
        `Program ${BUDGET} invoke [1]`,
        `Program ${BUDGET} success`,
        `Program ${PROGRAM} invoke [1]`,
        ...lines,
        `Program ${OTHER} invoke [2]`,
        `Program ${TOKEN} invoke [3]`,
        'Program log: Instruction: TransferChecked',
        `Program ${TOKEN} consumed 6174 of 30000 compute units`,
        end(TOKEN),
        `Program ${OTHER} consumed 12300 of 38000 compute units`,
        end(OTHER),
        `Program ${PROGRAM} consumed 21850 of 39850 compute units`,
        end(PROGRAM),
      ],
      computeUnitsConsumed: 22_000,
    },
  };
}
