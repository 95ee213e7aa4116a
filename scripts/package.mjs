// `npm run package`: writes the universal VSIX, the one with this platform's LiteSVM and the npm package into out/.
// `-- --target linux-arm64` packages for another platform, `-- --target universal` only the one without the engine.
import { createHash } from 'node:crypto';
import { appendFile, chmod, cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endWith, isMain, runQuietly } from './editor/run.mjs';
import { cratesIn, nativeNotices } from './native.mjs';
import { BESIDE, bundledPackages, NOTICES } from './notices.mjs';
import { packNpm } from './npmPackage.mjs';
import { materialsText, SBOM } from './sbom.mjs';
import { sourceSeconds } from './sourceDate.mjs';
import { ALLOWED, ENGINES, NOT_IN_MANIFEST, PAGE } from './vsix.mjs';

const root = path.join(import.meta.dirname, '..');
/** The one file that is executed by its name. */
const PROGRAM = 'cli.js';

/**
 * The binary of a VSIX: its package's folder, as package-lock.json calls it, and what is inside.
 * @typedef {{ readonly folder: string, readonly crates: readonly import('./native.mjs').Crate[] }} Native
 */

/**
 * The allow-listed files of the checkout, sorted, with forward slashes.
 * @returns {Promise<string[]>} rejects when a required file is missing
 */
export async function allowedFiles() {
  /** @type {string[]} */
  const files = [];
  for (const { folder, endings, recursive = false, required = [], except = [] } of ALLOWED) {
    const entries = await readdir(path.join(root, folder), { recursive, withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => path.relative(path.join(root, folder), path.join(entry.parentPath, entry.name)))
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => !except.includes(name));
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new Error(`Missing in ${folder}: ${missing.join(', ')}. Run \`npm run build\` first.`);
    files.push(...names.map((name) => path.posix.join(folder, name)));
  }
  return files.sort();
}

/**
 * Packages what is built in dist/.
 * @param {{ target?: string, file: string }} options without a target: the universal VSIX, without LiteSVM
 * @returns {Promise<{ file: string, bytes: number }>}
 */
