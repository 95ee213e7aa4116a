// Methods that look transactions up: by signature, by address, and their status.
import { STATUS_BLOCKS } from '../../../core/solana/chain/chain';
import type { WireJson } from '../../api';
import { member, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import type { LedgerView } from '../../ledger/state';
import type { Commitment, TransactionRecord } from '../../ledger/types';
import { RpcFailure, invalidParams } from '../failure';
import { stateAt, viewAt, withContext, type Method, type MethodService } from './method';
import {
  addressParam,
  boolOf,
  commitmentName,
  completeLevel,
  configOf,
  confirmedCommitmentOf,
  listOf,
  optionalParam,
  positional,
  signatureParam,
  slotOf,
  usizeOf,
} from '../format/params';
import { pacer } from '../../slices';
import {
  statusJson,
  transactionFormatOf,
  transactionWithMeta,
  type TransactionFormat,
} from '../format/transactionJson';

const MAX_SIGNATURES = 1000;
const MAX_STATUSES = 256;

const getTransaction: Method = (service, params) => {
  const [signature, second] = positional(params, 1, 2);
  const key = signatureParam(signature);
  const format = transactionFormatOf(second, service.state.release.line);
  const config = typeof second === 'string' ? {} : configOf(second);
  const view = viewSince44(service, config, confirmedCommitmentOf(config));
  const context = optionalParam(config, 'withContext', boolOf) ?? false;
  const slot = optionalParam(config, 'slot', slotOf);
  const record = service.state.history.find(key);
  const isShown = record !== undefined && record.height <= view.height && (slot ?? record.slot) === record.slot;
  const shown = isShown ? fullRow(service, record, format) : null;
  return context ? withContext(view, shown) : shown;
};

/** A transaction with its time and place. */
export const fullRow = (service: MethodService, record: TransactionRecord, format: TransactionFormat): WireJson => ({
  blockTime: record.blockTime,
  slot: record.slot,
  ...indexOf(service, record),
  ...transactionWithMeta(record, format),
});

/** Its place in its block, which older nodes do not give. */
const indexOf = ({ state }: MethodService, { index }: TransactionRecord): { readonly transactionIndex?: number } =>
  state.release.line === '3.1' ? {} : { transactionIndex: index };

const getSignaturesForAddress: Method = async (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const address = addressParam(first);
  const config = configOf(second);
  const limit = Number(optionalParam(config, 'limit', limitOf) ?? MAX_SIGNATURES);
  const before = optionalParam(config, 'before', signatureParam);
  const until = optionalParam(config, 'until', signatureParam);
  const beforeSlot = optionalParam(config, 'beforeSlot', slotOf);
  const untilSlot = optionalParam(config, 'untilSlot', slotOf);
  if (before !== undefined && beforeSlot !== undefined)
    throw invalidParams('before and beforeSlot are mutually exclusive');
  if (until !== undefined && untilSlot !== undefined) throw invalidParams('until and untilSlot are mutually exclusive');
  const view = viewAt(service, config, confirmedCommitmentOf(config));
  const context = optionalParam(config, 'withContext', boolOf) ?? false;
  const isUnknown = (signature: string | undefined): boolean =>
    signature !== undefined && service.state.history.find(signature) === undefined;
  // An older node answers nothing where a newer one says that it does not know the bound.
  if (service.state.release.line === '3.1' && (isUnknown(before) || isUnknown(until)))
    return context ? withContext(view, []) : [];
  const bounds = {
    limit,
    before: boundary(service, before),
    until: boundary(service, until),
    beforeSlot: beforeSlot ?? Infinity,
    untilSlot: untilSlot ?? -1,
  };
  const found = await page(service, address, view, bounds);
  return context ? withContext(view, found) : found;
};

/** 1 to 1000. */
function limitOf(value: JsonValue): bigint {
  const limit = usizeOf(value);
  if (limit < 1n || limit > BigInt(MAX_SIGNATURES)) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  return limit;
}

interface PageBounds {
  readonly limit: number;
  readonly before: TransactionRecord | undefined;
  readonly until: TransactionRecord | undefined;
  /** Neither slot is on the page. */
  readonly beforeSlot: number;
  readonly untilSlot: number;
}

/** The transaction that bounds a page; it need not name the address. */
export function boundary(service: MethodService, signature: string | undefined): TransactionRecord | undefined {
  if (signature === undefined) return undefined;
  const record = service.state.history.find(signature);
  if (record === undefined) throw new RpcFailure(-32020, `Transaction ${signature} not found`);
  return record;
}

async function page(
  service: MethodService,
  address: string,
  view: LedgerView,
  bounds: PageBounds,
): Promise<WireJson[]> {
  const { state, untilInclusive } = service;
  const pause = pacer();
  const found: WireJson[] = [];
  for (const record of state.history.forAddress(address)) {
    if (found.length >= bounds.limit) break;
    const turn = pause();
    if (turn !== undefined) await turn;
    if (record.height > view.height || record.slot >= bounds.beforeSlot) continue;
    if (record.slot <= bounds.untilSlot) break;
    if (bounds.before !== undefined && order(record, bounds.before) >= 0) continue;
    const toUntil = bounds.until === undefined ? 1 : order(record, bounds.until);
    if (toUntil < 0 || (toUntil === 0 && !untilInclusive)) break;
    found.push(signatureRow(service, record));
  }
  return found;
}

/** A transaction in a list of signatures. */
export const signatureRow = (service: MethodService, record: TransactionRecord): WireJson => ({
  blockTime: record.blockTime,
  confirmationStatus: service.state.chain.commitmentOf(record.height),
  err: record.meta.err,
  memo: record.memo,
  signature: record.signature,
  slot: record.slot,
  ...indexOf(service, record),
});

type Place = Pick<TransactionRecord, 'height' | 'index'>;

/** Negative when `a` came before `b`. */
export function order(a: Place, b: Place): number {
  return a.height - b.height || a.index - b.index;
}

const getSignatureStatuses: Method = (service, params) => {
  const [signatures, second] = positional(params, 1, 2);
  const keys = listOf(signatures, MAX_STATUSES, signatureParam);
  const { state } = service;
  const isNewer = state.release.line === '4.4';
  const config = configOf(second);
  const isBare = second === undefined || second === null;
  const search =
    isBare || isNewer ? (optionalParam(config, 'searchTransactionHistory', boolOf) ?? false) : searchOf(config);
  const commitment = isNewer ? optionalParam(config, 'commitment', commitmentName) : undefined;
  // A node reads the newest bank that is complete: what runs in an open one has no status yet.
  const view = viewSince44(service, config, completeLevel(commitment ?? 'processed'));
  const root = state.chain.height('finalized');
  const statuses = keys.map((key) => {
    const record = state.history.find(key);
    if (record === undefined || record.height > view.height) return null;
    if (!search && root - record.height >= STATUS_BLOCKS) return null;
    const confirmationStatus = state.chain.commitmentOf(record.height);
    return {
      confirmationStatus,
      confirmations: confirmationStatus === 'finalized' ? null : view.height - record.height + 1,
      err: record.meta.err,
      slot: record.slot,
      status: statusJson(record.meta.err),
    };
  });
  return withContext(view, statuses);
};

/** The state at a commitment; only newer nodes wait here for the config's minContextSlot. */
const viewSince44 = (service: MethodService, config: JsonObject, commitment: Commitment): LedgerView =>
  service.state.release.line === '4.4' ? viewAt(service, config, commitment) : stateAt(service, commitment);

function searchOf(config: JsonObject): boolean {
  const search = member(config, 'searchTransactionHistory');
  if (search === undefined) throw invalidParams('Invalid params: missing field `searchTransactionHistory`.');
  return boolOf(search);
}

export const historyMethods = { getSignatureStatuses, getSignaturesForAddress, getTransaction } as const;
