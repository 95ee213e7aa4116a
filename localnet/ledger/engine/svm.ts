// The owner of the native LiteSVM instance: the only file that calls it, and only with bytes that were checked before.
// Turns its results into plain values; knows nothing of slots, history or commitments.
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import type { LedgerChain } from '../consensus';
import { activeFeatures, addressesIn } from './features';
import type { Native } from './native';
import { transactionErrorOf } from './nativeErrors';
import { NO_ACCOUNT, U64_MAX } from '../accounts/addresses';
import type {
  AccountState,
  FeatureChoice,
  InnerInstruction,
  LedgerBlock,
  ReturnData,
  TransactionError,
} from '../types';

type LiteSvm = InstanceType<Native['LiteSvm']>;
type Metadata = InstanceType<Native['TransactionMetadata']>;

/** The engine's report of one run. */
export interface SvmRun {
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  /** One list per top-level instruction. */
  readonly innerInstructions: readonly (readonly InnerInstruction[])[];
  readonly computeUnits: bigint;
  readonly returnData: ReturnData | null;
  /** Accounts after a simulation; empty for an execution, whose accounts are read one by one. */
  readonly postAccounts: ReadonlyMap<string, AccountState>;
}

/** A simulation that has run: reading what it says costs more than a small run itself. */
export interface SimulatedRun {
  readonly passes: boolean;
  readonly read: () => SvmRun;
}

/** Bounds of a transaction. */
export interface EngineLimits {
  /** Compute units of a transaction, overriding the limit it requests. */
  readonly computeUnits?: number | undefined;
  /** Bytes of log, after which it is cut. */
  readonly logBytes?: number | undefined;
}

/** The options of a new engine. */
export interface EngineOptions extends Pick<LedgerChain, 'consensus' | 'lamportsPerByte' | 'sourceFeatures'> {
  readonly native: Native;
  readonly features: FeatureChoice;
  readonly limits: EngineLimits | undefined;
}

export class Svm {
  /** Addresses. */
  readonly knownFeatures: readonly string[];
  readonly activeFeatures: readonly string[];
  readonly #native: Native;
  readonly #vm: LiteSvm;
  #beforeUse: (() => void) | undefined;
  /** The owner that was written last: accounts come by the thousand of one program. */
  #owner: { readonly address: string; readonly bytes: Uint8Array } = { address: '', bytes: new Uint8Array() };

  constructor({ native, lamportsPerByte, features, limits: { computeUnits, logBytes } = {}, ...chain }: EngineOptions) {
    this.#native = native;
    this.knownFeatures = addressesIn(native.FeatureSet.allEnabled());
    const active = activeFeatures(native, features, chain);
    this.activeFeatures = addressesIn(active);
    // Builtins, precompiles and programs are made for the features that are set before them.
    this.#vm = native.LiteSvm.default();
    this.#vm.setFeatureSet(active);
    this.#vm.setBuiltins();
    this.#vm.setSysvars();
    this.#vm.setDefaultPrograms();
    this.#vm.setPrecompiles();
    this.#vm.setRent(new native.Rent(lamportsPerByte, 1, BURN_PERCENT));
    if (computeUnits !== undefined) {
      const budget = new native.ComputeBudget();
      budget.computeUnitLimit = BigInt(computeUnits);
      this.#vm.setComputeBudget(budget);
    }
    if (logBytes !== undefined) this.#vm.setLogBytesLimit(BigInt(logBytes));
    this.#vm.setBlockhashCheck(false);
    this.#vm.setTransactionHistory(0n);
  }

  /**
   * Has `work` done before the engine next runs something, is read or written; takes the place of work that was not done.
   * A slot in which nothing runs then costs next to nothing.
   */
  beforeUse(work: () => void): void {
    this.#beforeUse = work;
  }

