// The terminal command is an executable file that a shell starts by its path. Node's compiled code of it is kept.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { testFolder } from '../support/folder';

const root = path.join(import.meta.dirname, '..', '..');
const PROGRAM = path.join(root, 'dist', 'cli.js');

test('dist/cli.js begins with the line that names its interpreter, may be executed, and runs', () => {
  assert.equal(readFileSync(PROGRAM, 'utf8').slice(0, 20), '#!/usr/bin/env node\n');
  assert.equal(statSync(PROGRAM).mode & 0o111, 0o111);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }), `${version}\n`);
});

if (process.platform === 'linux')
  test("what was compiled lies in the user's own cache folder, where Node can keep it, and nowhere else", (t) => {
    const home = testFolder('solana-rpc-home', t);
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: path.join(home, 'tmp') };
    execFileSync(PROGRAM, ['--help'], { env });
    assert.equal(existsSync(path.join(home, '.cache', 'solana-rpc', 'compiled')), 'enableCompileCache' in module);
    assert.equal(existsSync(env.TMPDIR), false);
  });
