// Distributes the fees of a complete block: half of the signature fees is burned, the rest goes to the leader; all of it is
// burned if the leader cannot take it (Agave, runtime/src/bank/fee_distribution.rs).
import { newAccount } from '../accounts/accounts';
import { SYSTEM_PROGRAM, U64_MAX, VOTE_PROGRAM } from '../accounts/addresses';
import { readVoteState } from '../accounts/voteState';
import { NO_FEES } from '../engine/fees';
import type { AccountState, AgaveLine } from '../types';
import type { OpenBlock } from './chain';
import type { Voter } from './votes';

/** The ledger's state, as far as fees need it. */
interface PayingLedger {
  readonly accounts: { get(address: string): AccountState | undefined };
  readonly line: AgaveLine;
  /** Lamports that make an account of so many bytes rent-exempt. */
  readonly rent: (bytes: number) => bigint;
  readonly write: (address: string, account: AccountState) => void;
}

/** Who leads the block. */
type Leader = Pick<Voter, 'node' | 'address'>;

/** Pays the fees of a block, and notes it there. */
export function payFees(ledger: PayingLedger, closing: OpenBlock, leader: Leader): void {
  const { signatures, priority } = closing.fees;
  const lamports = signatures - signatures / 2n + priority;
  closing.fees = NO_FEES;
  if (lamports === 0n) return;
  const address = collectorOf(ledger, leader);
  const account = ledger.accounts.get(address) ?? newAccount(SYSTEM_PROGRAM, 0n);
  const paid = { ...account, lamports: account.lamports + lamports };
  if (!canTake(ledger, paid, address === leader.address)) return;
  ledger.write(address, paid);
  closing.rewards = [...(closing.rewards ?? []), { kind: 'Fee', address, lamports, postBalance: paid.lamports }];
}

/**
 * The identity; from Agave 4.1 on whom the vote account names (SIMD-0232), which is the vote account itself until its
 * withdrawer names another. A node looks at it as it was an epoch ago, here a change counts at once.
 */
function collectorOf({ accounts, line }: PayingLedger, { node, address }: Leader): string {
  const account = line === '3.1' ? undefined : accounts.get(address);
  return (account && readVoteState(account))?.revenueCollector ?? node;
}

/** Any account of the system program that then pays its rent, and the leader's own vote account. */
function canTake({ rent }: PayingLedger, { lamports, owner, data }: AccountState, isOwnVoteAccount: boolean): boolean {
  if (lamports > U64_MAX) return false;
  if (isOwnVoteAccount && owner === VOTE_PROGRAM) return true;
  return owner === SYSTEM_PROGRAM && lamports >= rent(data.length);
}
