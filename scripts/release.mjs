// `npm run release`: builds every package, writes checksums and the bill of materials next to them, and publishes.
// `-- --dry-run` shows what would go where and publishes nothing; `--from FOLDER` publishes what a dry run has built there.
// `--targets LIST` builds some of the VSIX alone, `--out FOLDER` puts all of it elsewhere, `--built` packs dist/ as it is.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, isMain, runQuietly } from './editor/run.mjs';
import { git } from './git.mjs';
import { bundledPackages } from './notices.mjs';
import { packNpm } from './npmPackage.mjs';
import { packageExtension } from './package.mjs';
import { materialsText, SBOM } from './sbom.mjs';
import { sourceSeconds } from './sourceDate.mjs';
import { ENGINES } from './vsix.mjs';

const root = path.join(import.meta.dirname, '..');
const UNIVERSAL = 'universal';
const SUMS = 'SHA256SUMS';

/**
 * Where a release goes. `ending`: of the files it takes; `token`: the variable that holds its key, which its program reads
 * from the environment.
 * @typedef {{ readonly name: string, readonly ending: string, readonly token: string,
 *   readonly command: (files: readonly string[]) => readonly string[] }} Place
 */

/** @type {readonly Place[]} */
export const PLACES = [
  {
    name: 'npm',
    ending: '.tgz',
    // npm asks the build server who publishes (trusted publishing): no long-lived token exists.
    token: 'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    command: (files) => ['npm', 'publish', ...files, '--access', 'public', '--provenance', '--ignore-scripts'],
  },
  {
    name: 'Visual Studio Marketplace',
    ending: '.vsix',
    token: 'VSCE_PAT',
    command: (files) => ['npx', '--no-install', 'vsce', 'publish', '--skip-duplicate', '--packagePath', ...files],
  },
  {
    name: 'Open VSX',
    ending: '.vsix',
    token: 'OVSX_PAT',
    command: (files) => ['npx', '--yes', 'ovsx@1.3.0', 'publish', '--skip-duplicate', ...files],
  },
];

/**
 * Why this checkout may not be published; empty where it may.
 * @param {{ version: string, status: string, tags: readonly string[], environment: NodeJS.ProcessEnv }} state
 *   `status`: of `git status --porcelain`; `tags`: those of the commit
 */
export function refusals({ version, status, tags, environment }) {
  const missing = PLACES.filter(({ token }) => (environment[token] ?? '') === '').map(({ token }) => token);
  return [
    ...(status.trim() === '' ? [] : ['The working tree has changes that are not committed.']),
    ...(tags.includes(`v${version}`) ? [] : [`The commit is not tagged v${version}.`]),
    ...(missing.length === 0 ? [] : [`Not in the environment: ${missing.join(', ')}.`]),
  ];
}

/**
 * Builds all files of a release into an empty folder.
 * @param {string} folder
 * @param {readonly string[]} targets of the VSIX
 * @returns {Promise<string[]>} their names: packages first, then the bill of materials and the checksums
 */
async function buildRelease(folder, targets) {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  if (sourceSeconds() === undefined) throw new Error('Without git, SOURCE_DATE_EPOCH says when the release was made.');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  /** @type {string[]} */
  const names = [];
  for (const target of targets) {
    const name = `${manifest.name}-${manifest.version}${target === UNIVERSAL ? '' : `-${target}`}.vsix`;
    await packageExtension({ file: path.join(folder, name), ...(target === UNIVERSAL ? {} : { target }) });
    names.push(name);
  }
  const { file } = await packNpm(folder);
  names.push(path.basename(file));
  const folders = [...(await bundledPackages()), ...[...ENGINES.values()].map((name) => `node_modules/${name}`)];
  await writeFile(path.join(folder, SBOM), await materialsText({ folders }));
  names.push(SBOM);
  const sums = await Promise.all(names.map(async (name) => `${await sha256(path.join(folder, name))}  ${name}\n`));
  await writeFile(path.join(folder, SUMS), sums.join(''));
  return [...names, SUMS];
}

