// Compares what a replay did with what is expected of it.
import { printJson, type JsonValue } from '../json/json';
import { groupDigits } from '../chain/lamports';
import type { BalanceShift, ExpectedOutcome, ReplayOutcome } from './case';

/** One point where they differ. Texts for people, from outside among them. */
export interface Difference {
  readonly about: 'error' | 'compute units' | 'logs' | 'lamports' | 'tokens';
  /** The line or the account; absent where there is one value only. */
  readonly at?: string;
  readonly expected: string;
  readonly local: string;
}

export function differencesOf(expected: ExpectedOutcome, local: ReplayOutcome): readonly Difference[] {
  return [
    ...errorDifference(expected, local),
    ...unitsDifference(expected, local),
    ...(expected.logs === undefined ? [] : logDifference(expected.logs, local.logs)),
    ...shiftDifferences('lamports', expected.lamports, local.lamports),
    ...shiftDifferences('tokens', expected.tokens, local.tokens),
  ];
}

const errorText = (error: JsonValue): string => (error === null ? 'success' : printJson(error));

function errorDifference(expected: ExpectedOutcome, local: ReplayOutcome): readonly Difference[] {
  if (expected.error === undefined) return [];
  const [wanted, got] = [errorText(expected.error), errorText(local.error)];
  return wanted === got ? [] : [{ about: 'error', expected: wanted, local: got }];
}

function unitsDifference(
  { computeUnits: wanted }: ExpectedOutcome,
  { computeUnits: got }: ReplayOutcome,
): readonly Difference[] {
  if (wanted === undefined || wanted === got) return [];
  const local = got === undefined ? 'not known' : groupDigits(String(got));
  return [{ about: 'compute units', expected: groupDigits(String(wanted)), local }];
}

/** The line with which a node ends logs that are too long. */
export const LOG_CUT = 'Log truncated';
const NO_LINE = 'no line';

/** The first line that differs. What a node cut is not compared. */
function logDifference(wanted: readonly string[], got: readonly string[]): readonly Difference[] {
  const cut = wanted.indexOf(LOG_CUT);
  const length = cut >= 0 ? cut : Math.max(wanted.length, got.length);
  for (let at = 0; at < length; at++) {
    const [expected, local] = [wanted[at], got[at]];
    if (expected === local) continue;
    const place = `line ${at + 1}`;
    return [{ about: 'logs', at: place, expected: expected ?? NO_LINE, local: local ?? NO_LINE }];
  }
  return [];
}

function shiftDifferences(
  about: 'lamports' | 'tokens',
  wanted: readonly BalanceShift[] | undefined,
  got: readonly BalanceShift[],
): readonly Difference[] {
  if (wanted === undefined) return [];
  const [before, after] = [changesOf(wanted), changesOf(got)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((address) => {
    const [expected, local] = [before.get(address) ?? 0n, after.get(address) ?? 0n];
    return expected === local ? [] : [{ about, at: address, expected: changeText(expected), local: changeText(local) }];
  });
}

const changesOf = (shifts: readonly BalanceShift[]): ReadonlyMap<string, bigint> =>
  new Map(shifts.map(({ address, change }) => [address, change]));

const changeText = (change: bigint): string => `${change > 0n ? '+' : ''}${groupDigits(String(change))}`;
