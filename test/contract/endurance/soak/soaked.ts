// One part of the soak: processes that work, and are looked at meanwhile.
import type { Subject } from './watch';

export interface Soaked {
  readonly subjects: readonly Subject[];
  /** Runs until the soak is over; rejects if something is wrong. */
  readonly work: Promise<void>;
  /** Work done so far, a few words each. */
  readonly done: () => readonly string[];
  close(): Promise<void>;
}
