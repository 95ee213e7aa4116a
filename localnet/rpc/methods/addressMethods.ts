// getTransactionsForAddress of the cross-client specification: the transactions of an address, filtered and by page.
import type { JsonObject, JsonValue } from '../../../core/solana/json/json';
import type { LedgerView } from '../../ledger/state';
import type { TokenBalanceRecord, TransactionRecord } from '../../ledger/types';
import { invalidParams } from '../failure';
import { transactionFormatOf } from '../format/transactionJson';
import { boundary, fullRow, order, signatureRow } from './historyMethods';
import { viewAt, type Method, type MethodService } from './method';
import {
  addressParam,
  configOf,
  confirmedCommitmentOf,
  i64Of,
  nameParam,
  optionalParam,
  positional,
  signatureParam,
  slotOf,
  stringOf,
  wrongParamType,
  usizeOf,
} from '../format/params';
import { pacer } from '../../slices';

/** Signatures, and whole transactions, on a page; a higher limit counts as this. */
const MAX_SIGNATURES = 1000;
const MAX_FULL = 100;

/** One condition on a transaction. */
type Test = (record: TransactionRecord) => boolean;

const getTransactionsForAddress: Method = async (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const address = addressParam(first);
  const config = configOf(second);
  const details =
    optionalParam(config, 'transactionDetails', nameParam<'signatures' | 'full'>(['signatures', 'full'])) ??
    'signatures';
  const limit = Math.min(Number(optionalParam(config, 'limit', limitOf) ?? MAX_SIGNATURES), most(details));
  const isOldestFirst = optionalParam(config, 'sortOrder', nameParam(['asc', 'desc'])) === 'asc';
  const filters = optionalParam(config, 'filters', configOf) ?? {};
  const tests = testsOf(service, address, config, filters);
  const token = optionalParam(config, 'paginationToken', stringOf);
  const format = transactionFormatOf(config, service.state.release.line);
  const view = viewAt(service, config, confirmedCommitmentOf(config));
  const start = token === undefined ? undefined : placeOf(service, token);
  if (start !== undefined) tests.push(isOldestFirst ? (one) => order(one, start) > 0 : (one) => order(one, start) < 0);

  const tokens = optionalParam(filters, 'tokenAccounts', tokensOf) ?? 'none';
  const records = tokens === 'none' ? service.state.history.forAddress(address) : service.state.history.newestFirst();
  const found = await matching(records, view, tests);
  if (isOldestFirst) found.reverse();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map((record) => (details === 'full' ? fullRow(service, record, format) : signatureRow(service, record))),
    paginationToken: last !== undefined && found.length > page.length ? `${last.slot}:${last.index}` : null,
  };
};

const tokensOf = nameParam<'none' | 'balanceChanged' | 'all'>(['none', 'balanceChanged', 'all']);

const most = (details: 'signatures' | 'full'): number => (details === 'full' ? MAX_FULL : MAX_SIGNATURES);

function limitOf(value: JsonValue): bigint {
  const limit = usizeOf(value);
  if (limit < 1n) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  return limit;
}

/** Newest first. */
async function matching(
  records: Iterable<TransactionRecord>,
  view: LedgerView,
  tests: readonly Test[],
): Promise<TransactionRecord[]> {
  const pause = pacer();
  const found: TransactionRecord[] = [];
  for (const record of records) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (record.height <= view.height && tests.every((test) => test(record))) found.push(record);
  }
  return found;
}

/** All of them must hold. Throws RpcFailure. */
function testsOf(service: MethodService, address: string, config: JsonObject, filters: JsonObject): Test[] {
  const tests: Test[] = [];
  const before = optionalParam(config, 'beforeSlot', slotOf);
  const until = optionalParam(config, 'untilSlot', slotOf);
  if (before !== undefined) tests.push(({ slot }) => slot < before);
  if (until !== undefined) tests.push(({ slot }) => slot > until);
  const bySlot = (bound: JsonValue) => difference(slotOf(bound), ({ slot }) => slot);
  const byTime = (bound: JsonValue) => difference(secondsOf(bound), ({ blockTime }) => blockTime);
  const bySignature = (bound: JsonValue) => {
    const place = boundary(service, signatureParam(bound));
    return (record: TransactionRecord): number => (place === undefined ? 0 : order(record, place));
  };
  for (const [name, read, names] of [
    ['slot', bySlot, BOUNDS],
    ['blockTime', byTime, [...BOUNDS, 'eq']],
    ['signature', bySignature, BOUNDS],
  ] as const) {
    const range = optionalParam(filters, name, configOf) ?? {};
    for (const bound of names) {
      const compare = optionalParam(range, bound, read);
      if (compare !== undefined) tests.push((record) => HOLDS[bound](compare(record)));
    }
  }
  const status = optionalParam(filters, 'status', nameParam(['any', 'all', 'succeeded', 'failed'])) ?? 'any';
  if (status === 'succeeded') tests.push(({ meta }) => meta.err === null);
  if (status === 'failed') tests.push(({ meta }) => meta.err !== null);
  const tokens = optionalParam(filters, 'tokenAccounts', tokensOf) ?? 'none';
  if (tokens !== 'none')
    tests.push((record) => record.accountKeys.includes(address) || ownsTokensIn(record, address, tokens));
  return tests;
}

const BOUNDS = ['gt', 'gte', 'lt', 'lte'] as const;

/** By how far a value lies above its bound. */
const HOLDS: Readonly<Record<(typeof BOUNDS)[number] | 'eq', (above: number) => boolean>> = {
  gt: (above) => above > 0,
  gte: (above) => above >= 0,
  lt: (above) => above < 0,
  lte: (above) => above <= 0,
  eq: (above) => above === 0,
};

const difference =
  (bound: number, value: (record: TransactionRecord) => number) =>
  (record: TransactionRecord): number =>
    value(record) - bound;

/** Unix seconds. */
const secondsOf = (value: JsonValue): number => Number(i64Of(value));

/** Whether token accounts of the address are in it, with `balanceChanged` those whose amount is another one after it. */
function ownsTokensIn({ meta }: TransactionRecord, address: string, which: 'balanceChanged' | 'all'): boolean {
  const owned = (balances: readonly TokenBalanceRecord[]): ReadonlyMap<number, bigint> =>
    new Map(balances.filter(({ owner }) => owner === address).map((one) => [one.accountIndex, one.amount]));
  const [before, after] = [owned(meta.preTokenBalances), owned(meta.postTokenBalances)];
  if (which === 'all') return before.size + after.size > 0;
  return [...new Set([...before.keys(), ...after.keys()])].some((at) => before.get(at) !== after.get(at));
}

/** Where a page begins: the signature of a transaction, or `slot:index`. */
function placeOf(service: MethodService, token: string): Pick<TransactionRecord, 'height' | 'index'> {
  const [, slot, index] = /^(\d{1,15}):(\d{1,15})$/.exec(token) ?? [];
  if (slot === undefined || index === undefined) {
    const record = boundary(service, signatureParam(token));
    if (record === undefined) throw wrongParamType(token, 'a pagination token');
    return record;
  }
  const block = service.state.chain.atSlot(Number(slot));
  if (block === undefined) throw invalidParams(`Invalid paginationToken: there is no block in slot ${slot}`);
  return { height: block.height, index: Number(index) };
}

export const addressMethods = { getTransactionsForAddress } as const;
