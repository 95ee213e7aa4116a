// One connection of a stream, as its messages are judged.
import { Comparisons } from './replayDeduper';

export interface Connection {
  /** The slot that a replay begins at. */
  readonly from: number | undefined;
  readonly comparisons: Comparisons;
  /** As the endpoint says. */
  readonly isSameLedger: boolean;
  /** No message with a slot has come yet. */
  isFresh: boolean;
  /** Its messages are made here. */
  readonly isInserted: boolean;
}

export const connectionFrom = (from: number | undefined, isSameLedger = false): Connection => ({
  from,
  isSameLedger,
  comparisons: new Comparisons(),
  isFresh: true,
  isInserted: false,
});

/** For messages received in addition to the connection's own. */
export const besideOf = ({ comparisons }: Connection): Connection => ({
  from: undefined,
  isSameLedger: true,
  comparisons: comparisons.beside(),
  isFresh: false,
  isInserted: true,
});
