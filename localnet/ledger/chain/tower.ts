// The votes of the ledger's one node as of a block: one for each earlier block that is not final, at least for the newest;
// the root lags as far as finality does. Derived from the blocks alone, so that it agrees with voteSubscribe.
import type { Chain } from './chain';
import type { LedgerBlock } from '../types';
import { MAX_VOTES, type EpochCredits, type Votes } from '../accounts/voteState';

/** Credits of a vote that comes in the slot after the one it is for. */
const CREDITS_PER_VOTE = 16;
/** Epochs whose credits a vote account keeps. */
const EPOCHS_KEPT = 64;

/** The first block of an epoch. */
export interface EpochStart {
  readonly epoch: number;
  readonly height: number;
}

export class Tower {
  #starts: EpochStart[] = [];

  constructor(private readonly finalityLag: number) {}

  /** Notes the first block of an epoch; what was noted of later blocks is forgotten. */
  begin(start: EpochStart): void {
    this.#starts = [...this.#starts.filter(({ height }) => height < start.height), start].slice(-EPOCHS_KEPT);
  }

  /** Notes the first block of each epoch among blocks, oldest first. */
  beginAll(blocks: readonly LedgerBlock[], epochOf: (slot: number) => number): void {
    let before: number | undefined;
    for (const { slot, height } of blocks) {
      const epoch = epochOf(slot);
      if (epoch !== before) this.begin({ epoch, height });
      before = epoch;
    }
  }

  /** The node's votes when `block` opens. */
  votesAt(chain: Chain, { height }: LedgerBlock): Votes {
    const newest = height - 1;
    const slots: number[] = [];
    const oldest = Math.min(newest, height - this.finalityLag + 1);
    for (let at = Math.max(oldest, height - MAX_VOTES, 0); at <= newest; at++) {
      const voted = chain.atHeight(at);
      if (voted !== undefined) slots.push(voted.slot);
    }
    return {
      slots,
      root: chain.atHeight(height - this.finalityLag)?.slot,
      credits: this.#creditsAt(height),
      timestamp: chain.atHeight(newest)?.blockTime ?? 0,
    };
  }

  #creditsAt(height: number): readonly EpochCredits[] {
    const known = this.#starts.filter((start) => start.height <= height);
    return known
      .map(({ epoch, height: start }, index) => ({
        epoch,
        credits: this.#earned(known[index + 1]?.height ?? height),
        previous: this.#earned(start),
      }))
      .filter(({ credits, previous }) => credits > previous);
  }

  /** A vote earns its credits once it is rooted. */
  #earned(height: number): number {
    return CREDITS_PER_VOTE * Math.max(0, height - this.finalityLag);
  }
}
