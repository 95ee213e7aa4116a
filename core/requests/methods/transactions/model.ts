// Faults of a transaction in a request file, and what its instructions are read against. Types alone.
import type { Code } from '../../diagnostics/codes';
import type { Programs } from '../../../solana/decode/decoded';
import type { JsonValue } from '../../../solana/json/json';

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
