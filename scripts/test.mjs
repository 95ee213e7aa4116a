// `npm test`: installs what is missing, builds, and runs the checks and every layer of tests; `npm test -- unit net` runs
// some layers. A failed file that starts processes has a second try. Ends with the line "N passed, N failed", a non-zero exit
// code on any failure that the second try does not clear, the flaky files, and no process left behind.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clientsAreInstalled, INSTALL, INSTALL_CLIENTS, packagesAreInstalled } from './packages.mjs';
import { Jobs } from './test/job.mjs';
import { filesOf, groupsOf, LAYERS } from './test/layers.mjs';
import { stateOf, writeLast } from './test/last.mjs';
import { phasesOf, runAll } from './test/pool.mjs';
import { Report, seconds } from './test/report.mjs';

/** @typedef {import('./test/job.mjs').Job} Job */

const root = path.join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const desktop = args.includes('--desktop');
const env = {
  ...(desktop && { VSCODE_TEST_DESKTOP: '1' }),
  ...(args.includes('--screenshots') && { WORKBENCH_SCREENSHOTS: '1' }),
};
const layers = asked.length > 0 ? asked : Object.keys(LAYERS);
const unknown = layers.filter((layer) => LAYERS[layer] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`Unknown test layer: ${unknown.join(', ')}. Layers: ${Object.keys(LAYERS).join(', ')}\n`);
  process.exit(1);
}

const begun = performance.now();
const state = stateOf(root);
const temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-tests-'));
const sources = path.join(temporary, 'sources');
const jobs = new Jobs({ root, temporary, sources, env });
let interrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = true;
    void jobs.interrupt(signal).then(() => end(130));
  });

/** @param {number} code */
async function end(code) {
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

/**
 * @param {string} name
 * @param {string} file a program
 * @param {readonly string[]} programArgs
 * @returns {Job}
 */
const step = (name, file, programArgs) => ({ name, layer: 'steps', command: { file, args: programArgs } });

/**
 * Runs a step without which nothing after it makes sense.
 * @param {Job} job
 */
async function must(job) {
  process.stdout.write(`${job.name}\n`);
  const { faults, ms } = await jobs.run(job, (text) => process.stdout.write(text));
  if (interrupted) await new Promise(() => {});
  if (faults.length > 0) {
    process.stderr.write(`${job.name}: failed. ${faults.join(' ')}\n\n0 passed, 1 failed\n`);
    await end(1);
  }
  process.stdout.write(`   done in ${seconds(ms)}\n`);
}

/** @returns {Promise<readonly Job[]>} the files of the layers */
async function testJobs() {
  const all = await Promise.all(
    layers.map(async (layer) =>
      groupsOf(layer, await filesOf(root, layer)).map((files) => ({ name: files.join(' '), layer, files })),
    ),
  );
  return all.flat();
}

const node = process.execPath;
const needs = (/** @type {'editor' | 'shells'} */ what) => layers.some((layer) => LAYERS[layer]?.[what] === true);

if (!(await packagesAreInstalled(root))) await must(step('Installing packages', INSTALL.command, INSTALL.args));
if (!(await clientsAreInstalled(root)))
  await must(step('Installing the public clients that the tests run', INSTALL_CLIENTS.command, INSTALL_CLIENTS.args));
await must(step('Building', node, ['esbuild.mjs']));
// Late: it needs a package.
await (await import('./test/sources.mjs')).compileSources(root, sources);
if (needs('editor') && !desktop) await must(step('Preparing the real editor', node, ['scripts/editor/install.mjs']));
if (needs('shells')) {
  // Where one of them is missing, the test that needs it says so.
  process.stdout.write('Preparing Neovim and the shells\n');
  for (const script of ['scripts/editor/neovim.mjs', 'scripts/shells.mjs']) {
    await jobs.run(step(script, node, [script]), (text) => process.stdout.write(text));
  }
}

/** The parts of `npm run check`. */
const CHECKS = { 'Types and lint': 'check:code', 'Unused code and format': 'check:rest' };
const checks = Object.entries(CHECKS).map(([name, script]) => ({
  ...step(name, INSTALL.command, ['run', '--silent', script]),
  layer: 'check',
}));
const planned = [...(asked.length === 0 ? checks : []), ...(await testJobs())];
const report = new Report(planned.reduce((sum, { files = [''] }) => sum + files.length, 0));
/** @param {Job} job @returns {Promise<void>} */
async function runAndReport(job) {
  const finished = await jobs.run(job);
  if (interrupted) return;
  report.add(finished);
  if (finished.rest !== undefined) await runAndReport(finished.rest);
}
await runAll(phasesOf(planned), runAndReport);
if (!interrupted) for (const job of report.secondTries()) if (!interrupted) report.addSecond(await jobs.run(job));
if (!interrupted) {
  const ms = performance.now() - begun;
  const totals = report.end(ms);
  if (asked.length === 0) writeLast(root, state, totals, ms);
  await end(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
}
