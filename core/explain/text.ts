// An explanation as lines of text, for the terminal and for language models.
import type { TransactionAccount } from '../values/decode/decoded';
import { bytesText, fieldRows, harmless, rowLine } from '../values/decode/decodedText';
import { addressName } from '../values/solana/addresses';
import { formatSol, formatUnits, groupDigits } from '../values/solana/lamports';
import { lifeOf } from './balances';
import type { BeforeAfter, ExplainedCall, Explanation, Limit, OwnerBalances, SignatureCheck } from './explanation';
import { writtenRows, writtenTitle, type WrittenAccount } from './written';

/** Nothing in a line can steer a terminal: texts from the chain are made harmless. */
export function explanationLines(explanation: Explanation): readonly string[] {
  const { signature, signatures, calls, accounts, balances, written, notes, size, limits, version } = explanation;
  const { blockhash, blocksLeft } = explanation;
  const price = limits.microLamports;
  return [
    ...outcomeLines(explanation),
    ...(signature === undefined ? [] : [`signature: ${signature}`]),
    ...(signatures === undefined ? [] : [`signatures: ${signaturesText(signatures)}`]),
    `version: ${version}${size === undefined ? '' : `, ${count(size.bytes)} of at most ${count(size.of)} bytes, ${count(size.of - size.bytes)} left`}`,
    ...(blockhash === undefined || blocksLeft === undefined
      ? []
      : [`blockhash: ${blockhashText(blockhash, blocksLeft)}`]),
    `fee: ${feeText(explanation)}`,
    ...(price === undefined ? [] : [`price: ${count(price)} micro-lamports for each compute unit`]),
    ...limitLine('compute units', limits.computeUnits),
    ...limitLine('loaded account data, bytes', limits.loadedAccountsData),
    ...limitLine('heap, bytes', limits.heap),
    'calls:',
    ...calls.flatMap((call) => callLines(call)),
    'accounts:',
    ...accounts.map((account, at) => accountLine(account, at, programsIn(calls))),
    ...(balances.length === 0 ? [] : ['balances:', ...balances.flatMap(balanceLines)]),
    ...(written === undefined ? [] : ['accounts after it:', ...written.flatMap(writtenLines)]),
    ...(notes.length === 0 ? [] : ['notes:', ...notes.map((note) => `  ${note}`)]),
  ];
}

const count = (value: bigint | number): string => groupDigits(String(value));
/** `blocksLeft` as in `Explanation`. */
export function blockhashText(blockhash: string, blocksLeft: number | undefined): string {
  const age =
    blocksLeft === undefined ? '' : blocksLeft === 0 ? ', expired or unknown' : `, blocks left: ${blocksLeft}`;
  return `${harmless(blockhash)}${age}`;
}

/** `1.2` is the second call that instruction 1 made. */
export const placeText = (path: readonly number[]): string => path.map((place) => place + 1).join('.');

/** Every program that was called. */
export const programsIn = (calls: readonly ExplainedCall[]): ReadonlySet<string> =>
  new Set(calls.flatMap(({ program, calls: inner }) => [program, ...programsIn(inner)]));

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

function signaturesText(signatures: readonly SignatureCheck[]): string {
  const states = ['valid', 'invalid', 'missing'] as const;
  return states
    .flatMap((state) => {
      const of = signatures.filter((one) => one.state === state).map(({ signer }) => signer);
      return of.length === 0 ? [] : [`${of.length} ${state}${state === 'valid' ? '' : ` (${of.join(', ')})`}`];
    })
    .join(', ');
}

function feeText({ fee: { total, base, priority, tip } }: Explanation): string {
  const whole = total ?? (priority === undefined ? undefined : base + priority);
  const beside = tip === undefined ? '' : `; beside it a tip of ${count(tip)} lamports (${formatSol(tip)})`;
  const parts = `${count(base)} lamports for signatures${priority === undefined ? ' and a priority fee' : `, ${count(priority)} for priority`}${beside}`;
  if (whole === undefined) return parts;
  return `${count(whole)} lamports (${formatSol(whole)}): ${parts}`;
}

