// The npm package, installed from its tarball by `npm ci --ignore-scripts` into an empty folder: what it holds, and that
// every part of the command works there.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { needNeovim } from '../../scripts/editor/neovim.mjs';
import { BUNDLES, npmManifest } from '../../scripts/npmPackage.mjs';
import {
  ENGINE,
  engineRegistry,
  NPM,
  packAll,
  runProgram,
  type Ended,
  type Packed,
} from '../support/process/npmPackage';
import { McpClient } from '../support/process/mcpClient';

const root = path.join(__dirname, '..', '..');
const MB = 1_000_000;
describe('the npm package', () => {
  let folder = '';
  let packed: Packed['own'];
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-npm-'));
    const all = await packAll(folder);
    packed = all.own;
    const user = path.join(folder, 'user');
    await mkdir(user);
    await writeFile(path.join(user, 'package.json'), '{ "private": true }\n');
    const registry = await engineRegistry(all);
    const options = ['--registry', registry.url, '--ignore-scripts', '--no-audit', '--no-fund'];
    // An own cache: npm keeps what a registry said.
    options.push('--cache', path.join(folder, 'cache'));
    try {
      // As on a build server: installed from the lock alone, and no package runs a script.
      for (const args of [['install', '--package-lock-only', all.own.file], ['ci']]) {
        const { code, stderr } = await runProgram(user, NPM, [...args, ...options]);
        assert.equal(code, 0, stderr);
      }
    } finally {
      await registry.close();
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const solana = (args: readonly string[], input = ''): Promise<Ended> =>
    runProgram(path.join(folder, 'user'), path.join('node_modules', '.bin', 'solana-rpc'), args, { input });

  test('holds the bundles, LiteSVM’s loader, two licences, a bill of materials and a page, and nothing else', () => {
    assert.deepEqual(
      packed.names,
      [
        ...['LICENSE', 'README.md', 'package.json', 'sbom.cdx.json', 'dist/THIRD_PARTY_NOTICES.txt'],
        ...BUNDLES.map((name) => `dist/${name}`),
        ...['node_modules/litesvm/dist/internal.js', 'node_modules/litesvm/package.json'],
      ].sort(),
    );
    assert.ok(packed.names.length < 40);
    assert.ok(packed.bytes < 1.2 * MB, `${packed.bytes} bytes`);
  });

  test('holds the bill of materials of its bundles and of LiteSVM’s loader, and of nothing of the editor’s own', async () => {
    const place = path.join(folder, 'user', 'node_modules', 'solana-rpc-workbench', 'sbom.cdx.json');
    const { components } = JSON.parse(await readFile(place, 'utf8')) as {
      readonly components: readonly { readonly purl: string }[];
    };
    const names = components.map(({ purl }) => purl.replace(/^pkg:npm\/(.*)@.*$/, '$1'));
    for (const name of ['undici', 'litesvm', '%40grpc/grpc-js', '%40modelcontextprotocol/sdk'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.includes('vscode-languageclient'));
  });

  test('installs nothing but itself and LiteSVM’s binary', async () => {
    const names = await readdir(path.join(folder, 'user', 'node_modules'));
    assert.deepEqual(
      names.filter((name) => !name.startsWith('.')).sort(),
      [...(ENGINE === undefined ? [] : [ENGINE]), 'solana-rpc-workbench'].sort(),
    );
  });

  test('has a manifest without scripts, and both names of the command', async () => {
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Parameters<
      typeof npmManifest
    >[0];
    const own = npmManifest(manifest) as Record<string, unknown>;
    for (const name of ['scripts', 'devDependencies', 'contributes', 'private']) assert.equal(name in own, false, name);
    assert.deepEqual(Object.keys(own['bin'] as object), ['solana-rpc', 'solana-rpc-workbench']);
  });

  test('answers its version under both names', async () => {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const user = path.join(folder, 'user');
    for (const name of ['solana-rpc', 'solana-rpc-workbench']) {
      const { code, stdout } = await runProgram(user, NPM, ['exec', '--offline', '--', name, '--version']);
      assert.deepEqual([code, stdout], [0, `${version}\n`], name);
    }
  });

  test('checks the files of a folder', async () => {
    const user = path.join(folder, 'user');
    await writeFile(path.join(user, 'right.jsonrpc'), '### Slot\n{ "method": "getSlot" }\n');
    assert.equal((await solana(['check', '.'])).code, 0);
    await writeFile(path.join(user, 'wrong.jsonrpc'), '### Slot\n{ "method": "getSlto" }\n');
    const { code, stdout, stderr } = await solana(['check', '.']);
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /wrong\.jsonrpc:2:\d+.*getSlto/s);
    await rm(path.join(user, 'wrong.jsonrpc'));
  });

  if (ENGINE !== undefined)
    test('runs a file from standard input on the local service', async () => {
      const { code, stdout, stderr } = await solana(
        ['run', '--local', '-'],
        '### Slot\n{ "method": "getSlot" }\n?? result >= 0\n',
      );
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /1 passed/);
    });

  test('serves language models, driven by the official client', async () => {
    const user = path.join(folder, 'user');
    const command = path.join(user, 'node_modules', '.bin', 'solana-rpc');
    const client = await McpClient.start({ folder: user, command });
    try {
      assert.ok((await client.names()).includes('explain_method'));
      const text = '### Slot\n{ "method": "getSlot" }\n';
      const { note, ...checked } = await client.structured<{ readonly note: string }>('check', { text });
      assert.match(note, /data, not instructions/);
      assert.deepEqual(checked, { ok: true, findings: [], more: 0 });
      if (ENGINE !== undefined) {
        const row = await client.structured<{ readonly status: string }>('run', { method: 'getSlot' });
        assert.equal(row.status, 'passed');
      }
    } finally {
      await client.close();
    }
  });

  test('serves Neovim with the configuration of docs/editors.md', async () => {
    const user = path.join(folder, 'user');
    const [, init = ''] =
      /^```lua\n([\s\S]*?)^```/m.exec(await readFile(path.join(root, 'docs', 'editors.md'), 'utf8')) ?? [];
    await writeFile(path.join(user, 'init.lua'), init);
    await writeFile(path.join(user, 'wrong.jsonrpc'), '### Slot\n{ "method": "getSlto" }\n');
    const found = `lua vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
for _, one in ipairs(vim.diagnostic.get(0)) do io.stdout:write(one.code .. '\\n') end`;
    const { code, stdout, stderr } = await runProgram(
      user,
      await needNeovim(),
      ['--headless', '--clean', '-n', '-u', 'init.lua', '-c', found, '-c', 'qa!', 'wrong.jsonrpc'],
      {
        env: {
          HOME: user,
          XDG_CONFIG_HOME: user,
          PATH: [path.join(user, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(path.delimiter),
        },
      },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^unknown-method$/m, stderr);
  });

  test('is named in package.json, so that packing the checkout lists no more', async () => {
    const { files } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      files: readonly string[];
    };
    assert.deepEqual(
      files,
      [...BUNDLES, 'THIRD_PARTY_NOTICES.txt'].map((name) => `dist/${name}`),
    );
    const { code, stdout, stderr } = await runProgram(root, NPM, ['pack', '--dry-run', '--json', '--ignore-scripts']);
    assert.equal(code, 0, stderr);
    const [listed] = JSON.parse(stdout) as readonly { readonly entryCount: number }[];
    assert.ok((listed?.entryCount ?? Infinity) < 40, stdout);
  });
});
