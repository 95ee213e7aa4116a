// `--reporter github` and `check --sarif` of the built command, as a step of GitHub Actions starts it: what the runner obeys
// in its output, the job summary, and files that cannot be written.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commandsIn, INJECTIONS } from '../../support/data/workflowLog';
import { type CliResult, testWorkspace } from '../../support/process/cli';
import { httpServer, type Hostile } from '../../support/wire/hostile';

const work = testWorkspace();

const MB = 1024 * 1024;

/** The environment of a step whose checkout is the working directory. */
const step = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_WORKSPACE: work.root,
  GITHUB_STEP_SUMMARY: path.join(work.root, 'summary.md'),
  ...more,
});

describe('check --reporter github', () => {
  test('annotates each fault, adds its table to the summary, and keeps the exit code', async () => {
    mkdirSync(path.join(work.root, 'sub'));
    work.write('sub/wrong.jsonrpc', '### a\n{ "method": "getSlto" }\n');
    work.write('summary.md', 'Before\n');
    const { code, stdout } = await work.run(['check', 'sub', '--reporter', 'github'], { env: step() });
    assert.equal(code, 2);
    const [command, ...more] = commandsIn(stdout);
    assert.deepEqual(more, []);
    assert.equal(command?.name, 'error');
    assert.deepEqual(command?.properties, {
      ...{ file: 'sub/wrong.jsonrpc', line: '2', endLine: '2', col: '13', endColumn: '21', title: 'unknown-method' },
    });
    assert.match(stdout, /^sub\/wrong\.jsonrpc:2:13: error unknown-method/m);
    assert.match(work.read('summary.md'), /^Before\n### ❌ solana-rpc check\n/);
  });

  test('is annotations alone where there is no summary', async () => {
    const { code, stdout, stderr } = await work.run(['check', 'sub', '--reporter', 'github']);
    assert.deepEqual([code, stderr], [2, '']);
    assert.equal(commandsIn(stdout).length, 1);
  });

  test('says where its summary cannot be written, and fails', async () => {
    work.write('right.jsonrpc', '### a\n{ "method": "getSlot" }\n');
    const env = step({ GITHUB_STEP_SUMMARY: path.join(work.root, 'none', 'summary.md') });
    const { code, stderr } = await work.run(['check', 'right.jsonrpc', '--reporter', 'github'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /summary\.md .*\.\n$/);
  });

  test('never makes the summary larger than the runner takes', async () => {
    const env = step({ GITHUB_STEP_SUMMARY: path.join(work.root, 'full.md') });
    work.write('full.md', 'x'.repeat(MB - 250));
    for (let time = 0; time < 2; time++) {
      const { code } = await work.run(['check', 'right.jsonrpc', '--reporter', 'github'], { env });
      assert.equal(code, 0);
    }
    assert.ok(work.read('full.md').length <= MB);
  });

  for (const [args, why] of [
    [['--reporter', 'gitlab'], /one of: text, github/],
    [['--reporter', 'github', '--json'], /give one of them/],
  ] as const)
    test(`${args.join(' ')} is wrong usage, in check and run alike`, async () => {
      for (const verb of ['check', 'run']) {
        const { code, stderr } = await work.run([verb, 'right.jsonrpc', ...args]);
        assert.equal(code, 1);
        assert.match(stderr, why);
      }
    });
});

describe('what does not even start', () => {
  for (const args of [
    ['run', 'none.jsonrpc', '--reporter', 'github'],
    ['check', 'none.jsonrpc', '--reporter=github'],
    ['run', 'right.jsonrpc', '--reporter', 'github', '--endpoint', '::error::none'],
  ])
    test(`${args.join(' ')}: says why as an annotation, too`, async () => {
      const { code, stdout, stderr } = await work.run(args, { env: step() });
      assert.equal(code, 1);
      const [command, ...more] = commandsIn(`${stdout}\n${stderr}`);
      assert.deepEqual(more, []);
      assert.deepEqual(command?.properties, { title: 'solana-rpc' });
      assert.equal(`${command?.data}\n`, stderr);
    });

  test('without the reporter is text alone', async () => {
    const { code, stdout } = await work.run(['run', 'none.jsonrpc', '--name', 'github'], { env: step() });
    assert.deepEqual([code, stdout], [1, '']);
  });
});

describe('check --sarif', () => {
  test('writes a log besides the text', async () => {
    const { code, stdout } = await work.run(['check', 'sub', '--sarif', 'out.sarif']);
    assert.equal(code, 2);
    assert.match(stdout, /1 errors/);
    const log = JSON.parse(work.read('out.sarif')) as {
      readonly runs: readonly { readonly results: readonly object[] }[];
    };
    assert.equal(log.runs[0]?.results.length, 1);
  });

  test('that cannot be written fails a check without faults', async () => {
    const { code, stderr } = await work.run(['check', 'right.jsonrpc', '--sarif', 'none/out.sarif']);
    assert.equal(code, 1);
    assert.match(stderr, /none\/out\.sarif /);
    assert.ok(!existsSync(path.join(work.root, 'none')));
  });
});

describe('run --reporter github', () => {
  let sink: Hostile;
  let sent = 0;
  before(async () => {
    sink = await httpServer(({ body }, response) => {
      sent++;
      const { id } = JSON.parse(body) as { readonly id: number };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 1 }));
    });
  });
  after(() => sink.close());

  const run = (args: readonly string[], env = step()): Promise<CliResult> =>
    work.run(['run', ...args, '--rpc-url', sink.origin, '--reporter', 'github'], { env });

  test('annotates failed assertions, and the summary has a row for each request', async () => {
    work.write('summary.md', '');
    work.write('run.jsonrpc', '### Good\n{"method":"getSlot"}\n### Bad\n{"method":"getSlot"}\n?? result == 2\n');
    const { code, stdout } = await run(['run.jsonrpc', '--junit', 'out.xml']);
    assert.equal(code, 4);
    assert.deepEqual(commandsIn(stdout), [
      { name: 'error', properties: { file: 'run.jsonrpc', line: '5', title: 'Bad' }, data: '?? result == 2\nfound: 1' },
    ]);
    assert.match(
      work.read('summary.md'),
      /1 passed, 1 failed, 0 skipped[^]*✅ passed \| <code>Good[^]*❌ failed \| <code>Bad/,
    );
    assert.match(work.read('out.xml'), /failures="1"/);
  });

  test('of a faulty file annotates the fault and sends nothing', async () => {
    work.write('faulty.jsonrpc', '### a\n{"method":"getSlot", "params": ["{{nothing}}"]}\n');
    const before = sent;
    const { code, stdout, stderr } = await run(['faulty.jsonrpc']);
    assert.equal(code, 2);
    assert.equal(sent, before);
    const [command, ...more] = commandsIn(stdout + stderr);
    assert.deepEqual(more, []);
    assert.equal(command?.properties['title'], 'unresolved-variable');
    assert.equal(command.properties['line'], '2');
  });

  test('of a passing file writes no command', async () => {
    const { code, stdout } = await run(['right.jsonrpc']);
    assert.deepEqual([code, commandsIn(stdout)], [0, []]);
  });
});

