// Runs transactions on the ledger: what a block would check before (blockhash, nonce, duplicates), the engine in the
// middle, and after it the account mirror, the record and the events. Takes decoded transactions only.
import { sameAccount, type AccountView } from '../accounts/accounts';
import { BPF_LOADER_UPGRADEABLE, SYSVAR_OWNER } from '../accounts/addresses';
import { resolveLookups } from '../accounts/lookupTables';
import { costOf, loadedBytesOf } from './cost';
import { addFees, feeOf, feesOf, isFeesOnly, loadedDataLimitOf, pays } from './fees';
import { advancedNonce, nonceAccountOf, readsNewestBlockhash } from '../accounts/nonce';
import { isProgramCode } from '../accounts/programs';
import { LandedTransaction } from './record';
import type { LedgerState, LedgerView } from '../state';
import type { SvmRun } from './svm';
import { tokenBalances } from '../accounts/tokens';
import type { AccountState, LoadedAddresses, TokenBalanceRecord, TransactionError, TransactionRecord } from '../types';
import { signaturesFit } from '../transaction/verify';
import { isWritable, onBlockhash, signatureOf } from '../transaction/wire';
import type { SentTransaction, StrictTransaction } from '../transaction/wireTypes';

/** The fate of a transaction: in a block (failed ones too, they pay), or refused before any block. */
export type TransactionFate =
  | { readonly kind: 'landed'; readonly record: TransactionRecord }
  | { readonly kind: 'refused'; readonly err: TransactionError };

export interface Simulation {
  readonly err: TransactionError | null;
  readonly run: SvmRun;
  /** Lamports; `undefined` where it would be refused, and pay nothing. */
  readonly fee: bigint | undefined;
  /** Bytes; 0 where it would be refused. */
  readonly loadedBytes: number;
  readonly accountKeys: readonly string[];
  readonly loadedAddresses: LoadedAddresses;
  readonly before: Balances;
  readonly after: Balances;
}

/** The lamports of a transaction's accounts, and the holdings of its token accounts. */
interface Balances {
  readonly lamports: readonly bigint[];
  readonly tokens: readonly TokenBalanceRecord[];
}

export interface SimulateOptions {
  readonly verifySignatures: boolean;
  /** False when the blockhash was put there by the node itself. */
  readonly checkAge: boolean;
}

/** Runs a transaction in the open block. `verifySignatures` is false for one whose signatures were verified just now. */
export function executeTransaction(
  state: LedgerState,
  { wire, transaction }: SentTransaction,
  verifySignatures = true,
): TransactionFate {
  const view = state.view('processed');
  const { message } = transaction;
  const { loaded, err } = resolveLookups(message, view);
  if (err !== undefined) return { kind: 'refused', err };
  const age = checkAge(state, view, transaction);
  if (age.err !== undefined) return { kind: 'refused', err: age.err };

  const accountKeys = [...message.staticKeys, ...loaded.writable, ...loaded.readonly];
  const before = balancesOf(accountKeys, view);
  const loadedBytes = loadedBytesOf(message, accountKeys, view);
  const input = engineInput(state, view, { wire, transaction }, verifySignatures);
  if (input === undefined) return { kind: 'refused', err: 'SignatureFailure' };
  const ran = overLimit(state, message, loadedBytes, input) ?? state.svm.run(input.wire, input.verifySignatures);
  const run = withMissingProgram(ran, message, view);
  if (run.err !== null && !pays(run.err, message)) return { kind: 'refused', err: run.err };
  const fees = feesOf(message);
  const fee = fees.signatures + fees.priority;
  if (isFeesOnly(run.err)) charge(state, accountKeys[0], fee);
  if (run.err !== null && age.nonce !== undefined) advanceNonce(state, age.nonce);

  const changed: [string, AccountState | undefined][] = [];
  accountKeys.forEach((address, index) => {
    if (!isWritable(message, index)) return;
    const account = alive(state.svm.account(address));
    if (!sameAccount(account, state.accounts.get(address))) changed.push([address, account]);
  });
  readClosedPrograms(state, accountKeys, changed);
  const written = new Map(changed);
  const get = (address: string): AccountState | undefined =>
    written.has(address) ? written.get(address) : view.get(address);
  const after = balancesOf(accountKeys, { get });

  const { open } = state.chain;
  const costUnits = costOf(message, {
    computeUnits: run.computeUnits,
    loadedBytes: isFeesOnly(run.err) ? 0 : loadedBytes,
    loadedKeys: accountKeys.length - message.staticKeys.length,
  });
  const meta = {
    err: run.err,
    fee,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    logMessages: run.logs,
    innerInstructions: innerOf(run),
    loadedAddresses: loaded,
    computeUnitsConsumed: run.computeUnits,
    costUnits,
    returnData: run.returnData,
  };
  const { slot, height, blockTime } = open;
  const place = { slot, height, blockTime, index: open.transactions.length };
  const record = new LandedTransaction({ wire, transaction }, meta, place);
  open.transactions.push(record);
  open.transactionCount++;
  open.costUnits += costUnits;
  open.fees = addFees(open.fees, fees);
  state.history.add(record);
  for (const [address, account] of changed) state.recordWrite(address, account, record);
  state.emit({ kind: 'transaction', record, bankId: state.chain.open.bankId });
  return { kind: 'landed', record };
}

