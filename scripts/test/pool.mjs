// Runs jobs beside each other: few at a time, in the order given, and fewer still of those that start an editor.
import os from 'node:os';
import { LAYERS } from './layers.mjs';

/**
 * Editors mostly wait, for a page to be drawn or a key to take effect; the rest mostly computes. One editor a core keeps
 * the chain of their files as short as the others' work.
 * @param {number} cores
 */
export const sizesFor = (cores) => ({ editors: cores, all: cores + 2 });

/**
 * Runs every job, the first ones first, as far as there is room for their kind.
 * @param {readonly import('./job.mjs').Job[]} jobs
 * @param {(job: import('./job.mjs').Job) => Promise<void>} run
 * @param {{ readonly editors: number, readonly all: number }} sizes
 */
export async function runAll(jobs, run, sizes = sizesFor(os.availableParallelism())) {
  const waiting = [...jobs];
  let editors = 0;
  const worker = async () => {
    for (;;) {
      const hasOthers = waiting.some((job) => !isEditor(job));
      // Once nothing else is left, editors may use its room.
      const room = hasOthers ? sizes.editors : sizes.editors + 1;
      const at = waiting.findIndex((job) => !isEditor(job) || editors < room);
      const job = waiting[at];
      if (job === undefined) return;
      waiting.splice(at, 1);
      if (isEditor(job)) editors++;
      try {
        await run(job);
      } finally {
        if (isEditor(job)) editors--;
      }
    }
  };
  await Promise.all(Array.from({ length: sizes.all }, worker));
}

/** @param {import('./job.mjs').Job} job */
const isEditor = ({ layer }) => LAYERS[layer]?.editor === true;
