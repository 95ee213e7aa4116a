// Modules used by several of the product's own processes are on disk once, in stores: dist/shared.js has what server and CLI
// start with, dist/later.js what the server first needs when something is run, and its stream worker, dist/lsp.js the protocol's packages for
// client and server, dist/wire.js formats and cryptography that the local service shares with them. A store's modules
// are read when they are first asked for, and a process has one of each, so that classes are the same everywhere in it.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Rooms whose modules may be in a store, except what must run before it is read; the shells' own stay in their bundles. */
const ROOMS = /^(core|runner|proto|process)\/(?!compileCache\.ts$)/;
/** Packages whose modules may be in a store too, as they are imported. */
const PACKAGES =
  /^(?:jsonc-parser|vscode-(?:jsonrpc|languageserver-(?:protocol|types))|ws|@bufbuild\/protobuf)(?:\/[\w./]+)?$/;
const IN_PACKAGES = /^node_modules\/jsonc-parser\/.*\/main\.js$/;
/** The protocol that the language server's process and the extension's library for it share. */
const PROTOCOL = /^node_modules\/vscode-(?:jsonrpc|languageserver-(?:protocol|types))\//;
/**
 * Formats of the wire, which the transports and the local service both read and write, and the cryptography that the server
 * and the local service both use; what the server starts with is not.
 */
const WIRE =
  /^node_modules\/(?:ws|@bufbuild\/protobuf)\/(?!.*\bindex\.js$)|^proto\/gen\/(?!requests\.ts$)|^core\/solana\/chain\/crypto\.ts$/;
/** Rooms of which the server may hold modules that only run something. */
const SERVERS = /^(core|runner|proto|process|net|server)\/(?!compileCache\.ts$)/;

/** @typedef {{ readonly [store in 'shared' | 'later' | 'lsp' | 'wire']: readonly string[] }} Stores paths from the root */

/**
 * The modules of each store.
 * @param {import('esbuild').BuildOptions} options of the bundles, without entries
 * @param {Readonly<Record<'server' | 'streamWorker' | 'cli' | 'languageClient' | 'net' | 'localnet', string>>} entries
 * @returns {Promise<Stores>} sorted
 */
export async function storesOf(options, { server, streamWorker, cli, languageClient, net, localnet }) {
  const [inServer, inWorker, inCli, inClient, inNet, inLocalnet] = await Promise.all([
    inputsOf(options, server),
    inputsOf(options, streamWorker),
    inputsOf(options, cli),
    inputsOf(options, languageClient),
    inputsOf(options, net),
    inputsOf(options, localnet),
  ]);
  const atStart = reached(inServer, [server], isStatic);
  const atHelp = reached(inCli, [cli], isStatic);
  // The engine of streams, too, is on disk once: the worker and the CLI run it.
  const both = Object.keys(inWorker).filter((name) => name in inCli && !(name in inServer));
  const later = [...Object.keys(inServer), ...both].filter(
    (name) => SERVERS.test(name) && !atStart.has(name) && !atHelp.has(name),
  );
  const isLater = new Set(later);
  const common = Object.keys(inServer).filter(
    (name) => (ROOMS.test(name) || IN_PACKAGES.test(name)) && name in inCli && !isLater.has(name),
  );
  // Imports of a store's modules are in a store too: a second copy in the server's bundle would be another module.
  const shared = [...reached({ ...inWorker, ...inServer }, [...common, ...later])].filter(
    (name) => (SERVERS.test(name) || IN_PACKAGES.test(name)) && !isLater.has(name),
  );
  const lsp = new Set(
    [inServer, inClient].flatMap((inputs) => Object.keys(inputs).filter((name) => PROTOCOL.test(name))),
  );
  const wire = Object.keys(inLocalnet).filter((name) => WIRE.test(name) && (name in inServer || name in inNet));
  const isWire = new Set(wire);
  return {
    shared: shared.filter((name) => !isWire.has(name)).sort(),
    later: later.filter((name) => !isWire.has(name)).sort(),
    lsp: [...lsp].sort(),
    wire: wire.sort(),
  };
}

/** @typedef {import('esbuild').Metafile['inputs']} Inputs */
/** @typedef {Inputs[string]['imports'][number]} Import */

/**
 * @param {import('esbuild').BuildOptions} options
 * @param {string} entry
 * @returns {Promise<Inputs>}
 */
