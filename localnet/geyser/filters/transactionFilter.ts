// Transaction filters: built from a request, matched against one record. `transactions_status` uses the same.
import { TokenAccountExpansionControlFlag, type SubscribeRequestFilterTransactions } from '../../../proto';
import type { TokenBalanceRecord, TransactionRecord } from '../../ledger/types';
import { cuckooSet } from './cuckoo';
import { filterAddresses, invalid, filterSignature } from './filterInput';

export type TransactionMatch = (record: TransactionRecord) => boolean;

export function transactionFilter(filter: SubscribeRequestFilterTransactions): TransactionMatch {
  const { vote, failed } = filter;
  const signature = filter.signature === undefined ? undefined : filterSignature(filter.signature);
  const include = filterAddresses(filter.accountInclude);
  const exclude = filterAddresses(filter.accountExclude);
  const required = [...(filterAddresses(filter.accountRequired) ?? [])];
  const cuckoo = filter.cuckooAccountInclude === undefined ? undefined : cuckooSet(filter.cuckooAccountInclude);
  const { tokenAccounts } = filter;
  if (tokenAccounts !== undefined && TokenAccountExpansionControlFlag[tokenAccounts] === undefined)
    throw invalid(`there is no token_accounts ${String(tokenAccounts)}`);
  return (record) => {
    if (vote !== undefined && vote !== (record.isVote === true)) return false;
    if (failed !== undefined && failed !== (record.meta.err !== null)) return false;
    if (signature !== undefined && signature !== record.signature) return false;
    const keys = keysOf(record, filter);
    const some = (test: (key: string) => boolean): boolean => keys.some(test);
    if (include !== undefined || cuckoo !== undefined) {
      if (!some((key) => include?.has(key) === true || cuckoo?.(key) === true)) return false;
    }
    if (exclude !== undefined && some((key) => exclude.has(key))) return false;
    return required.every((address) => keys.includes(address));
  };
}

/** The addresses a transaction counts for: its account keys, and owners and mints of token balances where asked for. */
function keysOf(
  { accountKeys, meta }: TransactionRecord,
  { tokenAccounts, matchMints }: Pick<SubscribeRequestFilterTransactions, 'tokenAccounts' | 'matchMints'>,
): readonly string[] {
  if (tokenAccounts === undefined && !matchMints) return accountKeys;
  const both = [...meta.preTokenBalances, ...meta.postTokenBalances];
  const counted = tokenAccounts === TokenAccountExpansionControlFlag.ALL ? both : both.filter(changed);
  return [
    ...accountKeys,
    ...(tokenAccounts === undefined ? [] : counted.map(({ owner }) => owner)),
    ...(matchMints ? both.map(({ mint }) => mint) : []),
  ];

  function changed({ accountIndex }: TokenBalanceRecord): boolean {
    const amount = (balances: readonly TokenBalanceRecord[]): bigint | undefined =>
      balances.find((balance) => balance.accountIndex === accountIndex)?.amount;
    return amount(meta.preTokenBalances) !== amount(meta.postTokenBalances);
  }
}
