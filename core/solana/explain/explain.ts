// Explains one transaction from what is known of it. Asks nobody; what is not known is left out.
import type { DecodedTransaction } from '../decode/decoded';
import { maxTransactionBytes } from '../wire/transactionTypes';
import { known } from '../common/known';
import { balancesOf, withTokens } from './balances';
import { callAt, callsOf, failedCallPath, isUnpaid } from './calls';
import { cluesOf } from './clues';
import { feeParts, limitsOf, unitsOutside } from './costs';
import type {
  ExplainedAccount,
  ExplainedCall,
  Explanation,
  TransactionOutcome,
  SignatureCheck,
  TransactionSize,
} from './explanation';
import { notesOf } from './notes';
import { blocksLeft, type SimulationEvidence } from './simulation';
import { withheldNotes } from './withheld';

/** Known facts about a transaction besides its decoded content. */
export interface Evidence extends SimulationEvidence {
  /** The serialised transaction, signatures included. */
  readonly wire?: Uint8Array;
  /** Of each signer, where the bytes are known. */
  readonly signatures?: readonly SignatureCheck[];
  /** Bytes of accounts that it loaded; a simulation says it. */
  readonly loadedAccountsData?: bigint;
}

export function explainTransaction(transaction: DecodedTransaction, evidence: Evidence): Explanation {
  const { wire, signatures, written, loadedAccountsData } = evidence;
  const { version, config, signature, feePayer, blockhash, slot, blockTime, accounts } = transaction;
  const limits = limitsOf(transaction, loadedAccountsData);
  const calls = withFailure(callsOf(transaction, limits.heap.asked), transaction);
  const outside = unitsOutside(limits, calls);
  const size = wire === undefined ? undefined : sizeOf(version, wire.length);
  const left = blocksLeftOf(transaction, evidence);
  const explained = withTokens(accounts, transaction.balances);
  return known({
    outcome: outcomeOf(transaction, calls, explained),
    version,
    config,
    signature,
    feePayer,
    blockhash,
    blocksLeft: left,
    slot,
    blockTime,
    wire,
    size,
    signatures,
    fee: feeParts(transaction, limits, calls),
    limits: known({ ...limits, unitsOutsideCalls: outside }),
    accounts: explained,
    calls,
    balances: balancesOf(transaction.balances),
    written,
    notes: [...notesOf(transaction, { size, outside, left, written }), ...withheldNotes(explained, calls)],
  });
}

/** A durable nonce does not age. */
function blocksLeftOf(
  { blockhash, instructions: [first] }: DecodedTransaction,
  { recentBlockhashes }: Evidence,
): number | undefined {
  if (blockhash === undefined || recentBlockhashes === undefined || first?.name === 'advanceNonce') return undefined;
  return blocksLeft(blockhash, recentBlockhashes);
}

/** Marks an instruction as failed if the runtime refused it although its program had succeeded. */
function withFailure(calls: readonly ExplainedCall[], { error }: DecodedTransaction): readonly ExplainedCall[] {
  const name = error?.name ?? error?.text;
  if (error?.instruction === undefined || name === undefined || failedCallPath(calls) !== undefined) return calls;
  return calls.map((call, index) => (index === error.instruction ? { ...call, failure: name } : call));
}

const sizeOf = (version: DecodedTransaction['version'], bytes: number): TransactionSize => ({
  bytes,
  of: maxTransactionBytes(version === 1 ? 1 : 'legacy'),
});

function outcomeOf(
  transaction: DecodedTransaction,
  calls: readonly ExplainedCall[],
  accounts: readonly ExplainedAccount[],
): TransactionOutcome {
  const { hasRun, error } = transaction;
  if (error === undefined) return { kind: hasRun ? 'succeeded' : 'notExecuted' };
  const outer = error.instruction === undefined ? undefined : calls[error.instruction]?.path;
  const at = failedCallPath(calls) ?? outer;
  const clues = cluesOf(error, at && callAt(calls, at), accounts);
  return known({ kind: 'failed', failure: error, at, clues, isUnpaid: isUnpaid(transaction) || undefined });
}
