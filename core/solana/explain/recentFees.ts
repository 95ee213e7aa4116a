// Recent priority fees of transactions that write the same accounts. Reads the answer of getRecentPrioritizationFees.
import { integerOf, isJsonArray, member, type JsonValue } from '../json/json';

/** So many of a hundred recent slots took transactions at this price, or a lower one. */
export interface FeeLevel {
  readonly percentile: number;
  /** Per compute unit. */
  readonly microLamports: bigint;
}

const PERCENTILES = [50, 75, 90] as const;

/** Accounts that one request may name (Solana RPC, getRecentPrioritizationFees). */
export const MAX_FEE_ACCOUNTS = 128;

/** Undefined for an answer without a fee. `answer`: whole, or its result. */
export function feeLevels(answer: JsonValue): readonly FeeLevel[] | undefined {
  const result = member(answer, 'result') ?? answer;
  const fees = (isJsonArray(result) ? result : [])
    .map((one) => integerOf(member(one, 'prioritizationFee')))
    .filter((fee) => fee !== undefined)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const levels = PERCENTILES.flatMap((percentile) => {
    const microLamports = fees[Math.ceil((percentile / 100) * fees.length) - 1];
    return microLamports === undefined ? [] : [{ percentile, microLamports }];
  });
  return levels.length === 0 ? undefined : levels;
}
