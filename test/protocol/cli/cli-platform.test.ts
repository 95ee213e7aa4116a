// The built command where the ledger engine has no binary: the local service says so in one sentence, and the rest works.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

const checkout = path.join(import.meta.dirname, '..', '..', '..');
/** The built programs with the engine's JavaScript and without any of its binaries, as on a machine it has none for. */
let root: string;
before(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'solana-rpc-platform-'));
  for (const name of readdirSync(path.join(checkout, 'dist')).filter((file) => file.endsWith('.js')))
    cpSync(path.join(checkout, 'dist', name), path.join(root, 'dist', name));
  const engine = path.join('node_modules', 'litesvm');
  cpSync(path.join(checkout, engine), path.join(root, engine), { recursive: true });
});
after(() => rmSync(root, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(program: string, ...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [path.join(root, 'dist', program), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

for (const [name, program, args, exit] of [
  ['solana-rpc localnet', 'cli.js', ['localnet'], 1],
  ['solana-rpc localnet --json', 'cli.js', ['localnet', '--json'], 1],
  // The exit code says that a supervisor need not retry.
  ['the service itself', 'localnet.js', ['--json'], 69],
] as const)
  test(`${name} says in one sentence that there is no engine for this machine`, async () => {
    const { code, stdout, stderr } = await run(program, ...args);
    assert.equal(code, exit);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      new RegExp(`^The local service cannot run here: [^\\n]*${process.platform}-${process.arch}[^\\n]*\\n$`),
    );
  });

test('the other commands work there', async () => {
  const { code, stderr } = await run('cli.js', 'check', path.join(checkout, 'examples', 'quickstart.jsonrpc'));
  assert.deepEqual([code, stderr], [0, '']);
});
