// Watches which test of a job is running (limits.cjs reports it), and finds a test that blocks its process past its limit, and
// a process that does not end after its tests.

/**
 * One line of a job's progress: a test or a hook begins, or (without `name`) ends; `hasFailed`: with an error, or at
 * its limit.
 * @typedef {object} Progress
 * @property {number} id
 * @property {string} [name]
 * @property {string | undefined} [file] the test file, where several run in one process
 * @property {number} [limitMs]
 * @property {boolean} [hasFailed]
 */
/** @typedef {{ readonly name: string, readonly file: string | undefined, readonly limitMs: number }} Running */
/**
 * `blocked`: the tests that are past their limits, each with its process. `file`: of the last test that began. `fault`: where
 * no test was running, unless a failed test, which is reported, left the process like that.
 * @typedef {{ readonly blocked: readonly Running[], readonly file: string | undefined, readonly fault?: string }} Hang
 */

export class Watch {
  /** @type {Map<number, Running & { readonly until: number }>} */
  #running = new Map();
  /** @type {Running | undefined} */
  #last;
  #hasFailed = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #rest = '';

  /**
   * @param {{ readonly limitMs: number, readonly marginMs: number }} limits `limitMs` of a test that names no other, and of
   *   what comes before, between and after the tests; `marginMs` is added, since a test that does not block fails by itself
   * @param {(hang: Hang) => void} onHang called at most once
   */
  constructor({ limitMs, marginMs }, onHang) {
    this.limitMs = limitMs;
    this.marginMs = marginMs;
    this.onHang = onHang;
    this.#arm();
  }

  /** @param {string} chunk whole and partial lines */
  take(chunk) {
    const lines = `${this.#rest}${chunk}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(JSON.parse(line));
    this.#arm();
  }

  end() {
    clearTimeout(this.#timer);
  }

  /** @param {Progress} progress */
  #line({ id, name, file, limitMs = this.limitMs, hasFailed = false }) {
    this.#hasFailed ||= hasFailed;
    if (name === undefined) {
      this.#running.delete(id);
      return;
    }
    this.#last = { name, file, limitMs };
    this.#running.set(id, { ...this.#last, until: performance.now() + limitMs + this.marginMs });
  }

  #arm() {
    clearTimeout(this.#timer);
    const untils = [...this.#running.values()].map(({ until }) => until);
    // Things that a failed test left open often keep the process alive.
    const idleMs = (this.#hasFailed ? 0 : this.limitMs) + this.marginMs;
    const until = untils.length > 0 ? Math.min(...untils) : performance.now() + idleMs;
    this.#timer = setTimeout(() => this.onHang(this.#hang(idleMs)), until - performance.now() + 1);
  }

  /** @param {number} idleMs @returns {Hang} */
  #hang(idleMs) {
    const now = performance.now();
    const blocked = [...this.#running.values()].filter((one) => one.until <= now);
    const file = this.#last?.file;
    if (blocked.length > 0 || this.#hasFailed) return { blocked, file };
    const since = this.#last === undefined ? 'it was started, and no test began' : `"${this.#last.name}" ended`;
    return { blocked, file, fault: `Its process was still running ${idleMs / 1_000} s after ${since}.` };
  }
}
