// The input and output of compiling a transaction of a request file. Types only.
import type { TransactionFault } from '../methods/transactions/model';
import type { Programs } from '../../solana/decode/decoded';
import type { Message } from '../../solana/wire/transactionTypes';

export interface MintFacts {
  readonly decimals: number;
  /** The program that owns the mint, base58. */
  readonly tokenProgram: string;
}

/** The reads from the chain that a transaction needs before it can be built. */
export interface TransactionNeeds {
  /** Addresses, each once. */
  readonly mints: readonly string[];
  readonly tables: readonly string[];
  /** Whether its limit is found by a simulation. */
  readonly simulates: boolean;
}

export interface TransactionContext {
  readonly programs: Programs;
  /** Base58; whose instructions they are, and who pays where no other does. */
  readonly wallet: string;
  /** Base58. */
  readonly feePayer?: string;
  /** Base58, in the order of `signers`. */
  readonly signers?: readonly string[];
  /** Base58. */
  readonly blockhash: string;
  readonly mints: ReadonlyMap<string, MintFacts>;
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Where a tip goes that names no account. */
  readonly tipAccount?: string;
  /** The limit that takes the place of `"simulate"`. */
  readonly simulatedLimit?: number;
}

export type Compiled =
  | {
      readonly ok: true;
      readonly version: Message['version'];
      /** The bytes that the signers sign. */
      readonly message: Uint8Array;
      /** Base58, in the order of their signatures. */
      readonly signers: readonly string[];
    }
  | { readonly ok: false; readonly faults: readonly TransactionFault[] };