/** @param {string} file */
const sha256 = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/**
 * The commands that publish each file.
 * @param {readonly string[]} names
 */
const planOf = (names) =>
  PLACES.map((place) => ({ place, command: place.command(names.filter((name) => name.endsWith(place.ending))) }));

/**
 * The names of a release that was built before, if every file is what its checksum says.
 * @param {string} folder
 * @param {string} version
 */
async function builtRelease(folder, version) {
  const lines = (await readFile(path.join(folder, SUMS), 'utf8')).trimEnd().split('\n');
  const names = await Promise.all(
    lines.map(async (line) => {
      const [, sum, name = ''] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
      if (sum === undefined || sum !== (await sha256(path.join(folder, name))))
        throw new Error(`Nothing was published: ${name === '' ? SUMS : name} is not what was built.`);
      return name;
    }),
  );
  const other = names.filter((name) => name !== SBOM && !name.includes(`-${version}`));
  if (other.length > 0) throw new Error(`Nothing was published: ${other.join(', ')} is not of version ${version}.`);
  return [...names, SUMS];
}

const KNOWN = [UNIVERSAL, ...ENGINES.keys()];

async function main() {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      from: { type: 'string' },
      targets: { type: 'string', default: KNOWN.join(',') },
      out: { type: 'string', default: path.join('out', 'release') },
    },
  });
  const isDry = values['dry-run'];
  const targets = values.targets.split(',');
  const unknown = targets.filter((target) => !KNOWN.includes(target));
  if (unknown.length > 0) throw new Error(`Unknown target: ${unknown.join(', ')}. Targets: ${KNOWN.join(', ')}`);
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  if (!isDry) requireReady(version, targets, values.built);
  const folder = path.resolve(root, values.from ?? values.out);
  if (values.from === undefined && !values.built) await runQuietly(process.execPath, ['esbuild.mjs'], { cwd: root });
  const names = values.from === undefined ? await buildRelease(folder, targets) : await builtRelease(folder, version);
  process.stdout.write(`${path.relative(root, folder)}\n${await readFile(path.join(folder, SUMS), 'utf8')}\n`);
  for (const { place, command } of planOf(names)) {
    const verb = isDry ? 'Would publish' : 'Publishing';
    process.stdout.write(`${verb} to ${place.name} (${place.token}):\n  ${command.join(' ')}\n`);
    if (!isDry) publish(place, command, folder);
  }
  if (isDry) process.stdout.write('Dry run: nothing was published.\n');
}

/**
 * Throws with every reason why this checkout may not be published.
 * @param {string} version
 * @param {readonly string[]} targets
 * @param {boolean} isBuilt whether dist/ would be taken as it is
 */
function requireReady(version, targets, isBuilt) {
  const status = git(root, 'status', '--porcelain');
  const tags = git(root, 'tag', '--points-at', 'HEAD').split('\n');
  const reasons = refusals({ version, status, tags, environment: process.env });
  if (targets.length < KNOWN.length) reasons.push('A release has every target: leave out --targets.');
  if (isBuilt) reasons.push('A release is built from its commit: leave out --built.');
  if (reasons.length === 0) return;
  const list = reasons.map((reason) => `  ${reason}\n`).join('');
  throw new Error(`Nothing was published.\n${list}--dry-run builds and shows everything without any of this.`);
}

/**
 * Each place is handed its own token alone.
 * @param {Place} place
 * @param {readonly string[]} command
 * @param {string} folder of the files
 */
function publish({ token }, [program = '', ...args], folder) {
  const others = PLACES.map((place) => place.token).filter((name) => name !== token);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.includes(name)));
  execFileSync(program, args, { cwd: folder, stdio: 'inherit', env });
}

if (isMain(import.meta.url)) endWith(main());
