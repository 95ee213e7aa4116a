// Events of a subscription that reconnects: reported by its connection (net/streams/follow.ts), taken by the engine
// (runner/streams/engine.ts).
import type { StreamState } from './state';

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

/** `Signal`: an AbortSignal, which core has no type of. */
export interface StreamSink<Signal> {
  /** A message, with bytes as in `TakeMessage`; `slot` is NaN if it has none. */
  update(bytes: Uint8Array, start: number, end: number, slot: number): void;
  /** Of the second subscription. */
  beside?(bytes: Uint8Array, start: number, end: number): void;
  /** A connection opened, before its first message. Not alone: two of them send, until it is called again. */
  connected?(isAlone: boolean): void;
  state(state: StreamState): void;
  gap(gap: Gap): void;
  /** More has become known of the gap that was last reported, before the first update after it. */
  gapIs(end: GapEnd): void;
  /** From now on updates are of another ledger: nothing known of the one before identifies or measures them. */
  beganAgain(): void;
  /** The identities of the updates from this slot on: a replay leaves them out. */
  known(slot: number): Iterable<string>;
  /** Called when the stream is open, and after each reconnect, to read what cannot be replayed. */
  opened?(again: { readonly sinceSlot: number } | undefined, signal: Signal): Promise<void>;
}

/** A watched account as read from its node. */
export type AccountNow =
  /** As a message of its stream. */
  | { readonly kind: 'account'; readonly bytes: Uint8Array }
  /** The node has not reached a slot seen earlier. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'unread' };
