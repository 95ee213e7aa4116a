// An explanation as its panel shows it: every text made harmless, calls in one list. Pure.
import type {
  BeforeAfter,
  ExplainedAccount,
  ExplainedCall,
  Explanation,
  Limit,
  OwnerBalances,
  SignatureCheck,
  TransactionOutcome,
  TokenBalance,
} from '../../core/solana/explain/explanation';
import { explanationJson } from '../../core/solana/explain/json';
import { lifeOf } from '../../core/solana/explain/balances';
import { callsInOrder } from '../../core/solana/explain/calls';
import { wholeFee } from '../../core/solana/explain/costs';
import { isSimulatable } from '../../core/solana/explain/simulation';
import { summaryLines } from '../../core/solana/explain/summary';
import { blockhashText, placeText } from '../../core/solana/explain/text';
import { writtenRows, writtenTitle, type WrittenAccount } from '../../core/solana/explain/written';
import { amountText, bytesText, visibleText, timeText } from '../../core/solana/decode/decodedText';
import { encodeBase64 } from '../../core/solana/encoding/base64';
import { known } from '../../core/solana/common/known';
import { printJson } from '../../core/solana/json/json';
import { addressName } from '../../core/solana/chain/addresses';
import { isPublicKey } from '../../core/solana/chain/keys';
import { formatSol, formatUnits, groupDigits } from '../../core/solana/chain/lamports';
import type {
  ExplainedAccountView,
  BalanceView,
  CallView,
  ChangeView,
  FactName,
  FactView,
  OutcomeView,
  TokensView,
  TransactionView,
  WrittenView,
} from '../../protocol/explain';
import type { DetailNode } from '../../protocol/detailNode';
import { accountNode, argumentNodes, bounded, fieldNode } from './nodes';

/** A longer JSON is cut. UTF-16 units. */
const MAX_RAW = 400_000;

export function transactionView(explanation: Explanation): TransactionView {
  const { signature, calls, accounts, balances, notes, outcome, wire, written } = explanation;
  const all = callsInOrder(calls);
  const programs = new Set(all.map(({ program }) => program));
  const faults = new Map((explanation.signatures ?? []).map(({ signer, state }) => [signer, state]));
  const raw = printJson(explanationJson(explanation), 2);
  return known({
    summary: summaryLines(explanation),
    outcome: outcomeView(outcome),
    signature: fit(signature),
    facts: factsOf(explanation),
    calls: all.map(callView),
    accounts: accounts.map((account) => accountView(account, { programs, faults })),
    balances: balances.flatMap(balanceViews),
    ...(wire !== undefined && isSimulatable(explanation) && { wire: encodeBase64(wire) }),
    written: written?.map(writtenView),
    notes: notes.map(visibleText),
    raw: raw.slice(0, MAX_RAW),
    isRawCut: raw.length > MAX_RAW,
  });
}

/** The known facts, sanitised for display. */
const fit = (text: string | undefined): string | undefined => text && visibleText(text);

function outcomeView(outcome: TransactionOutcome): OutcomeView {
  if (outcome.kind !== 'failed') return { kind: outcome.kind };
  const { failure, at, clues } = outcome;
  return known({
    kind: 'failed',
    text: visibleText(failure.text),
    source: fit(failure.source),
    next: failure.next && `${failure.next}.`,
    at: at && placeText(at),
    clues,
  });
}

const count = (value: bigint | number): string => groupDigits(String(value));

function factsOf(explanation: Explanation): readonly FactView[] {
  const { fee, limits, version, size, signatures, slot, blockTime, blockhash, blocksLeft } = explanation;
  const fact = (name: FactName, text: string | undefined): readonly FactView[] =>
    text === undefined ? [] : [{ name, text }];
  return [
    ...fact('fee', amountText(wholeFee(fee), { kind: 'lamports' })),
    ...fact('baseFee', fee.base === undefined ? undefined : `${count(fee.base)} lamports`),
    ...fact('priorityFee', fee.priority === undefined ? undefined : amountText(fee.priority, { kind: 'lamports' })),
    ...fact('tip', fee.tip === undefined ? undefined : amountText(fee.tip, { kind: 'lamports' })),
    ...fact('price', limits.microLamports === undefined ? undefined : count(limits.microLamports)),
    ...fact('computeUnits', limitText(limits.computeUnits)),
    ...fact('loadedAccountsData', limitText(limits.loadedAccountsData)),
    ...fact('heap', limitText(limits.heap)),
    ...fact('version', String(version)),
    ...fact('size', size === undefined ? undefined : `${count(size.bytes)} / ${count(size.of)}`),
    ...fact('sizeLeft', size === undefined ? undefined : count(size.of - size.bytes)),
    ...fact('signatures', signatures === undefined ? undefined : validText(signatures)),
    ...fact('slot', slot === undefined ? undefined : count(slot)),
    ...fact('time', blockTime === undefined ? undefined : timeText(blockTime)),
    ...fact('blockhash', blockhash === undefined ? undefined : blockhashText(blockhash, blocksLeft)),
  ];
}

