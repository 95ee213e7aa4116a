// Runs jobs in phases that never ask for more than the machine has: checks, then what computes, then what has an editor.
import os from 'node:os';
import { LAYERS } from './layers.mjs';

/** @typedef {import('./job.mjs').Job} Job */
/** @typedef {{ readonly jobs: readonly Job[], readonly atOnce: number }} Phase */

/**
 * A linter uses every core by itself. A test file without an editor mostly computes, so each has a core. An editor is several
 * processes, of which about one computes at a time.
 * @param {readonly Job[]} jobs
 * @param {number} cores
 * @returns {readonly Phase[]}
 */
export function phasesOf(jobs, cores = os.availableParallelism()) {
  const isEditor = (/** @type {Job} */ { layer }) => LAYERS[layer]?.editor === true;
  const isCheck = (/** @type {Job} */ { layer }) => LAYERS[layer] === undefined;
  return [
    { jobs: jobs.filter(isCheck), atOnce: 1 },
    { jobs: jobs.filter((job) => !isCheck(job) && !isEditor(job)), atOnce: cores },
    { jobs: jobs.filter(isEditor), atOnce: cores },
  ];
}

/**
 * Runs one phase after the other; the jobs of a phase start in the order given, as many at once as it allows.
 * @param {readonly Phase[]} phases
 * @param {(job: Job) => Promise<void>} run
 */
export async function runAll(phases, run) {
  for (const { jobs, atOnce } of phases) {
    const waiting = [...jobs];
    const worker = async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await run(job);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}
