// What a stream that keeps its thread is made of, whom it tells, and what it says of a move. Types only.
import type { ServiceError } from '../../core/errors';
import type { PreparedRequest } from '../../core/run/model';
import type { Shape } from '../../core/streams/shape';
import type { StreamState } from '../../core/streams/state';
import type { Net, NetClock, Target } from '../api';

/** The connection was away. Slots where they are known; `to` comes with the first update after it. */
export interface Gap {
  readonly fromSlot: number | undefined;
  /** Whether the service tells what was missed. */
  readonly isFilled: boolean;
  readonly reason: string;
}

export interface FollowSink {
  /** A message, whose bytes are as those of `TakeMessage`; `slot` is NaN where it has none. */
  update(bytes: Buffer, start: number, end: number, slot: number): void;
  /** Of the second subscription. */
  beside?(bytes: Buffer, start: number, end: number): void;
  /** A connection opened, before its first message. Not alone: two of them send, until it is called again. */
  connected?(isAlone: boolean): void;
  state(state: StreamState): void;
  gap(gap: Gap): void;
  /** The oldest slot after the gap that was last told. */
  gapEnds(slot: number): void;
  /** The identities of the updates from this slot on: what is told again of them is left out. */
  known(slot: number): Iterable<string>;
  /** Called when the stream stands; again after each break. What has to be read anew is read now. */
  opened?(again: { readonly sinceSlot: number } | undefined, signal: AbortSignal): Promise<void>;
}

export interface Following {
  readonly net: Pick<Net, 'openRaw'>;
  readonly target: Target;
  readonly request: PreparedRequest;
  readonly beside?: PreparedRequest;
  readonly shape: Pick<Shape, 'slot' | 'identity'>;
  readonly sink: FollowSink;
  /** Whether another key is stored than the one that was refused; asked now and then. Without it nobody waits for one. */
  readonly hasNewKey?: (signal: AbortSignal) => Promise<boolean>;
  readonly clock?: NetClock;
  /** 0 <= n < 1. */
  readonly random?: () => number;
}

/** What `move` did. */
export type Moved =
  /** The new connection stands. `isUnsure`: the old one broke before it did, and nobody tells what came in between. */
  | { readonly kind: 'moved'; readonly isUnsure: boolean }
  /** The new connection did not open; the old one goes on. */
  | { readonly kind: 'stayed'; readonly error: ServiceError }
  /** There was no connection to keep: one is being made, as `again` does. */
  | { readonly kind: 'anew' };
