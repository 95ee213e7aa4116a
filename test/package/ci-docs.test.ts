// docs/ci.md: every recipe's shell steps run, against a local service in the place of an endpoint, and what it says of the
// Action is what action.yml says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { commandsIn } from '../support/data/workflowLog';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { ENGINE } from '../support/process/npmPackage';
import { WorkflowRunner, type Step } from '../support/process/workflowRunner';

const root = path.join(__dirname, '..', '..');
const text = readFileSync(path.join(root, 'docs', 'ci.md'), 'utf8');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** The code blocks of a language under a heading. */
function blocks(heading: string, language: string): readonly string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const found = [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
  assert.ok(found.length > 0, `${heading} has a block of ${language}`);
  return found;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const workflow = (heading: string): Workflow => parse(blocks(heading, 'yaml')[0] ?? '') as Workflow;
const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

const FILES = { 'requests/a.jsonrpc': '### Slot\n{ "method": "getSlot" }\n?? result >= 0\n' };
const GITHUB = ['GitHub Actions', 'GitHub Actions without the Action'] as const;

describe('the page', () => {
  test('names the version of this checkout wherever it names one', () => {
    const named = [...text.matchAll(/(?:solana-rpc-workbench@v?|version: |solana-rpc-)(\d+\.\d+\.\d+)/g)];
    assert.ok(named.length > 5);
    for (const [whole, found] of named) assert.equal(found, version, whole);
  });

  test('has the inputs of the Action with their defaults, and no other', async () => {
    const { inputs } = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as {
      readonly inputs: Readonly<Record<string, { readonly default: string }>>;
    };
    const rows = [...text.matchAll(/^\| `(\w+)` \| .+ \| (?:`([^`]*)`)? ?\|$/gm)].map(([, name, value = '']) => [
      name,
      value,
    ]);
    assert.deepEqual(
      rows,
      Object.entries(inputs).map(([name, input]) => [name, input.default]),
    );
  });

  for (const heading of GITHUB)
    test(`gives the jobs of "${heading}" least rights, keys to single steps, and no script an expression`, () => {
      const { permissions, jobs } = workflow(heading);
      const { contents, ...more } = permissions;
      assert.equal(contents, 'read');
      assert.deepEqual(
        Object.keys(more).filter((name) => name !== 'security-events'),
        [],
      );
      for (const job of Object.values(jobs)) assert.ok(!('env' in job));
      for (const step of stepsOf(workflow(heading))) assert.doesNotMatch(step.run ?? '', /\$\{\{/);
    });
});

if (ENGINE !== undefined)
  describe('its recipes, run', () => {
    let folder = '';
    let runner: WorkflowRunner;
    let local: Localnet;
    let key = '';
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-ci-'));
      [runner, local] = await Promise.all([WorkflowRunner.create(folder), startTestLedger()]);
      ({ key } = local.ready.keys.rpc);
    });
    after(async () => {
      await local.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    });

    for (const heading of GITHUB)
      test(heading, async () => {
        const checkout = await runner.checkout(FILES);
        const context = { 'vars.RPC_URL': local.ready.rpcUrl, 'secrets.SOLANA_RPC_KEY': key };
        const { code, stdout, stderr, summary } = await checkout.run(stepsOf(workflow(heading)), context);
        assert.equal(code, 0, stdout + stderr);
        assert.equal(stdout.match(/^1 passed, 0 failed/gm)?.length, 2, stdout);
        assert.deepEqual(commandsIn(stdout), []);
        assert.equal(summary.match(/solana-rpc (check|run)/g)?.length, 3);
        assert.match(await checkout.read('report.xml'), /tests="1" failures="0"/);
        assert.ok(!(stdout + stderr + summary).includes(key));
      });

    test('of GitHub annotate what fails, and end there', async () => {
      const checkout = await runner.checkout({ 'requests/a.jsonrpc': '### Slot\n{ "method": "getSlto" }\n' });
      const { code, stdout, summary } = await checkout.run(stepsOf(workflow(GITHUB[1])));
      assert.equal(code, 2);
      assert.equal(commandsIn(stdout)[0]?.properties['file'], 'requests/a.jsonrpc');
      assert.doesNotMatch(summary, /solana-rpc run/);
      assert.match(await checkout.read('check.sarif'), /"unknown-method"/);
    });

    test('the recipe for GitLab CI runs', async () => {
      const { requests } = parse(blocks('GitLab CI', 'yaml')[0] ?? '') as {
        readonly requests: {
          readonly script: readonly string[];
          readonly artifacts: { readonly reports: { readonly junit: string } };
        };
      };
      const checkout = await runner.checkout(FILES);
      const env = { SOLANA_RPC_KEY: key, RPC_URL: local.ready.rpcUrl };
      const { code, stdout, stderr } = await checkout.run([{ run: requests.script.join('\n'), env }]);
      assert.equal(code, 0, stdout + stderr);
      assert.equal(stdout.match(/^1 passed, 0 failed/gm)?.length, 2, stdout);
      assert.match(await checkout.read(requests.artifacts.reports.junit), /failures="0"/);
    });

    test('the recipe for a plain shell ends with each exit code as it says', async () => {
      const [script = '', withKey = ''] = blocks('A plain shell', 'sh');
      const good = await runner.checkout(FILES);
      const right = await good.run([{ run: script }]);
      assert.equal(right.code, 0, right.stdout + right.stderr);
      assert.match(right.stdout, /^All good\.$/m);
      const piped = `print-key() { printf '%s\\n' "$A_KEY"; }\n${withKey}`;
      const ran = await good.run([
        { run: `PATH="$RUNNER_TEMP/global/bin:$PATH"\n${piped}`, env: { A_KEY: key, RPC_URL: local.ready.rpcUrl } },
      ]);
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      const bad = await runner.checkout({ 'requests/a.jsonrpc': '### Slot\n{ "method": "getSlot" }\n?? result < 0\n' });
      const wrong = await bad.run([{ run: script }]);
      assert.equal(wrong.code, 4, wrong.stdout + wrong.stderr);
      assert.match(wrong.stdout, /^An assertion failed: look at report\.xml\.$/m);
    });
  });
