// The Action of this repository: its steps run as the runner runs them, in a separate environment, with the packed
// tarball in the place of the registry.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commandsIn } from '../support/data/workflowLog';
import { ENGINE } from '../support/process/npmPackage';
import { WorkflowRunner, type Action } from '../support/process/workflowRunner';

let runner: WorkflowRunner;
let action: Action;
let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-action-'));
  runner = await WorkflowRunner.create(folder);
  ({ action } = runner);
});
after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const PASSING = '### Slot\n{ "method": "getSlot" }\n?? result >= 0\n';
const FAULTY = '### Slot\n{ "method": "getSlto" }\n';

describe('the Action', () => {
  test('is composite, and says what each input and output is', () => {
    assert.equal(action.runs.using, 'composite');
    for (const { description } of [action, ...Object.values(action.inputs), ...Object.values(action.outputs)])
      assert.match(description, /\.$/);
    assert.deepEqual(Object.keys(action.inputs), [
      ...['version', 'files', 'arguments', 'check', 'junit', 'sarif', 'summary'],
    ]);
  });

  test('puts no expression into a script, and takes no key as an input', () => {
    for (const step of action.runs.steps) {
      assert.equal(step.uses, undefined, step.name);
      assert.equal(step.shell, 'bash', step.name);
      assert.doesNotMatch(step.run ?? '', /\$\{\{|\beval\b/, step.name);
      for (const value of Object.values(step.env ?? {})) assert.match(value, /^\$\{\{ inputs\.[a-z]+ \}\}$/);
    }
    for (const name of Object.keys(action.inputs)) assert.doesNotMatch(name, /key|token|secret/);
  });

  test('every output comes from a step that writes it', () => {
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const [, id, output] = /^\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      assert.equal(output, name);
      assert.match(action.runs.steps.find((step) => step.id === id)?.run ?? '', new RegExp(`${name}=`));
    }
  });
});

describe('its steps', () => {
  test('check the files of the checkout, and annotate what is wrong', async () => {
    const checkout = await runner.checkout({ 'a/wrong.jsonrpc': FAULTY, 'right.jsonrpc': PASSING });
    const job = await checkout.runAction({ check: 'true', sarif: 'out.sarif' });
    assert.equal(job.code, 2, job.stderr);
    assert.equal(job.outputs, 'exit-code=2\n');
    assert.deepEqual(
      commandsIn(job.stdout).map(({ properties }) => [properties['file'], properties['line']]),
      [['a/wrong.jsonrpc', '2']],
    );
    assert.match(job.summary, /❌ solana-rpc check/);
    assert.match(await checkout.read('out.sarif'), /"ruleId": "unknown-method"/);
  });

  test('install the version that is asked for, and nothing that has no such form', async () => {
    const checkout = await runner.checkout({ 'a.jsonrpc': PASSING });
    assert.equal((await checkout.runAction({ check: 'true', version: '0.1.0' })).code, 0);
    const asked = await runner.asked();
    assert.match(asked, /^solana-rpc-workbench@0\.1\.0\n$/m);
    for (const version of ['', '-g', '1 --registry=http://x', 'npm:evil', '$(id)', '../x', 'https://x']) {
      const job = await checkout.runAction({ check: 'true', version });
      assert.equal(job.code, 1, version);
      assert.match(job.stderr, /"version" takes/);
    }
    assert.equal(await runner.asked(), asked);
  });

  test('keep keys from what installs', async () => {
    const checkout = await runner.checkout({ 'a.jsonrpc': PASSING });
    const key = 'a-key-of-the-secrets-0123456789';
    const job = await checkout.runAction(
      { check: 'true' },
      { SOLANA_RPC_KEY: key, SOLANA_RPC_ORIGIN: 'https://x.example' },
    );
    assert.equal(job.code, 0, job.stderr);
    const seen = await runner.environment();
    assert.match(seen, /^RUNNER_TEMP=/m);
    assert.doesNotMatch(seen, /SOLANA_|a-key-of/);
    assert.doesNotMatch(job.stdout + job.stderr, /a-key-of/);
  });

  test('take every input as it is: no word becomes a command, an option or a pattern of the shell', async () => {
    const names = [
      '$(touch hacked).jsonrpc',
      '`touch hacked`.jsonrpc',
      '"; touch hacked; ".jsonrpc',
      '-e.jsonrpc',
      'a b.jsonrpc',
    ];
    const checkout = await runner.checkout(Object.fromEntries(names.map((name) => [name, PASSING])));
    const job = await checkout.runAction({ check: 'true', files: `${names.join('\n')}\r\n\n` });
    assert.equal(job.code, 0, job.stdout + job.stderr);
    assert.match(job.stdout, /5 files: 0 errors/);
    await assert.rejects(checkout.read('hacked'), /ENOENT/);
    for (const [inputs, why] of [
      [{ arguments: '$(touch hacked)' }, /touch hacked/],
      [{ check: '1; touch hacked' }, /"check" takes true or false/],
      [{ summary: 'no' }, /"summary" takes true or false/],
      [{ check: 'true', junit: 'a.xml' }, /"junit" is for a run/],
      [{ sarif: 'a.sarif' }, /"sarif" is for a check/],
    ] as const) {
      const refused = await checkout.runActionStep('run', { files: 'a b.jsonrpc', ...inputs });
      assert.deepEqual([refused.code, refused.outputs], [1, 'exit-code=1\n'], JSON.stringify(inputs));
      assert.match(refused.stderr, why);
    }
    await assert.rejects(checkout.read('hacked'), /ENOENT/);
  });

  test('leave the job summary alone where that is asked for', async () => {
    const checkout = await runner.checkout({ 'a.jsonrpc': PASSING });
    const job = await checkout.runAction({ check: 'true', summary: 'false' });
    assert.deepEqual([job.code, job.summary], [0, '']);
  });

  if (ENGINE !== undefined)
    test('run requests on a local service, with a report, a summary and the exit code of the run', async () => {
      const wrong = '### Wrong\n{ "method": "getSlot" }\n?? result < 0\n';
      const checkout = await runner.checkout({ 'a.jsonrpc': PASSING, 'sub/b.jsonrpc': wrong });
      const job = await checkout.runAction({
        files: '**/*.jsonrpc',
        arguments: '--local\n--jobs\n2',
        junit: 'out.xml',
      });
      assert.equal(job.code, 4, job.stdout + job.stderr);
      assert.equal(job.outputs, 'exit-code=4\n');
      const [command, ...more] = commandsIn(job.stdout);
      assert.deepEqual(more, []);
      assert.deepEqual([command?.properties['file'], command?.properties['line']], ['sub/b.jsonrpc', '3']);
      assert.match(job.summary, /1 passed, 1 failed/);
      assert.match(await checkout.read('out.xml'), /tests="2" failures="1"/);
    });
});
