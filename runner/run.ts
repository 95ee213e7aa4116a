// The run loop: plans, asks, sends in file order, and reports. Knows the world through its ports only.
import { analyse } from '../core/run/analyse';
import { bodyPath } from '../core/run/answer';
import { NoValue } from '../core/run/evaluate';
import { createPlan } from '../core/run/plan';
import { reportOf } from '../core/run/report';
import { readVariableText } from '../core/document/value';
import { readEnvironment, readFileHelper } from './helpers';
import { judge, untried } from './outcome';
import { start } from './request';
import { abortable, Cancelled } from './wait';
import type { Answer } from '../core/run/answer';
import type { PlanProblem } from '../core/run/analyse';
import type { World } from '../core/run/evaluate';
import type { RequestReport, RunReport } from '../core/run/model';
import type { Plan, Selection, Step } from '../core/run/plan';
import { located, Sources, type Located } from '../core/run/source';
import type { SourceOptions } from '../core/run/source';
import type { PlacedBlock, RequestDocument, Until } from '../core/document/model';
import type { JsonValue } from '../core/values/json';
import type { Outcome } from './outcome';
import type { RunPorts } from './ports';
import type { Started } from './request';

export const DEFAULT_TIMEOUT_MS = 30_000;
/** Without `@until` a stream of a run that nobody watches ends after this. */
export const DEFAULT_UNTIL: Until = { ms: 10_000 };

export interface RunInput extends SourceOptions {
  /** In the order in which they run. Reports name them by their URI. */
  readonly files: readonly RequestDocument[];
  readonly selection: Selection;
  /** Name of the active endpoint, for reports. */
  readonly endpoint: string;
  /** For blocks without `@timeout`. */
  readonly defaultTimeoutMs: number;
  /** For streams without `@until`; undefined: until they are cancelled. */
  readonly defaultUntil: Until | undefined;
  /** Stops at the first request that fails. */
  readonly bail: boolean;
}

export type RunOutcome =
  | { readonly kind: 'done'; readonly report: RunReport }
  /** Nothing was sent. The report lists every selected block, the faulty ones as failed. */
  | { readonly kind: 'invalid'; readonly report: RunReport; readonly problems: readonly PlanProblem[] }
  | { readonly kind: 'unknownNames'; readonly names: readonly string[] };

/** All that is known before anything is sent, with every `@prompt` answered. */
export interface Ready {
  readonly kind: 'ready';
  readonly plan: Plan;
  readonly sources: Sources;
  readonly prompted: World['prompted'];
}

export async function run(input: RunInput, ports: RunPorts, signal: AbortSignal): Promise<RunOutcome> {
  const started = ports.clock.now();
  const ready = await prepare(input, ports, signal);
  if (ready.kind !== 'ready') return ready;
  const rows = await carryOut(ready, input, ports, signal);
  return { kind: 'done', report: reportOf(rows, ports.clock.now() - started, true) };
}

