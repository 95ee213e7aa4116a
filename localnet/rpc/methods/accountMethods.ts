// Methods that read accounts by address.
import type { WireJson } from '../../api';
import { accountFormatOf, encodeAccount, type AccountFormat } from '../format/encode';
import { RpcFailure } from '../failure';
import { onHeld, viewAt, withContext, type Method } from './method';
import { addressParam, bareCommitmentOf, configOf, listOf, positional, usizeOf } from '../format/params';
import { MAX_ACCOUNT_BYTES } from '../../ledger/bounds';
import type { LedgerView } from '../../ledger/state';
import { collectInSlices } from '../../slices';

const MAX_ACCOUNTS_PER_CALL = 100;
/** One account may be a lookup table with 256 addresses to be written as text. */
const PARSED_WEIGHT = 16;

const getBalance: Method = (service, params) => {
  const [address, config] = positional(params, 1, 2);
  const key = addressParam(address);
  const view = viewAt(service, configOf(config));
  return withContext(view, view.get(key)?.lamports ?? 0n);
};

const getAccountInfo: Method = (service, params) => {
  const [address, second] = positional(params, 1, 2);
  const key = addressParam(address);
  const config = configOf(second);
  const view = viewAt(service, config);
  return withContext(view, accountOrNull(key, view, accountFormatOf(config, 'binary')));
};

const getMultipleAccounts: Method = async (service, params) => {
  const [addresses, second] = positional(params, 1, 2);
  const keys = listOf(addresses, MAX_ACCOUNTS_PER_CALL, addressParam);
  const config = configOf(second);
  const view = viewAt(service, config);
  const format = accountFormatOf(config, 'base64');
  const accounts = await onHeld(service, view, (still) =>
    collectInSlices(keys, (key) => accountOrNull(key, still, format), PARSED_WEIGHT),
  );
  return withContext(view, accounts);
};

const getMinimumBalanceForRentExemption: Method = (service, params) => {
  const [length, config] = positional(params, 1, 2);
  const bytes = usizeOf(length);
  bareCommitmentOf(config);
  if (bytes > MAX_ACCOUNT_BYTES)
    throw new RpcFailure(-32600, `Data length ${bytes} is above the largest account, ${MAX_ACCOUNT_BYTES} bytes.`);
  return service.state.rent(Number(bytes));
};

export function accountOrNull(address: string, view: LedgerView, format: AccountFormat): WireJson {
  const account = view.get(address);
  return account === undefined ? null : encodeAccount(address, account, format, view);
}

export const accountMethods = {
  getAccountInfo,
  getBalance,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
} as const;
