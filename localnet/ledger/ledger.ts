// A running ledger and what it is opened with: the face that the service side sees. Types only.
import type { RpcEngine } from '../api';
import type { LedgerChain } from './consensus';
import type { Vote, VotedBlock } from './chain/votes';
import type { EngineLimits } from './engine/svm';
import type { Fork, ForkSource } from './fork';
import type { FetchedAccount, LedgerJournal, SavedChange } from './saved';
import type {
  AccountState,
  Cheats,
  LedgerWallet,
  ValidatorKeys,
  LedgerEvents,
  AgaveLine,
  Commitment,
  FeatureChoice,
  NodeRelease,
  Troubles,
  NodeGates,
  GenesisProgram,
} from './types';

/** A running ledger. One per process is the intended use: a crash of the engine takes the process with it. */
export interface Ledger {
  readonly rpc: RpcEngine;
  readonly cheats: Cheats;
  /** The accounts fetched from elsewhere; `undefined` if nothing is fetched. */
  readonly fork: Fork | undefined;
  /** Funded with 1,000 SOL at genesis. */
  readonly wallet: LedgerWallet;
  readonly validator: ValidatorKeys;
  readonly events: LedgerEvents;
  /** The accounts as they are at a commitment. */
  readonly view: (commitment: Commitment) => {
    readonly release: NodeRelease;
    readonly slot: number;
    get(address: string): AccountState | undefined;
  };
  readonly release: NodeRelease;
  /** Features that were switched off and that the engine does not know: addresses. */
  readonly unknownFeatures: readonly string[];
  /** Base58. */
  readonly genesisHash: string;
  /** Addresses of the sysvars that every slot changes without an event. */
  readonly moving: readonly string[];
  /** The vote of the ledger's one node on a block; `undefined` with Alpenglow, whose votes nobody sees. */
  readonly vote: ((block: VotedBlock) => Vote) | undefined;
  readonly chain: LedgerChain;
  /** The signed transaction of an airdrop, for somebody else to send. */
  readonly signedAirdrop: (address: string, lamports: bigint, blockhash: string) => Uint8Array;
  /** Says that somebody waits for finality: with `instant` it comes now. */
  readonly finalizeOnRequest: () => void;
  /** The whole ledger as of now, all but the open block: what a state file keeps. */
  saved(): Iterable<SavedChange>;
  /** Every account as it is now, the engine's own programs and sysvars included. */
  accounts(): Iterable<readonly [address: string, account: AccountState]>;
  /** From now on these go wrong; a stall that lasts is over. */
  troubledBy(troubles: Troubles): void;
  /** Ends the slot loop and the traffic. Calls after it answer -32603. */
  close(): void;
}

/**
 * The default consensus is that of `agave` if its nodes have only one, else `alpenglow`; what else is left out of the chain
 * follows from the consensus. `finalityLag` is at least 2, and counts with `tower` alone.
 */
export interface LedgerOptions extends Partial<LedgerChain> {
  /** Same wallet and identities each time; tests only. Random when left out. */
  readonly seed?: string;
  /** Genesis hash and blockhashes follow from it; from `seed` when left out. */
  readonly hashSeed?: string | undefined;
  /** True (default): getSignaturesForAddress includes the `until` signature. False: nodes' way. */
  readonly untilInclusive?: boolean;
  /**
   * Default encoding of accounts in getProgramAccounts and getTokenAccountsByOwner: base64 (default), or as nodes do, a bare
   * base58 string of up to 128 bytes.
   */
  readonly listEncoding?: 'base64' | 'binary';
  /** Milliseconds after which getProgramAccounts times out; default 30,000. */
  readonly scanMs?: number;
  /** The line of Agave whose shapes answers have; default the consensus'. */
  readonly agave?: AgaveLine;
  /** Each transaction gets a slot, which ends with it; a read at finalized makes final what there is. Default false. */
  readonly instant?: boolean;
  /** Whether the node puts a vote into each block; default false. With `tower` alone. */
  readonly votes?: boolean;
  /** Default 432,000. */
  readonly slotsPerEpoch?: number;
  /** The features of the engine; default those of a fork's source, else mainnet's. */
  readonly features?: FeatureChoice;
  /** Limits of the engine other than its defaults. */
  readonly limits?: EngineLimits;
  /** The first open slot; default a little above the finality lag. */
  readonly startSlot?: number;
  /** Do not start the slot loop; `cheats.nextSlot` drives it. */
  readonly paused?: boolean;
  /** The wall clock in milliseconds; default Date.now. */
  readonly now?: () => number;
  /** Accounts that exist from the beginning, besides those of the engine; programs after their code. */
  readonly accounts?: readonly (readonly [address: string, account: AccountState])[];
  /** Accounts that were fetched from elsewhere; those that are given take their place. */
  readonly fetched?: readonly (readonly [address: string, fetched: FetchedAccount])[];
  /** Where accounts come from that something needs and the ledger does not have. */
  readonly fork?: ForkSource;
  readonly programs?: readonly GenesisProgram[];
  /** An address that begins with 500,000,000 SOL. */
  readonly mint?: string;
  /** Default 500,000,000 SOL. */
  readonly faucetLamports?: bigint;
  /** The faucet's seed of 32 bytes; derived like the others when left out. */
  readonly faucetSeed?: Uint8Array;
  readonly gates?: NodeGates | undefined;
  /** Changes kept from an earlier run with the same seed: the ledger continues from there. */
  readonly saved?: Iterable<SavedChange>;
  /** Gets every change before anybody is notified of it. */
  readonly journal?: LedgerJournal;
}
