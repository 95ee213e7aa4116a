// The service's command line, as read. Types only.
import type { PlanName } from './keys/plans';
import type { Consensus } from './ledger/consensus';
import type { AgaveLine, FeatureChoice } from './ledger/types';

/** An account file; an `address` of `undefined` is the one in the file. */
export interface AccountFile {
  readonly address: string | undefined;
  readonly file: string;
}

/** A program file. `address` and `authority` are addresses or files of keypairs; "none" is an authority nobody has. */
export interface ProgramFile {
  readonly address: string;
  readonly file: string;
  readonly authority: string;
}

/** An account to fetch: it must exist, it may, it is a program, or a lookup table whose accounts come along. */
export interface CloneOrder {
  readonly address: string;
  readonly kind: 'account' | 'maybe' | 'program' | 'table';
}

export interface Options {
  /** 0 is any free port. */
  readonly port: number;
  readonly grpcPort: number;
  /** Compressions of gRPC messages for clients that accept them. */
  readonly grpcCompression: readonly string[];
  readonly plan: PlanName;
  /** How blocks become final; `undefined` for what a kept ledger, the source or the default says. */
  readonly consensus: Consensus | undefined;
  /** Taken as solana-test-validator takes it: the consensus is Alpenglow. */
  readonly alpenglow: boolean;
  /** Milliseconds from one slot to the next; `undefined` for what the consensus has. */
  readonly slotMs: number | undefined;
  /** Slots from the newest block to the finalized one; `undefined` for what the consensus has. */
  readonly finalityLag: number | undefined;
  /** The same keys and wallet each time; `undefined` for random ones. */
  readonly seed: string | undefined;
  /** A state file, and a file of accounts to begin with. */
  readonly state: string | undefined;
  /** Keep the keys of a state file that this user did not write on this machine. */
  readonly trustState: boolean;
  readonly accountsFile: string | undefined;
  /** Accounts to fetch from the source before the ledger starts. */
  readonly clones: readonly CloneOrder[];
  /** The name of the endpoint that the process which started this one reads from. */
  readonly source: string | undefined;
  /** Accounts that the ledger does not have are fetched from the source when something needs them. */
  readonly fork: boolean;
  /** Of the source: nothing older is fetched. */
  readonly forkSlot: number | undefined;
  /** Transfers per second that the service itself makes. */
  readonly traffic: number;
  /** getSignaturesForAddress leaves `until` out, as nodes do; the contract includes it. */
  readonly agaveUntil: boolean;
  /** The line of Agave whose shapes answers have; `undefined` for what the consensus has. */
  readonly agave: AgaveLine | undefined;
  /** Milliseconds after which getProgramAccounts times out. */
  readonly scanMs: number;
  /** The line of ready.ts when it is ready, instead of a sentence. */
  readonly json: boolean;
  /** End when stdin ends or the process that started this one is gone. */
  readonly withParent: boolean;
  /** The seed is the first line of stdin: what `--seed` does, for seeds that other processes must not see. */
  readonly seedFromStdin: boolean;
  /** Serve at the root path without keys, as a validator for tests does. */
  readonly open: boolean;
  /** The port of the open HTTP; the open WebSocket has the next. */
  readonly rpcPort: number;
  /** The folder of keypair files, log and state. */
  readonly ledger: string | undefined;
  /** Where the open ports are: this machine alone, or every interface. */
  readonly bindAddress: '127.0.0.1' | '0.0.0.0';
  /** The port of the faucet's own protocol; `undefined` for none. */
  readonly faucetPort: number | undefined;
  /** Answer for solana-test-validator: its defaults, and what it prints. */
  readonly validator: boolean;
  /** The configuration of the Solana tools, which names the wallet. */
  readonly config: string | undefined;
  /** Sentences about options that change nothing. */
  readonly notices: readonly string[];
  /** Print the version and end. */
  readonly version: boolean;
  /** Discards an existing state. */
  readonly reset: boolean;
  readonly quiet: boolean;
  readonly accountFiles: readonly AccountFile[];
  readonly accountFolders: readonly string[];
  readonly programFiles: readonly ProgramFile[];
  readonly mint: string | undefined;
  readonly slotsPerEpoch: number | undefined;
  /** The slot that is finalized at the start; `source`: the newest one there. */
  readonly warpSlot: number | 'source' | undefined;
  /** The ledger's time at its start, in Unix seconds; `undefined` for the time of the machine. */
  readonly unixTime: number | undefined;
  /** No slot ends until somebody says so over the admin interface. */
  readonly paused: boolean;
  /** Lamports. */
  readonly faucetLamports: bigint | undefined;
  /** Which features of the engine are active. */
  readonly features: FeatureChoice;
  /** Compute units of every transaction, in place of what it asks for. */
  readonly computeUnitLimit: number | undefined;
  /** Bytes of log that a transaction keeps; `undefined` is the engine's own bound. */
  readonly logBytes: number | undefined;
  /** Each transaction gets a slot, which ends with it. */
  readonly instant: boolean;
  /** A vote transaction in each block; `undefined` where nothing was said: with `open` only, and TowerBFT. */
  readonly votes: boolean | undefined;
  readonly help: boolean;
}
