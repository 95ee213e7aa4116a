// The installation of the tests' editor: one at a time, and plain about what a machine lacks.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { withLock } from '../../../scripts/editor/lock.mjs';
import { cacheFolder } from '../../../scripts/editor/parts.mjs';
import { testFolder } from '../../support/folder';

const root = path.join(__dirname, '..', '..', '..');
const folder = testFolder('workbench-install');

describe("the installer of the tests' editor", () => {
  test('names everything the machine lacks, and how to get it, in one message', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/editor/install.mjs'], {
      cwd: root,
      env: { PATH: folder, XDG_CACHE_HOME: folder, HOME: folder },
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /lacks: Chrome, Chromium or Edge|lacks: python3/);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.equal(existsSync(path.join(folder, 'solana-rpc-workbench')), false, 'nothing was begun');
  });

  test('keeps its files in the cache folder of the user', () => {
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/somewhere' }), path.join('/somewhere', 'solana-rpc-workbench'));
  });

  test('lets one process work at a time', async () => {
    const lock = path.join(folder, 'one.lock');
    const order: string[] = [];
    const messages: string[] = [];
    let finish = (): void => undefined;
    let first: Promise<void> | undefined;
    // Of two that ask at once either may be first: the second asks once the first one works.
    await new Promise<void>((begun) => {
      first = withLock(
        lock,
        () => undefined,
        async () => {
          begun();
          await new Promise<void>((resolve) => (finish = resolve));
          order.push('first');
        },
      );
    });
    const second = withLock(
      lock,
      (text) => {
        messages.push(text);
        finish();
      },
      async () => void order.push('second'),
    );
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
    assert.equal(messages.length, 1);
    assert.equal(existsSync(lock), false);
  });

  test('takes over from a process that is gone', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'close');
    const lock = path.join(folder, 'gone.lock');
    writeFileSync(lock, String(gone.pid));
    const seen = await withLock(
      lock,
      () => undefined,
      async () => readFileSync(lock, 'utf8'),
    );
    assert.equal(seen, String(process.pid));
  });

  test('frees the lock when the work fails', async () => {
    const lock = path.join(folder, 'fails.lock');
    await assert.rejects(
      withLock(
        lock,
        () => undefined,
        () => Promise.reject(new Error('no disk')),
      ),
      /no disk/,
    );
    assert.equal(existsSync(lock), false);
  });
});
