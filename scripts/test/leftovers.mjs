// Finds and ends the processes that a test run started, those included that left its process group.
import { readFileSync, readdirSync } from 'node:fs';

/** The variable that every process of a run inherits: `<run>` or `<run>.<job>`. */
export const MARK = 'WORKBENCH_TEST_RUN';

/** @typedef {{ readonly pid: number, readonly command: string }} Leftover */

/**
 * Processes whose environment carries the mark. Linux only; elsewhere none is found.
 * @param {string} mark
 * @returns {readonly Leftover[]}
 */
export function marked(mark) {
  if (process.platform !== 'linux') return [];
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => read(pid, 'environ').split('\0').includes(`${MARK}=${mark}`))
      .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
      // A process that has ended and was not yet collected by its parent has no command line.
      .filter(({ command }) => command !== '')
  );
}

/**
 * Ends a job at once: its process group, and what left the group.
 * @param {number | undefined} pid the leader of the group
 * @param {string} mark
 */
export function endAll(pid, mark) {
  const left = marked(mark);
  if (pid !== undefined) kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  for (const { pid: one } of left) kill(one, 'SIGKILL');
}

/**
 * @param {number} pid negative: a process group
 * @param {NodeJS.Signals} signal
 */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * A file of a process; empty when the process is gone or belongs to another user.
 * @param {string} pid
 * @param {string} name
 */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
