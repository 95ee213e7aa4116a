// One connection of a stream, as its messages are judged.
import { Comparisons } from './replayDeduper';

export interface Connection {
  /** The slot that a replay begins at. */
  readonly from: number | undefined;
  readonly comparisons: Comparisons;
  /** No message with a slot has come yet. */
  isFresh: boolean;
  /** Its messages are made here. */
  readonly isInserted: boolean;
}

export const connectionFrom = (from: number | undefined): Connection => ({
  from,
  comparisons: new Comparisons(),
  isFresh: true,
  isInserted: false,
});

/** For messages received beside the connection's. */
export const besideOf = ({ comparisons }: Connection): Connection => ({
  from: undefined,
  comparisons: comparisons.beside(),
  isFresh: false,
  isInserted: true,
});
