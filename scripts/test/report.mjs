// The output of a test run: a line for each finished file, failures in full, and at the end the totals.
import path from 'node:path';
import { LAYERS } from './layers.mjs';
import { isFailed, secondTries } from './tries.mjs';

const SLOWEST = 10;
/** Lines of a failure that its end of the report repeats: where only the end of an output is kept, they say why. */
const SAID = 6;

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @typedef {{ readonly passed: number, readonly failed: number, readonly flaky: number }} Totals */

export class Report {
  /** @type {import('./job.mjs').Finished[]} a second try that passed in place of the first */
  #finished = [];
  /** @type {import('./job.mjs').Finished[]} first tries that failed where the second passed */
  #flaky = [];

  /**
   * @param {number} total jobs
   * @param {(line: string) => void} print
   */
  constructor(total, print = (line) => process.stdout.write(`${line}\n`)) {
    this.total = total;
    this.print = print;
  }

  /** @param {import('./job.mjs').Finished} finished files that shared a process are reported one by one */
  add(finished) {
    for (const one of oneByOne(finished)) this.#add(one);
  }

  /**
   * The files to run once more, alone, now that all have run; says why where failed ones are not.
   * @returns {readonly import('./job.mjs').Job[]}
   */
  secondTries() {
    const { jobs, reason } = secondTries(this.#finished);
    if (reason !== undefined) this.print(`\nNo second try: ${reason}.`);
    if (jobs.length > 0) this.print(`\nSecond try of each failed file, alone`);
    return jobs;
  }

  /**
   * Takes the second try of a file. If it passes it counts in place of the first, which is reported as flaky.
   * @param {import('./job.mjs').Finished} second
   */
  addSecond(second) {
    this.#line(second, '2nd try');
    const at = this.#finished.findIndex(({ job }) => job.name === second.job.name);
    const first = this.#finished[at];
    if (first === undefined || isFailed(second)) return;
    this.#finished[at] = second;
    this.#flaky.push(first);
  }

  /** @param {import('./job.mjs').Finished} finished */
  #add(finished) {
    this.#finished.push(finished);
    this.#line(finished, `${String(this.#finished.length).padStart(3)}/${this.total}`);
  }

  /**
   * @param {import('./job.mjs').Finished} finished
   * @param {string} place
   */
  #line(finished, place) {
    const { job, results, faults, output, ms } = finished;
    const failed = failuresOf(finished).length;
    const passed = results.filter(({ outcome }) => outcome === 'passed').length;
    const counts = job.files === undefined ? '' : `, ${passed} passed`;
    this.print(
      `${failed > 0 ? '✖' : '✔'} ${place} ${job.name}${counts}${failed > 0 ? `, ${failed} failed` : ''} (${seconds(ms)})`,
    );
    if (failed === 0) return;
    for (const { name, failure } of results)
      if (failure !== undefined) this.print(indented(`✖ ${name}\n${indented(failure)}`));
    for (const fault of faults) this.print(indented(`✖ ${fault}`));
    if (output !== '') this.print(indented(`Output:\n${indented(output.trimEnd())}`));
  }

  /**
   * Prints the end of the report.
   * @param {number} ms since the start of the run
   * @returns {Totals} tests; `flaky`: files whose second try passed
   */
  end(ms) {
    const tests = this.#finished.flatMap(({ job, results }) => results.map((result) => ({ job, result })));
    const failures = this.#finished.flatMap((finished) => failuresOf(finished));
    const passed = tests.filter(({ result }) => result.outcome === 'passed').length;
    this.print(`\nBy layer`);
    for (const layer of new Set(this.#finished.map(({ job }) => job.layer))) this.print(this.#layerLine(layer));
    this.print(`\nSlowest tests`);
    const slowest = tests.toSorted((a, b) => b.result.ms - a.result.ms).slice(0, SLOWEST);
    for (const { job, result } of slowest)
      this.print(`${seconds(result.ms).padStart(9)}  ${result.name} (${job.name})`);
    if (failures.length > 0) this.print('\nFailed');
    for (const { name, file, command, said } of failures) {
      this.print(`✖ ${name}\n    in ${file}; alone: ${command}`);
      if (said !== '') this.print(indented(said));
    }
    this.print(`\nin ${seconds(ms)}\n\n${passed} passed, ${failures.length} failed`);
    this.#printFlaky();
    return { passed, failed: failures.length, flaky: this.#flaky.length };
  }

  /** The last thing of all, so that nothing hides it. */
  #printFlaky() {
    if (this.#flaky.length === 0) return;
    this.print(
      `\nFlaky: failed at first and passed alone. Each is a fault of the product or the test; mend it before anything else.`,
    );
    for (const { job, results } of this.#flaky)
      for (const { name, failure } of results)
        if (failure !== undefined) this.print(`~ ${name}\n    in ${job.name}\n${indented(failure)}`);
    this.print(`${this.#flaky.length} flaky`);
  }

  /** @param {string} layer */
  #layerLine(layer) {
    const own = this.#finished.filter(({ job }) => job.layer === layer);
    const passed = own.flatMap(({ results }) => results).filter(({ outcome }) => outcome === 'passed').length;
    const failed = own.flatMap((finished) => failuresOf(finished)).length;
    const ms = own.reduce((sum, one) => sum + one.ms, 0);
    const busy = `${seconds(ms)} of one process`;
    return `${layer.padEnd(10)}${String(passed).padStart(6)} passed${String(failed).padStart(6)} failed  ${busy}`;
  }
}

/**
 * Each file of a job: what failed other than a test, and the output where anything did, goes to the last one that was heard of.
 * @param {import('./job.mjs').Finished} finished
 * @returns {readonly import('./job.mjs').Finished[]}
 */
function oneByOne(finished) {
  const { job, results, faults, output } = finished;
  const { files = [] } = job;
  if (files.length <= 1) return [finished];
  const last = results.at(-1)?.file ?? files[0];
  return files.map((name) => {
    const own = results.filter(({ file }) => file === name);
    const isLast = name === last;
    const isFailed = own.some(({ outcome }) => outcome !== 'passed') || (isLast && faults.length > 0);
    return {
      job: { ...job, name, files: [name] },
      results: own,
      faults: isLast ? faults : [],
      output: isFailed ? output : '',
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    };
  });
}

/**
 * @param {import('./job.mjs').Finished} finished
 * @returns {readonly { readonly name: string, readonly file: string, readonly command: string, readonly said: string }[]}
 */
function failuresOf({ job, results, faults, output }) {
  const tests = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ name, failure: said = '' }) => ({
      ...failure(job, name, true),
      said: linesOf(said).slice(0, SAID).join('\n'),
    }));
  // A command's last lines say most.
  const last = linesOf(output).slice(-SAID).join('\n');
  return [...tests, ...faults.map((fault) => ({ ...failure(job, fault, false), said: last }))];
}

/** @param {string} text */
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '');

/**
 * @param {import('./job.mjs').Job} job
 * @param {string} name
 * @param {boolean} isTest
 */
function failure(job, name, isTest) {
  const { command } = job;
  if (command !== undefined)
    return { name, file: job.name, command: [path.basename(command.file), ...command.args].join(' ') };
  const pattern =
    isTest && LAYERS[job.layer]?.steps === undefined ? [`--test-name-pattern=${quoted(escaped(name))}`] : [];
  return { name, file: job.name, command: ['node --import tsx --test', ...pattern, job.name].join(' ') };
}

/** @param {string} name as a regular expression */
const escaped = (name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** @param {string} text for a POSIX shell */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @param {string} text */
const indented = (text) => text.replaceAll(/^(?=.)/gm, '    ');