/** Plans, asks, and finds every fault that can be found before anything is sent. */
export async function prepare(
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Ready | Exclude<RunOutcome, { readonly kind: 'done' }>> {
  const started = ports.clock.now();
  const sources = new Sources(input);
  const plan = createPlan(input.files, input.selection, sources);
  if (plan.unknownNames.length > 0) return { kind: 'unknownNames', names: plan.unknownNames };
  const asked = plan.problems.length > 0 ? [] : await askPrompts(plan, input, ports, signal);
  const problems = [...plan.problems, ...problemsOf(asked)];
  if (problems.length === 0) problems.push(...(await missingOutside(plan, sources, ports, signal)));
  if (problems.length > 0) {
    const rows = invalidRows(plan, problems, input.endpoint);
    return { kind: 'invalid', problems, report: reportOf(rows, ports.clock.now() - started, false) };
  }
  const prompted = new Map(asked.flatMap((one) => (one.kind === 'value' ? [[one.name, one.value]] : [])));
  return { kind: 'ready', plan, sources, prompted };
}

/** Sends what was prepared; the rows stand in the order of the plan. */
export const carryOut = (
  { plan, sources, prompted }: Ready,
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<readonly RequestReport[]> => new Loop(input, sources, prompted, ports, signal).all(plan.steps);

type Asked =
  | { readonly kind: 'value'; readonly name: string; readonly value: JsonValue }
  | { readonly kind: 'problem'; readonly problem: PlanProblem };

const problemsOf = (asked: readonly Asked[]): PlanProblem[] =>
  asked.flatMap((one) => (one.kind === 'problem' ? [one.problem] : []));

/** Every `@prompt` is asked before anything is sent, each name once. */
async function askPrompts(plan: Plan, input: RunInput, ports: RunPorts, signal: AbortSignal): Promise<Asked[]> {
  const asked = new Map<string, Asked>();
  for (const { at, skip } of plan.steps) {
    if (skip) continue;
    for (const { name, label } of at.block.settings.prompts) {
      if (asked.has(name) || input.variables.has(name)) continue;
      const text = await unlessCancelled(ports.prompt(name, label, signal), signal);
      if (text !== undefined) asked.set(name, { kind: 'value', name, value: readVariableText(text) });
      else {
        const directive = at.block.directives.find(
          (candidate) => candidate.name.text === 'prompt' && candidate.value.text.startsWith(name),
        );
        const span = directive?.span ?? at.block.title.span;
        const message = `The variable ${name} is asked for and was not given; nobody can be asked here.`;
        asked.set(name, { kind: 'problem', problem: { at, span, code: 'unresolved-variable', message } });
      }
    }
  }
  return [...asked.values()];
}

async function unlessCancelled<T>(promise: Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await abortable(promise, signal);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

/** Files and environment variables that are named and not there: found before anything is sent. */
async function missingOutside(
  plan: Plan,
  sources: Sources,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  for (const { at, skip } of plan.steps) {
    if (skip) continue;
    for (const { helper, home, span } of analyse(at, sources).helpers) {
      const name = helper.args[0]?.text ?? '';
      try {
        if (helper.name === '$file') await readFileHelper(name, home, ports, signal);
        if (helper.name === '$processEnv') readEnvironment(name, ports);
      } catch (error) {
        if (error instanceof Cancelled) return problems;
        if (!(error instanceof NoValue)) throw error;
        problems.push({ at: located(home) ?? at, span, code: 'unresolved-variable', message: error.message });
      }
    }
  }
  return problems;
}

/** A fault in a preamble, or in a file that is imported, concerns every block that is to run. */
function invalidRows(plan: Plan, problems: readonly PlanProblem[], endpoint: string): RequestReport[] {
  const known = new Set(plan.steps.map((step) => step.at.placed));
  const shared = problems.find((problem) => !known.has(problem.at.placed));
  return plan.steps.map(({ at, skip }) => {
    const problem = problems.find((candidate) => candidate.at.placed === at.placed) ?? (skip ? undefined : shared);
    if (problem === undefined) return untried(at, endpoint, 'skipped');
    return untried(at, endpoint, 'failed', {
      kind: 'invalidRequest',
      message: `${problem.code}: ${problem.message}`,
      hint: 'Correct the file; nothing was sent.',
    });
  });
}

class Loop {
  private readonly answers = new Map<PlacedBlock, Answer>();
  private readonly streams = new Map<PlacedBlock, Promise<void>>();
  /** Transactions that are watched while later requests run. */
  private readonly landings: Promise<void>[] = [];
  private readonly world: World;
  private lastId = 0;
  private hasFailed = false;
  private hasLarge = false;

  constructor(
    private readonly input: RunInput,
    sources: Sources,
    prompted: World['prompted'],
    private readonly ports: RunPorts,
    private readonly signal: AbortSignal,
  ) {
    this.world = {
      sources,
      prompted,
      answer: (request) => this.answers.get(request),
      helper: ({ name }) => {
        throw new NoValue(`The helper ${name} was not fetched.`);
      },
    };
  }

  /** The rows in the order of the plan, once every stream has ended. */
  async all(steps: readonly Step[]): Promise<readonly RequestReport[]> {
    const rows: RequestReport[] = [];
    for (const [index, step] of steps.entries()) {
      await this.one(step, (row) => {
        rows[index] = row;
        if (row.status === 'failed') this.hasFailed = true;
        this.ports.onProgress?.({ kind: 'done', report: row });
      });
    }
    await Promise.all([...this.streams.values(), ...this.landings]);
    return rows;
  }

  private async one({ at, skip, needs }: Step, done: (row: RequestReport) => void): Promise<void> {
    const { endpoint, defaultTimeoutMs, defaultUntil, bail } = this.input;
    if (skip || this.signal.aborted || (bail && this.hasFailed)) {
      done(untried(at, endpoint, 'skipped'));
      return;
    }
    await this.waitForStreams(at.placed.line, needs);
    await this.fetchLarge(at);
    const started = await start({
      at,
      world: this.world,
      ports: this.ports,
      freshId: () => ++this.lastId,
      defaultTimeoutMs,
      defaultUntil,
      signal: this.signal,
    });
    const finish = started.outcome.then(async (outcome) => {
      if (outcome.answer !== undefined) this.answers.set(at.placed, outcome.answer);
      if (outcome.large !== undefined) this.hasLarge = true;
      await this.fetchLarge(at);
      if (started.watch === undefined) done(await judge(at, endpoint, outcome, started.resolve));
      else this.landings.push(this.follow(at, started, outcome, done));
    });
    if (started.isStream) this.streams.set(at.placed, finish);
    else await finish;
  }

  /** What was sent is watched beside the requests that follow; its row is done when it is finalized, or too old. */
  private async follow(
    at: Located,
    { watch, resolve }: Started,
    outcome: Outcome,
    done: (row: RequestReport) => void,
  ): Promise<void> {
    const { endpoint } = this.input;
    const row = (more: Partial<Outcome>): Promise<RequestReport> =>
      judge(at, endpoint, { ...outcome, ...more }, resolve);
    const tell = (report: RequestReport): void => this.ports.onProgress?.({ kind: 'landing', report });
    tell(await row({}));
    const watched = await watch?.((landing) => void row({ landing }).then(tell));
    done(await row(watched ?? {}));
  }

  /** Reads what a block names of answers in files; a run without any does not look for it. */
  private async fetchLarge(at: Located): Promise<void> {
    if (!this.hasLarge) return;
    for (const { request, path } of analyse(at, this.world.sources).responses) {
      const steps = bodyPath(path);
      if (steps !== undefined) await this.answers.get(request)?.large?.fetch(steps);
    }
  }

  private async waitForStreams(line: number, needs: readonly PlacedBlock[]): Promise<void> {
    const waited = needs.flatMap((need) => this.streams.get(need) ?? []);
    if (waited.length === 0) return;
    this.ports.onProgress?.({ kind: 'waiting', line, reason: 'dependency' });
    await Promise.all(waited);
  }
}
