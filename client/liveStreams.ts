// What a rotation asks of the streams that are open: which of them a key is used by, and to go on with the new one.
import type { ServiceError } from '../core/errors';
import type { KeyRecord } from './keyRecord';

/** How the streams of a key came over to the new one. */
export interface Reopened {
  readonly moved: number;
  /** Updates that are known to be missed. */
  readonly missed: number;
  /** Streams that stopped, with Reopen; the others run. */
  readonly failed: readonly { readonly title: string; readonly error: ServiceError }[];
}

export interface LiveStreams {
  /** The streams that run with this key, or wait for its successor. */
  using(key: KeyRecord): readonly { readonly title: string }[];
  /** Connects them anew, over gRPC from their last slot on. Resolves when each runs again or failed. */
  reopen(key: KeyRecord): Promise<Reopened>;
}

export const NO_STREAMS: LiveStreams = {
  using: () => [],
  reopen: () => Promise.resolve({ moved: 0, missed: 0, failed: [] }),
};
