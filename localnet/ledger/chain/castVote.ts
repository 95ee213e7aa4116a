// Puts the node's vote for the block before into a block that closes: its record, its fee, and what listeners hear of it.
import type { AccountView } from '../accounts/accounts';
import type { AccountState, LedgerEvent, TransactionRecord } from '../types';
import { addFees } from '../engine/fees';
import type { Chain } from './chain';
import type { History } from './history';
import { VoteRecord } from './voteRecord';
import type { Voter } from './votes';

/** The parts of the ledger's state that a vote is written to. */
interface Ballot {
  readonly chain: Chain;
  readonly history: Pick<History, 'add'>;
  readonly svm: { setAccount(address: string, account: AccountState): void };
  view(commitment: 'processed'): Pick<AccountView, 'get'>;
  recordWrite(address: string, account: AccountState, record: TransactionRecord): void;
  emitAccount(address: string, account: AccountState | undefined, record: TransactionRecord): void;
  emit(event: LedgerEvent): void;
}

/** Does nothing where there is no block to vote for, or nothing left to pay with. */
export function castVote(state: Ballot, voter: Voter): void {
  const closing = state.chain.open;
  const voted = state.chain.atHeight(closing.height - 1);
  const view = state.view('processed');
  const [payer = ''] = voter.accountKeys;
  const paying = view.get(payer);
  if (voted === undefined || paying === undefined || paying.lamports <= voter.fee) return;
  // No more of the block than its vote needs: the vote is kept longer than some blocks are.
  const { slot, blockhash, blockTime } = voted;
  const cast = {
    voted: { slot, blockhash, blockTime },
    signature: voter.signature(voted),
    balances: voter.accountKeys.map((address) => view.get(address)?.lamports ?? 0n),
  };
  const record = new VoteRecord(voter, cast, {
    slot: closing.slot,
    height: closing.height,
    index: closing.transactions.length,
    blockTime: closing.blockTime,
  });
  closing.transactions.push(record);
  closing.transactionCount++;
  closing.fees = addFees(closing.fees, { signatures: voter.fee, priority: 0n });
  state.history.add(record);
  const paid = { ...paying, lamports: paying.lamports - voter.fee };
  state.svm.setAccount(payer, paid);
  state.recordWrite(payer, paid, record);
  // The vote account's data follows from the blocks.
  state.emitAccount(voter.address, view.get(voter.address), record);
  state.emit({ kind: 'transaction', record, bankId: closing.bankId });
}
