// Makes sure that node_modules is what package-lock.json says, and test/node_modules what test/package.json says; installs
// only when it is not.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { endWith, isMain, runQuietly } from './editor/run.mjs';

/** @typedef {{ readonly version?: string, readonly optional?: boolean, readonly dev?: boolean }} Locked */

/**
 * True if node_modules has every package of the lock file in its version; platform packages may be missing.
 * @param {string} root the checkout
 */
export async function packagesAreInstalled(root) {
  const wanted = await locked(path.join(root, 'package-lock.json'));
  const present = await locked(path.join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === '' || present[name]?.version === version || (optional === true && present[name] === undefined),
  );
}

/** The command that installs them: exactly the lock file's versions. */
export const INSTALL = {
  command: process.platform === 'win32' ? 'npm.cmd' : 'npm',
  args: ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
};

/**
 * True if test/node_modules has the public clients of test/package.json in their versions.
 * @param {string} root the checkout
 */
export async function clientsAreInstalled(root) {
  const wanted = JSON.parse(await readFile(path.join(root, 'test', 'package.json'), 'utf8'));
  const present = await locked(path.join(root, 'test', 'node_modules', '.package-lock.json'));
  return Object.entries(wanted.dependencies).every(
    ([name, version]) => present[`node_modules/${name}`]?.version === version,
  );
}

/**
 * The command that installs them; their versions are exact. Without a lock file: see test/package.json. Their own
 * dependencies stay inside them, where they do not hide the product's from the tests; none of their install scripts run.
 */
export const INSTALL_CLIENTS = {
  command: INSTALL.command,
  args: [
    'install',
    '--prefix',
    'test',
    '--install-strategy=shallow',
    '--omit=peer',
    '--ignore-scripts',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ],
};

/**
 * @param {string} file
 * @returns {Promise<Readonly<Record<string, Locked>>>} empty when the file is missing
 */
async function locked(file) {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const { packages } = /** @type {{ packages?: Record<string, Locked> }} */ (JSON.parse(text));
  return packages ?? {};
}

/**
 * Installs the lock file's packages when they are not there.
 * @param {string} root
 * @param {(text: string) => void} say
 * @returns {Promise<void>} rejects with npm's last lines
 */
export async function ensurePackages(root, say) {
  if (await packagesAreInstalled(root)) return;
  say('installing packages (npm ci)');
  await runQuietly(INSTALL.command, INSTALL.args, { cwd: root });
}

/**
 * Installs the public clients that the tests run when they are not there.
 * @param {string} root
 * @param {(text: string) => void} say
 * @returns {Promise<void>} rejects with npm's last lines
 */
async function ensureClients(root, say) {
  if (await clientsAreInstalled(root)) return;
  say('installing the public clients that the tests run');
  await runQuietly(INSTALL_CLIENTS.command, INSTALL_CLIENTS.args, { cwd: root });
}

if (isMain(import.meta.url)) {
  const root = path.join(import.meta.dirname, '..');
  const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);
  endWith(ensurePackages(root, say).then(() => ensureClients(root, say)));
}