/** Runs a transaction on the state of a view and forgets what it did. The clock is the open block's at every view. */
export function simulate(
  state: LedgerState,
  sent: SentTransaction,
  view: LedgerView,
  options: SimulateOptions,
): Simulation {
  return attempt(state, sent, view, options).details();
}

/** A simulation that has run. `details` reads what it says, of which a preflight that passes needs nothing; call it at once. */
export interface Attempt {
  readonly err: TransactionError | null;
  readonly details: () => Simulation;
}

/** As `simulate`; signatures and age are checked. */
export function preflight(state: LedgerState, sent: SentTransaction, view: LedgerView): Attempt {
  return attempt(state, sent, view, { verifySignatures: true, checkAge: true });
}

function attempt(state: LedgerState, sent: SentTransaction, view: LedgerView, options: SimulateOptions): Attempt {
  const { wire, transaction } = sent;
  const { message } = transaction;
  const { loaded, err } = resolveLookups(message, view);
  const accountKeys = [...message.staticKeys, ...loaded.writable, ...loaded.readonly];
  const unchanged = (why: TransactionError): Simulation => {
    const before = balancesOf(accountKeys, view);
    return {
      err: why,
      run: { ...NO_RUN, err: why },
      fee: undefined,
      loadedBytes: 0,
      accountKeys,
      loadedAddresses: loaded,
      before,
      after: before,
    };
  };
  const refused = (why: TransactionError): Attempt => ({ err: why, details: () => unchanged(why) });
  const age = options.checkAge ? checkAge(state, view, transaction) : {};
  const why = err ?? age.err;
  // A node looks at the signatures before it looks at anything else.
  const forged = why !== undefined && options.verifySignatures && !signaturesFit(wire, transaction);
  if (why !== undefined) return refused(forged ? 'SignatureFailure' : why);

  const input = engineInput(state, view, sent, options.verifySignatures);
  if (input === undefined) return refused('SignatureFailure');
  const loadedBytes = loadedBytesOf(message, accountKeys, view);
  const ended = (run: SvmRun): Simulation => {
    const fee = feeOf(message);
    const payer = accountKeys[0];
    // A failed one changes its payer's balance alone, which the engine leaves out.
    const get = (address: string): AccountState | undefined => {
      if (run.err === null && run.postAccounts.has(address)) return alive(run.postAccounts.get(address));
      const account = view.get(address);
      if (run.err === null || address !== payer || account === undefined) return account;
      return alive({ ...account, lamports: account.lamports - fee });
    };
    const after = balancesOf(accountKeys, { get });
    return { ...unchanged('SanitizeFailure'), err: run.err, run, fee, loadedBytes, after };
  };
  const ran = onStateOf(state, view, accountKeys, () => {
    const over = overLimit(state, message, loadedBytes, input);
    if (over !== undefined) return { passes: false, read: () => over };
    return state.svm.simulate(input.wire, input.verifySignatures);
  });
  if (ran.passes) return { err: null, details: () => ended(ran.read()) };
  const run = withMissingProgram(ran.read(), message, view);
  if (run.err !== null && !pays(run.err, message)) return refused(run.err);
  return { err: run.err, details: () => ended(run) };
}

/** The engine reports a missing program and an account that is not a program alike; the first of either counts. */
function withMissingProgram(
  run: SvmRun,
  { instructions, staticKeys }: StrictTransaction['message'],
  accounts: Pick<AccountView, 'get'>,
): SvmRun {
  if (run.err !== 'InvalidProgramForExecution') return run;
  for (const { programIdIndex } of instructions) {
    const program = accounts.get(staticKeys[programIdIndex] ?? '');
    if (program === undefined) return { ...run, err: 'ProgramAccountNotFound' };
    if (!program.executable) return run;
  }
  return run;
}

/**
 * The engine reads a program's code when it writes the program's account, and writes accounts in the order of the message:
 * a program in front of its code that was closed would still run.
 */
function readClosedPrograms(
  state: LedgerState,
  accountKeys: readonly string[],
  changed: readonly (readonly [address: string, account: AccountState | undefined])[],
): void {
  const isClosed = changed.some(([address, account]) => {
    const old = state.accounts.get(address);
    return old !== undefined && isProgramCode(old) && (account === undefined || !isProgramCode(account));
  });
  if (!isClosed) return;
  for (const address of accountKeys) {
    const account = state.svm.account(address);
    if (account?.executable === true && account.owner === BPF_LOADER_UPGRADEABLE)
      state.svm.setAccount(address, account);
  }
}

const NO_INNER: TransactionRecord['meta']['innerInstructions'] = [];

