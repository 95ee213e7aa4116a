// Which failed files are run once more, alone, after everything else, and what a second try can clear.
import { LAYERS } from './layers.mjs';

/** @typedef {import('./job.mjs').Finished} Finished */
/** @typedef {import('./job.mjs').Job} Job */

/** More failed files than this have a reason that is not chance. */
const MOST = 3;

/** The output of a process that crashed: by a signal it caused, a panic of the engine, or an uncaught error. */
const CRASH = /\bSIG(?:SEGV|ABRT|BUS|ILL|FPE|TRAP)\b|\bFATAL ERROR: |\bpanicked at |^Node\.js v\d+\.\d+\.\d+$/m;

/** @param {Finished} finished of one file or command */
export const isFailed = ({ results, faults }) =>
  faults.length > 0 || results.some(({ outcome }) => outcome !== 'passed');

/**
 * The files to run once more, or why there are none.
 * @param {readonly Finished[]} all each of one file or command
 * @returns {{ readonly jobs: readonly Job[], readonly reason?: string }}
 */
export function secondTries(all) {
  const failed = all.filter(isFailed);
  if (failed.length > MOST) return { jobs: [], reason: `${failed.length} files failed, more than ${MOST}` };
  const final = failed.flatMap((finished) => finalReason(finished) ?? []);
  if (final.length > 0) return { jobs: [], reason: final.join('; ') };
  return {
    jobs: failed.map(({ job: { name, layer, options, env } }) => ({
      name,
      layer,
      files: [name],
      ...(options && { options }),
      ...(env && { env }),
    })),
  };
}

/**
 * Why a second try of a failed file would prove nothing; undefined where it would.
 * @param {Finished} finished
 */
function finalReason({ job, results, faults, output }) {
  if (job.files === undefined) return `${job.name} is not a test file`;
  if (LAYERS[job.layer]?.process !== true) return `${job.name} needs no process, so it fails for a reason`;
  if (faults.length > 0) return `${job.name}: ${faults.join(' ')}`;
  const final = results.find((result) => result.isFinal === true);
  if (final !== undefined) return `${job.name}: "${final.name}" found a key`;
  const texts = [output, ...results.map(({ failure = '' }) => failure)];
  return texts.some((text) => CRASH.test(text)) ? `${job.name}: a process crashed` : undefined;
}
