// An explanation as lines of text, for the terminal and for language models.
import { bytesText, cutLogText, fieldRows, visibleText, rowLine } from '../decode/decodedText';
import { addressName } from '../chain/addresses';
import { formatSol, formatUnits, groupDigits } from '../chain/lamports';
import { lifeOf } from './balances';
import { wholeFee } from './costs';
import type {
  BeforeAfter,
  ExplainedAccount,
  ExplainedCall,
  Explanation,
  Limit,
  TransactionOutcome,
  OwnerBalances,
  SignatureCheck,
  TokenBalance,
} from './explanation';
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
  return `${visibleText(blockhash)}${age}`;
}

/** `1.2` is the second call that instruction 1 made. */
export const placeText = (path: readonly number[]): string => path.map((place) => place + 1).join('.');

/** `failed at call 1.2: the tokens do not suffice (InsufficientFunds, error 1).` */
export const failedText = (
  failed: string,
  { failure, at }: Pick<Extract<TransactionOutcome, { kind: 'failed' }>, 'failure' | 'at'>,
): string => `${failed}${at === undefined ? '' : ` at call ${placeText(at)}`}: ${visibleText(failure.text)}`;

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
      const { failure, clues } = outcome;
      return [
        `outcome: ${failedText('failed', outcome)}`,
        ...(failure.source === undefined ? [] : [`  source: ${visibleText(failure.source)}`]),
        ...clues.map(({ name, text }) => `  ${name}: ${text}`),
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

function feeText({ fee }: Explanation): string {
  const { base, priority, tip } = fee;
  const whole = wholeFee(fee);
  const beside = tip === undefined ? '' : `; plus a tip of ${count(tip)} lamports (${formatSol(tip)})`;
  const parts =
    base === undefined || priority === undefined
      ? ''
      : `: ${count(base)} lamports for signatures, ${count(priority)} for priority`;
  return `${count(whole)} lamports (${formatSol(whole)})${parts}${beside}`;
}

function limitLine(name: string, { asked, byDefault, used }: Limit): readonly string[] {
  const most = asked ?? byDefault;
  if (most === undefined) return used === undefined ? [] : [`${name}: ${count(used)} used`];
  const of = used === undefined ? '' : `${count(used)} used of `;
  return [`${name}: ${of}${count(most)} ${asked === undefined ? 'by default' : 'asked for'}`];
}

function callLines(call: ExplainedCall): readonly string[] {
  const { path, program, programName, name, units, fields, data, unread, logs, events, returned, calls } = call;
  const indent = '  '.repeat(path.length);
  const what = `${visibleText(programName ?? program)}${name === undefined ? '' : `: ${visibleText(name)}`}`;
  const own = units?.own === undefined || calls.length === 0 ? '' : `, ${count(units.own)} without its calls`;
  const used = units === undefined ? '' : `  ${count(units.total)} CU${own}`;
  const isRaw = (fields.length === 0 && name === undefined) || unread !== undefined;
  return [
    `${indent}${placeText(path)}  ${what}${used}${endText(call)}`,
    ...fieldRows(fields).map((row) => `${indent}  ${rowLine(row)}`),
    ...(isRaw && data !== undefined && data.length > 0 ? [`${indent}  data: ${bytesText(data)}`] : []),
    ...(unread === undefined ? [] : [`${indent}  not read: ${visibleText(unread)}`]),
    ...rolesLine(call).map((line) => `${indent}  ${line}`),
    ...logs.map((line) => `${indent}  log: ${visibleText(line)}`),
    ...events.flatMap((event) => [
      `${indent}  event: ${visibleText(event.name)}`,
      ...fieldRows(event.fields).map((row) => `${indent}    ${rowLine(row)}`),
    ]),
    ...(returned === undefined ? [] : [`${indent}  returned: ${bytesText(returned)}`]),
    ...calls.flatMap(callLines),
    ...(call.isCut === true ? [`${indent}  ${cutLogText(call.unreadLines)}`] : []),
  ];
}

function endText({ failure, isSkipped }: ExplainedCall): string {
  if (isSkipped === true) return '  did not run';
  return failure === undefined ? '' : `  FAILED: ${visibleText(failure)}`;
}

/** More accounts of one call are counted. */
const MAX_ROLES = 16;

function rolesLine({ accounts }: ExplainedCall): readonly string[] {
  if (accounts.length === 0) return [];
  const shown = accounts.slice(0, MAX_ROLES).map(({ role, address = 'in a table' }) => {
    const known = visibleText(address);
    return role === undefined ? known : `${visibleText(role)} ${known}`;
  });
  const more = accounts.length - shown.length;
  return [`accounts: ${shown.join(', ')}${more === 0 ? '' : `, and ${more} more`}`];
}

function accountLine(account: ExplainedAccount, at: number, programs: ReadonlySet<string>): string {
  const { address, isFeePayer, isSigner, isWritable, table, tokens, owners } = account;
  const life = lifeOf(account);
  const name = address === undefined ? undefined : addressName(address);
  const what = [
    ...(isFeePayer ? ['fee payer'] : isSigner ? ['signer'] : []),
    isWritable ? 'writable' : 'read-only',
    ...(address !== undefined && programs.has(address) ? ['program'] : []),
    ...(life === undefined ? [] : [life]),
    ...(table === undefined ? [] : [`from the table ${visibleText(table)}`]),
    ...(tokens === undefined ? [] : [heldText(tokens)]),
    ...(owners === undefined ? [] : [`owner changed from ${visibleText(owners.from)} to ${visibleText(owners.to)}`]),
  ];
  const known = address === undefined ? 'in a lookup table that was not read' : visibleText(address);
  return `  ${at + 1}  ${known}${name === undefined ? '' : ` (${name})`}: ${what.join(', ')}`;
}

function balanceLines({ owner, lamports, tokens }: OwnerBalances): readonly string[] {
  return [
    `  ${visibleText(owner)}`,
    ...(lamports === undefined ? [] : [`    ${movedText(lamports, formatSol)}`]),
    ...tokens.map((moved) => `    ${tokensText(moved)}`),
  ];
}

/** A token account that was opened or closed is empty before and after. */
const heldText = (tokens: TokenBalance): string => {
  const { mint, decimals, before, after } = tokens;
  return before === after
    ? `${formatUnits(after, decimals)} of ${addressName(mint) ?? visibleText(mint)}`
    : tokensText(tokens);
};

const tokensText = ({ mint, decimals, ...moved }: TokenBalance): string =>
  `${movedText(moved, (units) => formatUnits(units, decimals))} of ${addressName(mint) ?? visibleText(mint)}`;

export function writtenLines(account: WrittenAccount): readonly string[] {
  const title = writtenTitle(account);
  return [
    `  ${visibleText(account.address)}${title === '' ? '' : `, ${title}`}`,
    ...writtenRows(account).map(({ name, before = 'none', after = 'none' }) => `    ${name}: ${before} → ${after}`),
  ];
}

/** `1 SOL → 0.5 SOL (-0.5 SOL)`. */
function movedText({ before, after }: BeforeAfter, text: (units: bigint) => string): string {
  const moved = after - before;
  return `${text(before)} → ${text(after)} (${moved > 0n ? '+' : ''}${text(moved)})`;
}
