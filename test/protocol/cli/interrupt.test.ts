// A test file that is interrupted leaves nothing that runs, and nothing on the disk.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { isAlive } from '../../support/process/cli';

/** A file that starts a service that would keep running by itself, prints its name, and waits. */
const FILE = `
  const { Workspace } = require('./test/support/process/cli.ts');
  const work = new Workspace();
  const child = work.start(['localnet', '--json']);
  child.stdout.once('data', () => console.log(JSON.stringify({ pid: child.pid, root: work.root })));
`;

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`what a test file started ends with it when it gets ${signal}`, async () => {
    const file = spawn(process.execPath, ['--import', 'tsx', '--eval', FILE], {
      cwd: path.join(import.meta.dirname, '..', '..', '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(createInterface(file.stdout), 'line')) as [string];
      const { pid, root } = JSON.parse(line) as { pid: number; root: string };
      assert.ok(isAlive(pid));
      assert.ok(existsSync(root));
      file.kill(signal);
      const [code] = (await once(file, 'exit')) as [number | null];
      assert.equal(code, signal === 'SIGTERM' ? 143 : 130);
      assert.ok(!existsSync(root));
      while (isAlive(pid)) await new Promise(setImmediate);
    } finally {
      file.kill('SIGKILL');
    }
  });