/** The inner instructions in the form records have: only instructions that called others. */
export function innerOf(run: SvmRun): TransactionRecord['meta']['innerInstructions'] {
  if (run.innerInstructions.every((list) => list.length === 0)) return NO_INNER;
  return run.innerInstructions
    .map((instructions, index) => ({ index, instructions }))
    .filter(({ instructions }) => instructions.length > 0);
}

const NO_RUN: SvmRun = {
  err: null,
  logs: [],
  innerInstructions: [],
  computeUnits: 0n,
  returnData: null,
  postAccounts: new Map(),
};

/**
 * The result of a transaction that loads more than its limit, since the engine does not count the code of upgradeable
 * programs; `undefined` if it loads no more. The engine finds the errors that a node checks before this one.
 */
function overLimit(
  state: LedgerState,
  message: StrictTransaction['message'],
  loadedBytes: number,
  input: EngineInput,
): SvmRun | undefined {
  if (loadedBytes <= loadedDataLimitOf(message)) return undefined;
  const tried = state.svm.simulate(input.wire, input.verifySignatures).read();
  const isRefused = tried.err !== null && !pays(tried.err, message);
  return isRefused ? tried : { ...NO_RUN, err: 'MaxLoadedAccountsDataSizeExceeded' };
}

interface EngineInput {
  readonly wire: Uint8Array;
  readonly verifySignatures: boolean;
}

/**
 * The engine's input. The engine takes a message's own blockhash for the newest one; if an instruction reads the newest
 * blockhash, it replaces the message's, after the signatures were checked. `undefined` when they do not match.
 */
function engineInput(
  state: LedgerState,
  view: LedgerView,
  { wire, transaction }: SentTransaction,
  verifySignatures: boolean,
): EngineInput | undefined {
  if (!readsNewestBlockhash(transaction.message)) return { wire, verifySignatures };
  if (verifySignatures && !signaturesFit(wire, transaction)) return undefined;
  return { wire: onBlockhash(wire, transaction, newestBlockhash(state, view)), verifySignatures: false };
}

const newestBlockhash = ({ chain }: LedgerState, { height }: LedgerView): string =>
  chain.latestBlockhash(height).blockhash;

/** Checks that the blockhash is recent; else returns the nonce account that the transaction uses, or why it may not run. */
function checkAge(
  state: LedgerState,
  view: LedgerView,
  transaction: StrictTransaction,
): { readonly nonce?: string; readonly err?: TransactionError } {
  const { message } = transaction;
  const earlier = state.history.landedAt(signatureOf(transaction));
  const recent = state.chain.isBlockhashValid(message.blockhash, view.height);
  if (earlier !== undefined && earlier <= view.height && recent) return { err: 'AlreadyProcessed' };
  if (recent) return {};
  const nonce = nonceAccountOf(message, view, newestBlockhash(state, view));
  return nonce === undefined ? { err: 'BlockhashNotFound' } : { nonce };
}

/** Takes a fee that the engine left with its payer. */
function charge(state: LedgerState, payer: string | undefined, fee: bigint): void {
  const account = payer === undefined ? undefined : state.svm.account(payer);
  if (payer === undefined || account === undefined) return;
  const rest = account.lamports - fee;
  state.svm.setAccount(payer, rest > 0n ? { ...account, lamports: rest } : undefined);
}

/** A failed transaction pays its fee and uses its nonce up; the engine takes the advance back with the rest. */
function advanceNonce(state: LedgerState, address: string): void {
  const account = state.svm.account(address);
  if (account === undefined) return;
  const { blockhash } = state.chain.latestBlockhash(state.chain.open.height);
  state.svm.setAccount(address, { ...account, data: advancedNonce(account.data, blockhash) });
}

/** Puts the accounts of a view into the engine, runs, and puts the newest ones back. */
function onStateOf<T>(state: LedgerState, view: LedgerView, addresses: readonly string[], run: () => T): T {
  const swapped: string[] = [];
  const open = state.view('processed');
  if (view.height !== state.chain.open.height)
    for (const address of new Set(addresses)) {
      const old = view.get(address);
      const newest = open.get(address);
      // Programs and sysvars stay: the engine keeps its own copies of them apart from the accounts.
      if (old === newest || newest?.executable === true || old?.owner === SYSVAR_OWNER) continue;
      state.svm.setAccount(address, old);
      swapped.push(address);
    }
  try {
    return run();
  } finally {
    for (const address of swapped) state.svm.setAccount(address, open.get(address));
  }
}

function balancesOf(keys: readonly string[], accounts: Pick<AccountView, 'get'>): Balances {
  return {
    lamports: keys.map((key) => accounts.get(key)?.lamports ?? 0n),
    tokens: tokenBalances(keys, accounts),
  };
}

/** An account without lamports does not exist. */
const alive = (account: AccountState | undefined): AccountState | undefined =>
  account === undefined || account.lamports === 0n ? undefined : account;