/** How many are valid, of how many there have to be. */
const validText = (signatures: readonly SignatureCheck[]): string =>
  `${signatures.filter(({ state }) => state === 'valid').length} / ${signatures.length}`;

/** Used of requested units, or of the default; a dash if unknown. */
function limitText({ asked, byDefault, used }: Limit): string | undefined {
  const most = asked ?? byDefault;
  if (most === undefined) return used === undefined ? undefined : count(used);
  return `${used === undefined ? '–' : count(used)} / ${count(most)}${asked === undefined ? ' (default)' : ''}`;
}

function callView(call: ExplainedCall): CallView {
  const { path, program, programName, name, units, failure, isSkipped, logs, accounts, isCut, unreadLines } = call;
  return known({
    path: placeText(path),
    depth: path.length - 1,
    program: visibleText(program),
    ...(name === undefined && programName === undefined && isPublicKey(program) && { isUnknown: true }),
    title: visibleText(programName ?? addressName(program) ?? shortened(program)),
    name: fit(name),
    units: units && Number(units.total),
    ownUnits: units?.own === undefined ? undefined : Number(units.own),
    failure: fit(failure),
    isSkipped,
    parts: bounded({ name: '', text: '', parts: [...argumentNodes(call), ...happened(call)] }).parts ?? [],
    accounts: bounded({ name: '', text: '', parts: accounts.map(accountNode) }).parts ?? [],
    logs: logs.map(visibleText),
    isCut,
    unreadLines,
  });
}

/** Base58 of a program that has no name. */
const shortened = (address: string): string =>
  address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;

const happened = ({ returned, events }: ExplainedCall): readonly DetailNode[] => [
  ...(returned === undefined ? [] : [{ name: 'returned', text: bytesText(returned) }]),
  ...events.map(({ name, fields }) => ({ name: 'event', text: visibleText(name), parts: fields.map(fieldNode) })),
];

/** Facts about accounts beyond the transaction's list. */
interface AroundAccounts {
  readonly programs: ReadonlySet<string>;
  /** The states of signatures, by their signers. */
  readonly faults: ReadonlyMap<string, SignatureCheck['state']>;
}

function accountView(account: ExplainedAccount, { programs, faults }: AroundAccounts): ExplainedAccountView {
  const { address, isFeePayer, isSigner, isWritable, table, before, after, tokens, owners } = account;
  const name = address === undefined ? undefined : addressName(address);
  const fault = address === undefined ? undefined : faults.get(address);
  const life = lifeOf(account);
  return known({
    address: fit(address),
    name,
    isFeePayer,
    isSigner,
    isWritable,
    isProgram: address !== undefined && programs.has(address),
    fault: fault === 'valid' ? undefined : fault,
    life,
    table: fit(table),
    ...(before !== undefined && after !== undefined && { balance: changeView({ before, after }, formatSol) }),
    ...(tokens !== undefined && { tokens: tokensView(tokens) }),
    ...(owners !== undefined && { owners: { from: visibleText(owners.from), to: visibleText(owners.to) } }),
  });
}

const writtenView = (account: WrittenAccount): WrittenView => ({
  address: visibleText(account.address),
  title: writtenTitle(account),
  rows: writtenRows(account),
});

function balanceViews({ owner, lamports, tokens }: OwnerBalances): readonly BalanceView[] {
  const name = addressName(owner);
  const of = { owner: visibleText(owner), ...(name !== undefined && { name }) };
  return [
    ...(lamports === undefined ? [] : [{ ...of, unit: 'SOL', change: changeView(lamports, formatSol) }]),
    ...tokens.map((moved) => ({ ...of, ...tokensView(moved) })),
  ];
}

const tokensView = ({ mint, decimals, ...moved }: TokenBalance): TokensView => ({
  unit: addressName(mint) ?? visibleText(mint),
  change: changeView(moved, (units) => formatUnits(units, decimals)),
});

function changeView({ before, after }: BeforeAfter, text: (units: bigint) => string): ChangeView {
  const moved = after - before;
  const sign = moved > 0n ? '+' : '';
  return { before: text(before), after: text(after), moved: moved === 0n ? '' : `${sign}${text(moved)}` };
}
