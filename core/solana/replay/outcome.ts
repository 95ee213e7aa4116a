// The outcome of a transaction, from the meta of a node's answer.
import { integerOf, isJsonArray, member, type JsonValue } from '../json/json';
import { MAX_LOG_LINES, MAX_PARTS } from '../decode/transactions/parts';
import type { BalanceShift, ReplayOutcome, TokenShift } from './case';

/** `addresses`: static keys, then those of lookup tables, writable ones first. */
export function outcomeOfMeta(meta: JsonValue | undefined, addresses: readonly string[]): ReplayOutcome {
  const computeUnits = integerOf(member(meta, 'computeUnitsConsumed'));
  return {
    error: member(meta, 'err') ?? null,
    ...(computeUnits !== undefined && { computeUnits }),
    logs: listIn(meta, 'logMessages', MAX_LOG_LINES).filter((line) => typeof line === 'string'),
    lamports: lamportShifts(meta, addresses),
    tokens: tokenShifts(meta, addresses),
  };
}

export const listIn = (meta: JsonValue | undefined, name: string, most = MAX_PARTS): readonly JsonValue[] => {
  const list = member(meta, name);
  return isJsonArray(list) ? list.slice(0, most) : [];
};

function lamportShifts(meta: JsonValue | undefined, addresses: readonly string[]): readonly BalanceShift[] {
  const after = listIn(meta, 'postBalances');
  return listIn(meta, 'preBalances').flatMap((value, index) => {
    const [address, from, to] = [addresses[index], integerOf(value), integerOf(after[index])];
    if (address === undefined || from === undefined || to === undefined || from === to) return [];
    return [{ address, change: to - from }];
  });
}

/** A token account as a node's meta lists it. */
export interface MetaTokenAmount {
  readonly address: string;
  readonly mint: string;
  /** The owner of the tokens; absent where an old node left it out. */
  readonly owner?: string;
  /** The token program; absent likewise. */
  readonly program?: string;
  /** Raw units. */
  readonly amount: bigint;
}

/** `name`: `preTokenBalances` or `postTokenBalances`. */
export function tokenAmounts(
  meta: JsonValue | undefined,
  name: string,
  addresses: readonly string[],
): readonly MetaTokenAmount[] {
  return listIn(meta, name).flatMap((row) => {
    const index = integerOf(member(row, 'accountIndex'));
    const address = index === undefined ? undefined : addresses[Number(index)];
    const [mint, owner, program] = [member(row, 'mint'), member(row, 'owner'), member(row, 'programId')];
    const raw = member(member(row, 'uiTokenAmount'), 'amount');
    if (address === undefined || typeof mint !== 'string' || typeof raw !== 'string' || !/^\d{1,20}$/.test(raw))
      return [];
    return [
      {
        address,
        mint,
        ...(typeof owner === 'string' && { owner }),
        ...(typeof program === 'string' && { program }),
        amount: BigInt(raw),
      },
    ];
  });
}

function tokenShifts(meta: JsonValue | undefined, addresses: readonly string[]): readonly TokenShift[] {
  const shifts = new Map<string, TokenShift>();
  const add = ({ address, mint, amount }: MetaTokenAmount, sign: bigint): void => {
    const key = `${address} ${mint}`;
    shifts.set(key, { address, mint, change: (shifts.get(key)?.change ?? 0n) + sign * amount });
  };
  for (const one of tokenAmounts(meta, 'preTokenBalances', addresses)) add(one, -1n);
  for (const one of tokenAmounts(meta, 'postTokenBalances', addresses)) add(one, 1n);
  return [...shifts.values()].filter(({ change }) => change !== 0n);
}
