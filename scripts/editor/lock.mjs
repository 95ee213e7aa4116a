// One installer at a time for a cache folder: a lock file that holds the owner's process id.
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_AGAIN_MS = 500;

/**
 * Runs `work` while holding the lock; waits while a living process holds it, takes over from a dead one.
 * @template T
 * @param {string} file
 * @param {(text: string) => void} say
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, say, work) {
  let told = false;
  while (!(await take(file))) {
    const owner = await ownerOf(file);
    if (owner !== undefined && !isAlive(owner)) {
      await rm(file, { force: true });
      continue;
    }
    if (!told) say(`waiting for process ${owner ?? '?'}, which installs the same`);
    told = true;
    await wait(LOOK_AGAIN_MS);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** @param {string} file */
async function take(file) {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {Promise<number | undefined>} undefined while the owner has not written its id yet
 */
async function ownerOf(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
