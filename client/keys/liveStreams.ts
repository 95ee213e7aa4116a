// The open streams as a key rotation needs them: which of them use a key, and moving them to the new one.
import type { ServiceError } from '../../core/service/errors';
import type { KeyRecord } from './keyRecord';

/** How the streams of a key came over to the new one. */
export interface Reopened {
  readonly moved: number;
  /** Of them, those of which nobody knows whether an update was missed; of the others none was. */
  readonly unsure: number;
  /** Streams that could not connect with the new key and keep their old connection. */
  readonly stayed: readonly FailedStream[];
  /** Streams that stopped, with Reopen; the others run. */
  readonly failed: readonly FailedStream[];
}

export interface FailedStream {
  readonly title: string;
  readonly error: ServiceError;
}

export interface LiveStreams {
  /** The streams that run with this key, or wait for its successor. */
  using(key: KeyRecord): readonly { readonly title: string }[];
  /** Connects them with the key that is stored now, each before its old connection ends. Resolves when each runs again or failed. */
  reopen(key: KeyRecord): Promise<Reopened>;
}

export const NO_STREAMS: LiveStreams = {
  using: () => [],
  reopen: () => Promise.resolve({ moved: 0, unsure: 0, stayed: [], failed: [] }),
};
