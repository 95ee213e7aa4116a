// The work that checking one assertion may take, and what is thrown where that is not enough.
import { Budget } from '../../../solana/common/budget';

/** About a second at worst. */
const MAX_WORK = 50_000_000;

/** Why a value could not be checked; the message is for people. */
export class Unchecked extends Error {}

/** Counts steps: characters, items and members that are looked at, states of patterns. */
export class Work extends Budget {
  constructor(private readonly most = MAX_WORK) {
    super(most);
  }

  /** Throws Unchecked. */
  spend(steps: number): void {
    if (!this.takes(steps)) throw new Unchecked(`checking it takes more work than ${this.most} steps`);
  }

  /** Spends what is left. Throws Unchecked. */
  exceed(): never {
    this.spend(this.left + 1);
    throw new Unchecked();
  }
}
