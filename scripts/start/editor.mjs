// Opens VS Code on the examples: the desktop's where there is one, else the real server build in the browser.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openFront } from '../editor/front.mjs';
import { installServer } from '../editor/install.mjs';
import { findProgram, runQuietly } from '../editor/run.mjs';
import { installVsix, profileIn, startServer, writeSettings } from '../editor/server.mjs';
import { packageExtension } from '../package.mjs';
import { ENGINES } from '../vsix.mjs';

/**
 * A copy of the examples to play with: what is there already stays as it is.
 * @param {string} root
 */
export async function playground(root) {
  const folder = path.join(root, 'out', 'playground');
  await mkdir(folder, { recursive: true });
  await cp(path.join(root, 'examples'), folder, { recursive: true, force: false });
  return folder;
}

/**
 * The desktop's VS Code with the extension from this checkout.
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<boolean>} false where there is none
 */
export async function openDesktop(root, folder) {
  const code = findProgram('code') ?? findProgram('codium');
  // Inside a remote terminal `code` talks to a window elsewhere, which takes no extension from this machine.
  const remote = process.env['VSCODE_IPC_HOOK_CLI'] !== undefined;
  if (code === undefined || remote || !hasDisplay()) return false;
  await runQuietly(code, ['--new-window', `--extensionDevelopmentPath=${root}`, folder]);
  return true;
}

/**
 * VS Code in the browser, with the packaged extension in a profile that is gone afterwards.
 * @param {string} folder
 * @param {(text: string) => void} say
 * @returns {Promise<{ url: string, ended: import('../editor/server.mjs').Server['ended'], stop(): Promise<void> }>}
 */
export async function openInBrowser(folder, say) {
  const editor = { ...(await installServer(say)), browser: '' };
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-start-'));
  /** @type {(() => unknown)[]} */
  const undo = [() => rm(temporary, { recursive: true, force: true, maxRetries: 5 })];
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one();
  };
  try {
    const profile = profileIn(temporary);
    // The folder is this checkout's own: no question whether it is to be trusted.
    await writeSettings(profile, { 'security.workspace.trust.enabled': false });
    const target = `${process.platform}-${process.arch}`;
    const file = path.join(temporary, 'workbench.vsix');
    say('installing the extension into it');
    await packageExtension({ file, ...(ENGINES.has(target) ? { target } : {}) });
    await installVsix(editor, profile, file);
    const token = randomBytes(16).toString('hex');
    const tokenFile = path.join(temporary, 'token');
    await writeFile(tokenFile, token, { mode: 0o600 });
    const server = await startServer(editor, profile, { tokenFile });
    undo.push(() => server.stop());
    const front = await openFront(server.port);
    undo.push(() => front.close());
    const url = `${front.origin}/?tkn=${token}&folder=${encodeURIComponent(folder)}`;
    if (hasDisplay()) showInBrowser(url);
    return { url, ended: server.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined;
}

/** @param {string} url */
function showInBrowser(url) {
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  // The address is printed too: where no browser opens, a person opens it.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
