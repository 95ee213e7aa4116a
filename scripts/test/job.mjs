// Runs one job of the pool (test files in one process, or a command) in a separate process group, and collects its results.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MARK, endAll, kill, marked } from './leftovers.mjs';
import { limitOf } from './layers.mjs';
import { JobTemporary } from './temporary.mjs';
import { Watch } from './watch.mjs';

/** A command that takes this long hangs. In test files, each test has a limit instead. */
const COMMAND_LIMIT_MS = 900_000;
/** How much longer than its limit a test may block its process. */
const MARGIN_MS = 15_000;
/** How long a job may take to end after a signal, and what it started after the job itself. */
const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** A test file reports to this runner alone, in plain text, and may take what was just built. */
const OWN = { NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined, NO_COLOR: '1', WORKBENCH_TEST_BUILT: '1' };

/**
 * @typedef {object} Job
 * @property {string} name a test file relative to the root, or what a command does
 * @property {string} layer
 * @property {readonly string[]} [files] test files, several of them one after the other in one process; without them
 *   `command` runs
 * @property {readonly string[]} [options] of Node, for the test files
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [limitMs] for the whole job; absent: a quarter of an hour for a command, none for test files
 * @property {number} [marginMs] how much longer than its limit a test may block its process; absent: 15 s
 * @property {boolean} [endsAtFailure] one failed test is enough: it is ended then, with all that it started
 * @property {{ readonly file: string, readonly args: readonly string[] }} [command]
 */

/**
 * @typedef {object} Finished
 * @property {Job} job
 * @property {readonly import('./events.mjs').Result[]} results
 * @property {readonly string[]} faults what failed besides a test: exit code, hang, processes or temporary files left behind
 * @property {Job} [rest] the files that were not run, since one before them hung; `job` is without them
 * @property {string} output stdout and stderr
 * @property {number} ms
 */

/** Runs jobs, and ends those that are under way. */
export class Jobs {
  /** @type {Map<string, import('node:child_process').ChildProcess>} by mark */
  #running = new Map();
  #run = `${process.pid}-${Date.now().toString(36)}`;
  #count = 0;
  #isInterrupted = false;

  /**
   * @param {{ readonly root: string, readonly temporary: string, readonly sources: string, readonly env: NodeJS.ProcessEnv }} place
   *   `sources`: the folder of what compileSources made
   */
  constructor(place) {
    this.place = place;
  }

  /**
   * @param {Job} job
   * @param {(text: string) => void} [onOutput] takes stdout and stderr as they come
   * @returns {Promise<Finished>} never settles for a job that would start after an interrupt
   */
  async run(job, onOutput) {
    if (this.#isInterrupted) return new Promise(() => {});
    const number = this.#count++;
    const mark = `${this.#run}.${number}`;
    const own = new JobTemporary(path.join(this.place.temporary, `t${number}`));
    const ownEnv = await own.open();
    if (this.#isInterrupted) return new Promise(() => {});
    const resultsFile = path.join(this.place.temporary, `${mark}.jsonl`);
    const { file, args } = job.command ?? { file: process.execPath, args: testArgs(job, resultsFile) };
    const { limitMs = job.files === undefined ? COMMAND_LIMIT_MS : undefined, endsAtFailure = false } = job;
    const testLimitMs = limitOf(job.layer);
    const started = performance.now();
    const child = spawn(file, args, {
      cwd: this.place.root,
      env: {
        ...process.env,
        ...this.place.env,
        ...job.env,
        ...OWN,
        ...ownEnv,
        WORKBENCH_TEST_SOURCES: this.place.sources,
        ...(job.files !== undefined && { WORKBENCH_TEST_LIMIT_MS: String(testLimitMs) }),
        [MARK]: mark,
      },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && file.endsWith('.cmd'),
    });
    this.#running.set(mark, child);
    /** @type {string[]} */
    const faults = [];
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        onOutput?.(chunk);
      });
    const limit =
      limitMs &&
      setTimeout(() => {
        faults.push(`It did not end within ${limitMs / 60_000} minutes.`);
        endAll(child.pid, mark);
      }, limitMs);
    /** @type {import('./watch.mjs').Hang | undefined} */
    let hang;
    const watch =
      job.files &&
      new Watch({ limitMs: testLimitMs, marginMs: job.marginMs ?? MARGIN_MS }, (found) => {
        hang = found;
        endAll(child.pid, mark);
      });
    /** @type {import('node:stream').Readable} */ (child.stdio[3])
      .setEncoding('utf8')
      .on('data', (chunk) => watch?.take(chunk))
      .on('error', () => {});
    const ended = endOf(child);
    const look = endsAtFailure ? endAtFailure(ended, resultsFile, () => endAll(child.pid, mark)) : undefined;
    const how = await ended;
    clearTimeout(limit);
    watch?.end();
    await look;
    const results = job.files === undefined ? [] : await resultsIn(resultsFile);
    const { ran, rest } = splitAt(job, hang?.file);
    for (const { name, file: ofFile, limitMs: ms } of hang?.blocked ?? [])
      results.push({ name, ...(ofFile && { file: ofFile }), outcome: 'failed', ms, failure: BLOCKED(ms) });
    if (hang?.fault !== undefined) faults.push(hang.fault);
    const isExplained = faults.length > 0 || results.some(({ outcome }) => outcome !== 'passed');
    if (how !== 'exit code 0' && !isExplained) faults.push(`It ended with ${how}.`);
    if (ran.files !== undefined && faults.length === 0) faults.push(...withoutTests(ran.files, results));
    faults.push(...(await leftBehind(child, mark)));
    const left = await own.close();
    // A command, and a file that was ended in the middle, clean up after themselves as far as they can.
    if (job.files !== undefined && how === 'exit code 0') faults.push(...left);
    this.#running.delete(mark);
    return { job: ran, results, faults, output, ms: performance.now() - started, ...(rest && { rest }) };
  }

