// The steps of `npm start`, one after the other; what is started is ended, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { runQuietly } from '../editor/run.mjs';
import { ensurePackages } from '../packages.mjs';
import { configurationFor, startService, usageLines } from './service.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const QUICK_START = path.join('examples', 'quickstart.jsonrpc');

/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);
/** @param {string} text */
const title = (text) => say(`\n== ${text}`);

/** @type {(() => unknown)[]} undone in reverse */
const undo = [];
let interrupted = false;
async function undoAll() {
  for (const one of undo.splice(0).reverse()) await one();
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<void>} with `process.exitCode` set
 */
export async function start(args) {
  const unknown = args.find((arg) => arg !== '--headless');
  if (unknown !== undefined) {
    process.stderr.write(`Unknown option ${unknown}. There is one: --headless\n`);
    process.exitCode = 1;
    return;
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => {
      interrupted = true;
      void undoAll().finally(() => process.exit(130));
    });
  try {
    title('Building');
    await ensurePackages(root, say);
    await runQuietly(process.execPath, ['esbuild.mjs'], { cwd: root });
    process.exitCode = await quickStart();
    if (!args.includes('--headless')) await openEditor();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await undoAll();
  }
}

/**
 * Runs the quick-start file in the terminal, against a separate local service, and then prints its usage.
 * @returns {Promise<number>} the report's exit code
 */
async function quickStart() {
  title('Starting the local service: a Solana ledger on this machine, with live traffic');
  const { ready, stop } = await startService(root);
  undo.push(stop);
  say(`at ${ready.rpcUrl}, until this file has run; the editor starts another one`);

  title(`Running ${QUICK_START} in the terminal`);
  const configuration = await configurationFor(ready);
  undo.push(configuration.remove);
  const { SOLANA_RPC_ORIGIN: _, ...environment } = process.env;
  const child = spawn(process.execPath, [path.join('dist', 'cli.js'), 'run', QUICK_START], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...environment, ...configuration.environment },
  });
  const ended = once(child, 'close');
  undo.push(async () => {
    child.kill();
    await ended;
  });
  const [code] = await ended;

  title('What the service counted');
  for (const line of await usageLines(ready)) say(line);
  await undoAll();
  return typeof code === 'number' ? code : 1;
}

/** VS Code on a copy of the examples, until Ctrl+C. */
async function openEditor() {
  // Loaded late: these need the installed packages.
  const { openDesktop, openInBrowser, playground } = await import('./editor.mjs');
  title('Opening VS Code');
  const folder = await playground(root);
  if (await openDesktop(root, folder)) {
    say(`VS Code is open on ${folder}. Next: open quickstart.jsonrpc and press Send.`);
    return;
  }
  const { url, ended, stop } = await openInBrowser(folder, say);
  undo.push(stop);
  say(`VS Code is at  ${url}`);
  say('Next: open quickstart.jsonrpc and press Send. It ends with Ctrl+C, or five minutes after its last page closed.');
  const { code, text } = await ended;
  if (interrupted) return;
  if (code !== 0) throw new Error(text);
  say('No page was open for five minutes: VS Code has ended. npm start opens it again.');
}
