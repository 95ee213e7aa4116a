// The ledger's own words: what a commitment, an account, a block, a transaction record and an event are. Types only.
import type { CompiledInstruction, StrictTransaction } from './transaction/wireTypes';

export type { CompiledInstruction } from './transaction/wireTypes';

/**
 * `set` is `mainnet`: those of mainnet in autumn 2026. `all`: every feature that the engine knows. Left out: those of a
 * fork's source, else mainnet's.
 */
export interface FeatureChoice {
  readonly set?: 'mainnet' | 'all';
  /** Addresses of features that are not active. */
  readonly off: readonly string[];
}

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A line of Agave releases whose answers the node can give. */
export type AgaveLine = '3.1' | '4.2' | '4.4';

/** The software that the node reports. */
export interface NodeRelease {
  readonly line: AgaveLine;
  readonly version: string;
  /** The first four bytes of the hash of its features. */
  readonly featureSet: number;
}

/** One account at one moment; never changed in place, so a view may hold it. */
export interface AccountState {
  readonly lamports: bigint;
  /** The owning program, base58. */
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** An account as it is from now on; undefined: it is gone. */
export type AccountChange = readonly [address: string, account: AccountState | undefined];

/** A transaction error in the JSON form nodes use: "BlockhashNotFound" or {"InstructionError":[0,{"Custom":1}]}. */
export type TransactionError = string | { readonly [kind: string]: TransactionErrorPayload };
export type TransactionErrorPayload = number | { readonly account_index: number } | readonly [number, InstructionError];
export type InstructionError = string | { readonly Custom: number } | { readonly BorshIoError: string };

export interface InnerInstruction extends CompiledInstruction {
  /** Depth of the call: 2 for what a top-level instruction called. */
  readonly stackHeight: number;
}

/** A token account's holding before or after a transaction. */
export interface TokenBalanceRecord {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly amount: bigint;
  readonly decimals: number;
}

export interface ReturnData {
  readonly programId: string;
  readonly data: Uint8Array;
}

/** The effects of running a transaction. */
export interface TransactionMeta {
  readonly err: TransactionError | null;
  /** Lamports; charged on failure too. */
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalanceRecord[];
  readonly postTokenBalances: readonly TokenBalanceRecord[];
  readonly logMessages: readonly string[];
  /** Per top-level instruction that called others. */
  readonly innerInstructions: readonly { readonly index: number; readonly instructions: readonly InnerInstruction[] }[];
  readonly loadedAddresses: LoadedAddresses;
  readonly computeUnitsConsumed: bigint;
  /** Cost to its block, in compute units; absent from a transaction that an older version saved. */
  readonly costUnits?: bigint;
  readonly returnData: ReturnData | null;
}

/** Addresses that came through lookup tables, base58. */
export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** A transaction that is in a block. */
export interface TransactionRecord {
  readonly signature: string;
  readonly slot: number;
  /** The block's height: orders blocks where slots may be skipped. */
  readonly height: number;
  /** Position inside the block. */
  readonly index: number;
  /** Unix seconds. */
  readonly blockTime: number;
  readonly wire: Uint8Array;
  readonly transaction: StrictTransaction;
  /** Static keys, then loaded writable, then loaded readonly: what every index of the record points into. */
  readonly accountKeys: readonly string[];
  readonly memo: string | null;
  readonly meta: TransactionMeta;
  /** A vote of the ledger's node. */
  readonly isVote?: boolean;
}

/** A slot that has a block. Open while it is the newest, then never changed again. */
export interface LedgerBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  /** Names the bank that made the block, in this process only: a slot may have several, of which one counts. */
  readonly bankId: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Unix seconds. */
  readonly blockTime: number;
  /** Unix seconds of the first block of its epoch. */
  readonly epochStartTime: number;
  readonly transactions: readonly TransactionRecord[];
  /** Transactions since genesis, this block's included. */
  readonly transactionCount: number;
  /** Rewards paid in it: inflation of the previous epoch, and this block's fees. */
  readonly rewards?: readonly Reward[];
  /** Of the first block of an epoch: how many blocks after it pay stakes. */
  readonly rewardPartitions?: number;
}

/** A payment to an account: a part of inflation, or the fees of a block. */
export interface Reward {
  readonly kind: 'Fee' | 'Staking' | 'Voting';
  readonly address: string;
  readonly lamports: bigint;
  readonly postBalance: bigint;
  /** The vote account's, in hundredths of a percent; absent from fees. */
  readonly commissionBps?: number;
}

