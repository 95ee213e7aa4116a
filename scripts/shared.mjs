// What server and CLI have in common stands once on disk, in dist/shared.js: each of its modules is read when it is first
// asked for, and a process has one of each, so that classes are the same everywhere in it.
import { build } from 'esbuild';
import path from 'node:path';

/** Rooms whose modules are shared; the shells' own stay in their bundles. */
const ROOMS = /^(core|runner|proto|process)\//;
const FILE = './shared.js';

/**
 * The modules that both bundles would hold, as paths from the root.
 * @param {import('esbuild').BuildOptions} options of the bundles, without entries
 * @param {readonly string[]} entries
 * @returns {Promise<readonly string[]>} sorted
 */
export async function commonModules(options, entries) {
  const held = await Promise.all(
    entries.map(async (entry) => {
      const { metafile } = await build({ ...options, entryPoints: [entry], write: false, metafile: true });
      return Object.keys(metafile?.inputs ?? {}).filter((name) => ROOMS.test(name));
    }),
  );
  const [first = [], ...others] = held;
  return first.filter((name) => others.every((names) => names.includes(name))).sort();
}

/**
 * The bundle of the shared modules: an object with a getter for each.
 * @param {string} root
 * @param {readonly string[]} modules
 * @returns {import('esbuild').Plugin}
 */
export const sharedEntry = (root, modules) => ({
  name: 'shared-entry',
  setup(builder) {
    builder.onResolve({ filter: /^shared$/ }, () => ({ path: 'shared', namespace: 'shared-entry' }));
    builder.onLoad({ filter: /.*/, namespace: 'shared-entry' }, () => ({
      contents: `module.exports = {${modules
        .map((name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(`./${name}`)}); }`)
        .join(',')}};`,
      resolveDir: root,
      loader: 'js',
    }));
  },
});

/**
 * Takes the shared modules from their bundle, wherever one is imported.
 * @param {string} root
 * @param {readonly string[]} modules
 * @returns {import('esbuild').Plugin}
 */
export const fromShared = (root, modules) => ({
  name: 'from-shared',
  setup(builder) {
    const known = new Set(modules);
    builder.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (args.pluginData === 'resolved' || args.namespace !== 'file') return undefined;
      const { importer, resolveDir, kind } = args;
      const found = await builder.resolve(args.path, { importer, resolveDir, kind, pluginData: 'resolved' });
      const name = path.relative(root, found.path).replaceAll('\\', '/');
      return known.has(name) ? { path: name, namespace: 'shared' } : found;
    });
    builder.onResolve({ filter: /^\.\/shared\.js$/, namespace: 'shared' }, () => ({ path: FILE, external: true }));
    builder.onLoad({ filter: /.*/, namespace: 'shared' }, (args) => ({
      contents: `module.exports = require('${FILE}')[${JSON.stringify(args.path)}];`,
      loader: 'js',
    }));
  },
});
