// Which test files a change can reach: through what they import, through the bundles that they start, and through files that
// they read by name.
import { build } from 'esbuild';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { filesOf, LAYERS } from './layers.mjs';

/**
 * @typedef {object} Graph paths with `/`, relative to the root
 * @property {Readonly<Record<string, readonly string[]>>} imports of each file that a test reaches
 * @property {Readonly<Record<string, readonly string[]>>} inputs of each bundle, by the name of its file without `.js`
 * @property {ReadonlyMap<string, string>} texts of the files that tests reach
 * @property {readonly { readonly file: string, readonly layer: string }[]} tests
 */

/** Bundles that load others while they run; what is not here loads none. A page is a part of the editor. */
const LOADS = ['cli', 'server', 'shared', 'later', 'lsp', 'wire', 'net', 'grpc', 'mcp', 'streamWorker', 'localnet'];
/** @type {Readonly<Record<string, readonly string[]>>} */
const STARTED = { cli: LOADS, server: LOADS, net: ['net', 'grpc', 'shared', 'wire'], localnet: ['localnet', 'wire'] };

/** Reads the graph of a checkout whose bundles were just built. @param {string} root @returns {Promise<Graph>} */
export async function graphOf(root) {
  const tests = (
    await Promise.all(
      Object.keys(LAYERS).map(async (layer) =>
        (await filesOf(root, layer)).map((file) => ({ file: file.replaceAll('\\', '/'), layer })),
      ),
    )
  ).flat();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: tests.map(({ file }) => file),
    outdir: 'out/reach',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    loader: { '.css': 'empty' },
    logOverride: { 'empty-import-meta': 'silent' },
    logLevel: 'error',
  });
  const imports = Object.fromEntries(
    Object.entries(metafile.inputs).map(([file, input]) => [
      file,
      input.imports.filter(({ external }) => external !== true).map((one) => one.path),
    ]),
  );
  const texts = await Promise.all(
    Object.keys(imports).map(
      async (file) => /** @type {const} */ ([file, await readFile(path.join(root, file), 'utf8')]),
    ),
  );
  const meta = path.join(root, 'dist', 'meta');
  const bundles = await Promise.all(
    (await readdir(meta)).map(async (name) => {
      const { inputs } = JSON.parse(await readFile(path.join(meta, name), 'utf8'));
      return [path.basename(name, '.json'), Object.keys(inputs)];
    }),
  );
  return { imports, inputs: Object.fromEntries(bundles), texts: new Map(texts), tests };
}

/**
 * The test files that a change can reach. Those of `package` look at the whole tree: any change reaches them.
 * @param {Graph} graph
 * @param {readonly string[]} changed files, with `/`, relative to the root
 * @returns {readonly string[]}
 */
export function reachedBy({ imports, inputs, texts, tests }, changed) {
  const isChanged = new Set(changed);
  // Files that no test imports and no bundle contains are read by name, or found in their folder.
  const known = new Set([...Object.keys(imports), ...Object.values(inputs).flat()]);
  const names = changed
    .filter((file) => !known.has(file))
    .flatMap((file) => [`${path.posix.basename(file)}`, ...(file.includes('/') ? [`'${file.split('/')[0]}'`] : [])]);
  const changedBundles = new Set(
    Object.entries(inputs)
      .filter(([, files]) => files.some((file) => isChanged.has(file)))
      .map(([name]) => name),
  );
  return tests
    .filter(({ file, layer }) => {
      if (layer === 'package') return changed.length > 0;
      if (LAYERS[layer]?.editor === true && changedBundles.size > 0) return true;
      const sources = closure(imports, file);
      if ([...sources].some((source) => isChanged.has(source))) return true;
      const text = [...sources].map((source) => texts.get(source) ?? '').join('\n');
      const started = Object.keys(STARTED).filter((name) => text.includes(`'dist', '${name}.js'`));
      const bundles = started.flatMap((name) => STARTED[name] ?? []);
      return bundles.some((name) => changedBundles.has(name)) || names.some((name) => text.includes(name));
    })
    .map(({ file }) => file);
}

/**
 * A file and all that it imports.
 * @param {Graph['imports']} imports
 * @param {string} first
 */
function closure(imports, first) {
  const found = new Set([first]);
  for (const file of found) for (const one of imports[file] ?? []) found.add(one);
  return found;
}