/** An event on the ledger, in order; a slot's transactions and accounts come before its `processed` status. */
export type LedgerEvent =
  | { readonly kind: 'transaction'; readonly record: TransactionRecord; readonly bankId: number }
  | {
      readonly kind: 'account';
      readonly slot: number;
      readonly bankId: number;
      readonly address: string;
      /** `undefined` once the account is gone (no lamports). */
      readonly account: AccountState | undefined;
      /** Grows with every write on this ledger. */
      readonly writeVersion: number;
      /** `undefined` for writes that no transaction made. */
      readonly record: TransactionRecord | undefined;
      /** The write holds at every commitment at once. */
      readonly isEdit: boolean;
    }
  /** `created`: the slot opens; `processed`: its block is complete; then one step up per block or lag. */
  | {
      readonly kind: 'slot';
      readonly slot: number;
      readonly parent: number;
      readonly status: 'created' | Commitment;
      readonly block: LedgerBlock;
    }
  /** The slot was processed and is lost to a fork: its block and its transactions are no part of the ledger. */
  | {
      readonly kind: 'dead';
      readonly slot: number;
      readonly bankId: number;
      /** Another bank of the same slot follows: the slot is not dead, its first bank is. */
      readonly isReplaced: boolean;
      readonly parent: number;
      readonly parentBlockhash: string;
      /** A sentence for people. */
      readonly reason: string;
      /** The accounts that the block had changed, as restored. */
      readonly restored: readonly AccountChange[];
    };

export interface LedgerEvents {
  /** Calls `listener` for every event, synchronously; returns what ends it. A listener must not throw. */
  on(listener: (event: LedgerEvent) => void): () => void;
}

export interface LedgerWallet {
  readonly address: string;
  /** 64 bytes: seed, then public key, as Solana tools store it. */
  readonly secretKey: Uint8Array;
}

export type AccountPatch = Partial<AccountState>;

/** The compute units of an instruction, those of what it called among them. */
export interface InstructionProfile {
  /** Of the instruction at the top, and of this one below it: 1 at the top. */
  readonly index: number;
  readonly depth: number;
  readonly program: string;
  /** `undefined` where the program does not say. */
  readonly units: number | undefined;
  readonly failed: boolean;
}

/** The admin interface's actions on the ledger. Edits apply at every commitment at once, as if they had always been. */
export interface Cheats {
  /** Adds lamports from nowhere. Throws LedgerInputError for a bad address. */
  fund(address: string, lamports: bigint): void;
  /** Lamports that make an account of so many bytes rent-exempt. */
  readonly rent: (bytes: number) => bigint;
  /** Creates or changes an account; what the patch leaves out keeps its value. */
  setAccount(address: string, patch: AccountPatch): void;
  /** Ends the open slot and opens the next, `count` times; works while the clock is paused. */
  nextSlot(count?: number): void;
  /** No new slots until `resumeClock`; transactions still run in the open slot. */
  pauseClock(): void;
  resumeClock(): void;
  /** Jumps forward: to a slot, to an epoch's first slot, or to a Unix time (seconds). Never back. */
  timeTravel(to: { readonly slot?: number; readonly epoch?: number; readonly timestamp?: number }): void;
  /** A steady flow of transfers between wallets of the ledger; 0 ends it. */
  traffic(perSecond: number): void;
  /** Installs an SBF program (.so bytes) at an address. Throws LedgerInputError when the engine refuses the bytes. */
  loadProgram(address: string, elf: Uint8Array): void;
  /** Ends slots until every block with a transaction is finalized. */
  finalize(): void;
  /**
   * Remembers every account as it is now, under a name of 1 to 64 letters, digits, dots, dashes and underscores; answers the
   * name, a new one where none is given. The oldest of too many is forgotten.
   */
  snapshot(name?: string): string;
  /** The names of the snapshots, oldest first. */
  snapshots(): readonly string[];
  /** The usage of each instruction of a transaction. Throws LedgerInputError if the transaction is not kept. */
  profile(signature: string): readonly InstructionProfile[];
  /** Puts every account back; slots, history and blockhashes continue. The snapshot stays. */
  restore(name: string): void;
  /** Resets every account to its state when the ledger opened; slots, history and blockhashes continue. */
  reset(): void;
}

/** `lost`: to a fork, and the next slot builds on its parent. `replaced`: its first bank, by a second one. */
export type SlotFate = 'kept' | 'lost' | 'replaced';

/** Faults on the ledger itself. Asked at each chance for one. */
export interface Troubles {
  /** By how many milliseconds the next slot comes late. */
  stall(): number;
  /** The fate of the slot that ends now. */
  fork(): SlotFate;
}

/** The accounts of the ledger's one node, with their keys. */
export interface ValidatorKeys {
  readonly identity: LedgerWallet;
  readonly vote: LedgerWallet;
  readonly stake: LedgerWallet;
  /** The wallet that requestAirdrop pays from. */
  readonly faucet: LedgerWallet;
}

/** A program that is there from the beginning, kept by the upgradeable loader. */
export interface GenesisProgram {
  readonly address: string;
  readonly elf: Uint8Array;
  /** Who may upgrade it. */
  readonly authority: string;
  /** For people: the file's name. */
  readonly name: string;
}

/** Where the node's own interfaces are, as host:port, for those who ask the cluster for its nodes. */
export interface NodeGates {
  readonly rpc: string;
  readonly pubsub: string;
}
