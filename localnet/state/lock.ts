// One service per state file: a lock file next to it with the process id of its holder. A lock whose holder is gone is
// taken over by one process alone; a process that ends by itself, also one whose start is refused, gives it back.
import { rmSync } from 'node:fs';
import { isRunning } from '../../process/running';
import { createWhole, fillFromFile, replaceWhole, withOwnFile } from '../files';
import { StateFileError } from './error';

/** The files of locks, as one process sees them. */
export interface LockFiles {
  /** This process. */
  readonly pid: number;
  /** Makes a lock of this process, whole or not at all; false if there is one already. */
  create(lock: string): boolean;
  /** Puts a lock of this process in the place of another, in one step. */
  replace(lock: string): void;
  remove(lock: string): void;
  /** The process that a lock names; undefined if there is no lock. Throws StateFileError. */
  holder(lock: string): number | undefined;
  /** Whether that process runs; for this one, whether it has made the lock. */
  isHeld(lock: string, holder: number): boolean;
}

/** Takes the lock of a file; answers what gives it back. Throws StateFileError while another process holds it. */
export function lockFile(path: string): () => void {
  const giveBack = takeLock(`${path}.lock`, FILES);
  const release = (): void => {
    process.off('exit', release);
    giveBack();
  };
  process.once('exit', release);
  return release;
}

/** As `lockFile`, with the files of a process. */
export function takeLock(lock: string, files: LockFiles): () => void {
  take(lock, files);
  return () => {
    // The user may have deleted it, and another service made one.
    if (files.holder(lock) === files.pid) files.remove(lock);
  };
}

/** Locks may come and go between two looks at them; not this often. */
const TRIES = 100;

/**
 * The lock of a process that is gone is replaced under a second lock, and only if it is still there: a process that read it
 * earlier never removes the lock that replaced it. The second lock is taken in the same way.
 */
function take(lock: string, files: LockFiles): void {
  for (let tries = 0; tries < TRIES; tries++) {
    if (files.create(lock)) return;
    if (!isLeft(lock, files)) continue;
    const second = `${lock}.next`;
    try {
      take(second, files);
    } catch (error) {
      // The first one may have been taken over meanwhile: then its holder is the one to name.
      isLeft(lock, files);
      throw error;
    }
    try {
      if (!isLeft(lock, files)) continue;
      files.replace(lock);
      return;
    } finally {
      files.remove(second);
    }
  }
  throw new StateFileError(`Other services keep starting and ending with ${lock}. End them and start this one again.`);
}

/** Whether there is a lock and its holder is gone. Throws StateFileError if its holder runs. */
function isLeft(lock: string, files: LockFiles): boolean {
  const holder = files.holder(lock);
  if (holder === undefined) return false;
  if (!files.isHeld(lock, holder)) return true;
  throw new StateFileError(
    `The state file is in use by process ${holder}. End that service, or choose another file; if the process is not a local service, delete ${lock}.`,
  );
}

/** The locks of this process: its id on another one is that of an earlier process, which had the same. */
const own = new Set<string>();
const CONTENT = String(process.pid);
const PID = /^[1-9]\d{0,9}$/;

const FILES: LockFiles = {
  pid: process.pid,
  create: (lock) => {
    const isMade = createWhole(lock, CONTENT);
    if (isMade) own.add(lock);
    return isMade;
  },
  replace: (lock) => {
    replaceWhole(lock, CONTENT);
    own.add(lock);
  },
  remove: (lock) => {
    own.delete(lock);
    rmSync(lock, { force: true });
  },
  holder: (lock) => {
    const content = contentOf(lock);
    if (content !== undefined && !PID.test(content))
      throw new StateFileError(`${lock} names no process. If no local service uses the state file, delete it.`);
    return content === undefined ? undefined : Number(content);
  },
  isHeld: (lock, holder) => (holder === process.pid ? own.has(lock) : isRunning(holder)),
};

/** The first bytes of the lock: more than a process id has. */
function contentOf(lock: string): string | undefined {
  try {
    return withOwnFile(
      lock,
      (file) => {
        const bytes = Buffer.alloc(16);
        return bytes.toString('latin1', 0, fillFromFile(file, bytes, 0));
      },
      true,
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
