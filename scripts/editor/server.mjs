// Starts the installed VS Code server on a free loopback port with a separate profile, and ends all it started.
// Nothing it does leaves loopback: it knows no gallery, and telemetry is off.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runQuietly } from './run.mjs';

/** Settings of every profile here: no greetings, no telemetry, no look for updates. */
const QUIET_SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.editor.useModal': 'off',
};

/**
 * Where a profile is kept. Each run has its own, so that two never meet.
 * @typedef {{ readonly data: string, readonly extensions: string }} Profile
 */

/**
 * @param {string} folder an empty or missing folder
 * @returns {Profile}
 */
export const profileIn = (folder) => ({
  data: path.join(folder, 'data'),
  extensions: path.join(folder, 'extensions'),
});

/**
 * Writes user settings, before the editor starts and reads them.
 * @param {Profile} profile
 * @param {Readonly<Record<string, unknown>>} settings go over the quiet ones
 */
export async function writeSettings(profile, settings) {
  const user = path.join(profile.data, 'data', 'User');
  await mkdir(user, { recursive: true });
  await mkdir(profile.extensions, { recursive: true });
  await writeFile(path.join(user, 'settings.json'), JSON.stringify({ ...QUIET_SETTINGS, ...settings }, undefined, 2));
}

/**
 * Installs a VSIX into a profile, as a person's *Install from VSIX* does.
 * @param {import('./install.mjs').Editor} editor
 * @param {Profile} profile
 * @param {string} vsix
 */
export async function installVsix(editor, profile, vsix) {
  const args = [editor.serverMain, '--install-extension', vsix, ...profileArgs(profile)];
  await runQuietly(editor.node, args, { env: editorEnvironment({}) });
}

/** How a server ended: its exit code, if it was not killed, and its last lines. */
/** @typedef {{ readonly code: number | null, readonly text: string }} Ended */
/** @typedef {{ readonly port: number, readonly origin: string, readonly ended: Promise<Ended>, stop(): Promise<void> }} Server */

/**
 * @param {import('./install.mjs').Editor} editor
 * @param {Profile} profile with its settings written
 * @param {{ env?: NodeJS.ProcessEnv, tokenFile?: string, reconnectionGrace?: number, trustsAll?: boolean }} [options] `env`
 *   is passed on to the extension host; `tokenFile` holds what a person's browser must show. Without it (tests) the server also
 *   listens to a driver. `reconnectionGrace`: seconds that an extension host waits for a page that is gone. `trustsAll`: no
 *   window is ever restricted. (The setting alone may come too late for a window that is loaded again.)
 * @returns {Promise<Server>} when it listens; rejects with its last lines when it ends before
 */
export async function startServer(editor, profile, { env = {}, tokenFile, reconnectionGrace, trustsAll = false } = {}) {
  const child = spawn(
    editor.node,
    [
      editor.serverMain,
      ...['--host', '127.0.0.1', '--port', '0', '--accept-server-license-terms'],
      // Without the driver flag a built VS Code ignores the page parameters that name the extension under test.
      ...(tokenFile === undefined
        ? ['--without-connection-token', '--enable-smoke-test-driver']
        : ['--connection-token-file', tokenFile]),
      ...(reconnectionGrace === undefined ? [] : ['--reconnection-grace-time', String(reconnectionGrace)]),
      ...(trustsAll ? ['--disable-workspace-trust'] : []),
      // Should this process be killed hard, the server ends by itself five minutes after its last page.
      '--enable-remote-auto-shutdown',
      ...['--telemetry-level', 'off'],
      ...profileArgs(profile),
    ],
    { env: editorEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' },
  );
  let tail = '';
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, text: error.message }));
    child.on('close', (code, signal) =>
      resolve({ code, text: `the editor's server ended with ${signal ?? String(code)}\n${tail}` }),
    );
  });
  /** @type {Promise<number>} */
  const listening = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        tail = (tail + String(chunk)).slice(-4000);
        const port = /Extension host agent listening on (\d+)/.exec(tail)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
  });
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child, 'SIGKILL');
  };
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async () => {
    kill();
    await ended;
  };
  const first = await Promise.race([listening, ended]);
  if (typeof first !== 'number') throw new Error(first.text);
  return { port: first, origin: `http://127.0.0.1:${first}`, ended, stop };
}

/** @param {Profile} profile */
const profileArgs = (profile) => ['--server-data-dir', profile.data, '--extensions-dir', profile.extensions];

/**
 * The environment of the editor and its extension host: no gallery, no marks of a test runner or of an editor around this run,
 * and none of the variables that may hold a key.
 *
 * `VSCODE_CLI` says that it comes from a terminal, so that no part of the editor starts a login shell to ask for the
 * environment. (`--force-disable-user-env` says so to the extension host alone; terminals ask all the same.) Such a shell
 * outlives the editor, and when it is killed halfway may leave a lock for which the next ones wait (pyenv: a minute).
 * @param {NodeJS.ProcessEnv} extra
 */
function editorEnvironment(extra) {
  const unwanted = /^(NODE_TEST_CONTEXT|NODE_OPTIONS|VSCODE_(?!TEST_).*|ELECTRON_.*|npm_.*|SOLANA_.*)$/;
  const own = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
  return { ...Object.fromEntries(own), EXTENSIONS_GALLERY: '{}', VSCODE_CLI: '1', ...extra };
}

/**
 * Ends a child together with the extension hosts it forked.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