async function inputsOf(options, entry) {
  const { metafile } = await build({ ...options, entryPoints: [entry], write: false, metafile: true });
  const held = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((name) => !WIRE.test(name) || (inputs[name]?.bytesInOutput ?? 0) > 0),
  );
  const inputs = metafile?.inputs ?? {};
  // Inputs that contain only types are not part of the bundle.
  return Object.fromEntries(held.map((name) => [name, inputs[name] ?? { bytes: 0, imports: [] }]));
}

/** @param {Import} one */
const isStatic = ({ kind }) => kind !== 'dynamic-import';

/** A module's key in its store: its path, without the parts that nearly all have in common. @param {string} name */
const keyOf = (name) => JSON.stringify(name.replace(/^core\/|\.ts$/g, ''));

/**
 * The modules from which and to which these imports lead.
 * @param {Inputs} inputs
 * @param {readonly string[]} from
 * @param {(one: Import) => boolean} [follows] absent: all imports
 */
function reached(inputs, from, follows = () => true) {
  const found = new Set();
  const left = [...from];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name) || !(name in inputs)) continue;
    found.add(name);
    for (const one of inputs[name]?.imports ?? []) if (follows(one)) left.push(one.path);
  }
  return found;
}

/**
 * The bundle of a store: an object with a getter for each module.
 * @param {string} root
 * @param {readonly string[]} modules
 * @returns {import('esbuild').Plugin}
 */
export const storeEntry = (root, modules) => ({
  name: 'store-entry',
  setup(builder) {
    builder.onResolve({ filter: /^store$/ }, () => ({ path: 'store', namespace: 'store-entry' }));
    builder.onLoad({ filter: /.*/, namespace: 'store-entry' }, () => ({
      contents: `module.exports = {${modules
        .map((name) => `get ${keyOf(name)}() { return require(${JSON.stringify(`./${name}`)}); }`)
        .join(',')}};`,
      resolveDir: root,
      loader: 'js',
    }));
  },
});

/**
 * A module as a bundle takes it from a store. What our own modules export are constants here: the bundle then uses them
 * as it uses its own code, where a CommonJS module costs two calls of getters at each use.
 * @param {string} name
 * @param {string} store
 * @param {readonly string[]} names empty: what it exports is not known before it runs
 */
function taken(name, store, names) {
  const held = `require(${JSON.stringify(store)})[${keyOf(name)}]`;
  if (names.length === 0) return `module.exports = ${held};`;
  const named = names.filter((one) => one !== 'default').map((one) => `export const ${one} = held.${one};`);
  const unnamed = names.includes('default') ? ['export default held.default;'] : [];
  return [`const held = ${held};`, ...named, ...unnamed].join('\n');
}

/**
 * The names that an ECMAScript module exports as values.
 * @param {string} file
 * @returns {Promise<readonly string[]>} empty for a CommonJS module, and where it passes on all of another module
 */
async function exportsOf(file) {
  if (!(await isEsm(file))) return [];
  const { metafile, outputFiles } = await build({ entryPoints: [file], format: 'esm', write: false, metafile: true });
  if (/^export \*/m.test(outputFiles[0]?.text ?? '')) return [];
  return Object.values(metafile.outputs)[0]?.exports ?? [];
}

/** @param {string} file */
const isEsm = async (file) => /^(?:import|export)\b/m.test(await readFile(file, 'utf8'));

/**
 * Takes the modules of these stores from them, wherever one is imported.
 * @param {string} root
 * @param {Partial<Stores>} stores
 * @returns {import('esbuild').Plugin}
 */
export const fromStores = (root, stores) => ({
  name: 'from-stores',
  setup(builder) {
    const storeOf = new Map(
      Object.entries(stores).flatMap(([store, modules]) => modules.map((name) => [name, `./${store}.js`])),
    );
    builder.onResolve({ filter: new RegExp(`^\\.{1,2}/|${PACKAGES.source}`) }, async (args) => {
      if (args.pluginData === 'resolved' || args.namespace !== 'file') return undefined;
      const { importer, resolveDir, kind } = args;
      const found = await builder.resolve(args.path, { importer, resolveDir, kind, pluginData: 'resolved' });
      const name = path.relative(root, found.path).replaceAll('\\', '/');
      if (!storeOf.has(name)) return found;
      return { path: name, namespace: 'store', sideEffects: found.sideEffects };
    });
    builder.onResolve({ filter: /^\.\/\w+\.js$/, namespace: 'store' }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: /.*/, namespace: 'store' }, async ({ path: name }) => ({
      contents: taken(name, String(storeOf.get(name)), await exportsOf(path.join(root, name))),
      loader: 'js',
    }));
  },
});
