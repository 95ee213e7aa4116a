// `npm test`: installs what is missing, checks, builds, and runs every layer of tests; `npm test -- unit net` runs some.
// Ends with one line "N passed, N failed" and a non-zero exit code on any failure.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { clientsAreInstalled, INSTALL, INSTALL_CLIENTS, packagesAreInstalled } from './packages.mjs';

const root = path.join(import.meta.dirname, '..');
const LAYERS = ['unit', 'net', 'contract', 'protocol', 'package', 'webview', 'security', 'host', 'ui'];
/** Layers whose files run one after the other: each starts an editor or measures what the machine does. */
const SERIAL = new Set(['host', 'ui', 'webview', 'security']);
/** Layers that need the real editor or its browser. */
const IN_EDITOR = new Set(['host', 'ui', 'webview', 'security']);
/** No test file takes so long; one that does hangs, and is ended. */
const FILE_LIMIT_MS = 900_000;

const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const desktop = args.includes('--desktop');
const unknown = asked.filter((layer) => !LAYERS.includes(layer));
if (unknown.length > 0) {
  process.stderr.write(`Unknown test layer: ${unknown.join(', ')}. Layers: ${LAYERS.join(', ')}\n`);
  process.exit(1);
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
let interrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });

/**
 * Runs a command to its end; its lines go through, and those of stdout are returned.
 * @param {string} command
 * @param {readonly string[]} commandArgs
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, commandArgs, env = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, commandArgs, {
      cwd: root,
      // The counts are read from plain text.
      env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
    });
    running = child;
    child.stdout.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve({ code: 1, output });
    });
    child.on('close', (code) => {
      if (interrupted) process.exit(130);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** @param {string} text */
const step = (text) => process.stdout.write(`\n== ${text}\n`);

/**
 * A step without which nothing after it makes sense.
 * @param {string} text
 * @param {string} command
 * @param {readonly string[]} commandArgs
 */
async function must(text, command, commandArgs) {
  step(text);
  const started = performance.now();
  const { code } = await run(command, commandArgs);
  if (code !== 0) {
    process.stderr.write(`\n${text}: failed with exit code ${code}\n`);
    process.exit(1);
  }
  process.stdout.write(`   done in ${seconds(started)}\n`);
}

/** @param {number} started */
const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;

/**
 * The test files of a layer; what runs inside the editor (a `suite` folder) is no file of its own.
 * @param {string} layer
 */
async function filesOf(layer) {
  const folder = path.join(root, 'test', layer);
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith(`suite${path.sep}`))
    .map((name) => path.join('test', layer, name))
    .sort();
}

/** @type {{ layer: string, files: string[] }[]} */
const planned = [];
for (const layer of asked.length > 0 ? asked : LAYERS) {
  const files = await filesOf(layer);
  if (files.length > 0) planned.push({ layer, files });
}

/** What a layer needs of the machine and cannot do without: where it is missing the layer's own test says so. */
async function prepareProtocol() {
  step('Preparing Neovim and the shells');
  await run(process.execPath, ['scripts/editor/neovim.mjs']);
  await run(process.execPath, ['scripts/shells.mjs']);
}

const begun = performance.now();
if (!(await packagesAreInstalled(root))) await must('Installing packages', INSTALL.command, INSTALL.args);
if (!(await clientsAreInstalled(root)))
  await must('Installing the public clients that the tests run', INSTALL_CLIENTS.command, INSTALL_CLIENTS.args);
if (asked.length === 0) await must('Checking types, lint and format', INSTALL.command, ['run', '--silent', 'check']);
await must('Building', process.execPath, ['esbuild.mjs']);
if (!desktop && planned.some(({ layer }) => IN_EDITOR.has(layer)))
  await must('Preparing the real editor', process.execPath, ['scripts/editor/install.mjs']);

if (planned.some(({ layer }) => layer === 'protocol')) await prepareProtocol();

let passed = 0;
let failed = 0;
const table = [];
for (const [index, { layer, files }] of planned.entries()) {
  step(`Tests ${index + 1}/${planned.length}: ${layer} (${files.length} files)`);
  const started = performance.now();
  const flags = ['--import', 'tsx', '--test', '--test-reporter=spec', `--test-timeout=${FILE_LIMIT_MS}`];
  if (SERIAL.has(layer)) flags.push('--test-concurrency=1');
  const { code, output } = await run(
    process.execPath,
    [...flags, ...files],
    desktop ? { VSCODE_TEST_DESKTOP: '1' } : {},
  );
  /** @param {string} word */
  const count = (word) => Number(new RegExp(`^ℹ ${word} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  // A test that did not run is not a test that passed.
  const broken = count('fail') + count('cancelled') + count('skipped') + count('todo');
  const layerFailed = code !== 0 && broken === 0 ? 1 : broken;
  passed += count('pass');
  failed += layerFailed;
  table.push(
    `${layer.padEnd(10)}${String(count('pass')).padStart(6)} passed${String(layerFailed).padStart(6)} failed  ${seconds(started)}`,
  );
}
process.stdout.write(`\n${table.join('\n')}\nin ${seconds(begun)}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
