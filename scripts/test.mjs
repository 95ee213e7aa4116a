// `npm test`: installs what is missing, builds, and runs the checks and every layer of tests; `npm test -- unit net` runs
// some layers, `npm test -- test/unit/NAME.test.ts` some files. A failed file that starts processes has a second try. Ends with the line "N passed, N failed", a non-zero exit
// code on any failure that the second try does not clear, the flaky files, and no process left behind.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { INSTALL } from './packages.mjs';
import { stateOf, writeLast } from './test/last.mjs';
import { filesOf, groupsOf, layerOf, LAYERS } from './test/layers.mjs';
import { smokeJobs } from './test/night.mjs';
import { phasesOf, runAll } from './test/pool.mjs';
import { Report } from './test/report.mjs';
import { Session, step } from './test/session.mjs';

/** @typedef {import('./test/job.mjs').Job} Job */

const root = path.join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const isDesktop = args.includes('--desktop');
/** Layers, and files in place of their layers. */
const wanted = asked.length > 0 ? asked : Object.keys(LAYERS);
const isFile = (/** @type {string} */ name) =>
  layerOf(path.normalize(name)) !== undefined && existsSync(path.join(root, name));
const unknown = wanted.filter((name) => LAYERS[name] === undefined && !isFile(name));
if (unknown.length > 0) {
  const known = Object.keys(LAYERS).join(', ');
  process.stderr.write(`Neither a test layer nor a test file: ${unknown.join(', ')}. Layers: ${known}\n`);
  process.exit(1);
}
const layers = [...new Set(wanted.map((name) => layerOf(path.normalize(name)) ?? name))];

/** The parts of `npm run check`. */
const CHECKS = { 'Types and lint': 'check:code', 'Unused code and format': 'check:rest' };

/** @returns {readonly Job[]} */
const checkJobs = () =>
  Object.entries(CHECKS).map(([name, script]) => ({
    ...step(name, INSTALL.command, ['run', '--silent', script]),
    layer: 'check',
  }));

/** @returns {Promise<readonly Job[]>} the files that are wanted */
async function testJobs() {
  const all = await Promise.all(
    layers.map(async (layer) => {
      const own = wanted.map((name) => path.normalize(name)).filter((name) => layerOf(name) === layer);
      const files = wanted.includes(layer) ? await filesOf(root, layer) : own;
      return groupsOf(layer, files).map((group) => ({ name: group.join(' '), layer, files: group }));
    }),
  );
  return [...all.flat(), ...(layers.includes('night') ? await smokeJobs() : [])];
}

const begun = performance.now();
const state = stateOf(root);
const session = await Session.open({
  ...(isDesktop && { VSCODE_TEST_DESKTOP: '1' }),
  ...(args.includes('--screenshots') && { WORKBENCH_SCREENSHOTS: '1' }),
});
await session.prepare(layers, { isDesktop });
const planned = [...(asked.length === 0 ? checkJobs() : []), ...(await testJobs())];
const report = new Report(planned.reduce((sum, { files = [''] }) => sum + files.length, 0));

/** @param {Job} job @returns {Promise<void>} */
async function runAndReport(job) {
  const finished = await session.run(job);
  report.add(finished);
  if (finished.rest !== undefined) await runAndReport(finished.rest);
}
await runAll(phasesOf(planned), runAndReport);
for (const job of report.secondTries()) report.addSecond(await session.run(job));
const ms = performance.now() - begun;
const totals = report.end(ms);
if (asked.length === 0) writeLast(root, state, totals, ms);
await session.end(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
