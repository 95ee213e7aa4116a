// Every bound and period of a live stream: one table for the panel and the terminal. Those of its connection (backoff,
// replay) are in net/streams/.

export interface RingLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Newest rows that are kept, and the bytes of their messages. */
export const RING_LIMITS: RingLimits = { rows: 50_000, bytes: 64 * 1024 * 1024 };

/**
 * Slots before the newest one whose evicted updates stay known by their identity, and how many of them: most replays start
 * there. More would cost a hash for each update of a busy stream.
 */
export const EVICTED_SLOTS = 1;
export const MOST_EVICTED = 250_000;

/** How often a stream is looked at, and ticks at the most. ms */
export const BEAT_MS = 100;
/** A pause of this length between two looks is a machine that slept: its connections are dead or soon will be. ms */
export const SLEPT_MS = 20_000;
/** Looks over which the rate is measured: one second. */
export const RATE_LOOKS = 10;

/**
 * Without a newer slot for so long, or in so many slots at the stream's own pace, it is at a standstill. Several leaders in
 * a row may be down, each for four slots (core/solana/chain/chain.ts): shorter pauses are normal. Nodes of Alpenglow, too,
 * speak of a standstill after this long without finality (DELTA_STANDSTILL). The pace matters for a local service, which
 * may set it.
 */
export const STANDSTILL_MS = 10_000;
export const STANDSTILL_SLOTS = 20;

/** Most between the messages that report a slot as confirmed and as final at once, by the service's clock: half a slot. ms */
export const TOGETHER_MS = 100;

/** Slots over which the pace is measured for the lag, and how many of them it takes at least. */
export const PACE_SLOTS = 64;
export const LEAST_PACE_SLOTS = 4;
/** A stream that advanced within this time shows how far its endpoint is. ms */
export const FRESH_MS = 5_000;
