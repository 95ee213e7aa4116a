// Which chain the service's ledger is: its consensus, and what follows from it where no option says otherwise.
import { CONSENSUS, DEFAULT_CONSENSUS, type Consensus } from './ledger/consensus';
import type { AgaveLine } from './ledger/types';
import type { Options } from './optionTypes';

export interface LedgerChain {
  readonly consensus: Consensus;
  /** Milliseconds per slot. */
  readonly slotMs: number;
  /** Blocks between the open slot and the finalized one. */
  readonly finalityLag: number;
}

export function chainOf(options: Pick<Options, 'consensus' | 'slotMs' | 'finalityLag'>): LedgerChain {
  const consensus = options.consensus ?? DEFAULT_CONSENSUS;
  const { slotMs, finalityLag } = CONSENSUS[consensus];
  return { consensus, slotMs: options.slotMs ?? slotMs, finalityLag: options.finalityLag ?? finalityLag };
}

/** The line of Agave that the options name, or that their consensus has. */
export const lineOf = ({ agave, consensus }: Pick<Options, 'agave' | 'consensus'>): AgaveLine =>
  agave ?? CONSENSUS[consensus ?? DEFAULT_CONSENSUS].agave;
