// Types of a subscription that reconnects: its parts, and the result of a move.
import type { ServiceError } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Shape } from '../../core/service/streams/shape';
import type { StreamSink } from '../../core/service/streams/sink';
import type { Net, NetClock, SendTarget } from '../api';

export interface FollowParts {
  readonly net: Pick<Net, 'openRaw' | 'call'>;
  readonly target: SendTarget;
  readonly request: PreparedRequest;
  readonly beside?: PreparedRequest;
  readonly shape: Pick<Shape, 'slot' | 'identity'>;
  readonly sink: StreamSink<AbortSignal>;
  /** Polled: whether the stored key has replaced the refused one. Absent: the stream does not wait for a new key. */
  readonly hasNewKey?: (signal: AbortSignal) => Promise<boolean>;
  readonly clock?: NetClock;
  /** 0 <= n < 1. */
  readonly random?: () => number;
}

/** Outcome of `move`. */
export type Moved =
  /** The new connection is open. `isUnsure`: the old one broke first, so updates in between may be missing. */
  | { readonly kind: 'moved'; readonly isUnsure: boolean }
  /** The new connection did not open; the old one continues. */
  | { readonly kind: 'stayed'; readonly error: ServiceError }
  /** There was no connection to keep: one is being made, as `again` does. */
  | { readonly kind: 'reconnecting' };
