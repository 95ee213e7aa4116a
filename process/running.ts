// Whether a process is there.
import { readFileSync } from 'node:fs';

/** True also for another user's process; false once it has ended, even if its exit code was not collected yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  return !isUncollected(pid);
}

/**
 * The first process of a container may be slow to reap what a killed window leaves, or never do it. On Linux the state is in
 * /proc; other systems reap at once.
 */
function isUncollected(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; the state follows the last one.
    return stat[stat.lastIndexOf(')') + 2] === 'Z';
  } catch {
    return false;
  }
}
