// Explains one transaction from what is known of it. Asks nobody; what is not known is left out.
import type { DecodedTransaction } from '../values/decode/decoded';
import { maxTransactionBytes } from '../values/solana/transactionTypes';
import { balancesOf } from './balances';
import { callsOf, failedCall } from './calls';
import { feeOf, limitsOf, unitsOutside } from './costs';
import type { ExplainedCall, Explanation, Outcome, TransactionSize } from './explanation';
import { notesOf } from './notes';

/** What is known of a transaction beside what was decoded. */
export interface Evidence {
  /** Bytes of the serialised transaction, signatures included. */
  readonly bytes?: number;
  /** Bytes of accounts that it loaded; a simulation says it. */
  readonly loadedAccountsData?: bigint;
}

export function explain(transaction: DecodedTransaction, { bytes, loadedAccountsData }: Evidence): Explanation {
  const { version, config, signature, feePayer, blockhash, slot, blockTime, accounts } = transaction;
  const limits = limitsOf(transaction, loadedAccountsData);
  const calls = callsOf(transaction, limits.heap.asked);
  const outside = unitsOutside(limits, calls);
  const size = bytes === undefined ? undefined : sizeOf(version, bytes);
  return {
    outcome: outcomeOf(transaction, calls),
    version,
    ...(config !== undefined && { config }),
    ...(signature !== undefined && { signature }),
    ...(feePayer !== undefined && { feePayer }),
    ...(blockhash !== undefined && { blockhash }),
    ...(slot !== undefined && { slot }),
    ...(blockTime !== undefined && { blockTime }),
    ...(size !== undefined && { size }),
    fee: feeOf(transaction, limits),
    limits: { ...limits, ...(outside !== undefined && { unitsOutsideCalls: outside }) },
    accounts,
    calls,
    balances: balancesOf(transaction.balances),
    notes: notesOf(transaction, size),
  };
}

const sizeOf = (version: DecodedTransaction['version'], bytes: number): TransactionSize => ({
  bytes,
  of: maxTransactionBytes(version === 1 ? 1 : 'legacy'),
});

function outcomeOf({ hasRun, error }: DecodedTransaction, calls: readonly ExplainedCall[]): Outcome {
  if (error === undefined) return { kind: hasRun ? 'succeeded' : 'notExecuted' };
  const at = failedCall(calls) ?? (error.instruction === undefined ? undefined : [error.instruction]);
  return { kind: 'failed', failure: error, ...(at !== undefined && { at }) };
}
