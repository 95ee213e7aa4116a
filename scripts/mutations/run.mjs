// `npm run test:mutations`: removes each guard of the list in a copy of the checkout and runs the tests that must miss it.
// A guard that nobody misses fails the run. `-- --sample`: a tenth, chosen by the commit; `-- --only TEXT`, more than once
// too: those whose name holds the text.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endWith } from '../editor/run.mjs';
import { seconds } from '../test/report.mjs';
import { Copy } from './copy.mjs';
import { MUTANTS } from './list.mjs';
import { mutated, nameOf, readPlace, sampleOf } from './model.mjs';

/** @typedef {import('./model.mjs').Mutant} Mutant */
/** @typedef {import('../test/job.mjs').Finished} Finished */

const root = path.join(import.meta.dirname, '..', '..');
/** No named test takes this long while every guard is there. ms */
const LIMIT_MS = 240_000;
/**
 * Without its guard a test may wait for ever, which `npm test` would call a failure: it is ended after this many times what
 * it took with the guard, and no sooner than that.
 */
const PATIENCE = 6;
const LEAST_MS = 15_000;

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

/** @param {Finished} finished */
const failures = ({ results, faults }) => [
  ...results.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name),
  ...faults,
];

/** @param {{ readonly file: string, readonly pattern?: string | undefined }} place */
const keyOf = ({ file, pattern = '' }) => `${file} ${pattern}`;

/**
 * Takes everything off a list, on several copies at once.
 * @template T
 * @param {readonly Copy[]} copies
 * @param {readonly T[]} list
 * @param {(copy: Copy, one: T) => Promise<void>} work
 */
async function onAll(copies, list, work) {
  const left = [...list];
  await Promise.all(
    copies.map(async (copy) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await work(copy, one);
    }),
  );
}

/**
 * How long each named test takes with every guard in place; a file runs once for all of its places. Throws with those that
 * fail: they would miss anything.
 * @param {readonly Copy[]} copies
 * @param {readonly Mutant[]} mutants
 * @returns {Promise<ReadonlyMap<string, number>>} ms, by keyOf
 */
async function timesOf(copies, mutants) {
  /** @type {Map<string, (string | undefined)[]>} */
  const patternsOf = new Map();
  for (const { file, pattern } of mutants.flatMap(({ tests }) => tests.map(readPlace)))
    patternsOf.set(file, [...(patternsOf.get(file) ?? []), pattern]);
  /** @type {Map<string, number>} */
  const times = new Map();
  /** @type {string[]} */
  const faulty = [];
  await onAll(copies, [...patternsOf], async (copy, [file, places]) => {
    const patterns = [...new Set(places)].filter((pattern) => pattern !== undefined);
    const finished = await copy.run(file, places.includes(undefined) ? [] : patterns, LIMIT_MS);
    const sum = (/** @type {Finished['results']} */ results) => results.reduce((all, { ms }) => all + ms, 0);
    times.set(keyOf({ file }), finished.ms);
    /** @type {string[]} */
    const unmatched = [];
    for (const pattern of patterns) {
      const matched = finished.results.filter(({ name }) => new RegExp(pattern).test(name));
      if (matched.length === 0) unmatched.push(pattern);
      const others = sum(finished.results) - sum(matched);
      times.set(keyOf({ file, pattern }), Math.max(0, finished.ms - others));
    }
    const failed = [...failures(finished), ...unmatched.map((pattern) => `no test is named ${pattern}`)];
    if (failed.length > 0) faulty.push(`${file}\n    ${failed.join('\n    ')}\n${finished.output}`);
  });
  if (faulty.length > 0) throw new Error(`These tests fail with every guard in place:\n${faulty.join('\n')}`);
  return times;
}

/**
 * Why the mutant is not killed; undefined where a test fails without the guard.
 * @param {Copy} copy
 * @param {Mutant} mutant
 * @param {ReadonlyMap<string, number>} times of timesOf
 */
async function survival(copy, mutant, times) {
  const files = mutant.tests.map((place) => readPlace(place).file);
  return copy.without(mutant, files, async () => {
    for (const { file, pattern } of mutant.tests.map(readPlace)) {
      const limitMs = Math.max(LEAST_MS, PATIENCE * (times.get(keyOf({ file, pattern })) ?? 0));
      const { results, faults } = await copy.run(file, pattern === undefined ? [] : [pattern], limitMs);
      if (results.some(({ outcome }) => outcome === 'failed')) return undefined;
      // A process that ended before its tests did, or waits for what no longer comes.
      if (faults.some((fault) => /^It (?:ended with|did not end)/.test(fault))) return undefined;
      if (faults.length > 0) return faults.join(' ');
    }
    return `nobody misses it: ${files.join(', ')}`;
  });
}

async function main() {
  const { values } = parseArgs({ options: { sample: { type: 'boolean' }, only: { type: 'string', multiple: true } } });
  const { only } = values;
  const named = MUTANTS.filter((mutant) => only === undefined || only.some((text) => nameOf(mutant).includes(text)));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const chosen = values.sample === true ? sampleOf(named, commit) : named;
  // Before anything is copied: an edit that no longer applies is a fault of the list.
  for (const mutant of named) mutated(mutant, await readFile(path.join(root, mutant.file), 'utf8'));
  const begun = performance.now();
  const place = await mkdtemp(path.join(os.tmpdir(), 'workbench-mutations-'));
  /** @type {Copy[]} */
  const copies = [];
  const clean = () => rm(place, { recursive: true, force: true, maxRetries: 3 });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => {
      void Promise.all(copies.map(({ jobs }) => jobs.interrupt(signal)))
        .then(clean)
        .then(() => process.exit(130));
    });
  try {
    const isBuilt = process.env['WORKBENCH_TEST_BUILT'] === '1';
    const count = Math.min(os.availableParallelism(), chosen.length);
    while (copies.length < count) copies.push(await Copy.make(root, path.join(place, String(copies.length)), isBuilt));
    const times = await timesOf(copies, chosen);
    print(`${chosen.length} of ${MUTANTS.length} mutants; their tests pass without an edit (${since(begun)})`);
    /** @type {string[]} */
    const survivors = [];
    await onAll(copies, chosen, async (copy, mutant) => {
      const started = performance.now();
      const why = await survival(copy, mutant, times);
      if (why !== undefined) survivors.push(`${nameOf(mutant)}\n    ${why}`);
      print(
        `${why === undefined ? '✔' : '✖'} ${nameOf(mutant)} (${since(started)})${why === undefined ? '' : `\n    ${why}`}`,
      );
    });
    if (survivors.length > 0) print(`\nSurvivors\n${survivors.join('\n')}`);
    print(`\n${chosen.length - survivors.length} killed, ${survivors.length} survived, in ${since(begun)}`);
    if (survivors.length > 0) process.exitCode = 1;
  } finally {
    await clean();
  }
}

/** @param {number} begun */
const since = (begun) => seconds(performance.now() - begun);

endWith(main());
