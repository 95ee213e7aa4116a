// What the ledger's consensus decides, where no option says otherwise: one column for Alpenglow, which the clusters have
// since autumn 2026, and one for TowerBFT, which they had before.
import type { AgaveLine } from './types';

export type Consensus = 'alpenglow' | 'tower';

export interface ConsensusRules {
  /** Milliseconds per slot. */
  readonly slotMs: number;
  /** Blocks between the open slot and the finalized one. */
  readonly finalityLag: number;
  /** What a byte of an account has to hold. */
  readonly lamportsPerByte: bigint;
  /** Compute units of a block, and of its transactions that may write the same account. */
  readonly blockUnits: bigint;
  readonly accountUnits: bigint;
  /** The line of Agave that answers. */
  readonly agave: AgaveLine;
}

export const CONSENSUS: Readonly<Record<Consensus, ConsensusRules>> = {
  alpenglow: {
    slotMs: 200,
    finalityLag: 1,
    lamportsPerByte: 5_080n,
    // SIMD-0286 has 100 million and 40 million for 400 ms.
    blockUnits: 50_000_000n,
    accountUnits: 20_000_000n,
    agave: '4.4',
  },
  tower: {
    slotMs: 400,
    finalityLag: 31,
    lamportsPerByte: 6_960n,
    // SIMD-0256; an account is not limited apart.
    blockUnits: 60_000_000n,
    accountUnits: 60_000_000n,
    agave: '4.2',
  },
};
