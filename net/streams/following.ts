// Types of a subscription that reconnects: its parts, its sink, and the result of a move.
import type { ServiceError } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Shape } from '../../core/service/streams/shape';
import type { StreamState } from '../../core/service/streams/state';
import type { Net, NetClock, Target } from '../api';

/** A gap in the connection, with the newest slot before it if known. */
export interface Gap {
  readonly fromSlot: number | undefined;
  /** Whether a replay was asked for. Only what arrives shows whether the service gives one. */
  readonly isReplayAsked: boolean;
  readonly reason: string;
}

/** A gap as the updates after it show it. */
export interface GapEnd {
  /** Of the first update after it. */
  readonly toSlot?: number;
  /** Whether the service replayed what was missed. Not filled until this says so. */
  readonly isFilled?: boolean;
  readonly reason?: string;
}

export interface FollowSink {
  /** A message, with bytes as in `TakeMessage`; `slot` is NaN if it has none. */
  update(bytes: Buffer, start: number, end: number, slot: number): void;
  /** Of the second subscription. */
  beside?(bytes: Buffer, start: number, end: number): void;
  /** A connection opened, before its first message. Not alone: two of them send, until it is called again. */
  connected?(isAlone: boolean): void;
  state(state: StreamState): void;
  gap(gap: Gap): void;
  /** More has become known of the gap that was last reported. */
  gapIs(end: GapEnd): void;
  /** From now on updates are of another ledger: nothing known of the one before identifies or measures them. */
  beganAgain(): void;
  /** The identities of the updates from this slot on: a replay leaves them out. */
  known(slot: number): Iterable<string>;
  /** Called when the stream is open, and after each reconnect, to read what cannot be replayed. */
  opened?(again: { readonly sinceSlot: number } | undefined, signal: AbortSignal): Promise<void>;
}

export interface Following {
  readonly net: Pick<Net, 'openRaw' | 'call'>;
  readonly target: Target;
  readonly request: PreparedRequest;
  readonly beside?: PreparedRequest;
  readonly shape: Pick<Shape, 'slot' | 'identity'>;
  readonly sink: FollowSink;
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
