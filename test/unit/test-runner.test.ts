// The runner behind `npm test`, with real processes: what it counts and reports, and that nothing it started outlives it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Jobs, type Finished } from '../../scripts/test/job.mjs';
import { filesOf, groupsOf, LAYERS } from '../../scripts/test/layers.mjs';
import { phasesOf, runAll } from '../../scripts/test/pool.mjs';
import { Report } from '../../scripts/test/report.mjs';

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

/** False once it has ended, although nobody may have collected its exit code yet. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

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

  test('a failure is reported where it happened, a skipped test as one that did not pass', async () => {
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

  test('files that share a process have hooks and results of their own; one that fails leaves the others as they are', async () => {
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
      files.slice(1).map((file) => `${file} contains no test, or none came to its end.`),
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

describe('the report', () => {
  test('ends with each failure: its name, its file, the command that runs it alone, and what it said', () => {
    const lines: string[] = [];
    const report = new Report(2, (line) => lines.push(line));
    const name = "it's a+b";
    const failure = 'AssertionError: 1 == 2\n\n    at the place\n';
    const results: Finished['results'] = [
      { name, outcome: 'failed', ms: 1, failure },
      { name: 'fine', outcome: 'passed', ms: 1 },
    ];
    report.add({
      job: { name: 'test/unit/a.test.ts', layer: 'unit', files: [] },
      results,
      faults: [],
      output: '',
      ms: 2,
    });
    const command = { file: 'npm', args: ['run', 'check'] };
    const output = 'much\nat last\n';
    report.add({ job: { name: 'Lint', layer: 'check', command }, results: [], faults: ['exit code 1'], output, ms: 2 });
    assert.equal(report.end(5), false);
    assert.deepEqual(lines.slice(lines.indexOf('\nFailed')), [
      '\nFailed',
      `✖ ${name}
    in test/unit/a.test.ts; alone: node --import tsx --test --test-name-pattern='it'\\''s a\\+b' test/unit/a.test.ts`,
      '    AssertionError: 1 == 2\n        at the place',
      '✖ exit code 1\n    in Lint; alone: npm run check',
      '    much\n    at last',
      '\nin 0.0 s\n\n1 passed, 2 failed',
    ]);
  });
});

describe('the report of files that shared a process', () => {
  test('has a line for each, and names the file of a failure and the command that runs it alone', () => {
    const lines: string[] = [];
    const report = new Report(2, (line) => lines.push(line));
    const [first, second] = ['test/unit/a.test.ts', 'test/unit/b.test.ts'] as const;
    report.add({
      job: { name: `${first} ${second}`, layer: 'unit', files: [first, second] },
      results: [
        { name: 'bad', outcome: 'failed', ms: 1, failure: 'no', file: first },
        { name: 'fine', outcome: 'passed', ms: 2, file: second },
      ],
      faults: ['It left a process behind: x'],
      output: '',
      ms: 9,
    });
    const summary = lines.filter((line) => /^[✔✖]/.test(line));
    assert.deepEqual(summary, [
      `✖   1/2 ${first}, 0 passed, 1 failed (0.0 s)`,
      `✖   2/2 ${second}, 1 passed, 1 failed (0.0 s)`,
    ]);
    assert.equal(report.end(5), false);
    const text = lines.join('\n');
    assert.ok(text.includes(`in ${first}; alone: node --import tsx --test --test-name-pattern='bad' ${first}`), text);
    assert.ok(text.includes(`in ${second}; alone: node --import tsx --test ${second}`), text);
    assert.ok(text.endsWith('1 passed, 2 failed'), text);
  });
});

describe('the groups of files', () => {
  test('hold each file of a layer once', async () => {
    for (const layer of Object.keys(LAYERS)) {
      const files = await filesOf(root, layer);
      const groups = groupsOf(layer, files);
      assert.deepEqual(groups.flat().sort(), files);
      for (const group of groups) assert.ok(group.length <= (LAYERS[layer]?.together ?? 1));
    }
  });
});

describe('the phases of a run', () => {
  const job = (name: string) => ({ layer: name.split(' ')[0] ?? '', name });

  test('checks come one by one, then a job a core, then the editors with nothing beside them', async () => {
    const jobs = ['ui 1', 'ui 2', 'unit 1', 'unit 2', 'unit 3', 'check 1', 'check 2'].map(job);
    const running = new Map<string, () => void>();
    const finished = runAll(
      phasesOf(jobs, 2),
      ({ name }) =>
        new Promise<void>((resolve) => {
          running.set(name, () => {
            running.delete(name);
            resolve();
          });
        }),
    );
    const seen = [];
    while (running.size > 0) {
      seen.push([...running.keys()].join(', '));
      [...running.values()][0]?.();
      await setImmediate();
    }
    await finished;
    assert.deepEqual(seen, ['check 1', 'check 2', 'unit 1, unit 2', 'unit 2, unit 3', 'unit 3', 'ui 1, ui 2', 'ui 2']);
  });
});
