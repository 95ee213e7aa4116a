// The npm package of the terminal command: the bundles that it runs, LiteSVM's loader, its bill of materials and a separate
// manifest, made from package.json. Publishes nothing.
import { cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runQuietly } from './editor/run.mjs';
import { bundledPackages } from './notices.mjs';
import { materialsText, SBOM } from './sbom.mjs';
import { ENGINES } from './vsix.mjs';

const root = path.join(import.meta.dirname, '..');

/** The bundles that `dist/cli.js` loads or starts; the editor's own stay out. */
export const BUNDLES = [
  'cli.js',
  'server.js',
  'shared.js',
  'later.js',
  'lsp.js',
  'wire.js',
  'streamWorker.js',
  'net.js',
  'grpc.js',
  'mcp.js',
  'convert.js',
  'localnet.js',
];

/** The package's members that are those of package.json. */
const SHARED = ['name', 'version', 'description', 'license', 'repository', 'homepage', 'bugs', 'keywords'];

/** LiteSVM's loader. The rest of that package pulls in client libraries that the loader does not need. */
const LOADER = { name: 'litesvm', files: ['dist/internal.js'] };

/**
 * The manifest: both names of the command, so that `npx solana-rpc-workbench` runs it too, and LiteSVM's binaries as
 * optional packages, since Windows has none.
 * @param {Record<string, unknown> & { engines: { node: string } }} manifest package.json
 */
export function npmManifest(manifest) {
  const { [LOADER.name]: version } = /** @type {Record<string, string>} */ (manifest['dependencies']);
  return {
    ...Object.fromEntries(SHARED.map((name) => [name, manifest[name]])),
    bin: { 'solana-rpc': 'dist/cli.js', 'solana-rpc-workbench': 'dist/cli.js' },
    engines: { node: manifest.engines.node },
    files: ['dist', SBOM],
    dependencies: { [LOADER.name]: version },
    bundleDependencies: [LOADER.name],
    optionalDependencies: Object.fromEntries([...ENGINES.values()].sort().map((name) => [name, version])),
  };
}

/**
 * Packs what is built in dist/.
 * @param {string} folder where the tarball goes
 * @returns {Promise<{ file: string, bytes: number, names: string[] }>} `names`: the files inside, sorted
 */
export async function packNpm(folder) {
  const staging = path.join(folder, 'npm.staging');
  await rm(staging, { recursive: true, force: true });
  await mkdir(path.join(staging, 'dist'), { recursive: true });
  try {
    for (const name of [...BUNDLES, 'THIRD_PARTY_NOTICES.txt'])
      await cp(path.join(root, 'dist', name), path.join(staging, 'dist', name));
    await cp(path.join(root, 'LICENSE'), path.join(staging, 'LICENSE'));
    await cp(path.join(root, 'docs', 'cli.md'), path.join(staging, 'README.md'));
    const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    await writeFile(path.join(staging, 'package.json'), `${JSON.stringify(npmManifest(own), undefined, 2)}\n`);
    await writeFile(path.join(staging, SBOM), await materialsText({ folders: await bundledPackages(BUNDLES) }));
    await addLoader(path.join(staging, 'node_modules', LOADER.name));
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await runQuietly(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: staging });
    const file = path.join(folder, `${own.name}-${own.version}.tgz`);
    return { file, bytes: (await stat(file)).size, names: await namesIn(staging) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** @param {string} target LiteSVM's place in the package */
async function addLoader(target) {
  const source = path.join(root, 'node_modules', LOADER.name);
  for (const name of LOADER.files) await cp(path.join(source, name), path.join(target, name));
  const { name, version, license } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
  await writeFile(path.join(target, 'package.json'), `${JSON.stringify({ name, version, license }, undefined, 2)}\n`);
}

/** @param {string} folder */
async function namesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