export async function packageExtension({ target, file }) {
  const staging = `${file}.staging`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  try {
    for (const name of await allowedFiles())
      await cp(path.join(root, name), path.join(staging, name === PAGE ? 'README.md' : name));
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    for (const name of NOT_IN_MANIFEST) delete manifest[name];
    await writeFile(path.join(staging, 'package.json'), JSON.stringify(manifest, undefined, 2));
    // vsce requires a list; here the folder itself is the list.
    await writeFile(path.join(staging, '.vscodeignore'), '');
    const native = target === undefined ? undefined : await addEngine(staging, target);
    await writeFile(path.join(staging, SBOM), await materialsOf(native));
    await setModes(staging);
    await createVsix({
      cwd: staging,
      packagePath: file,
      dependencies: false,
      ...(target === undefined ? {} : { target }),
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return { file, bytes: (await stat(file)).size };
}

/**
 * An archive has the modes of its files, and those of a checkout follow from the mask of the user who made it.
 * @param {string} folder
 */
async function setModes(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile()) await chmod(path.join(entry.parentPath, entry.name), entry.name === PROGRAM ? 0o755 : 0o644);
}

/**
 * The bill of materials of a VSIX.
 * @param {Native} [native] absent: without LiteSVM
 */
async function materialsOf(native) {
  const bundled = await bundledPackages();
  if (native === undefined) return materialsText({ folders: bundled.filter((folder) => !BESIDE.includes(folder)) });
  const { folder, crates } = native;
  return materialsText({ folders: [...bundled, folder], crates: new Map([[folder, crates]]) });
}

/**
 * vsce prints a lot: it runs in a separate process, whose last lines are shown when it fails. Every file in
 * the archive gets the time of the commit.
 * @param {Readonly<Record<string, unknown>>} options what vsce's createVSIX takes
 */
function createVsix(options) {
  const script = "import('@vscode/vsce').then(({ createVSIX }) => createVSIX(JSON.parse(process.argv[1])))";
  const seconds = sourceSeconds();
  const env = seconds === undefined ? process.env : { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  return runQuietly(process.execPath, ['--eval', script, JSON.stringify(options)], { cwd: root, env });
}

/**
 * Puts LiteSVM where `require` from dist/localnet.js finds it: its loader and the platform's binary, without its other
 * dependencies. The notices list what the binary contains.
 * @param {string} staging
 * @param {string} target
 * @returns {Promise<Native>}
 */
async function addEngine(staging, target) {
  const engine = ENGINES.get(target);
  if (engine === undefined)
    throw new Error(`No local service's engine for ${target}. Targets: universal, ${[...ENGINES.keys()].join(', ')}`);
  const modules = path.join(staging, 'dist', 'node_modules');
  const loader = path.join(root, 'node_modules', 'litesvm');
  for (const name of ['package.json', 'dist/internal.js'])
    await cp(path.join(loader, name), path.join(modules, 'litesvm', name));

  const { version } = JSON.parse(await readFile(path.join(loader, 'package.json'), 'utf8'));
  const installed = path.join(root, 'node_modules', engine);
  const present = await stat(installed).then(
    () => true,
    () => false,
  );
  const source = present ? installed : await fetchPackage(engine, version, staging);
  const names = await readdir(source);
  const binary = names.find((name) => name.endsWith('.node'));
  if (binary === undefined) throw new Error(`${engine} holds no binary.`);
  for (const name of ['package.json', binary]) await cp(path.join(source, name), path.join(modules, engine, name));
  const crates = cratesIn(await readFile(path.join(source, binary)));
  const section = nativeNotices(`${engine} ${version}`, crates);
  await appendFile(path.join(staging, 'dist', NOTICES), `\n\n${section}\n`);
  return { folder: `node_modules/${engine}`, crates };
}

/**
 * Another platform's package, which npm does not install here; rejects where it is not the one of package-lock.json.
 * @param {string} name
 * @param {string} version
 * @param {string} staging
 */
async function fetchPackage(name, version, staging) {
  const folder = `${staging}.package`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await runQuietly(npm, ['pack', `${name}@${version}`, '--pack-destination', folder], { cwd: folder });
  const [archive = ''] = await readdir(folder);
  await requireLocked(name, await readFile(path.join(folder, archive)));
  await runQuietly('tar', ['-xzf', archive], { cwd: folder });
  return path.join(folder, 'package');
}

/**
 * Throws where an archive is not the one whose hash package-lock.json has.
 * @param {string} name
 * @param {Uint8Array} archive
 */
export async function requireLocked(name, archive) {
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const expected = packages[`node_modules/${name}`]?.integrity;
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (expected !== found) throw new Error(`${name} is not the package that package-lock.json names.`);
}

async function main() {
  const at = process.argv.indexOf('--target');
  const asked = at < 0 ? undefined : process.argv[at + 1];
  const here = `${process.platform}-${process.arch}`;
  const targets = asked === undefined ? ['universal', ...(ENGINES.has(here) ? [here] : [])] : [asked];
  const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await mkdir(path.join(root, 'out'), { recursive: true });
  await runQuietly(process.execPath, ['esbuild.mjs'], { cwd: root });
  for (const target of targets) {
    const file = path.join(root, 'out', `${name}-${version}${target === 'universal' ? '' : `-${target}`}.vsix`);
    const { bytes } = await packageExtension({ file, ...(target === 'universal' ? {} : { target }) });
    say(file, bytes);
  }
  if (asked !== undefined) return;
  const { file, bytes } = await packNpm(path.join(root, 'out'));
  say(file, bytes);
}

/**
 * @param {string} file
 * @param {number} bytes
 */
function say(file, bytes) {
  process.stdout.write(`${path.relative(root, file)}  ${(bytes / 1e6).toFixed(2)} MB\n`);
}

if (isMain(import.meta.url)) endWith(main());
