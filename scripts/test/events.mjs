// A reporter for node:test that writes one line of JSON for each finished test, and the failures in full.
import { inspect } from 'node:util';

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {number} ms
 * @property {string} [failure] the error as a text
 * @property {string} [file] the test file, where several run in one process
 * @property {boolean} [isFinal] a second try cannot clear it
 */

/** Whether the outermost suites are files (together.cjs). */
const IS_TOGETHER = /[\\/]together\.cjs$/.test(process.argv[1] ?? '');

/** How node:test reports an error that comes after its test has ended: it fails the process, not the test. */
const TOO_LATE = /^\w+: Test "(.*?)" .*generated asynchronous activity after the test ended/s;

/** @param {AsyncIterable<{ readonly type: string, readonly data: any }>} source */
export default async function* events(source) {
  /** @type {string | undefined} */
  let file;
  /** The files of the tests that ended, by name. @type {Map<string, string | undefined>} */
  const ended = new Map();
  for await (const { type, data } of source) {
    if (IS_TOGETHER && type === 'test:start' && data.nesting === 0) file = data.name;
    const [, late] = (type === 'test:diagnostic' && TOO_LATE.exec(data.message)) || [];
    if (late !== undefined)
      yield `${JSON.stringify({ name: late, outcome: 'failed', ms: 0, failure: data.message, file: ended.get(late) })}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    ended.set(data.name, file);
    const result = resultOf(type === 'test:pass', data);
    if (result !== undefined) yield `${JSON.stringify({ ...result, file })}\n`;
  }
}

/** Node 20's report for a test that was not requested; later versions report nothing. */
const NOT_ASKED = 'test name does not match pattern';

/**
 * Undefined for a suite that passed, and for what failed only because a test inside it did.
 * @param {boolean} isPassed
 * @param {any} data
 * @returns {Result | undefined}
 */
function resultOf(isPassed, { name, skip, todo, details }) {
  const ms = details.duration_ms ?? 0;
  const isSuite = details.type === 'suite';
  if (isPassed && isSuite && skip === undefined) return undefined;
  if (skip === NOT_ASKED) return undefined;
  // A test that did not run is not a test that passed.
  if (skip !== undefined || todo !== undefined)
    return { name, outcome: 'skipped', ms, failure: `Skipped or to do: ${String(skip ?? todo)}` };
  if (isPassed) return { name, outcome: 'passed', ms };
  if (details.error?.failureType === 'subtestsFailed') return undefined;
  const error = details.error?.cause ?? details.error;
  return {
    name,
    outcome: 'failed',
    ms,
    failure: inspect(error, { depth: 6 }),
    ...(error?.isFinal === true && { isFinal: true }),
  };
}
