// A copy of the checkout in a temporary folder, in which one guard at a time is removed. The checkout itself is never edited.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runQuietly } from '../editor/run.mjs';
import { compileSources } from '../test/sources.mjs';
import { layerOf, mutated } from './model.mjs';

/** @typedef {import('./model.mjs').Mutant} Mutant */
/** @typedef {import('../test/job.mjs').Finished} Finished */

/** Layers whose tests load sources; all others start what is in dist/. */
const FROM_SOURCES = new Set(['unit', 'net']);

/** Tests of other layers that read the text of sources and start nothing. */
const READERS = new Set(['test/package/manifest.test.ts']);

/** Folders of packages, which a copy links to. */
const PACKAGES = ['node_modules', path.join('test', 'node_modules')];

export class Copy {
  /** @type {Map<string, readonly string[]>} a source → the bundles that hold it */
  #bundles = new Map();

  /**
   * @param {string} folder
   * @param {string} sources the JavaScript of every source
   * @param {import('../test/job.mjs').Jobs} jobs of the copy itself
   */
  constructor(folder, sources, jobs) {
    this.folder = folder;
    this.sources = sources;
    this.jobs = jobs;
  }

  /**
   * @param {string} root the checkout
   * @param {string} place an empty folder
   * @param {boolean} isBuilt whether dist/ of the checkout is up to date
   */
  static async make(root, place, isBuilt) {
    const folder = path.join(place, 'checkout');
    const sources = path.join(place, 'sources');
    const results = path.join(place, 'results');
    await Promise.all([folder, results].map((each) => mkdir(each, { recursive: true })));
    const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const name of names.toString('utf8').split('\0'))
      if (name !== '') await cp(path.join(root, name), path.join(folder, name)).catch(unlessGone);
    for (const name of PACKAGES) await symlink(path.join(root, name), path.join(folder, name), 'junction');
    if (isBuilt) await cp(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
    else await runQuietly(process.execPath, ['esbuild.mjs'], { cwd: folder });
    await compileSources(folder, sources);
    // The runner of the copy: it finds its sources next to itself.
    const { Jobs } = await import(pathToFileURL(path.join(folder, 'scripts', 'test', 'job.mjs')).href);
    const copy = new Copy(folder, sources, new Jobs({ root: folder, temporary: results, sources, env: {} }));
    await copy.#readBundles();
    return copy;
  }

  async #readBundles() {
    const meta = path.join(this.folder, 'dist', 'meta');
    for (const name of await readdir(meta)) {
      const { inputs } = JSON.parse(await readFile(path.join(meta, name), 'utf8'));
      for (const input of Object.keys(inputs))
        this.#bundles.set(input, [...(this.#bundles.get(input) ?? []), path.basename(name, '.json')]);
    }
  }

  /**
   * Runs tests of a file as the copy is now, up to the first that fails: what it left open is not waited for. (Node's own
   * --test-force-exit leaves results out: Node 20 ends before the suites of a file have run.)
   * @param {string} file
   * @param {readonly string[]} patterns of their names; empty: all of them
   * @param {number} limitMs
   * @returns {Promise<Finished>}
   */
  run(file, patterns, limitMs) {
    const options = patterns.map((pattern) => `--test-name-pattern=${pattern}`);
    return this.jobs.run({ name: file, layer: layerOf(file), files: [file], limitMs, options, endsAtFailure: true });
  }

  /**
   * Removes the guard, does the work, and puts everything back.
   * @template T
   * @param {Mutant} mutant
   * @param {readonly string[]} tests files
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async without(mutant, tests, work) {
    const { file } = mutant;
    const place = path.join(this.folder, file);
    const compiled = path.join(this.sources, file).replace(/\.ts$/, '.js');
    const [text, code] = await Promise.all([
      readFile(place, 'utf8'),
      readFile(compiled, 'utf8').catch(() => undefined),
    ]);
    // Tests of net start the built local service; all else they load as it is written.
    const isStarted = (/** @type {string} */ layer) =>
      !FROM_SOURCES.has(layer) || (layer === 'net' && file.startsWith('localnet/'));
    const needsBuild = tests.some((test) => !READERS.has(test) && isStarted(layerOf(test)));
    const bundles = needsBuild ? (this.#bundles.get(file) ?? []) : [];
    const kept = bundles.flatMap((bundle) => [
      path.join('dist', `${bundle}.js`),
      path.join('dist', 'meta', `${bundle}.json`),
    ]);
    const backup = path.join(this.folder, '..', 'kept');
    try {
      await writeFile(place, mutated(mutant, text));
      if (code !== undefined) await compileSources(this.folder, this.sources, [file]);
      if (bundles.length > 0) {
        for (const name of kept) await cp(path.join(this.folder, name), path.join(backup, name)).catch(unlessGone);
        await runQuietly(process.execPath, ['esbuild.mjs', `--only=${bundles.join(',')}`], { cwd: this.folder });
      }
      return await work();
    } finally {
      await writeFile(place, text);
      if (code !== undefined) await writeFile(compiled, code);
      for (const name of kept) await cp(path.join(backup, name), path.join(this.folder, name)).catch(unlessGone);
    }
  }
}

/** @param {unknown} error of a file that was deleted and is not committed, or of a bundle of several files */
function unlessGone(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
