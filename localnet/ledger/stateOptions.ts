// Options of the ledger's state. Types only.
import type { LedgerChain } from './consensus';
import type { Native } from './engine/native';
import type { EngineLimits } from './engine/svm';
import type { AgaveLine } from './types';

export interface StateOptions extends LedgerChain {
  readonly native: Native;
  /** 32 bytes for a name: blockhashes, identities. */
  readonly bytes: (name: string) => Uint8Array;
  readonly slotsPerEpoch: number;
  readonly limits: EngineLimits | undefined;
  /** Whose shapes answers have. */
  readonly agave: AgaveLine;
  /** The first open slot of a ledger that begins; 0 where one is continued. */
  readonly startSlot: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
