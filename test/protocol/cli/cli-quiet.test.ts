// `watch … | head -1` on an account that nothing happens to: it ends when its reader does, without a write.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { urlOptions, testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
/** The incinerator: nobody uses it here. */
const QUIET = '1nc1nerator11111111111111111111111111111111';
const work = testWorkspace();
const local = testLedger();

test('watch ends with the reader of its pipe, with exit code 0', async () => {
  const command = '{ "$@"; echo $? > code.txt; } | head -n 1';
  const words = [process.execPath, PROGRAM, 'watch', QUIET, ...urlOptions(local.ready)];
  const child = spawn('sh', ['-c', command, 'sh', ...words], {
    cwd: work.root,
    env: { PATH: process.env['PATH'], HOME: work.root, SOLANA_RPC_KEY: local.ready.keys.rpc.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (part: Buffer) => (shown += part.toString()));
  await once(child, 'close');
  assert.equal(shown.trimEnd().split('\n').length, 1);
  assert.equal(work.read('code.txt'), '0\n');
});
