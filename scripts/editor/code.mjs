#!/usr/bin/env node
// Stands in for the desktop's `code` in a test run: takes the same flags, starts the real editor as server and browser,
// runs the tests in its extension host, prints their console, and exits with their code.
//   code.mjs --extensionDevelopmentPath=DIR --extensionTestsPath=FILE [--user-data-dir=DIR] [FOLDER]
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { launchBrowser, remoteUri, workbenchContext, workbenchUrl } from './browser.mjs';
import { installEditor } from './install.mjs';
import { profileIn, startServer, writeSettings } from './server.mjs';

/** Lines that the workbench itself prints at every start, irrespective of the test. */
const CHATTER =
  /^(Ignoring fetching additional|Updating additional|Resolv(ing|ed) connection token|Creating a socket|Creation of workbench|\[Service Worker\]|\[reconnection|\[AccountPolicyGate|\[AgentHost|Timed out waiting for authentication)/;

/** A window that has said nothing for so long is given up. */
const SILENCE_MS = 180_000;

/** @type {(() => Promise<unknown> | void)[]} undone in reverse in any case */
const cleanup = [];
let ending = false;

/** @param {number} code */
async function end(code) {
  if (ending) return;
  ending = true;
  for (const undo of cleanup.reverse()) await undo();
  process.exit(code);
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => void end(130));
// The caller holds the other end of this pipe: when it is gone, however it went, so is this run.
if (process.stdin.isTTY !== true) process.stdin.on('end', () => void end(130)).resume();

/** @param {string} name */
const flag = (name) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);

async function main() {
  const extension = flag('extensionDevelopmentPath');
  const tests = flag('extensionTestsPath');
  const folder = process.argv.slice(2).find((arg) => !arg.startsWith('-'));
  if (extension === undefined || tests === undefined)
    throw new Error('usage: code.mjs --extensionDevelopmentPath=DIR --extensionTestsPath=FILE [FOLDER]');

  const editor = await installEditor();
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-host-'));
  cleanup.push(() => rm(temporary, { recursive: true, force: true, maxRetries: 5 }));
  const profile = profileIn(temporary);
  await writeSettings(profile, { 'security.workspace.trust.enabled': false, ...(await givenSettings()) });

  const server = await startServer(editor, profile);
  cleanup.push(() => server.stop());
  const browser = await launchBrowser(editor);
  cleanup.push(() => browser.close());
  const page = await (await workbenchContext(browser)).newPage();

  let silence = setTimeout(giveUp, SILENCE_MS);
  function giveUp() {
    process.stderr.write(`The editor said nothing for ${SILENCE_MS / 1000} s.\n`);
    void end(1);
  }
  /** @type {Promise<number>} */
  const finished = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
      silence = silence.refresh();
      const text = format(...args);
      if (CHATTER.test(text)) return;
      const stream = type === 'error' || type === 'warn' ? process.stderr : process.stdout;
      stream.write(`${text}\n`);
    });
    void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => resolve(code));
    page.on('crash', () => resolve(1));
    void server.ended.then(({ text }) => {
      if (!ending) process.stderr.write(`${text}\n`);
      resolve(1);
    });
  });
  const payload = {
    extensionDevelopmentPath: remoteUri(server.origin, extension),
    extensionTestsPath: remoteUri(server.origin, tests),
  };
  await page.goto(workbenchUrl(server.origin, { ...(folder === undefined ? {} : { folder }), payload }));
  return finished;
}

/** The settings that the caller wrote where the desktop would look for them. */
async function givenSettings() {
  const folder = flag('user-data-dir');
  if (folder === undefined) return {};
  const text = await readFile(path.join(folder, 'User', 'settings.json'), 'utf8').catch(() => '{}');
  return /** @type {Record<string, unknown>} */ (JSON.parse(text));
}

try {
  await end(await main());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await end(1);
}