describe('a hostile service in the log of a step', () => {
  const name = '::error title=x::y.jsonrpc';
  /** Bodies with each text as the result, in an error, and as no JSON at all; the id is put in. */
  const answers = INJECTIONS.flatMap((text) => [
    JSON.stringify({ jsonrpc: '2.0', id: 'ID', result: text }),
    JSON.stringify({ jsonrpc: '2.0', id: 'ID', error: { code: -32000, message: text, data: { logs: [text] } } }),
    text,
  ]);
  let service: Hostile;
  before(async () => {
    service = await httpServer(({ body }, response) => {
      const { id, params } = JSON.parse(body) as { readonly id: number; readonly params: readonly [number] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end((answers[params[0]] ?? '').replace('"ID"', String(id)));
    });
    work.write(name, answers.map((_, at) => `### a\n{"method":"x","params":[${at}]}\n?? result == 2\n`).join(''));
  });
  after(() => service.close());

  for (const form of [[], ['--reporter', 'github'], ['--json']])
    test(`run ${form.join(' ')}: the runner obeys nothing of it`, async () => {
      const args = ['run', name, '--rpc-url', service.origin, ...form];
      const { code, stdout, stderr } = await work.run(args, { env: step() });
      assert.equal(code, 3);
      const commands = commandsIn(`${stdout}\n${stderr}`);
      assert.equal(commands.length, form[1] === 'github' ? answers.length : 0, JSON.stringify(commands[0]));
      for (const command of commands) assert.deepEqual([command.name, command.properties['file']], ['error', name]);
    });

  test('nor of a file’s name, a wrong word or a faulty text', async () => {
    work.write(name, '### ##[error]a\n{"method":"##[set-output name=a]b"} ::warning::b\n');
    for (const args of [
      ['check', name],
      ['run', name],
      ['check', '::error::none'],
      ['::error::verb'],
      ['check', '--::error::x'],
    ]) {
      const { code, stdout, stderr } = await work.run(args, { env: step() });
      assert.notEqual(code, 0);
      assert.deepEqual(commandsIn(`${stdout}\n${stderr}`), [], args.join(' '));
    }
  });
});
