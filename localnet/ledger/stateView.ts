// The ledger's state as a read at one commitment sees it. Types only.
import type { AccountView } from './accounts/accounts';
import type { LedgerBlock, Commitment, NodeRelease } from './types';

/** The state that a read at one commitment sees. */
export interface LedgerView extends AccountView {
  readonly commitment: Commitment;
  /** Whose shapes an answer has that shows what is in view. */
  readonly release: NodeRelease;
  readonly slot: number;
  readonly height: number;
  readonly block: LedgerBlock;
}
