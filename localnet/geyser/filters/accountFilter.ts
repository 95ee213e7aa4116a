// Account filters and data slices: built from a request, matched against one write.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import type {
  SubscribeRequestAccountsDataSlice,
  SubscribeRequestFilterAccounts,
  SubscribeRequestFilterAccountsFilter,
  SubscribeRequestFilterAccountsFilterLamports,
  SubscribeRequestFilterAccountsFilterMemcmp,
} from '../../../proto';
import { NO_ACCOUNT } from '../../ledger/accounts/addresses';
import type { AccountState } from '../../ledger/types';
import { cuckooSet } from './cuckoo';
import { filterAddresses, invalid, LIMITS } from './filterInput';
import type { AccountWrite } from '../emission';

export type AccountMatch = (write: AccountWrite) => boolean;
type StateMatch = (account: AccountState) => boolean;

export function accountFilter(filter: SubscribeRequestFilterAccounts): AccountMatch {
  const addresses = filterAddresses(filter.account);
  const owners = filterAddresses(filter.owner);
  const cuckoo = filter.cuckooAccountsFilter === undefined ? undefined : cuckooSet(filter.cuckooAccountsFilter);
  const signed = filter.nonemptyTxnSignature;
  const states = stateFilters(filter.filters);
  return (write) => {
    const account = write.account ?? NO_ACCOUNT;
    const named = addresses?.has(write.address) === true || cuckoo?.(write.address) === true;
    return (
      (named || (addresses === undefined && cuckoo === undefined)) &&
      (owners === undefined || owners.has(account.owner)) &&
      (signed === undefined || signed === (write.record !== undefined)) &&
      states.every((matches) => matches(account))
    );
  };
}

function stateFilters(filters: readonly SubscribeRequestFilterAccountsFilter[]): readonly StateMatch[] {
  if (filters.length > LIMITS.accountFilters) throw invalid(`Too many filters provided; max ${LIMITS.accountFilters}`);
  if (filters.filter(({ filter }) => filter.case === 'datasize').length > 1)
    throw invalid('datasize used more than once');
  return filters.map(stateFilter);
}

function stateFilter({ filter }: SubscribeRequestFilterAccountsFilter): StateMatch {
  switch (filter.case) {
    case 'memcmp':
      return memcmpFilter(filter.value);
    case 'datasize': {
      const size = filter.value;
      return ({ data }) => BigInt(data.length) === size;
    }
    case 'tokenAccountState':
      if (!filter.value) throw invalid('token_account_state only allowed to be true');
      return ({ data }) => isTokenAccount(data);
    case 'lamports':
      return lamportsFilter(filter.value);
    case undefined:
      throw invalid('filter should be defined');
  }
}

function memcmpFilter({ offset, data }: SubscribeRequestFilterAccountsFilterMemcmp): StateMatch {
  const bytes = memcmpBytes(data);
  if (bytes.length > LIMITS.memcmpBytes) throw invalid('data too large');
  return (account) => {
    const end = offset + BigInt(bytes.length);
    if (end > BigInt(account.data.length)) return false;
    return Buffer.compare(account.data.subarray(Number(offset), Number(end)), bytes) === 0;
  };
}

function memcmpBytes(data: SubscribeRequestFilterAccountsFilterMemcmp['data']): Uint8Array {
  switch (data.case) {
    case 'bytes':
      return data.value;
    case 'base58': {
      if (data.value.length > LIMITS.memcmpBase58) throw invalid('data too large');
      const bytes = decodeBase58(data.value);
      if (bytes === undefined) throw invalid('invalid base58');
      return bytes;
    }
    case 'base64': {
      if (data.value.length > LIMITS.memcmpBase64) throw invalid('data too large');
      if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(data.value))
        throw invalid('invalid base64');
      return Buffer.from(data.value, 'base64');
    }
    case undefined:
      throw invalid('data for memcmp should be defined');
  }
}

function lamportsFilter({ cmp }: SubscribeRequestFilterAccountsFilterLamports): StateMatch {
  const { value } = cmp;
  switch (cmp.case) {
    case 'eq':
      return ({ lamports }) => lamports === value;
    case 'ne':
      return ({ lamports }) => lamports !== value;
    case 'lt':
      return ({ lamports }) => value !== undefined && lamports < value;
    case 'gt':
      return ({ lamports }) => value !== undefined && lamports > value;
    case undefined:
      throw invalid('cmp for lamports should be defined');
  }
}

const TOKEN_ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
const STATE_OFFSET = 108;
const TOKEN_ACCOUNT_TYPE = 2;

/** An initialized account of the token program, or of Token-2022 with extensions. */
function isTokenAccount(data: Uint8Array): boolean {
  if ((data[STATE_OFFSET] ?? 0) === 0) return false;
  if (data.length === TOKEN_ACCOUNT_BYTES) return true;
  return (
    data.length > TOKEN_ACCOUNT_BYTES &&
    data.length !== MULTISIG_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === TOKEN_ACCOUNT_TYPE
  );
}

/** The pieces of data that a stream asks for. */
export type DataSlices = readonly { readonly offset: bigint; readonly end: bigint }[];

export function dataSlices(slices: readonly SubscribeRequestAccountsDataSlice[]): DataSlices {
  if (slices.length > LIMITS.dataSlices)
    throw invalid(`Max amount of filters/data_slices reached, only ${LIMITS.dataSlices} allowed`);
  const built = slices.map(({ offset, length }) => ({ offset, end: offset + length }));
  for (const [index, slice] of built.entries()) {
    const before = built[index - 1];
    if (before !== undefined && slice.offset < before.offset) throw invalid('data slices out of order');
    if (before !== undefined && slice.offset < before.end) throw invalid('data slices overlapped');
  }
  return built;
}

/** The slices joined without gaps; a slice that ends after the data is left out whole. */
export function slicedData(data: Uint8Array, slices: DataSlices): Uint8Array {
  if (slices.length === 0) return data;
  const whole = slices.filter(({ end }) => end <= BigInt(data.length));
  return Buffer.concat(whole.map(({ offset, end }) => data.subarray(Number(offset), Number(end))));
}
