// The project's own workflows and templates: what they may do, what they run, and that nothing a stranger writes becomes part
// of a script.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parseDocument } from 'yaml';
import { COMMANDS } from '../../cli/options';
import { ENGINES } from '../../scripts/vsix.mjs';

const root = path.join(__dirname, '..', '..');
const folder = path.join(root, '.github');
const { scripts, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Rights beyond reading the repository, by job. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  'release.yml build': ['attestations', 'id-token'],
  'release.yml publish': ['id-token'],
};
const TRIGGERS = new Set(['push', 'pull_request', 'schedule']);
/** Expressions allowed in `env`; none reads the event. */
const EXPRESSION = /^(?:matrix\.\w+|secrets\.[A-Z_]+)$/;
/** Programs of the systems, besides npm and our own command. */
const PROGRAMS = new Set(['if', 'grep', 'fi', 'xvfb-run']);

function read<T>(text: string): T {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  assert.deepEqual([...document.errors, ...document.warnings].map(String), []);
  return document.toJS() as T;
}

/** Everything that is wrong with a workflow, in words; empty for a good one. */
function faultsOf(file: string, text: string): readonly string[] {
  const { on, permissions, env, jobs } = read<Workflow>(text);
  const faults: string[] = [];
  const say = (isWrong: boolean, fault: string): void => {
    if (isWrong) faults.push(fault);
  };
  for (const trigger of Object.keys(on)) say(!TRIGGERS.has(trigger), `is started by ${trigger}`);
  say(JSON.stringify(permissions) !== '{"contents":"read"}', 'has rights beyond reading');
  say(env !== undefined, 'has an environment for all of its jobs');
  for (const line of text.split('\n').filter((each) => /\buses:/.test(each)))
    say(!/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line), `is not pinned: ${line.trim()}`);
  for (const [name, job] of Object.entries(jobs)) {
    const allowed = ['contents', ...(RIGHTS[`${file} ${name}`] ?? [])];
    for (const [right, level] of Object.entries(job.permissions ?? {}))
      say(!allowed.includes(right) || (right === 'contents' && level !== 'read'), `${name} may ${right}: ${level}`);
    say(job['timeout-minutes'] === undefined, `${name} has no time limit`);
    for (const step of job.steps) faults.push(...faultsOfStep(step, job).map((fault) => `${name} ${fault}`));
  }
  return faults;
}

function faultsOfStep({ uses = '', run = '', with: inputs = {}, env = {} }: Step, job: Job): readonly string[] {
  const faults: string[] = [];
  if (run.includes('${{')) faults.push(`has an expression in a script: ${run}`);
  for (const value of Object.values(env))
    for (const [, expression = ''] of String(value).matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)) {
      if (!EXPRESSION.test(expression)) faults.push(`takes ${expression} into its environment`);
      if (expression.startsWith('secrets.') && job.environment === undefined)
        faults.push(`takes ${expression} without an environment that is approved`);
    }
  for (const value of Object.values(inputs))
    for (const [, expression = ''] of String(value).matchAll(/\$\{\{\s*(.*?)\s*\}\}/g))
      if (!expression.startsWith('matrix.')) faults.push(`hands on ${expression}`);
  if (uses.startsWith('actions/checkout@') && inputs['persist-credentials'] !== false)
    faults.push('leaves credentials in its checkout');
  if (uses.startsWith('actions/setup-node@'))
    for (const version of versionsOf(inputs['node-version'], job))
      if (!isSupported(version)) faults.push(`runs Node ${version}`);
  for (const line of run.split('\n').map((each) => each.trim())) if (line !== '') faults.push(...unknownIn(line));
  return faults;
}

/** A version, or those of the matrix. */
function versionsOf(value: unknown, { strategy }: Job): readonly string[] {
  const name = /^\$\{\{ matrix\.(\w+) \}\}$/.exec(String(value))?.[1];
  return (name === undefined ? [value] : (strategy?.matrix[name] ?? [])).map(String);
}

