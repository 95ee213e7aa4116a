// One write of an account, as streams report it.
import type { AccountState, TransactionRecord } from '../ledger/types';

/** One write of an account. */
export interface AccountWrite {
  readonly kind: 'account';
  readonly slot: number;
  readonly bankId: number;
  readonly address: string;
  /** `undefined` once the account is gone. */
  readonly account: AccountState | undefined;
  readonly writeVersion: number;
  readonly record: TransactionRecord | undefined;
}
