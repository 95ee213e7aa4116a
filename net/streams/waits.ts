// Waits of a stream between two connections: for the rest of the old one, and for another key.
import type { NetClock, RawStream } from '../api';
import type { FollowParts } from './following';

/** How long an old connection may take to drain messages sent before the new one was confirmed. ms */
const DRAIN_MS = 5_000;
/** How often a new key is looked for, in milliseconds. */
const KEY_POLL_MS = 10_000;

/** Whether all that the service had sent by now was handed on. */
export async function drained(old: RawStream, clock: NetClock, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  const late = clock.sleep(DRAIN_MS, AbortSignal.any([signal, enough.signal])).then(
    () => false,
    () => false,
  );
  const isDrained = await Promise.race([old.drained(), late]);
  enough.abort();
  return isDrained;
}

/** Resolves when another key is stored than the one that was refused. */
export async function newKey({ hasNewKey }: FollowParts, clock: NetClock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && hasNewKey !== undefined) {
    if (await hasNewKey(signal).catch(() => false)) return;
    await clock.sleep(KEY_POLL_MS, signal).catch(() => undefined);
  }
}
