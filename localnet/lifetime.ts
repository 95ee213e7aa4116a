// When the service ends: on a signal, and with its parent where it was started to live with one. A service that a person
// started outlives its terminal.
import { endWithParent } from '../process/parent';

/** Calls `end` when the process should stop, perhaps more than once: a second signal must not cut the first's work off. `withParent` watches stdin and the parent; an IPC channel always counts. */
export function watchLifetime(withParent: boolean, end: () => void): void {
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (process.connected) process.once('disconnect', end);
  if (withParent) endWithParent(end);
}