function limitLine(name: string, { asked, used }: Limit): readonly string[] {
  if (asked === undefined && used === undefined) return [];
  if (asked === undefined) return [`${name}: ${count(used ?? 0n)} used`];
  return [`${name}: ${used === undefined ? '' : `${count(used)} used of `}${count(asked)} asked for`];
}

function callLines(call: ExplainedCall): readonly string[] {
  const { path, program, programName, name, units, failure, fields, data, logs, events, returned, calls, isCut } = call;
  const indent = '  '.repeat(path.length);
  const what = `${harmless(programName ?? program)}${name === undefined ? '' : `: ${harmless(name)}`}`;
  const own = units?.own === undefined || calls.length === 0 ? '' : `, ${count(units.own)} without its calls`;
  const used = units === undefined ? '' : `  ${count(units.total)} CU${own}`;
  const isUnread = fields.length === 0 && name === undefined && data !== undefined && data.length > 0;
  return [
    `${indent}${placeText(path)}  ${what}${used}${failure === undefined ? '' : `  FAILED: ${harmless(failure)}`}`,
    ...fieldRows(fields).map((row) => `${indent}  ${rowLine(row)}`),
    ...(isUnread ? [`${indent}  data: ${bytesText(data)}`] : []),
    ...rolesLine(call).map((line) => `${indent}  ${line}`),
    ...logs.map((line) => `${indent}  log: ${harmless(line)}`),
    ...events.flatMap((event) => [
      `${indent}  event: ${harmless(event.name)}`,
      ...fieldRows(event.fields).map((row) => `${indent}    ${rowLine(row)}`),
    ]),
    ...(returned === undefined ? [] : [`${indent}  returned: ${bytesText(returned)}`]),
    ...calls.flatMap(callLines),
    ...(isCut === true ? [`${indent}  the node cut the logs here`] : []),
  ];
}

/** More accounts of one call are counted. */
const MAX_ROLES = 16;

function rolesLine({ accounts }: ExplainedCall): readonly string[] {
  if (accounts.length === 0) return [];
  const shown = accounts.slice(0, MAX_ROLES).map(({ role, address = 'in a table' }) => {
    const known = harmless(address);
    return role === undefined ? known : `${harmless(role)} ${known}`;
  });
  const more = accounts.length - shown.length;
  return [`accounts: ${shown.join(', ')}${more === 0 ? '' : `, and ${more} more`}`];
}

function accountLine(account: TransactionAccount, at: number, programs: ReadonlySet<string>): string {
  const { address, isFeePayer, isSigner, isWritable, table } = account;
  const life = lifeOf(account);
  const name = address === undefined ? undefined : addressName(address);
  const what = [
    ...(isFeePayer ? ['fee payer'] : isSigner ? ['signer'] : []),
    isWritable ? 'writable' : 'read-only',
    ...(address !== undefined && programs.has(address) ? ['program'] : []),
    ...(life === undefined ? [] : [life]),
    ...(table === undefined ? [] : [`from the table ${harmless(table)}`]),
  ];
  const known = address === undefined ? 'in a lookup table that was not read' : harmless(address);
  return `  ${at + 1}  ${known}${name === undefined ? '' : ` (${name})`}: ${what.join(', ')}`;
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

export function writtenLines(account: WrittenAccount): readonly string[] {
  const title = writtenTitle(account);
  return [
    `  ${harmless(account.address)}${title === '' ? '' : `, ${title}`}`,
    ...writtenRows(account).map(({ name, before = 'none', after = 'none' }) => `    ${name}: ${before} → ${after}`),
  ];
}

/** `1 SOL → 0.5 SOL (-0.5 SOL)`. */
function movedText({ before, after }: BeforeAfter, text: (units: bigint) => string): string {
  const moved = after - before;
  return `${text(before)} → ${text(after)} (${moved > 0n ? '+' : ''}${text(moved)})`;
}
