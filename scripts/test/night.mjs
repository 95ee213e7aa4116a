// The jobs of `npm run night`: everything that makes load, takes bounds of memory, ends processes at random moments, fuzzes long,
// floods or takes pictures. Its smallest form is the layer `night` of `npm test`, so that it cannot rot.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesOf, LAYERS } from './layers.mjs';
import { isFailed } from './tries.mjs';

/** @typedef {import('./job.mjs').Job} Job */
/** @typedef {import('./job.mjs').Finished} Finished */

const root = path.join(import.meta.dirname, '..', '..');

/** Long runs, by their npm script: the words of a small run, and of a whole one where its defaults are not enough. */
const LONG_RUNS = [
  { script: 'fuzz', small: ['--minutes', '0.1'], whole: ['--minutes', '10'] },
  { script: 'fuzz:redaction', small: ['200', '--small'] },
  { script: 'fuzz:idl', small: ['200', '--small'] },
  { script: 'fuzz:service', small: ['300', '--small'] },
  { script: 'kills', small: ['1', '--small'], whole: ['50'] },
  { script: 'flood', small: ['20000', '2', '--small'] },
  { script: 'soak', small: ['1', '--small'] },
];
/** Ends a long run that hangs. ms: four hours */
const LIMIT_MS = 14_400_000;
/** Test files that hold more in a night: they import this, or take pictures when asked. */
const LARGER = '/support/night';
const PICTURES = /\/support\/editor\/screenshots|screenshot\(/;
/** Of the files with pictures, the one for a small run. */
const SMALL_PICTURES = path.join('test', 'webview', 'tour.test.ts');
/** A long run's last line (test/support/process/longRun.ts). */
const VERDICT = /^Verdict: (?<failed>\d+) of (?<runs>\d+) failed$/m;

/** @returns {Promise<readonly Job[]>} one small case of each kind */
export const smokeJobs = async () => [...(await longRuns('small')), withPictures(SMALL_PICTURES)];

/** @returns {Promise<readonly Job[]>} all of it */
export async function nightJobs() {
  const all = await Promise.all(
    Object.keys(LAYERS).map(async (layer) => {
      const files = await filesOf(root, layer);
      return Promise.all(
        files.map(async (file) => ({ file, layer, text: await readFile(path.join(root, file), 'utf8') })),
      );
    }),
  );
  const files = all.flat();
  const larger = files
    .filter(({ text }) => text.includes(LARGER))
    .map(({ file, layer }) => ({ name: file, layer, files: [file], env: { WORKBENCH_NIGHT: '1' } }));
  const pictures = files
    .filter(({ layer, text }) => LAYERS[layer]?.editor === true && PICTURES.test(text))
    .map(({ file }) => withPictures(file));
  return [...larger, ...(await longRuns('whole')), ...pictures];
}

/** @param {string} file @returns {Job} */
const withPictures = (file) => ({
  name: file,
  layer: file.split(path.sep)[1] ?? '',
  files: [file],
  env: { WORKBENCH_SCREENSHOTS: '1' },
});

/** @param {'small' | 'whole'} form @returns {Promise<readonly Job[]>} */
async function longRuns(form) {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  return LONG_RUNS.map(({ script, ...words }) => {
    // The runner has built already, and must not while tests run.
    const [, ...args] = scripts[script].replace('node esbuild.mjs && ', '').split(' ');
    return {
      name: script,
      layer: 'night',
      command: { file: process.execPath, args: [...args, ...(words[form] ?? [])] },
      limitMs: LIMIT_MS,
    };
  });
}

/**
 * The table of a night: for each long run how many inputs, kills, updates or minutes it had, for each file how many tests.
 * @param {readonly Finished[]} all
 */
export function tableOf(all) {
  const rows = all.map((finished) => {
    const { job, results, output } = finished;
    const { runs, failed } = VERDICT.exec(output)?.groups ?? {};
    const failedTests = results.filter(({ outcome }) => outcome !== 'passed').length;
    // A job that ended without a verdict has failed once, no matter what it had done.
    const counted = Math.max(Number(failed ?? failedTests), isFailed(finished) ? 1 : 0);
    return [job.name, String(runs ?? Math.max(results.length, 1)), String(counted)];
  });
  const lines = [['test', 'runs', 'failures'], ...rows];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return lines
    .map(([name = '', runs = '', failures = '']) => `${name.padEnd(width)}${runs.padStart(12)}${failures.padStart(10)}`)
    .join('\n');
}
