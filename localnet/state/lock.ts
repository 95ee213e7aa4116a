// One service per state file: a lock file beside it with the process id of its holder. A lock whose holder is gone is
// taken over; a process that ends by itself, also one whose start is refused, gives it back.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readOwnFile } from '../files';
import { StateFileError } from './error';

/** Takes the lock; answers what gives it back. Throws StateFileError while another process holds it. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  for (let tries = 0; ; tries++) {
    try {
      const file = openSync(lock, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return releaseOf(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 0) throw error;
      const holder = holderOf(lock);
      if (holder !== undefined)
        throw new StateFileError(
          `The state file is in use by process ${holder}; if that is no local service, delete ${lock}.`,
        );
      rmSync(lock, { force: true });
    }
  }
}

/** Gives the lock back once: when it is called, or as the process exits. */
function releaseOf(lock: string): () => void {
  const release = (): void => {
    process.off('exit', release);
    rmSync(lock, { force: true });
  };
  process.once('exit', release);
  return release;
}

/** The process that holds the lock; `undefined` when it is gone. */
function holderOf(lock: string): number | undefined {
  const pid = Number(readOwnFile(lock).toString('utf8'));
  if (!Number.isSafeInteger(pid) || pid < 1 || pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}
