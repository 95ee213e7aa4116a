// The start and end of every command that runs tests: a temporary folder, packages, bundles, compiled sources; an interrupt
// ends everything that was started.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clientsAreInstalled, INSTALL, INSTALL_CLIENTS, packagesAreInstalled } from '../packages.mjs';
import { Jobs } from './job.mjs';
import { LAYERS } from './layers.mjs';
import { seconds } from './report.mjs';

/** @typedef {import('./job.mjs').Job} Job */

const root = path.join(import.meta.dirname, '..', '..');
const node = process.execPath;

/**
 * A command that is a job.
 * @param {string} name
 * @param {string} file a program
 * @param {readonly string[]} args
 * @returns {Job}
 */
export const step = (name, file, args) => ({ name, layer: 'steps', command: { file, args } });

export class Session {
  #isInterrupted = false;

  /** @param {string} temporary @param {NodeJS.ProcessEnv} env of every job */
  constructor(temporary, env) {
    this.temporary = temporary;
    this.sources = path.join(temporary, 'sources');
    this.jobs = new Jobs({ root, temporary, sources: this.sources, env });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => {
        if (this.#isInterrupted) return;
        this.#isInterrupted = true;
        void this.jobs.interrupt(signal).then(() => this.end(130));
      });
  }

  /** @param {NodeJS.ProcessEnv} [env] of every job */
  static async open(env = {}) {
    return new Session(await mkdtemp(path.join(os.tmpdir(), 'workbench-tests-')), env);
  }

  /**
   * Installs, builds and compiles what these layers need; ends the process where that fails.
   * @param {readonly string[]} layers
   * @param {{ readonly isDesktop?: boolean }} [options] `isDesktop`: the editor is a downloaded desktop one
   */
  async prepare(layers, { isDesktop = false } = {}) {
    const needs = (/** @type {'editor' | 'shells'} */ what) => layers.some((layer) => LAYERS[layer]?.[what] === true);
    if (!(await packagesAreInstalled(root)))
      await this.#must(step('Installing packages', INSTALL.command, INSTALL.args));
    if (!(await clientsAreInstalled(root))) {
      const name = 'Installing the public clients that the tests run';
      await this.#must(step(name, INSTALL_CLIENTS.command, INSTALL_CLIENTS.args));
    }
    await this.#must(step('Building', node, ['esbuild.mjs']));
    // Late: it needs a package.
    await (await import('./sources.mjs')).compileSources(root, this.sources);
    if (needs('editor') && !isDesktop)
      await this.#must(step('Preparing the real editor', node, ['scripts/editor/install.mjs']));
    if (!needs('shells')) return;
    // Where one of them is missing, the test that needs it says so.
    process.stdout.write('Preparing Neovim and the shells\n');
    for (const script of ['scripts/editor/neovim.mjs', 'scripts/shells.mjs'])
      await this.run(step(script, node, [script]), (text) => process.stdout.write(text));
  }

  /**
   * Runs a job; never settles after an interrupt, which ends the process.
   * @param {Job} job
   * @param {(text: string) => void} [onOutput]
   */
  async run(job, onOutput) {
    const finished = await this.jobs.run(job, onOutput);
    if (this.#isInterrupted) await new Promise(() => {});
    return finished;
  }

  /** @param {number} code @returns {Promise<never>} */
  async end(code) {
    await rm(this.temporary, { recursive: true, force: true, maxRetries: 3 });
    process.exit(code);
  }

  /**
   * Runs a step without which nothing after it makes sense.
   * @param {Job} job
   */
  async #must(job) {
    process.stdout.write(`${job.name}\n`);
    const { faults, ms } = await this.run(job, (text) => process.stdout.write(text));
    if (faults.length > 0) {
      process.stderr.write(`${job.name}: failed. ${faults.join(' ')}\n\n0 passed, 1 failed\n`);
      await this.end(1);
    }
    process.stdout.write(`   done in ${seconds(ms)}\n`);
  }
}
