// An explanation as lines of text, for the terminal and for language models.
import { fieldRows, harmless, rowLine } from '../values/decode/decodedText';
import { addressName } from '../values/solana/addresses';
import { formatSol, formatUnits, groupDigits } from '../values/solana/lamports';
import type { BeforeAfter, ExplainedCall, Explanation, Limit, OwnerBalances } from './explanation';

/** Nothing in a line can steer a terminal: texts from the chain are made harmless. */
export function explanationLines(explanation: Explanation): readonly string[] {
  const { signature, calls, balances, notes, size, limits, version } = explanation;
  return [
    ...outcomeLines(explanation),
    ...(signature === undefined ? [] : [`signature: ${signature}`]),
    `version: ${version}${size === undefined ? '' : `, ${count(size.bytes)} of at most ${count(size.of)} bytes`}`,
    `fee: ${feeText(explanation)}`,
    ...limitLine('compute units', limits.computeUnits),
    ...limitLine('loaded account data, bytes', limits.loadedAccountsData),
    ...limitLine('heap, bytes', limits.heap),
    'calls:',
    ...calls.flatMap((call) => callLines(call)),
    ...(balances.length === 0 ? [] : ['balances:', ...balances.flatMap(balanceLines)]),
    ...(notes.length === 0 ? [] : ['notes:', ...notes.map((note) => `  ${note}`)]),
  ];
}

const count = (value: bigint | number): string => groupDigits(String(value));
/** `1.2` is the second call that instruction 1 made. */
export const placeText = (path: readonly number[]): string => path.map((place) => place + 1).join('.');

function outcomeLines({ outcome }: Explanation): readonly string[] {
  switch (outcome.kind) {
    case 'succeeded':
      return ['outcome: succeeded'];
    case 'notExecuted':
      return ['outcome: has not run'];
    case 'failed': {
      const { failure, at } = outcome;
      return [
        `outcome: failed: ${harmless(failure.text)}`,
        ...(at === undefined ? [] : [`  at call ${placeText(at)}`]),
        ...(failure.next === undefined ? [] : [`  next: ${failure.next}.`]),
      ];
    }
  }
}

function feeText({ fee: { total, base, priority } }: Explanation): string {
  const whole = total ?? (priority === undefined ? undefined : base + priority);
  const parts = `${count(base)} lamports for signatures${priority === undefined ? ' and a priority fee' : `, ${count(priority)} for priority`}`;
  if (whole === undefined) return parts;
  return `${count(whole)} lamports (${formatSol(whole)}): ${parts}`;
}

function limitLine(name: string, { asked, used }: Limit): readonly string[] {
  if (asked === undefined && used === undefined) return [];
  if (asked === undefined) return [`${name}: ${count(used ?? 0n)} used`];
  return [`${name}: ${used === undefined ? '' : `${count(used)} used of `}${count(asked)} asked for`];
}

function callLines(call: ExplainedCall): readonly string[] {
  const { path, program, programName, name, units, failure, fields, logs, events, calls, isCut } = call;
  const indent = '  '.repeat(path.length);
  const what = `${harmless(programName ?? program)}${name === undefined ? '' : `: ${harmless(name)}`}`;
  const own = units?.own === undefined || calls.length === 0 ? '' : `, ${count(units.own)} without its calls`;
  const used = units === undefined ? '' : `  ${count(units.total)} CU${own}`;
  return [
    `${indent}${placeText(path)}  ${what}${used}${failure === undefined ? '' : `  FAILED: ${harmless(failure)}`}`,
    ...fieldRows(fields).map((row) => `${indent}  ${rowLine(row)}`),
    ...logs.map((line) => `${indent}  log: ${harmless(line)}`),
    ...events.map((event) => `${indent}  event: ${harmless(event.name)}`),
    ...calls.flatMap(callLines),
    ...(isCut === true ? [`${indent}  the node cut the logs here`] : []),
  ];
}

function balanceLines({ owner, lamports, tokens }: OwnerBalances): readonly string[] {
  return [
    `  ${harmless(owner)}`,
    ...(lamports === undefined ? [] : [`    ${movedText(lamports, formatSol)}`]),
    ...tokens.map(({ mint, decimals, ...moved }) => {
      const token = addressName(mint) ?? harmless(mint);
      return `    ${movedText(moved, (units) => formatUnits(units, decimals))} of ${token}`;
    }),
  ];
}

/** `1 SOL → 0.5 SOL (-0.5 SOL)`. */
function movedText({ before, after }: BeforeAfter, text: (units: bigint) => string): string {
  const moved = after - before;
  return `${text(before)} → ${text(after)} (${moved > 0n ? '+' : ''}${text(moved)})`;
}
