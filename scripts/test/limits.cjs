// Gives every test and hook a time limit, and reports to the runner which of them is running. A test that takes too long
// fails with what it waited for, and the file continues with the next; the runner names a test that blocks the process.
const Module = require('node:module');
const { writeSync } = require('node:fs');
const nodeTest = require('node:test');

/** @typedef {(...args: any[]) => any} Body */
/** @typedef {import('./watch.mjs').Progress} Progress */

const LIMIT_MS = Number(process.env.WORKBENCH_TEST_LIMIT_MS ?? 60_000);
/** The pipe to the runner, which is there in a job of it only. */
const PROGRESS_FD = process.env.WORKBENCH_TEST_LIMIT_MS === undefined ? undefined : 3;
/** A thread sleeps on this; nothing wakes it before its time. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
/** How long a failed test's windows may take to be pictured. */
const PICTURE_MS = 5_000;
/** The most of one command line or list that a failure repeats. */
const SHOWN = 200;

const { setTimeout, clearTimeout } = globalThis;
let count = 0;
/** @type {string | undefined} */
let file;

/** @param {Progress} progress */
function report(progress) {
  if (PROGRESS_FD === undefined) return;
  // Not asynchronous: what follows may block the process.
  for (let rest = Buffer.from(`${JSON.stringify(progress)}\n`); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(PROGRESS_FD, rest));
    } catch (error) {
      // A full pipe: the runner reads as soon as it can, and an event that it misses would be taken for a hang.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') return;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

/**
 * Runs a body, and fails once it has taken too long. What it started continues, and is a fault of the file if it stays.
 * @param {string} name
 * @param {Body} body
 * @param {number} limitMs
 * @returns {Body}
 */
function limited(name, body, limitMs) {
  const ownFile = file;
  return async (...args) => {
    const id = count++;
    report({ id, name, file: ownFile, limitMs });
    let hasFailed = true;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = new Promise((_, reject) => {
      const fail = () => reject(new Error(`${name} did not end within ${limitMs / 1_000} s. ${waitedFor()}`));
      // Where nothing else keeps the process alive, node:test says so at once.
      timer = setTimeout(fail, limitMs).unref();
    });
    try {
      await Promise.race([body(...args), limit]);
      hasFailed = false;
    } catch (error) {
      await picture(name);
      throw error;
    } finally {
      clearTimeout(timer);
      report({ id, hasFailed });
    }
  };
}

/**
 * Pictures what a failed test left open (test/support/editor/screenshots.ts). Its own fault is the one that is reported.
 * @param {string} name
 */
async function picture(name) {
  /** @type {Iterable<Body>} */
  const all = /** @type {any} */ (globalThis)[Symbol.for('workbench.failed')] ?? [];
  const late = new Promise((resolve) => setTimeout(resolve, PICTURE_MS).unref());
  await Promise.race([Promise.allSettled([...all].map((one) => one(name))), late]);
}

/** Waits that were given words (test/support/waiting.ts), and what is open in this process. */
function waitedFor() {
  const named = [...(/** @type {any} */ (globalThis)[Symbol.for('workbench.waits')] ?? [])];
  const open = handles();
  return [
    named.length > 0
      ? `It waited for: ${named.join('; ').slice(0, SHOWN)}.`
      : 'It waited for something without a name.',
    open.length > 0 ? `Open: ${open.join('; ')}.` : 'No process, connection or server is open.',
  ].join(' ');
}

/** @returns {readonly string[]} processes, connections and servers of this process, each in a few words */
function handles() {
  /** @type {readonly any[]} */
  const all = /** @type {any} */ (process)._getActiveHandles?.() ?? [];
  return all.flatMap((one) => {
    if (Array.isArray(one.spawnargs)) return [`process ${one.spawnargs.join(' ').slice(0, SHOWN)}`];
    if (typeof one.remotePort === 'number') return [`connection to port ${one.remotePort}`];
    if (typeof one.address === 'function' && one.listening === true) return [`server on port ${one.address()?.port}`];
    return [];
  });
}

/**
 * The parts of a call of `test`, in whichever form it was written.
 * @param {readonly unknown[]} args
 */
function partsOf(args) {
  const body = /** @type {Body | undefined} */ (args.find((arg) => typeof arg === 'function'));
  /** @type {{ readonly timeout?: number } | undefined | null} */
  const options = args.find((arg) => typeof arg === 'object' && arg !== null);
  const name = args.find((arg) => typeof arg === 'string') ?? body?.name ?? '';
  return { name, body, options: options ?? {} };
}

/** @param {readonly unknown[]} args */
function test(...args) {
  const { name, body, options } = partsOf(args);
  if (body === undefined) return nodeTest.test(name, options);
  const { timeout = LIMIT_MS, ...rest } = options;
  return nodeTest.test(name, rest, limited(name, body, timeout));
}

/** @param {'before' | 'after' | 'beforeEach' | 'afterEach'} kind */
const hook =
  (kind) =>
  /** @param {readonly unknown[]} args */
  (...args) => {
    const { body, options } = partsOf(args);
    const { timeout = LIMIT_MS, ...rest } = options;
    nodeTest[kind](body && limited(`The hook "${kind}"`, body, timeout), rest);
  };

const own = Object.assign((/** @type {unknown[]} */ ...args) => test(...args), nodeTest, {
  test,
  it: test,
  before: hook('before'),
  after: hook('after'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
});

/** Its way of loading is the only place where a file can be given another `node:test`. */
const loader = /** @type {{ _load: Body }} */ (/** @type {unknown} */ (Module));
const load = loader._load;
loader._load = (/** @type {string} */ request, /** @type {unknown[]} */ ...rest) =>
  request === 'node:test' ? own : load.call(Module, request, ...rest);

/** Which file the tests are of that are defined from now on. */
exports.fileBegins = (/** @type {string} */ name) => {
  file = name;
};