function isSupported(version: string): boolean {
  const [least, given] = [engines.node.replace('>=', ''), version].map((each) => each.split('.').map(Number));
  const [major = 0, minor = 0] = given ?? [];
  const [leastMajor = 0, leastMinor = 0] = least ?? [];
  // A major version alone is its newest release.
  return major > leastMajor || (major === leastMajor && (given?.length === 1 || minor >= leastMinor));
}

/** The parts of a line that nothing here knows. */
function unknownIn(line: string): readonly string[] {
  const faults: string[] = [];
  for (const [, name = ''] of line.matchAll(/\bnpm run (\S+)/g))
    if (!(name in scripts)) faults.push(`runs npm run ${name}`);
  for (const [, verb = ''] of line.matchAll(/\bsolana-rpc (?!-)(\S+)/g))
    if (!(verb in COMMANDS)) faults.push(`runs solana-rpc ${verb}`);
  for (const [file] of line.matchAll(/\bexamples\/\S+/g))
    if (!existsSync(path.join(root, file))) faults.push(`names ${file}`);
  const [program = ''] = line.split(' ');
  const isKnown = PROGRAMS.has(program) || program === 'solana-rpc' || /^npm (ci|test|run|install)\b/.test(line);
  return isKnown ? faults : [...faults, `runs ${line}`];
}

const workflows = readdirSync(path.join(folder, 'workflows'));
const textOf = (...names: readonly string[]): string => readFileSync(path.join(folder, ...names), 'utf8');

describe('workflows', () => {
  for (const file of workflows)
    test(`${file} has the least rights, pinned actions, and scripts that hold nothing from outside`, () => {
      assert.deepEqual(faultsOf(file, textOf('workflows', file)), []);
    });

  test('are these, for what each is named after', () => {
    assert.deepEqual(workflows.sort(), ['desktop.yml', 'night.yml', 'package.yml', 'release.yml', 'test.yml']);
  });

  test('build a VSIX for every platform that has one', () => {
    const { jobs } = read<Workflow>(textOf('workflows', 'package.yml'));
    assert.deepEqual(
      [...(jobs['vsix']?.strategy?.matrix['target'] ?? [])].sort(),
      ['universal', ...ENGINES.keys()].sort(),
    );
  });

  test('test on three systems, and release tags only', () => {
    const { jobs } = read<Workflow>(textOf('workflows', 'desktop.yml'));
    const systems = (jobs['desktop']?.strategy?.matrix['system'] ?? []).map((name) => String(name).split('-')[0]);
    assert.deepEqual(systems.sort(), ['macos', 'ubuntu', 'windows']);
    assert.deepEqual(read<Workflow>(textOf('workflows', 'release.yml')).on, { push: { tags: ['v*'] } });
  });

  test('publish in one step, after the tests, with what another job has built', () => {
    const { jobs } = read<Workflow & { jobs: Record<string, Job & { needs?: string }> }>(
      textOf('workflows', 'release.yml'),
    );
    const publishing = Object.entries(jobs).flatMap(([name, { steps }]) =>
      steps
        .filter(({ run = '' }) => run.includes('release') && !run.includes('--dry-run'))
        .map(({ run }) => [name, run]),
    );
    assert.deepEqual(publishing, [['publish', 'npm run release -- --from out/release']]);
    assert.deepEqual([jobs['publish']?.needs, jobs['build']?.needs], ['build', 'test']);
  });

  test('run no script of a package in a job that may sign or publish', () => {
    for (const [file, job] of Object.keys(RIGHTS).map((name) => name.split(' '))) {
      const { jobs } = read<Workflow>(textOf('workflows', file ?? ''));
      const installs = jobs[job ?? '']?.steps.flatMap(({ run = '' }) => run.split('\n')).filter((line) => line.startsWith('npm ci')); // oxfmt-ignore
      assert.deepEqual(installs, ['npm ci --ignore-scripts --no-audit --no-fund'], `${file} ${job}`);
    }
  });
});

