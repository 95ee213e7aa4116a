// One write of an account, as streams report it.
import type { LedgerEvent } from '../ledger/types';

/** One write of an account. */
export type AccountWrite = Omit<Extract<LedgerEvent, { readonly kind: 'account' }>, 'isEdit'>;
