// Defaults that follow from the ledger's consensus: one column for Alpenglow, which the clusters have since autumn 2026, and
// one for TowerBFT, which they had before.
import { CHAIN_RULES, type Consensus } from '../../core/solana/chain/chain';
import type { AgaveLine } from './types';

export type { Consensus };

export interface ConsensusRules {
  /** For people. */
  readonly name: string;
  /** Milliseconds per slot. */
  readonly slotMs: number;
  /** Blocks between the open slot and the finalized one. */
  readonly finalityLag: number;
  /** Lamports that an account must hold per byte (rent exemption). */
  readonly lamportsPerByte: bigint;
  /** Compute units of a block, and of its transactions that may write the same account. */
  readonly blockUnits: bigint;
  readonly accountUnits: bigint;
  /** The line of Agave that answers. */
  readonly agave: AgaveLine;
}

/** Which chain a ledger was made as; a kept one is continued as that. */
export interface LedgerChain extends Pick<ConsensusRules, 'slotMs' | 'finalityLag' | 'lamportsPerByte'> {
  readonly consensus: Consensus;
  /** Of a fork: addresses of the features that its source had when it began, as far as the engine knows them. */
  readonly sourceFeatures?: readonly string[] | undefined;
  /** With Alpenglow: the last slot before the ledger's first block. */
  readonly genesisSlot?: number | undefined;
}

const { alpenglow, tower } = CHAIN_RULES;

export const CONSENSUS: Readonly<Record<Consensus, ConsensusRules>> = {
  alpenglow: {
    name: alpenglow.name,
    slotMs: alpenglow.slotMs,
    finalityLag: alpenglow.finalitySlots,
    lamportsPerByte: 5_080n,
    // SIMD-0286 has 100 million and 40 million for 400 ms.
    blockUnits: 50_000_000n,
    accountUnits: 20_000_000n,
    agave: '4.4',
  },
  tower: {
    name: tower.name,
    slotMs: tower.slotMs,
    finalityLag: tower.finalitySlots,
    lamportsPerByte: 6_960n,
    // SIMD-0256; an account is not limited apart.
    blockUnits: 60_000_000n,
    accountUnits: 60_000_000n,
    agave: '4.2',
  },
};

/** Of a new ledger. */
export const DEFAULT_CONSENSUS: Consensus = 'alpenglow';

/** The consensus of every node of a line; `undefined` where nodes of it have either. */
export const consensusOfLine = (line: AgaveLine | undefined): Consensus | undefined =>
  line === '4.2' || line === '3.1' ? 'tower' : undefined;

/** Why a ledger of Alpenglow cannot have such a line. */
export const NO_ALPENGLOW = 'Agave 4.2 and 3.1 do not know Alpenglow. Use --agave 4.4, or --consensus tower.';
