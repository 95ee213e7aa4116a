// A real Neovim over the built terminal command, with the configuration from docs/editors.md verbatim.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { needNeovim } from '../../scripts/editor/neovim.mjs';
import { startTestLedger, type Localnet } from '../support/process/localnet';

const root = path.join(__dirname, '..', '..');
const REQUESTS = `@wallet = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g

### Balance
# @name balance
{ "method":   "getBalanec", "params": ["{{wallet}}"] }
?? result.value isNumber

### Being written
# @disabled
{ "method": "get" }
`;

/** The driver's observations, step by step. */
interface Seen {
  readonly problem?: string;
  readonly filetype: string;
  readonly codes: readonly string[];
  readonly labels: readonly string[];
  readonly hover: string;
  readonly text: string;
  readonly answer: string;
  readonly answerType: string;
  readonly result: {
    readonly file: string;
    readonly line: number;
    readonly name: string;
    readonly status: string;
    readonly endpoint: string;
    readonly response: { readonly result: { readonly value: number } };
    readonly error?: { readonly message: string };
  };
}

let folder: string;
let local: Localnet;
let seen: Seen;

/** The first block of a language in a document. */
async function blockOf(document: string, language: string): Promise<string> {
  const text = await readFile(path.join(root, 'docs', document), 'utf8');
  return new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? '';
}

before(async () => {
  const neovim = await needNeovim();
  folder = await mkdtemp(path.join(os.tmpdir(), 'solana-rpc-neovim-'));
  local = await startTestLedger();
  const workspace = path.join(folder, 'work');
  const programs = path.join(folder, 'bin');
  await mkdir(workspace);
  await mkdir(programs);
  const { rpcUrl, keys } = local.ready;
  await writeFile(path.join(workspace, 'solana-rpc.json'), JSON.stringify({ endpoints: [{ name: 'here', rpcUrl }] }));
  await writeFile(path.join(workspace, 'requests.jsonrpc'), REQUESTS);
  await writeFile(path.join(folder, 'init.lua'), await blockOf('editors.md', 'lua'));
  const program = path.join(programs, 'solana-rpc');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'dist', 'cli.js')}' "$@"\n`);
  await chmod(program, 0o755);
  const out = path.join(folder, 'seen.json');
  const driver = path.join(root, 'test', 'support', 'neovim.lua');
  const child = spawn(
    neovim,
    ['--headless', '--clean', '-n', '-u', path.join(folder, 'init.lua'), '-c', `luafile ${driver}`],
    {
      cwd: workspace,
      env: {
        PATH: `${programs}${path.delimiter}${process.env['PATH'] ?? ''}`,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        SOLANA_RPC_KEY: keys.rpc.key,
        SOLANA_RPC_ORIGIN: new URL(rpcUrl).origin,
        DRIVER_OUT: out,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const killer = (): boolean => child.kill('SIGKILL');
  process.once('exit', killer);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  await once(child, 'close');
  process.off('exit', killer);
  seen = JSON.parse(await readFile(out, 'utf8').catch(() => JSON.stringify({ problem: said }))) as Seen;
});

after(async () => {
  await local?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

describe('Neovim with the configuration of docs/editors.md', () => {
  test('goes through all its steps', () => {
    assert.equal(seen.problem, undefined);
    assert.equal(seen.filetype, 'jsonrpc');
  });

  test('shows diagnostics as they are sent', () => {
    assert.ok(seen.codes.includes('unknown-method'), seen.codes.join());
  });

  test('completes method names', () => {
    assert.ok(seen.labels.some((label) => label.includes('getSlot')));
  });

  test('explains a method under the cursor', () => {
    assert.match(seen.hover, /getBalance\(/);
  });

  test('mends with a quick fix, renames a variable everywhere and formats', () => {
    assert.match(seen.text, /^@account = 9B5X/);
    assert.match(seen.text, /\{ "method": "getBalance", "params": \["\{\{account\}\}"\] \}/);
  });

  test('shows the answer of the request under the cursor when its key is pressed', () => {
    assert.equal(seen.answerType, 'json');
    assert.match(seen.answer, /"value": \d+/);
  });

  test("gives the terminal's row of the request to a caller of the command", () => {
    const { file, line, name, status, endpoint, response, error } = seen.result;
    assert.equal(error, undefined);
    assert.deepEqual(
      { file: path.basename(file), line, name, status, endpoint },
      { file: 'requests.jsonrpc', line: 3, name: 'balance', status: 'passed', endpoint: 'here' },
    );
    assert.equal(typeof response.result.value, 'number');
  });
});
