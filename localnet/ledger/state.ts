// The ledger's state as one thing: engine, accounts, blocks and events, and the step from one slot to the next.
// Runs no transaction itself (execute.ts) and answers no call (rpc/).
import { encodeBase58 } from '../../core/solana/encoding/base58';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  EPOCH_SYSVARS,
  MEMO_PROGRAM,
  MEMO_V4_PROGRAM,
  SYSVAR_OWNER,
} from './accounts/addresses';
import { AccountStore, type AccountView } from './accounts/accounts';
import { CONSENSUS, type ConsensusRules } from './consensus';
import { genesisCertificate, type GenesisCertificate } from './chain/certificate';
import { BLOCKHASH_LIFE, Chain, heightAfter, newBlock, slotEvent, type OpenBlock } from './chain/chain';
import { engineOrder } from './engine/engineOrder';
import { Fetched } from './fetched';
import type { Fork } from './fork';
import { History } from './chain/history';
import { accountDifferences, replayHistory, saveAll, saveBlock, type FetchedAccount } from './saved';
import type { LedgerJournal, SavedChange } from './saved';
import type { StateOptions } from './stateOptions';
import type { LedgerView } from './stateView';
import { Svm } from './engine/svm';
import { writeNodeAccounts } from './accounts/nodeAccounts';
import { codeAddressOf } from './accounts/programs';
import { sysvarsAt } from './chain/sysvars';
import { Tower } from './chain/tower';
import { releaseOf } from './release';
import type {
  AccountState,
  LedgerBlock,
  Commitment,
  LedgerEvent,
  LedgerEvents,
  NodeRelease,
  SlotFate,
  TransactionRecord,
} from './types';
import { castVote } from './chain/castVote';
import { payFees } from './chain/blockFees';
import { payRewards } from './chain/rewards';
import { VoteRecord } from './chain/voteRecord';
import type { Voter } from './chain/votes';
import { withVotes } from './accounts/voteState';

export type { LedgerView };

/** Why a slot is dead, where a node would name what is wrong with its block. */
const LOST = 'the slot was lost to a fork';

export class LedgerState implements LedgerEvents {
  readonly svm: Svm;
  readonly accounts = new AccountStore();
  chain: Chain;
  readonly history = new History();
  readonly genesisHash: string;
  readonly slotsPerEpoch: number;
  readonly release: NodeRelease;
  /** Of its genesis; `undefined` where its consensus is not Alpenglow. */
  readonly certificate: GenesisCertificate | undefined;
  /** Defaults that follow from its consensus. */
  readonly rules: ConsensusRules;
  readonly fetched: Fetched;
  readonly rent = (bytes: number): bigint => this.svm.rentExemptMinimum(bytes);
  /** Fetches what is missing; `undefined` where nothing is. */
  fork: Fork | undefined;
  readonly #listeners = new Set<(event: LedgerEvent) => void>();
  readonly #engineAccounts: ReadonlyMap<string, AccountState>;
  #firstAccounts: ReadonlyMap<string, AccountState> = new Map();
  #journal: LedgerJournal | undefined;
  #timeOffset = 0;
  #writes = 0;
  #banks = 0;
  readonly #tower: Tower;
  /** Casts the node's votes; its vote account's data follows them. */
  #voter: Voter | undefined;
  #isVoting = false;