  get #used(): LiteSvm {
    const work = this.#beforeUse;
    this.#beforeUse = undefined;
    work?.();
    return this.#vm;
  }

  account(address: string): AccountState | undefined {
    const account = this.#used.getAccount(addressBytes(address));
    return account === null ? undefined : plainAccount(account);
  }

  /** Writes an account; `undefined` empties it. */
  setAccount(address: string, account: AccountState | undefined): void {
    const { lamports, data, owner, executable, rentEpoch } = account ?? NO_ACCOUNT;
    this.#used.setAccount(
      addressBytes(address),
      new this.#native.Account(lamports, data, this.#ownerBytes(owner), executable, rentEpoch),
    );
  }

  #ownerBytes(address: string): Uint8Array {
    if (this.#owner.address !== address) this.#owner = { address, bytes: addressBytes(address) };
    return this.#owner.bytes;
  }

  accountsOf(owner: string): [string, AccountState][] {
    return this.#used
      .getProgramAccounts(addressBytes(owner))
      .map((entry) => [encodeBase58(entry.address), plainAccount(entry.account())]);
  }

  rentExemptMinimum(dataLength: number): bigint {
    return this.#vm.minimumBalanceForRentExemption(BigInt(dataLength));
  }

  /** The message's own blockhash is what programs take for the newest one, and is not checked. */
  run(wire: Uint8Array, verifySignatures: boolean): SvmRun {
    const vm = this.#used;
    vm.setSigverify(verifySignatures);
    return this.#read(vm.sendVersionedTransaction(wire), NO_ACCOUNTS);
  }

  simulate(wire: Uint8Array, verifySignatures: boolean): SimulatedRun {
    const vm = this.#used;
    vm.setSigverify(verifySignatures);
    const result = vm.simulateVersionedTransaction(wire);
    if (!('postAccounts' in result)) return { passes: false, read: () => this.#read(result, NO_ACCOUNTS) };
    const post = (): ReadonlyMap<string, AccountState> =>
      new Map(result.postAccounts().map((entry) => [encodeBase58(entry.address), plainAccount(entry.account())]));
    return { passes: true, read: () => this.#read(result.meta(), post()) };
  }

  /** Moves the engine to a new slot: its clock and its slot hashes. */
  setSlot(
    { slot, epochStartTime, blockTime }: Pick<LedgerBlock, 'slot' | 'epochStartTime' | 'blockTime'>,
    epoch: number,
    slotHashes: readonly { readonly slot: number; readonly hash: string }[],
  ): void {
    this.#vm.expireBlockhash();
    this.#vm.setClock(
      new this.#native.Clock(BigInt(slot), BigInt(epochStartTime), BigInt(epoch), BigInt(epoch + 1), BigInt(blockTime)),
    );
    this.#vm.setSlotHashes(slotHashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })));
  }

  setSlotsPerEpoch(slots: number): void {
    this.#vm.setEpochSchedule(new this.#native.EpochSchedule(BigInt(slots), BigInt(slots), false, 0n, 0n));
  }

  /** Throws a plain Error when the engine refuses the program. */
  loadProgram(address: string, elf: Uint8Array): void {
    this.#used.addProgram(addressBytes(address), elf);
  }

  #read(
    result: Metadata | InstanceType<Native['FailedTransactionMetadata']>,
    postAccounts: ReadonlyMap<string, AccountState>,
  ): SvmRun {
    const failed = result instanceof this.#native.FailedTransactionMetadata;
    const meta = failed ? result.meta() : result;
    const returned = meta.returnData();
    return {
      err: failed ? transactionErrorOf(result.err()) : null,
      logs: meta.logs(),
      innerInstructions: meta.innerInstructions().map((list) => list.map(plainInner)),
      computeUnits: meta.computeUnitsConsumed(),
      returnData:
        returned.data().length === 0 ? null : { programId: encodeBase58(returned.programId()), data: returned.data() },
      postAccounts,
    };
  }
}

/** Of rent, which nobody pays any more; the sysvar still says it. */
const BURN_PERCENT = 50;

const NO_ACCOUNTS: ReadonlyMap<string, AccountState> = new Map();

/** The engine aborts the process on any other length: every address passes here. */
function addressBytes(address: string): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes?.length !== 32) throw new RangeError('an address has 32 bytes');
  return bytes;
}

/** Thousands of accounts without data, and of few owners, are kept: these they share. */
const NO_DATA = new Uint8Array();
const OWNERS_KEPT = 1_000;
const owners = new Map<string, string>();

function shared(owner: string): string {
  const known = owners.get(owner);
  if (known === undefined && owners.size < OWNERS_KEPT) owners.set(owner, owner);
  return known ?? owner;
}

/** Accounts the engine made carry rent epoch 0; nodes give every rent-exempt account the highest one. */
function plainAccount(account: InstanceType<Native['Account']>): AccountState {
  const rentEpoch = account.rentEpoch();
  const data = account.data();
  return {
    lamports: account.lamports(),
    data: data.length === 0 ? NO_DATA : data,
    owner: shared(encodeBase58(account.owner())),
    executable: account.executable(),
    rentEpoch: rentEpoch === 0n ? U64_MAX : rentEpoch,
  };
}

function plainInner(inner: InstanceType<Native['InnerInstruction']>): InnerInstruction {
  const instruction = inner.instruction();
  return {
    programIdIndex: instruction.programIdIndex(),
    accounts: instruction.accounts(),
    data: instruction.data(),
    stackHeight: inner.stackHeight(),
  };
}