  /**
   * Passes a signal on to every job, waits a moment for them to clean up, and ends what is left.
   * @param {NodeJS.Signals} signal
   */
  async interrupt(signal) {
    this.#isInterrupted = true;
    const all = [...this.#running];
    for (const [, { pid }] of all) if (pid !== undefined) kill(process.platform === 'win32' ? pid : -pid, signal);
    const isOver = () => all.every(([mark]) => marked(mark).length === 0) && this.#running.size === 0;
    await until(isOver);
    for (const [mark, { pid }] of all) endAll(pid, mark);
  }
}

/** @param {number} ms */
const BLOCKED = (ms) => `It did not end within ${ms / 1_000} s, and blocked its process, which was ended.`;

/**
 * Splits a job after the file that hung: what ran, and the rest to run; if none hung, all of it ran.
 * @param {Job} job
 * @param {string | undefined} hung
 * @returns {{ readonly ran: Job, readonly rest?: Job }}
 */
function splitAt(job, hung) {
  const { files = [] } = job;
  const end = hung === undefined ? files.length : files.indexOf(hung) + 1;
  if (end === files.length || end === 0) return { ran: job };
  const part = (/** @type {readonly string[]} */ own) => ({ ...job, name: own.join(' '), files: own });
  return { ran: part(files.slice(0, end)), rest: part(files.slice(end)) };
}

/**
 * @param {Job} job
 * @param {string} resultsFile
 */
function testArgs({ files = [], options = [] }, resultsFile) {
  const here = (/** @type {string} */ name) => pathToFileURL(path.join(import.meta.dirname, name)).href;
  return [
    // Not `--import`: with it Node takes the file for an ECMAScript module, which TypeScript is not to it.
    ...['--require', path.join(import.meta.dirname, 'required.cjs')],
    ...[`--test-reporter=${here('events.mjs')}`, `--test-reporter-destination=${resultsFile}`],
    ...options,
    ...(files.length > 1 ? [path.join(import.meta.dirname, 'together.cjs')] : []),
    ...files,
  ];
}

/**
 * @param {readonly string[]} files
 * @param {readonly import('./events.mjs').Result[]} results
 * @returns {readonly string[]} a sentence for each file of which nothing was heard
 */
function withoutTests(files, results) {
  if (files.length === 1) return results.length === 0 ? ['It contains no test.'] : [];
  const heard = new Set(results.map(({ file }) => file));
  return files.filter((file) => !heard.has(file)).map((file) => `${file} contains no test, or no test finished.`);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>} `exit code 0`, a signal, or why it did not start
 */
const endOf = (child) =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    // Not `close`: a process left behind may hold the pipes open.
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });

/**
 * @param {Promise<unknown>} ended settles with the job
 * @param {string} file of its results
 * @param {() => void} end
 */
async function endAtFailure(ended, file, end) {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))]);
    if (isOver || !(await resultsIn(file)).some(({ outcome }) => outcome === 'failed')) continue;
    end();
    return;
  }
}

/**
 * @param {string} file
 * @returns {Promise<import('./events.mjs').Result[]>} empty when there is no such file
 */
async function resultsIn(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  return (
    text
      .split('\n')
      // The text after the last line is incomplete.
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  );
}

/**
 * Ends what a job left behind.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} mark
 * @returns {Promise<readonly string[]>} a sentence for each process
 */
async function leftBehind({ pid }, mark) {
  // Processes of an editor that was just ended need a moment to be gone.
  if (await until(() => marked(mark).length === 0)) return [];
  const left = marked(mark);
  endAll(pid, mark);
  return left.map(({ command }) => `It left a process behind: ${command.slice(0, 300)}`);
}

/** @param {() => boolean} isDone */
async function until(isDone) {
  for (const end = performance.now() + GRACE_MS; performance.now() < end;) {
    if (isDone()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return isDone();
}
