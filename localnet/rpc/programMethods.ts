// getProgramAccounts: a scan of one program's accounts that gives way to other calls every few milliseconds.
import { optional, addressOf, boolOf, configOf, positional } from './params';
import type { AccountState } from '../ledger/types';
import type { WireJson } from '../api';
import { accountFormatOf, compareAddresses, encodeAccount, type AccountFormat } from './encode';
import { filtersOf } from './filters';
import { onHeld, viewAt, withContext, type Method, type Service } from './method';
import type { StateView } from '../ledger/state';
import { collectInSlices, sortInSlices } from './slices';

const getProgramAccounts: Method = async (service, params) => {
  const [program, second] = positional(params, 1, 2);
  const owner = addressOf(program);
  const config = configOf(second);
  const filters = optional(config, 'filters', filtersOf) ?? [];
  const format = accountFormatOf(config, 'base64');
  const sort = optional(config, 'sortResults', boolOf) ?? true;
  const context = optional(config, 'withContext', boolOf) ?? false;
  const view = viewAt(service, config);
  const keep = (account: AccountState): boolean => filters.every((filter) => filter(account));
  const accounts = await ownedAccounts(service, view, owner, keep, format, sort);
  return context ? withContext(view, accounts) : accounts;
};

/** The accounts of an owner that pass `keep`, encoded as {pubkey, account}, by address when `sort`. */
export async function ownedAccounts(
  service: Service,
  view: StateView,
  owner: string,
  keep: (account: AccountState) => boolean,
  format: AccountFormat,
  sort = true,
): Promise<WireJson[]> {
  return onHeld(service, view, async (still) => {
    const found = await scan(still, owner, keep);
    const ordered = sort ? await sortInSlices(found, ([a], [b]) => compareAddresses(a, b)) : found;
    return collectInSlices(ordered, ([pubkey, account]) => ({
      account: encodeAccount(pubkey, account, format, still),
      pubkey,
    }));
  });
}

/** Addresses and accounts of an owner that pass `keep`, in no order. */
function scan(
  view: StateView,
  owner: string,
  keep: (account: AccountState) => boolean,
): Promise<[string, AccountState][]> {
  return collectInSlices(view.candidates(owner), (address): [string, AccountState] | undefined => {
    const account = view.get(address);
    return account?.owner === owner && keep(account) ? [address, account] : undefined;
  });
}

export const programMethods = { getProgramAccounts } as const;
