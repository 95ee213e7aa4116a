// A process that has ended is not running, even before its exit code is collected.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { isRunning } from '../../../process/running';
import { isRunning as isSeenRunning } from '../../support/process/processes';

test('this process is reported as running, and an ended process is not', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  assert.deepEqual([isRunning(process.pid), isRunning(pid)], [true, false]);
});

// Where the first process of a container collects late or never, what a killed editor leaves stays so.
if (process.platform === 'linux')
  test('a process whose parent does not collect its exit code is not running either', async () => {
    // The child ends with the pipe; what takes the place of its shell waits for nobody.
    const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 600'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(parent, 'close');
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      assert.ok(isRunning(pid));
      parent.stdin.end();
      while (isSeenRunning(pid)) await new Promise(setImmediate);
      assert.ok(process.kill(pid, 0), 'it was collected: this shows nothing');
      assert.equal(isRunning(pid), false);
    } finally {
      parent.kill('SIGKILL');
      await ended;
    }
  });
