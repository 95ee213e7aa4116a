// Results of `npm test`: the report, second tries, and which files run when and with which.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Jobs, type Finished } from '../../scripts/test/job.mjs';
import { filesOf, groupsOf, LAYERS } from '../../scripts/test/layers.mjs';
import { titlesIn, without } from '../../scripts/test/moved.mjs';
import { smokeJobs, tableOf } from '../../scripts/test/night.mjs';
import { phasesOf, runAll } from '../../scripts/test/pool.mjs';
import { reachedBy, type Graph } from '../../scripts/test/reach.mjs';
import { Report } from '../../scripts/test/report.mjs';
import { compileSources } from '../../scripts/test/sources.mjs';

const root = path.join(__dirname, '..', '..');

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
    assert.deepEqual(report.end(5), { passed: 1, failed: 2, flaky: 0 });
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
    assert.deepEqual(report.end(5), { passed: 1, failed: 2, flaky: 0 });
    const text = lines.join('\n');
    assert.ok(text.includes(`in ${first}; alone: node --import tsx --test --test-name-pattern='bad' ${first}`), text);
    assert.ok(text.includes(`in ${second}; alone: node --import tsx --test ${second}`), text);
    assert.ok(text.endsWith('1 passed, 2 failed'), text);
  });
});

describe('a second try', () => {
  const finished = (name: string, layer: string, change: Partial<Finished> = {}): Finished => ({
    job: { name, layer, files: [name] },
    results: [{ name: 'fine', outcome: 'passed', ms: 1 }],
    faults: [],
    output: '',
    ms: 1,
    ...change,
  });
  const failing = (failure: string, isFinal?: true): Partial<Finished> => ({
    results: [{ name: 'bad', outcome: 'failed', ms: 1, failure, ...(isFinal && { isFinal }) }],
  });
  /** The report of first tries, and of second ones that all pass or all fail. */
  const reported = (first: readonly Finished[], second: Partial<Finished> = {}) => {
    const lines: string[] = [];
    const report = new Report(first.length, (line) => lines.push(line));
    for (const one of first) report.add(one);
    const again = report.secondTries();
    for (const { name, layer } of again) report.addSecond(finished(name, layer, second));
    return { again: again.map(({ name }) => name), totals: report.end(5), text: lines.join('\n') };
  };

  test('that passes makes the run green, and is reported last with the first failure', () => {
    const { again, totals, text } = reported([finished('a', 'ui', failing('the reason')), finished('b', 'unit')]);
    assert.deepEqual(again, ['a']);
    assert.deepEqual(totals, { passed: 2, failed: 0, flaky: 1 });
    assert.match(text, /\n2 passed, 0 failed\n[^]*~ bad\n {4}in a\n {4}the reason\n1 flaky$/);
  });

  test('that fails leaves the run red', () => {
    const { again, totals, text } = reported([finished('a', 'protocol', failing('once'))], failing('twice'));
    assert.deepEqual(again, ['a']);
    assert.deepEqual(totals, { passed: 0, failed: 1, flaky: 0 });
    assert.ok(text.includes('once') && text.includes('twice'));
  });

  test('is for at most three files, of the layers that start processes, which left nothing behind and did not crash', () => {
    const bad = failing('no');
    const none: readonly (readonly [string, readonly Finished[]])[] = [
      ['4 files failed, more than 3', ['a', 'b', 'c', 'd'].map((name) => finished(name, 'ui', bad))],
      ['b needs no process', [finished('a', 'ui', bad), finished('b', 'unit', bad)]],
      ['a needs no process', [finished('a', 'net', bad)]],
      ['a: It left a process behind: x', [finished('a', 'ui', { ...bad, faults: ['It left a process behind: x'] })]],
      ['a: "bad" found a key', [finished('a', 'security', failing('no', true))]],
      ['a: a process crashed', [finished('a', 'contract', failing('The service ended with SIGSEGV.'))]],
      ['a: a process crashed', [finished('a', 'contract', { ...bad, output: 'Error: x\n\nNode.js v20.19.0\n' })]],
    ];
    for (const [reason, first] of none) {
      const { again, totals, text } = reported(first);
      assert.deepEqual(again, [], reason);
      assert.ok(totals.failed > 0);
      assert.ok(text.includes(`No second try: ${reason}`), text);
    }
  });

  test('knows a key that a test found by its error', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-runner-'));
    const file = path.join(folder, 'key.cjs');
    const leaks = 'test/support/process/leaks.ts';
    await compileSources(root, folder, [leaks, 'test/support/keyLeft.ts']);
    const text = `
      const { assertNoLeak } = require(${JSON.stringify(path.join(root, leaks))});
      require('node:test').test('a', () => assertNoLeak('a secret word', ['secret'], 'It'));`;
    await writeFile(file, text);
    const runner = new Jobs({ root, temporary: folder, sources: folder, env: {} });
    const { results } = await runner.run({ name: file, layer: 'security', files: [file] });
    await rm(folder, { recursive: true });
    assert.equal(results[0]?.isFinal, true);
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

  test('checks come one by one, then a job a core, then the editors with nothing else running', async () => {
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

describe('the test files that a change reaches', () => {
  const graph: Graph = {
    imports: {
      'test/unit/a.test.ts': ['core/a.ts'],
      'test/protocol/b.test.ts': ['test/support/cli.ts'],
      'test/contract/c.test.ts': ['test/support/localnet.ts'],
      'test/ui/d.test.ts': [],
      'test/package/e.test.ts': [],
      'test/support/cli.ts': [],
      'test/support/localnet.ts': [],
      'core/a.ts': ['core/b.ts'],
      'core/b.ts': ['core/a.ts'],
    },
    inputs: {
      cli: ['cli/main.ts'],
      net: ['net/x.ts'],
      localnet: ['localnet/main.ts'],
      client: ['client/extension.ts'],
    },
    texts: new Map([
      ['test/support/cli.ts', "path.join('dist', 'cli.js')"],
      ['test/support/localnet.ts', "path.join('dist', 'localnet.js')"],
      ['test/unit/a.test.ts', "readFile('docs/usage.md'); list('examples')"],
    ]),
    tests: ['unit/a', 'protocol/b', 'contract/c', 'ui/d', 'package/e'].map((name) => ({
      file: `test/${name}.test.ts`,
      layer: name.split('/')[0] ?? '',
    })),
  };
  const reached = (...changed: readonly string[]): readonly string[] =>
    reachedBy(graph, changed).map((file) => path.basename(file, '.test.ts'));

  test('are those that import it, that start a bundle with it, and that read it by its name or its folder', () => {
    assert.deepEqual(reached(), []);
    assert.deepEqual(reached('core/b.ts'), ['a', 'e']);
    assert.deepEqual(reached('test/support/localnet.ts'), ['c', 'e']);
    assert.deepEqual(reached('localnet/main.ts'), ['b', 'c', 'd', 'e']);
    assert.deepEqual(reached('net/x.ts'), ['b', 'd', 'e']);
    assert.deepEqual(reached('client/extension.ts'), ['d', 'e']);
    assert.deepEqual(reached('docs/usage.md'), ['a', 'e']);
    assert.deepEqual(reached('examples/x.jsonrpc'), ['a', 'e']);
  });
});

describe('the night', () => {
  const finished = (name: string, output: string, faults: readonly string[] = []): Finished => ({
    job: { name, layer: 'night', command: { file: 'node', args: [] } },
    results: [],
    faults,
    output,
    ms: 1,
  });

  test('ends in a table: what a long run says in its last line, and the tests of a file', () => {
    const results: Finished['results'] = [
      { name: 'a', outcome: 'passed', ms: 1 },
      { name: 'b', outcome: 'failed', ms: 1 },
    ];
    const file = { name: 'test/net/a.test.ts', layer: 'net', files: ['test/net/a.test.ts'] };
    const table = tableOf([
      finished('fuzz', 'much\nVerdict: 0 of 5000 failed\n'),
      finished('kills', 'FAILED lost\nVerdict: 2 of 200 failed\n', ['It ended with exit code 1.']),
      finished('soak', 'an error', ['It ended with exit code 1.']),
      finished('flood', 'Verdict: 0 of 7 failed\n', ['It left a process behind: node']),
      { job: file, results, faults: [], output: '', ms: 1 },
    ]);
    assert.deepEqual(
      table.split('\n').map((line) => line.split(/ {2,}/)),
      [
        ['test', 'runs', 'failures'],
        ['fuzz', '5000', '0'],
        ['kills', '200', '2'],
        ['soak', '1', '1'],
        ['flood', '7', '1'],
        ['test/net/a.test.ts', '2', '1'],
      ],
    );
  });

  test('has a small case of each kind, which no bound of memory or pace fails', async () => {
    const jobs = await smokeJobs();
    const words = jobs.flatMap(({ command }) => (command === undefined ? [] : [command.args.at(-1)]));
    assert.deepEqual(words, ['0.1', ...Array.from({ length: words.length - 1 }, () => '--small')]);
    assert.ok(jobs.some(({ env }) => env?.['WORKBENCH_SCREENSHOTS'] === '1'));
  });
});

describe('the titles that were lost', () => {
  const was = titlesIn(
    'a.test.ts',
    "test('one', () => {}); for (const at of [1]) test(`two ${at}`, () => {}); test(name);",
  );

  test('are those of the source, as it says them', () => {
    assert.deepEqual(
      was.map(({ title }) => title),
      ['one', '`two ${at}`', 'name'],
    );
  });

  test('are not those that moved to another file, and count as often as they were there', () => {
    const is = titlesIn('b.test.ts', "describe('x', () => { test('one'); it(name); })");
    assert.deepEqual(
      without(was, is).map(({ title }) => title),
      ['`two ${at}`'],
    );
    assert.deepEqual(
      without([...was, ...was], [...was, ...is]).map(({ title }) => title),
      ['`two ${at}`'],
    );
    assert.deepEqual(without(is, was), []);
  });
});
