// Runs the shell steps of workflows and of this repository's Action as the runner of GitHub does, each time in a new
// checkout. npm installs the packed tarball instead of asking the registry.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { findProgram } from '../../../scripts/editor/run.mjs';
import { packAll, runProgram, type Ended } from './npmPackage';

const root = path.join(__dirname, '..', '..', '..');
const OWN = 'rpc-workbench/solana-rpc-workbench@';

type Texts = Readonly<Record<string, string>>;

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly shell?: string;
  readonly env?: Texts;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly uses?: string;
}

export interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const readAction = async (): Promise<Action> =>
  parse(await readFile(path.join(root, 'action.yml'), 'utf8')) as Action;

export interface Job extends Ended {
  /** The text that the steps wrote to GITHUB_OUTPUT. */
  readonly outputs: string;
  readonly summary: string;
}

export class WorkflowRunner {
  private constructor(
    private readonly folder: string,
    readonly action: Action,
  ) {}

  /** Packs the package into `folder`, and puts there an npm that takes it wherever it is asked for. */
  static async create(folder: string): Promise<WorkflowRunner> {
    const bin = path.join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    const { tarballs } = await packAll(folder);
    const script = `#!/usr/bin/env bash
words=()
for word in "$@"; do
  case "$word" in
    solana-rpc-workbench@*)
      printf '%s\\n' "$word" >> '${bin}/asked'
      words+=(${tarballs.map((file) => `'${file}'`).join(' ')})
      ;;
    *) words+=("$word") ;;
  esac
done
env > '${bin}/environment'
exec '${findProgram('npm') ?? ''}' "\${words[@]}" --offline
`;
    await writeFile(path.join(bin, 'npm'), script);
    await chmod(path.join(bin, 'npm'), 0o755);
    return new WorkflowRunner(folder, await readAction());
  }

  /** The specifications that npm was asked for, a line each. */
  asked(): Promise<string> {
    return readFile(path.join(this.folder, 'bin', 'asked'), 'utf8').catch(() => '');
  }

  /** The environment of npm when it ran last. */
  environment(): Promise<string> {
    return readFile(path.join(this.folder, 'bin', 'environment'), 'utf8');
  }

  /** A checkout with these files. */
  async checkout(files: Texts): Promise<Checkout> {
    const place = path.join(this.folder, `checkout-${randomUUID()}`);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(place, name)), { recursive: true });
      await writeFile(path.join(place, name), text);
    }
    return new Checkout(place, this.folder, this.action);
  }
}

export class Checkout {
  readonly #temporary: string;
  readonly #summary: string;
  readonly #output: string;

  constructor(
    private readonly place: string,
    private readonly folder: string,
    private readonly action: Action,
  ) {
    this.#temporary = `${place}-temp`;
    this.#summary = path.join(this.#temporary, 'summary.md');
    this.#output = path.join(this.#temporary, 'output');
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.place, name), 'utf8');
  }

  /** The Action alone, with these inputs; `env` is that of the step which uses it. */
  runAction(inputs: Texts = {}, env: Texts = {}): Promise<Job> {
    return this.run([{ uses: `${OWN}v0`, with: inputs, env }]);
  }

  /** Its step of that id alone, after another one has installed the package. */
  runActionStep(id: string, inputs: Texts): Promise<Job> {
    const steps = this.action.runs.steps.filter((step) => step.id === id);
    return this.run(steps, this.#inputs(inputs));
  }

  /** The inputs of the Action as the values of its expressions. */
  #inputs(given: Texts): Texts {
    for (const name of Object.keys(given)) assert.ok(name in this.action.inputs, `an input "${name}"`);
    return Object.fromEntries(
      Object.entries(this.action.inputs).map(([name, input]) => [`inputs.${name}`, given[name] ?? input.default]),
    );
  }

  /** One step after the other until one fails. `context` has the values of expressions, such as `secrets.NAME`. */
  async run(steps: readonly Step[], context: Texts = {}): Promise<Job> {
    await mkdir(this.#temporary, { recursive: true });
    for (const file of [this.#summary, this.#output]) await writeFile(file, '');
    const ended = await this.#steps(steps, context, {});
    return {
      ...ended,
      outputs: await readFile(this.#output, 'utf8'),
      summary: await readFile(this.#summary, 'utf8'),
    };
  }

  async #steps(steps: readonly Step[], context: Texts, outer: Texts): Promise<Ended> {
    let all: Ended = { code: 0, stdout: '', stderr: '' };
    for (const step of steps) {
      const env = { ...outer, ...filled(step.env ?? {}, context) };
      const { code, stdout, stderr } = await this.#step(step, context, env);
      all = { code, stdout: all.stdout + stdout, stderr: all.stderr + stderr };
      if (code !== 0) break;
    }
    return all;
  }

  async #step(step: Step, context: Texts, env: Texts): Promise<Ended> {
    if (step.uses?.startsWith(OWN) === true) {
      const given = filled(
        Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, String(value)])),
        context,
      );
      return this.#steps(this.action.runs.steps, this.#inputs(given), env);
    }
    if (step.run === undefined) {
      assert.match(step.uses ?? '', /^(actions|github)\/[\w/-]+@/);
      return { code: 0, stdout: '', stderr: '' };
    }
    const script = path.join(this.#temporary, `${randomUUID()}.sh`);
    await writeFile(script, step.run);
    const prefix = path.join(this.#temporary, 'global');
    return runProgram(this.place, 'bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      env: {
        PATH: [path.join(this.folder, 'bin'), path.join(prefix, 'bin'), process.env['PATH'] ?? ''].join(path.delimiter),
        npm_config_prefix: prefix,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: this.place,
        GITHUB_STEP_SUMMARY: this.#summary,
        GITHUB_OUTPUT: this.#output,
        RUNNER_TEMP: this.#temporary,
        ...env,
      },
    });
  }
}

/** Values with their expressions filled in; an expression missing from the context is empty, as for the runner. */
const filled = (values: Texts, context: Texts): Texts =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, expression: string) => context[expression] ?? ''),
    ]),
  );
