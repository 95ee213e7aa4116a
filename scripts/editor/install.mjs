// Puts a real VS Code (server and web workbench) into the per-user cache, from the package registry alone.
// A second run finds it there. `node scripts/editor/install.mjs` installs without running anything.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './lock.mjs';
import {
  CODE_SERVER,
  NATIVE_MODULES,
  VSCODE_VERSION,
  editorFiles,
  editorFolder,
  nodePackage,
  thisPlatform,
} from './parts.mjs';
import { findHeadlessBrowser, headersFolder, needPrerequisites, offerHeadlessShell } from './prerequisites.mjs';
import { endWith, isMain, runQuietly } from './run.mjs';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const QUIET = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];

/**
 * An editor that is ready to start.
 * @typedef {{ readonly node: string, readonly serverMain: string, readonly browser: string }} Editor
 */

/**
 * Installs the editor when it is not there yet, and finds the browser to show it.
 * @param {(text: string) => void} [say] takes progress lines
 * @returns {Promise<Editor>} rejects with one sentence when the machine lacks something
 */
export async function installEditor(say = tell) {
  await needPrerequisites({ compiler: !isReady(), browser: true, say });
  await offerHeadlessShell(say);
  return { ...(await installServer(say)), browser: findHeadlessBrowser() ?? '' };
}

/**
 * Installs the server alone, for people who have a browser.
 * @param {(text: string) => void} [say]
 * @returns {Promise<Pick<Editor, 'node' | 'serverMain'>>}
 */
export async function installServer(say = tell) {
  const folder = editorFolder();
  await needPrerequisites({ compiler: !isReady(), browser: false, say });
  if (!isReady()) {
    await mkdir(path.dirname(folder), { recursive: true });
    await withLock(`${folder}.lock`, say, async () => {
      if (!isReady()) await download(folder, say);
    });
  }
  const { node, serverMain } = editorFiles(folder);
  return { node, serverMain };
}

const isReady = () => existsSync(path.join(editorFolder(), 'ready.json'));

/**
 * Builds everything next to the final place and moves it there whole, so that a broken run leaves nothing half done.
 * @param {string} folder
 * @param {(text: string) => void} say
 */
async function download(folder, say) {
  const node = nodePackage(thisPlatform);
  if (node === undefined) throw new Error(`The editor of the tests has no Node for ${thisPlatform}.`);
  const started = performance.now();
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await writeFile(path.join(building, 'package.json'), '{ "private": true }\n');
  const env = withoutNpmSettings();

  say(`installing VS Code ${VSCODE_VERSION} into ${folder} (once per machine, about 750 MB)`);
  say('1/3 server, workbench and its Node');
  const packages = [CODE_SERVER, `${node.name}@${node.version}`];
  await runQuietly(npm, ['install', '--ignore-scripts', ...QUIET, ...packages], { cwd: building, env });
  const { vscode } = editorFiles(building);
  say("2/3 the server's packages");
  await runQuietly(npm, ['install', '--omit=dev', '--ignore-scripts', ...QUIET], { cwd: vscode, env });
  say('3/3 building native modules');
  const headers = headersFolder();
  const buildEnv = headers === undefined ? env : { ...env, npm_config_nodedir: headers };
  await runQuietly(npm, ['rebuild', ...QUIET, ...NATIVE_MODULES], { cwd: vscode, env: buildEnv });

  await writeFile(path.join(building, 'ready.json'), JSON.stringify({ version: VSCODE_VERSION }));
  await rm(folder, { recursive: true, force: true });
  await rename(building, folder);
  say(`installed in ${Math.round((performance.now() - started) / 1000)} s`);
}

/** An npm script hands its own settings to children; only those that say where packages come from are wanted here. */
function withoutNpmSettings() {
  const kept = /^npm_config_(registry|.*proxy|cafile|ca|userconfig|globalconfig|cache|nodedir|strict_ssl)$/i;
  return Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^npm_/i.test(name) && !kept.test(name))
      .map((name) => [name, undefined]),
  );
}

/** @param {string} text */
function tell(text) {
  process.stderr.write(`editor: ${text}\n`);
}

if (isMain(import.meta.url)) endWith(installEditor().then(() => tell('ready')));
