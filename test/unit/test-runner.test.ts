// The jobs of `npm test`, with real processes: what counts as a failure, and that nothing that was started outlives them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Jobs, type Finished } from '../../scripts/test/job.mjs';
import { isRunning } from '../../process/running';

const root = path.join(__dirname, '..', '..');
const IMPORTS = `
const assert = require('node:assert');
const { describe, test, before } = require('node:test');
const { spawn } = require('node:child_process');
const fs = require('node:fs');`;
/** Starts a process that outlives its parent, and writes its id. */
const DETACHED = (pidFile: string): string => `
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
child.unref();`;

/** Waits until a process that was sent SIGKILL has ended. */
async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await setImmediate();
}

/** The process id in a file, as soon as it is written. */
async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (pid > 0) return pid;
  }
}

describe('the runner of the tests', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-runner-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const jobs = (): Jobs => new Jobs({ root, temporary: folder, sources: path.join(folder, 'sources'), env: {} });
  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, `${IMPORTS}\n${text}`);
    return file;
  };
  const run = async (name: string, text: string): Promise<Finished> => {
    const file = await write(name, text);
    return jobs().run({ name, layer: 'unit', files: [file] });
  };
  const named = ({ results }: Finished): readonly string[] => results.map(({ name, outcome }) => `${name}: ${outcome}`);

  test('a test counts once, its suite not at all', async () => {
    const finished = await run('passing.cjs', `describe('s', () => { test('a', () => {}); test('b', () => {}); });`);
    assert.deepEqual(named(finished), ['a: passed', 'b: passed']);
    assert.deepEqual(finished.faults, []);
  });

  test('a failure is reported where it happened, and a skipped test as skipped', async () => {
    const finished = await run(
      'failing.cjs',
      `describe('s', () => {
        test('outer', async (t) => { await t.test('inner', () => assert.equal(1, 2)); });
        test('left out', { skip: true }, () => {});
      });`,
    );
    assert.deepEqual(named(finished), ['inner: failed', 'left out: skipped']);
    assert.match(finished.results[0]?.failure ?? '', /1 == 2/);
  });

  test('a hook that fails is a failure', async () => {
    const finished = await run(
      'hook.cjs',
      `describe('s', () => { before(() => assert.fail('no')); test('a', () => {}); });`,
    );
    assert.ok(finished.results.some(({ outcome, failure }) => outcome === 'failed' && failure?.includes('no')));
  });

  test('a file that cannot be loaded, that ends early or contains no test is a failure', async () => {
    const broken = await run('broken.cjs', `throw new Error('broken');`);
    const early = await run('early.cjs', `test('a', () => process.exit(3));`);
    const silent = await run('silent.cjs', `test('a', () => process.exit(0));`);
    const empty = await run('empty.cjs', '');
    for (const { faults, results } of [broken, early, silent, empty])
      assert.equal(faults.length + results.filter(({ outcome }) => outcome === 'failed').length, 1);
  });

  test('files that share a process have separate hooks and results; a failing file leaves the others as they are', async () => {
    const files = await Promise.all([
      write('first.cjs', `let is; before(() => { is = true; }); test('a', () => assert.ok(is)); globalThis.first = 1;`),
      write('second.cjs', `before(() => assert.fail('no')); test('b', () => {});`),
      write('third.cjs', `throw new Error('broken');`),
      write('fourth.cjs', `describe('s', () => { test('d', () => assert.equal(globalThis.first, 1)); });`),
    ]);
    const { results, faults } = await jobs().run({ name: 'together', layer: 'unit', files });
    const outcomes = results.map(({ file, outcome }) => `${path.basename(file ?? '')}: ${outcome}`);
    assert.deepEqual(
      [...new Set(outcomes)],
      ['first.cjs: passed', 'second.cjs: failed', 'third.cjs: failed', 'fourth.cjs: passed'],
    );
    const said = (name: string): string =>
      results.flatMap(({ file, failure }) => (file?.endsWith(name) === true ? [failure] : [])).join('\n');
    assert.match(said('second.cjs'), /no/);
    assert.match(said('third.cjs'), /broken/);
    assert.deepEqual(faults, []);
  });

  test('an error that comes when its test has ended is a failure that names the test and its file', async () => {
    const files = [
      await write('late.cjs', `test('ended', () => { setTimeout(() => assert.fail('too late'), 50); });`),
      await write('running.cjs', `test('still runs', () => new Promise((resolve) => setTimeout(resolve, 100)));`),
    ];
    const finished = await jobs().run({ name: 'two files', layer: 'unit', files });
    const failed = finished.results.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      failed.map(({ name, file }) => ({ name, file })),
      [{ name: 'ended', file: files[0] }],
    );
    assert.match(failed[0]?.failure ?? '', /too late/);
    assert.deepEqual(finished.faults, []);
  });

  test('of files that share a process each that nothing was heard of is named', async () => {
    const files = [
      await write('heard.cjs', `test('a', () => {});`),
      await write('ends.cjs', `test('b', () => process.exit(0));`),
      await write('unheard.cjs', `test('c', () => {});`),
    ];
    const { faults } = await jobs().run({ name: 'together', layer: 'unit', files });
    // An early end may take with it what the first file said.
    assert.deepEqual(
      faults.slice(-2),
      files.slice(1).map((file) => `${file} contains no test, or no test finished.`),
    );
  });

  // Elsewhere nothing shows what a process inherited.
  if (process.platform === 'linux')
    test('a process that a file left behind is a failure, and is ended', async () => {
      const pidFile = path.join(folder, 'left.pid');
      const finished = await run('leaving.cjs', `test('a', () => {${DETACHED(pidFile)}});`);
      assert.deepEqual(named(finished), ['a: passed']);
      assert.match(finished.faults.join(), /^It left a process behind: /);
      await untilGone(await pidIn(pidFile));
    });

  // Elsewhere jobs share the temporary folder.
  if (process.platform === 'linux')
    test('what a file left in the temporary folder is a failure that names it, and is removed', async () => {
      const placeFile = path.join(folder, 'left.place');
      const finished = await run(
        'littering.cjs',
        `const os = require('node:os');
        fs.mkdirSync(os.tmpdir() + '/tsx-0000');
        test('a', () => fs.writeFileSync(${JSON.stringify(placeFile)}, fs.mkdtempSync(os.tmpdir() + '/left-')));`,
      );
      const place = await readFile(placeFile, 'utf8');
      assert.deepEqual(finished.faults, [`It left in the temporary folder: ${path.basename(place)}`]);
      assert.equal(existsSync(place), false);
    });

  test('a test and a hook that do not end fail with what they wait for, and the file continues', async () => {
    const file = await write(
      'waiting.cjs',
      `const server = require('node:net').createServer();
      const waits = (globalThis[Symbol.for('workbench.waits')] ??= new Set());
      const forever = () => new Promise((resolve) => { setTimeout(resolve, 2 ** 31 - 1); });
      test('waits', { timeout: 50 }, async () => { waits.add('a row'); server.listen(0); await forever(); });
      test('next', () => { waits.clear(); server.close(); });
      describe('s', () => { before(forever, { timeout: 50 }); test('never', () => {}); });
      test('last', () => {});`,
    );
    // A timer of the hung test keeps the process alive.
    const finished = await jobs().run({ name: 'waiting.cjs', layer: 'unit', files: [file], marginMs: 1_000 });
    const failures = finished.results.map(({ failure = '' }) => failure);
    assert.deepEqual(named(finished).slice(0, 2), ['waits: failed', 'next: passed']);
    assert.match(
      failures[0] ?? '',
      /waits did not end within 0\.05 s\. It waited for: a row\. Open: server on port \d+/,
    );
    assert.ok(failures.some((failure) => failure.includes('The hook "before" did not end within 0.05 s.')));
    assert.ok(named(finished).includes('last: passed'));
    assert.deepEqual(finished.faults, []);
  });

  test('what a failed test left running ends with its file, and counts as no fault besides it', async () => {
    const file = await write('failedOpen.cjs', `test('a', () => { setInterval(() => {}, 1000); assert.fail('no'); });`);
    const finished = await jobs().run({ name: 'failedOpen.cjs', layer: 'unit', files: [file], marginMs: 1_000 });
    assert.deepEqual(named(finished), ['a: failed']);
    assert.deepEqual(finished.faults, []);
  });

  test('a full pipe to the runner loses no event of a test', async () => {
    const file = await write('many.cjs', `for (let at = 0; at < 2_000; at++) test('a'.repeat(200), () => {});`);
    // A socket on the same descriptor makes it non-blocking.
    const preload = await write(
      'fullPipe.cjs',
      `const socket = new (require('node:net').Socket)({ fd: 3 });
      socket.unref();
      const write = fs.writeSync;
      fs.writeSync = (...args) => {
        try {
          return write(...args);
        } catch (error) {
          write(1, error.code);
          throw error;
        }
      };`,
    );
    const limits = path.join(root, 'scripts', 'test', 'limits.cjs');
    const child = spawn(process.execPath, ['--require', preload, '--require', limits, file], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, WORKBENCH_TEST_LIMIT_MS: '60000' },
    });
    const [first] = (await once(child.stdout as Readable, 'data')) as [Buffer];
    assert.match(String(first), /^EAGAIN/);
    child.stdout?.resume();
    const lines = createInterface({ input: child.stdio[3] as Readable });
    const ids: number[] = [];
    for await (const line of lines) ids.push((JSON.parse(line) as { id: number }).id);
    assert.deepEqual(ids, Array.from({ length: 2_000 }, (_, id) => [id, id]).flat());
  });

  test('a test that blocks its process is named, and the files after it run in another one', async () => {
    const files = await Promise.all([
      write('before.cjs', `test('a', () => {});`),
      write('blocking.cjs', `test('blocks', { timeout: 50 }, () => { for (;;); });`),
      write('after.cjs', `test('c', () => {});`),
    ]);
    const runner = jobs();
    const finished = await runner.run({ name: 'together', layer: 'unit', files, marginMs: 50 });
    const blocked = finished.results.find(({ name }) => name === 'blocks');
    assert.match(blocked?.failure ?? '', /^It did not end within 0\.05 s, and blocked its process/);
    assert.equal(blocked?.file, files[1]);
    assert.deepEqual(finished.job.files, files.slice(0, 2));
    assert.deepEqual(finished.rest?.files, files.slice(2));
    assert.ok(finished.rest);
    assert.deepEqual(named(await runner.run(finished.rest)), ['c: passed']);
  });

  test('an interrupt ends what is running, and what that started', async () => {
    const pidFile = path.join(folder, 'interrupted.pid');
    const file = await write('hanging.cjs', `test('a', () => {${DETACHED(pidFile)} setInterval(() => {}, 1000); });`);
    const runner = jobs();
    const running = runner.run({ name: 'hanging.cjs', layer: 'unit', files: [file] });
    const pid = await pidIn(pidFile);
    await runner.interrupt('SIGINT');
    await running;
    const later = runner.run({ name: 'hanging.cjs', layer: 'unit', files: [file] }).then(() => 'ran');
    assert.equal(await Promise.race([later, setImmediate('did not start')]), 'did not start');
    await untilGone(pid);
  });

  test('where one failure is enough the file ends with it, and all results before it count', async () => {
    const name = 'enough.cjs';
    const suites = Array.from({ length: 20 }, (_, at) => `describe('s${at}', () => { test('t${at}', () => {}); });`);
    const hangs = `test('fails', () => { setInterval(() => {}, 1000); assert.fail('no'); });`;
    const runIt = async (text: string): Promise<Finished> =>
      jobs().run({ name, layer: 'unit', files: [await write(name, text)], endsAtFailure: true });
    assert.deepEqual(
      named(await runIt(suites.join('\n'))),
      suites.map((_, at) => `t${at}: passed`),
    );
    const finished = await runIt([...suites, hangs].join('\n'));
    assert.deepEqual(named(finished), [...suites.map((_, at) => `t${at}: passed`), 'fails: failed']);
    assert.deepEqual(finished.faults, []);
  });

  test('a test file ends when its runner is killed', async () => {
    const pidFile = path.join(folder, 'orphan.pid');
    const file = await write(
      'orphan.cjs',
      `test('a', () => { fs.writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000); });`,
    );
    const module = pathToFileURL(path.join(root, 'scripts', 'test', 'job.mjs')).href;
    const place = JSON.stringify({ root, temporary: folder, sources: folder, env: {} });
    const main = path.join(folder, 'runner.mjs');
    await writeFile(
      main,
      `import { Jobs } from ${JSON.stringify(module)};
       await new Jobs(${place}).run({ name: 'orphan', layer: 'unit', files: [${JSON.stringify(file)}] });`,
    );
    const runner = spawn(process.execPath, [main], { stdio: 'ignore' });
    const pid = await pidIn(pidFile);
    runner.kill('SIGKILL');
    await once(runner, 'close');
    await untilGone(pid);
  });
});
