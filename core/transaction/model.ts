// The input and output of compiling a transaction of a request file. Types only.
import type { Code } from '../language/checks/codes';
import type { Programs } from '../values/decode/decoded';
import type { JsonValue } from '../values/json/json';
import type { Message } from '../values/solana/transactionTypes';

/** Steps within the value of `$transaction`. */
export type TransactionPath = readonly (string | number)[];

/** Something that cannot be built, with its place. */
export interface TransactionFault {
  readonly code: Code;
  readonly path: TransactionPath;
  /** The part that is marked: the value, or the key of the member. */
  readonly target: 'value' | 'key';
  /** One sentence. */
  readonly message: string;
  /** A name that the one at this place is near to. */
  readonly near?: string;
}

/** The address that seeds give for a program, both as they are hashed. Passed in, since its mathematics load late. */
export type DeriveAddress = (seeds: readonly Uint8Array[], program: string) => { readonly address: string } | undefined;

/** The context in which an instruction is built. */
export interface InstructionWorld {
  /** Absent where nothing is built: derived addresses are then taken for right. */
  readonly derive?: DeriveAddress;
  readonly programs: Programs;
  /** Base58; undefined while nobody has asked for it. */
  readonly wallet: string | undefined;
  /** True for a value that only a run knows. */
  readonly isUnknown: (value: JsonValue) => boolean;
}

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
