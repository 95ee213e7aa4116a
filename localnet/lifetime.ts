// When the service ends: on a signal, and with its parent where it was started to live with one. A service started by
// hand outlives its terminal.

/** How often the parent is looked for, in ms: a parent that was killed closes no pipe that a grandchild holds open. */
const PARENT_POLL_MS = 1_000;

/** Calls `end` when the process should stop, perhaps more than once: a second signal must not cut the first's work off. `withParent` watches stdin and the parent; an IPC channel always counts. */
export function watchLifetime(withParent: boolean, end: () => void): void {
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (process.connected) process.once('disconnect', end);
  if (!withParent) return;
  if (process.stdin.readableEnded) end();
  process.stdin.on('end', end).on('error', end).resume();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_MS).unref();
}
