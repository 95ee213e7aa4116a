// getRecentPrioritizationFees: the prices that got transactions into the latest blocks, block by block.
import type { WireJson } from '../../api';
import { unitPriceOf } from '../../ledger/engine/fees';
import type { LedgerBlock } from '../../ledger/types';
import { isWritable } from '../../ledger/transaction/wire';
import type { Method } from './method';
import { addressParam, listOf, positional } from '../format/params';

const MAX_ADDRESSES = 128;
/** Blocks for which a node remembers the prices. */
const BLOCKS = 150;

/** The least price that was paid, in micro-lamports per compute unit: of all, and of those that wrote an account. */
interface Prices {
  readonly least: bigint;
  readonly byAccount: ReadonlyMap<string, bigint>;
}

/** Closed blocks never change. */
const known = new WeakMap<LedgerBlock, Prices>();

const getRecentPrioritizationFees: Method = (service, params) => {
  const [addresses] = positional(params, 0, 1);
  const wanted = addresses === undefined || addresses === null ? [] : listOf(addresses, MAX_ADDRESSES, addressParam);
  const { chain } = service.state;
  const newest = chain.height('confirmed');
  const fees: WireJson[] = [];
  for (let height = Math.max(0, newest - BLOCKS + 1); height <= newest; height++) {
    const block = chain.atHeight(height);
    if (block === undefined) continue;
    const { least, byAccount } = pricesOf(block);
    const fee = wanted.reduce((most, address) => larger(most, byAccount.get(address) ?? 0n), least);
    fees.push({ prioritizationFee: fee, slot: block.slot });
  }
  return fees;
};

function pricesOf(block: LedgerBlock): Prices {
  const before = known.get(block);
  if (before !== undefined) return before;
  let least: bigint | undefined;
  const byAccount = new Map<string, bigint>();
  for (const { transaction, accountKeys, isVote } of block.transactions) {
    if (isVote === true) continue;
    const price = unitPriceOf(transaction.message);
    least = smaller(least, price);
    accountKeys.forEach((address, index) => {
      if (isWritable(transaction.message, index)) byAccount.set(address, smaller(byAccount.get(address), price));
    });
  }
  const prices = { least: least ?? 0n, byAccount };
  known.set(block, prices);
  return prices;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b < a ? b : a);

export const feeMethods = { getRecentPrioritizationFees } as const;
