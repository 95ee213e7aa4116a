// Options of the ledger's state. Types only.
import type { Consensus } from './consensus';
import type { Native } from './engine/native';
import type { EngineLimits } from './engine/svm';
import type { AgaveLine } from './types';

export interface StateOptions {
  readonly native: Native;
  /** 32 bytes for a name: blockhashes, identities. */
  readonly bytes: (name: string) => Uint8Array;
  readonly consensus: Consensus;
  readonly finalityLag: number;
  /** What a byte of an account has to hold. */
  readonly lamportsPerByte: bigint;
  readonly slotsPerEpoch: number;
  readonly limits: EngineLimits | undefined;
  /** Whose shapes answers have. */
  readonly agave: AgaveLine;
  /** Milliseconds per slot. */
  readonly slotMs: number;
  /** The first open slot of a ledger that begins; 0 where one is continued. */
  readonly startSlot: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