describe('the checks of workflows', () => {
  const good = textOf('workflows', 'package.yml');
  const spoilt: Readonly<Record<string, readonly [string | RegExp, string]>> = {
    'is started by pull_request_target': ['  pull_request:', '  pull_request_target:'],
    'has rights beyond reading': ['permissions:\n  contents: read', 'permissions: write-all'],
    'is not pinned': [/@[0-9a-f]{40} # v6\.1\.0/, '@v6'],
    'leaves credentials': ['persist-credentials: false', 'persist-credentials: true'],
    'runs Node 18': ['node-version: 24', 'node-version: 18'],
    'runs Node 20.18.0': ['node-version: 24', 'node-version: 20.18.0'],
    'has an expression in a script': ['"$TARGET"', '${{ matrix.target }}'],
    'takes github.event.issue.title': ['TARGET: ${{ matrix.target }}', 'TARGET: ${{ github.event.issue.title }}'],
    'without an environment that is approved': ['TARGET: ${{ matrix.target }}', 'TARGET: ${{ secrets.VSCE_PAT }}'],
    'hands on github.head_ref': ['vsix-${{ matrix.target }}', '${{ github.head_ref }}'],
    'runs npm run pakage': ['npm run package ', 'npm run pakage '],
    'runs curl': ['npm ci --no-audit --no-fund', 'curl https://x.example'],
    'runs solana-rpc verify': ['solana-rpc check', 'solana-rpc verify'],
    'names examples/none.jsonrpc': ['examples/quickstart.jsonrpc', 'examples/none.jsonrpc'],
    'has no time limit': ['    timeout-minutes: 20\n', ''],
    'vsix may contents: write': [
      '    timeout-minutes: 20\n',
      '    timeout-minutes: 20\n    permissions:\n      contents: write\n',
    ],
  };
  for (const [fault, [from, to]] of Object.entries(spoilt))
    test(`find a workflow that ${fault}`, () => {
      const text = good.replace(from, () => to);
      assert.notEqual(text, good);
      const faults = faultsOf('package.yml', text);
      assert.ok(
        faults.some((each) => each.includes(fault)),
        faults.join('\n'),
      );
    });
});

interface Form {
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly string[] };
    readonly validations?: { readonly required: boolean };
  }[];
}

describe('templates', () => {
  const forms = readdirSync(path.join(folder, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

  test('are there for a fault, a wish and a provider', () => {
    assert.deepEqual(forms.sort(), ['bug.yml', 'feature.yml', 'provider.yml']);
  });

  for (const name of forms)
    test(`${name} is an issue form`, () => {
      const form = read<Form>(textOf('ISSUE_TEMPLATE', name));
      for (const text of [form.name, form.description]) assert.ok(text !== '');
      assert.ok(form.labels.length > 0);
      const fields = form.body.filter(({ type }) => type !== 'markdown');
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
      assert.ok(fields.some(({ validations }) => validations?.required === true));
      for (const { type, id, attributes } of fields) {
        assert.ok(['input', 'textarea', 'dropdown'].includes(type), type);
        assert.match(id ?? '', /^[a-z]+$/);
        assert.ok((attributes.label ?? '') !== '');
        assert.equal(type === 'dropdown', attributes.options !== undefined);
      }
    });

  test('ask for no key where a request file or an address is asked for', () => {
    for (const name of ['bug.yml', 'provider.yml']) assert.match(textOf('ISSUE_TEMPLATE', name), /Never paste a key/);
  });

  test('send security faults to the private place', () => {
    const { contact_links: links } = read<{ contact_links: readonly { readonly url: string }[] }>(
      textOf('ISSUE_TEMPLATE', 'config.yml'),
    );
    assert.match(links[0]?.url ?? '', /\/security\/policy$/);
  });
});
