// The terminal command is a program of its own: a shell starts it by its path.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');
const PROGRAM = path.join(root, 'dist', 'cli.js');

test('dist/cli.js begins with the line that names its interpreter, may be executed, and runs', () => {
  assert.equal(readFileSync(PROGRAM, 'utf8').slice(0, 20), '#!/usr/bin/env node\n');
  assert.equal(statSync(PROGRAM).mode & 0o111, 0o111);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }), `${version}\n`);
});