  constructor(private readonly options: StateOptions) {
    this.slotsPerEpoch = options.slotsPerEpoch;
    this.#tower = new Tower(options.finalityLag);
    this.svm = new Svm(options);
    this.fetched = new Fetched(this);
    this.svm.setSlotsPerEpoch(options.slotsPerEpoch);
    this.release = releaseOf(options.agave, this.svm.knownFeatures);
    this.genesisHash = encodeBase58(options.bytes('genesis'));
    writeNodeAccounts(this.svm, this.accounts, this.rent);
    const first = Math.max(0, options.startSlot - options.finalityLag - 2);
    this.rules = CONSENSUS[options.consensus];
    if (options.consensus === 'alpenglow')
      this.certificate = genesisCertificate(options.genesisSlot ?? Math.max(0, first - 1), options.bytes);
    this.chain = new Chain(this.#block(first, undefined), options.finalityLag);
    this.accounts.open(0);
    // The engine brings the memo program at its older addresses only; it is the same program at the newest.
    const memo = this.accounts.get(MEMO_PROGRAM);
    if (memo !== undefined) this.loadProgram(MEMO_V4_PROGRAM, memo.data);
    this.#engineAccounts = new Map(this.accounts.entries());
    this.#syncEngine();
  }

  /** Every account as it was before the first transaction. */
  get genesis(): ReadonlyMap<string, AccountState> {
    return this.fetched.beside(this.#firstAccounts);
  }

  adopt(fetched: readonly (readonly [address: string, fetched: FetchedAccount])[]): void {
    this.fetched.adopt(fetched, this.#journal);
  }

  /** Says that the accounts are now as a ledger begins with them, the voter's among them; from here on it votes, or does not. */
  begin(voter: Voter, isVoting: boolean): void {
    this.#firstAccounts = new Map(this.accounts.entries());
    this.#voter = voter;
    this.#isVoting = isVoting;
  }

  /** Makes the blocks before the first open slot: each commitment has one then, with votes on the blocks before it. */
  start(): void {
    while (this.chain.open.slot < this.options.startSlot) this.#step(this.chain.open.slot + 1);
    this.#syncEngine();
  }

  /** Continues an earlier run from its kept changes, in a new slot. Throws if they do not make a ledger. */
  resume(changes: Iterable<SavedChange>): void {
    // These accounts have always been.
    this.accounts.finalize(Number.POSITIVE_INFINITY);
    const voter = this.#voter;
    if (voter === undefined) throw new Error('no validator votes on it yet');
    const replayed = replayHistory(changes, this.accounts, this.history, {
      begin: (first) => new Chain(first, this.options.finalityLag),
      vote: (cast, block, index) => new VoteRecord(voter, cast, { ...block, index }),
      fetched: (address, one) => this.fetched.remember(address, one),
    });
    if (replayed === undefined) throw new Error('it has no block');
    this.chain = replayed.chain;
    this.#timeOffset = replayed.timeOffset;
    this.#writes = replayed.writes;
    this.#banks = replayed.chain.open.height;
    this.#tower.beginAll(this.chain.closed(), (slot) => this.epochOf(slot));
    const last = this.chain.open;
    const missing = accountDifferences(this.#firstAccounts, this.accounts).filter(
      ([address, account]) => account?.owner !== SYSVAR_OWNER || EPOCH_SYSVARS.includes(address),
    );
    for (const [address, account] of engineOrder(missing, this.accounts.at(last.height)))
      this.svm.setAccount(address, account);
    this.#open(this.#block(last.slot + 1, last));
    this.#pay();
    this.#syncEngine();
  }

  /** From now on hands every change to `journal`, before anybody learns of it. */
  keep(journal: LedgerJournal): void {
    this.#journal = journal;
  }

  /** The whole ledger as changes, as of now; all but the open block. */
  saved(): Iterable<SavedChange> {
    const { accounts, chain } = this;
    const fetched = this.fetched.all;
    const [timeOffset, writes] = [this.#timeOffset, this.#writes];
    const engineAccounts = this.#engineAccounts;
    const firstAccounts = this.#firstAccounts;
    return saveAll({ accounts, chain, engineAccounts, firstAccounts, fetched, timeOffset, writes });
  }

  on(listener: (event: LedgerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: LedgerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Unix seconds on the ledger: the wall clock plus what time travel added. Slots before the start lie in the past. */
  unixTime(slot = this.options.startSlot): number {
    const ago = Math.max(0, this.options.startSlot - slot) * this.options.slotMs;
    return Math.max(0, Math.floor((this.options.now() + this.#timeOffset - ago) / 1000));
  }

  /** Moves the ledger's clock ahead; takes effect with the next slot. */
  addTime(seconds: number): void {
    this.#timeOffset += seconds * 1000;
  }

  epochOf(slot: number): number {
    return Math.floor(slot / this.slotsPerEpoch);
  }

  view(commitment: Commitment): LedgerView {
    const block = this.chain.tip(commitment);
    return this.#viewOf(commitment, block, this.accounts.at(block.height));
  }

  /** The view as it is now, for a read during which writes may happen; call `release` when it is done. */
  hold({ commitment, block }: LedgerView): { readonly view: LedgerView; readonly release: () => void } {
    const held = this.accounts.hold(block.height);
    return { view: this.#viewOf(commitment, block, held.accounts), release: () => held.release() };
  }

  #viewOf(commitment: Commitment, block: LedgerBlock, accounts: AccountView): LedgerView {
    return {
      commitment,
      release: this.release,
      slot: block.slot,
      height: block.height,
      block,
      get: (address) =>
        sysvarsAt(this, block, address) ??
        this.#voting(block, address, accounts.get(address)) ??
        this.fork?.miss(address),
      candidates: (owner) => accounts.candidates(owner),
      addresses: () => accounts.addresses(),
    };
  }

  /** The node's vote account goes with its votes, which no transaction brings. */
  #voting(block: LedgerBlock, address: string, account: AccountState | undefined): AccountState | undefined {
    if (account === undefined || address !== this.#voter?.address) return account;
    return withVotes(account, this.#tower.votesAt(this.chain, block));
  }

  /** Writes an account for the open block, in the mirror and as an event; the engine has it already. */
  recordWrite(address: string, account: AccountState | undefined, record?: TransactionRecord): void {
    this.accounts.set(address, account);
    this.emitAccount(address, account, record);
  }

  /** Writes an account at every height, in the engine too. */
  overwrite(address: string, account: AccountState | undefined): void {
    this.svm.setAccount(address, account);
    this.#setEverywhere(address, account);
  }

  /** Installs a program at every height; throws a plain Error when the engine refuses the bytes. */
  loadProgram(address: string, elf: Uint8Array): void {
    this.svm.loadProgram(address, elf);
    const code = codeAddressOf(this.svm.account(address));
    for (const owner of [BPF_LOADER_2, BPF_LOADER_UPGRADEABLE])
      for (const [written, account] of this.svm.accountsOf(owner))
        if (written === address || written === code || this.accounts.get(written) === undefined)
          this.#setEverywhere(written, account);
  }

  /**
   * Closes the open block and opens one in the next slot. A block that is lost to a fork or replaced is undone and
   * returned; a replaced one is followed by another block of the same slot.
   */
  nextSlot(fate: SlotFate = 'kept'): LedgerBlock | undefined {
    const closing = this.chain.open;
    if (fate === 'kept') this.#step(closing.slot + 1);
    else this.#abandon(closing, fate === 'replaced');
    this.#syncEngine();
    return fate === 'kept' ? undefined : closing;
  }

  /** Skips to `slot`; afterwards every commitment is within the finality lag of it. */
  skipTo(slot: number): void {
    const from = Math.max(this.chain.open.slot + 1, slot - this.options.finalityLag);
    for (let at = from; at <= slot; at++) this.#step(at);
    this.#syncEngine();
  }

  #setEverywhere(address: string, account: AccountState | undefined): void {
    this.accounts.setEverywhere(address, account);
    this.#journal?.({ kind: 'accounts', accounts: [[address, account]] });
    this.emitAccount(address, account, undefined, true);
  }

  #step(slot: number): void {
    const closing = this.chain.open;
    if (this.#voter !== undefined && this.#isVoting) castVote(this, this.#voter);
    this.#payFees();
    const opened = this.#block(slot, closing);
    this.#journal?.({
      kind: 'block',
      block: saveBlock(closing),
      accounts: this.accounts.written(),
      timeOffset: this.#timeOffset,
      writes: this.#writes,
    });
    this.emit(slotEvent(closing, 'processed'));
    const final = this.chain.height('finalized');
    this.#open(opened);
    this.#dropPast();
    this.emit(slotEvent(opened, 'created'));
    const settled = this.chain.tip('confirmed');
    this.emit(slotEvent(settled, 'confirmed'));
    // Thousands a second may wait for finality.
    for (const record of settled.transactions) record.settle();
    if (this.chain.height('finalized') > final) this.emit(slotEvent(this.chain.tip('finalized'), 'finalized'));
    this.#pay();
  }

  /** Makes complete blocks final up to a height, one after the other, without ending a slot: no blockhash ages. */
  finalize(newest = Number.POSITIVE_INFINITY): void {
    const { chain } = this;
    for (let height = chain.height('finalized') + 1; height <= newest && height < chain.open.height; height++) {
      chain.finalize(height);
      this.#dropPast();
      this.emit(slotEvent(chain.tip('finalized'), 'finalized'));
    }
  }

  /** Drops what only blocks needed that are final by now. */
  #dropPast(): void {
    const finalized = this.chain.height('finalized');
    this.accounts.finalize(finalized);
    // A transaction whose hash is still good at the finalized block must be refused when it comes again.
    this.history.forgetLanded(finalized - BLOCKHASH_LIFE);
    this.chain.dropBelow(this.history.prune(this.chain.first.height, finalized));
  }

  #open(block: OpenBlock): void {
    this.chain.add(block);
    this.accounts.open(block.height);
  }

  /** Pays what falls due in the open block, which has nothing else in it yet. */
  #pay(): void {
    const { chain, slotsPerEpoch, accounts, rules } = this;
    const accountsAt = (block: LedgerBlock): AccountView => {
      const then = accounts.at(block.height);
      return { ...then, get: (address) => this.#voting(block, address, then.get(address)) };
    };
    payRewards({ chain, slotsPerEpoch, slotMs: rules.slotMs, accounts, accountsAt, write: this.#write }, chain.open);
  }

  /** Pays the open block's fees, after which nothing else comes into it. */
  #payFees(): void {
    const { accounts, release, rent } = this;
    if (this.#voter !== undefined)
      payFees({ accounts, line: release.line, rent, write: this.#write }, this.chain.open, this.#voter);
  }

  /** Writes what no transaction does, for the open block. */
  readonly #write = (address: string, account: AccountState, forPrograms?: AccountState): void => {
    const shown = this.#voting(this.chain.open, address, account);
    this.accounts.set(address, account);
    this.svm.setAccount(address, forPrograms ?? shown);
    this.emitAccount(address, shown);
  };

  #abandon(closing: OpenBlock, isReplaced: boolean): void {
    this.#payFees();
    this.emit(slotEvent(closing, 'processed'));
    const parent = this.chain.dropOpen();
    this.history.dropNewest(closing.transactions);
    const restored = this.accounts.revert();
    for (const [address, account] of engineOrder(restored, this.accounts.at(parent.height)))
      this.svm.setAccount(address, account);
    const { slot, parentSlot, bankId, previousBlockhash: parentBlockhash } = closing;
    this.emit({ kind: 'dead', slot, bankId, isReplaced, parent: parentSlot, parentBlockhash, reason: LOST, restored });
    const opened = this.#block(isReplaced ? slot : slot + 1, parent, isReplaced);
    this.#open(opened);
    this.emit(slotEvent(opened, 'created'));
    this.#pay();
  }

  /** `isSecond`: the slot had another block, whose hash must differ. */
  #block(slot: number, parent: OpenBlock | undefined, isSecond = false): OpenBlock {
    const isNewEpoch = parent === undefined || this.epochOf(slot) !== this.epochOf(parent.slot);
    if (isNewEpoch) this.#tower.begin({ epoch: this.epochOf(slot), height: heightAfter(parent) });
    const name = `blockhash:${slot}:${parent?.blockhash ?? ''}`;
    return newBlock(parent, isNewEpoch, {
      slot,
      bankId: ++this.#banks,
      blockhash: encodeBase58(this.options.bytes(isSecond ? `${name}:second` : name)),
      previousBlockhash: parent?.blockhash ?? this.genesisHash,
      blockTime: this.unixTime(slot),
    });
  }

  /** Deferred until the engine is used: 512 slot hashes and the vote account are most of what an empty slot costs. */
  #syncEngine(): void {
    this.svm.beforeUse(() => this.#writeSlot());
  }

  #writeSlot(): void {
    const { open } = this.chain;
    this.svm.setSlot(open, this.epochOf(open.slot), this.chain.hashesBelow(open.height));
    const address = this.#voter?.address;
    const voted = address === undefined ? undefined : this.view('processed').get(address);
    if (address !== undefined && voted !== undefined) this.svm.setAccount(address, voted);
  }

  /** Emits a write of the open block, without making it. */
  emitAccount(address: string, account: AccountState | undefined, record?: TransactionRecord, isEdit = false): void {
    const { slot, bankId } = this.chain.open;
    this.emit({ kind: 'account', slot, bankId, address, account, writeVersion: ++this.#writes, record, isEdit });
  }
}
