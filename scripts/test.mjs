// `npm test`: installs what is missing, builds, checks, and runs every layer of tests; `npm test -- unit net` runs some.
// Ends with one line "N passed, N failed" and a non-zero exit code on any failure.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const LAYERS = ['unit', 'net', 'contract', 'protocol', 'security', 'package', 'webview', 'host', 'ui'];
/** Layers whose files run one after the other: each starts an editor or measures what the machine does. */
const SERIAL = new Set(['host', 'ui', 'webview', 'security']);
const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const unknown = asked.filter((layer) => !LAYERS.includes(layer));
if (unknown.length > 0) {
  process.stderr.write(`Unknown test layer: ${unknown.join(', ')}. Layers: ${LAYERS.join(', ')}\n`);
  process.exit(1);
}
const layers = asked.length > 0 ? asked : LAYERS;

let running;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    running?.kill(signal);
    process.exitCode = 130;
  });
}

/** Runs a command to its end; its lines go through, and are returned. */
function run(command, commandArgs, env = {}) {
  return new Promise((resolve) => {
    let output = '';
    running = spawn(command, commandArgs, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.stdout.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    running.on('error', (error) => resolve({ code: 1, output: String(error) }));
    running.on('close', (code, signal) => resolve({ code: code ?? 1, output, signal }));
  });
}

const step = (text) => process.stdout.write(`\n== ${text}\n`);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

async function must(text, command, commandArgs) {
  step(text);
  const { code } = await run(command, commandArgs);
  if (code !== 0) {
    process.stderr.write(`\n${text}: failed with exit code ${code}\n`);
    process.exit(1);
  }
}

async function filesOf(layer) {
  const folder = path.join(root, 'test', layer);
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith(`suite${path.sep}`))
    .map((name) => path.join('test', layer, name))
    .sort();
}

if (!existsSync(path.join(root, 'node_modules', 'esbuild')))
  await must('Installing packages', npm, ['ci', '--no-audit', '--no-fund']);
if (asked.length === 0) await must('Checking types, lint and format', npm, ['run', '--silent', 'check']);
await must('Building', process.execPath, ['esbuild.mjs']);

let passed = 0;
let failed = 0;
for (const layer of layers) {
  const files = await filesOf(layer);
  if (files.length === 0) continue;
  step(`Tests: ${layer} (${files.length} files)`);
  const flags = ['--import', 'tsx', '--test', '--test-reporter=spec'];
  if (SERIAL.has(layer)) flags.push('--test-concurrency=1');
  const desktop = args.includes('--desktop') ? { VSCODE_TEST_DESKTOP: '1' } : {};
  const { code, output } = await run(process.execPath, [...flags, ...files], desktop);
  const count = (word) => Number(new RegExp(`^ℹ ${word} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  passed += count('pass');
  failed += count('fail') + count('cancelled');
  if (code !== 0 && count('fail') + count('cancelled') === 0) failed += 1;
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : (process.exitCode ?? 0);
