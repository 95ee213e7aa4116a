// getProgramAccounts: a scan of one program's accounts that gives way to other calls every few milliseconds.
import { optionalParam, addressParam, boolOf, configOf, positional } from '../format/params';
import type { AccountState } from '../../ledger/types';
import type { WireJson } from '../../api';
import { accountFormatOf, compareAddresses, type AccountFormat } from '../format/encode';
import { accountOrNull } from './accountMethods';
import { filtersOf } from '../format/filters';
import { RpcFailure, TIMED_OUT } from '../failure';
import { listInSlices } from '../format/longList';
import { onHeld, viewAt, withContext, type Method, type MethodService } from './method';
import type { LedgerView } from '../../ledger/state';
import { collectInSlices, OutOfTime, sortInSlices } from '../../slices';

const getProgramAccounts: Method = async (service, params) => {
  const [program, second] = positional(params, 1, 2);
  const owner = addressParam(program);
  const config = configOf(second);
  const filters = optionalParam(config, 'filters', filtersOf) ?? [];
  const format = accountFormatOf(config, service.listEncoding);
  const sort = optionalParam(config, 'sortResults', boolOf) ?? true;
  const context = optionalParam(config, 'withContext', boolOf) ?? false;
  const view = viewAt(service, config);
  const keep = (account: AccountState): boolean => filters.every((filter) => filter(account));
  const accounts = await inTime(service.scanMs, (until) =>
    ownedAccounts(service, view, { owner, keep, format, sort, until }),
  );
  return context ? withContext(view, accounts) : accounts;
};

/** A read that is given up after `ms`. */
async function inTime<T>(ms: number, read: (until: number) => Promise<T>): Promise<T> {
  try {
    return await read(performance.now() + ms);
  } catch (error) {
    if (error instanceof OutOfTime)
      throw new RpcFailure(TIMED_OUT, `getProgramAccounts timed out after ${ms} ms; use filters`);
    throw error;
  }
}

export interface AccountScan {
  readonly owner: string;
  readonly keep: (account: AccountState) => boolean;
  readonly format: AccountFormat;
  /** By address; default true. */
  readonly sort?: boolean;
  /** A time of `performance.now` after which OutOfTime is thrown; default never. */
  readonly until?: number;
}

/** The accounts of an owner that pass `keep`, encoded as {pubkey, account}. */
export async function ownedAccounts(
  service: MethodService,
  view: LedgerView,
  { owner, keep, format, sort = true, until }: AccountScan,
): Promise<WireJson> {
  return onHeld(service, view, async (still) => {
    const found = await scan(still, owner, keep, until);
    const ordered = sort ? await sortInSlices(found, compareAddresses, until) : found;
    const encode = (pubkey: string): WireJson => ({ account: accountOrNull(pubkey, still, format), pubkey });
    return listInSlices(ordered, encode, 1, until);
  });
}

/** Addresses of an owner's accounts that pass `keep`, in no order. */
function scan(
  view: LedgerView,
  owner: string,
  keep: (account: AccountState) => boolean,
  until: number | undefined,
): Promise<string[]> {
  const owned = (address: string): string | undefined => {
    const account = view.get(address);
    return account?.owner === owner && keep(account) ? address : undefined;
  };
  return collectInSlices(view.candidates(owner), owned, 1, until);
}

export const programMethods = { getProgramAccounts } as const;
