// The run loop: plans, asks, sends in file order, and reports. Knows the world through its ports only.
import { setMaxListeners } from 'node:events';
import { invalidRequest } from '../core/service/errors';
import { analyse } from '../core/requests/run/analyse';
import { NoValue } from '../core/requests/run/evaluate';
import { createPlan, planWithout } from '../core/requests/run/plan';
import { reportOf } from '../core/requests/run/report';
import { knownText, type Runtime } from '../core/requests/document/variables/evaluate';
import { readVariableText } from '../core/requests/document/variables/value';
import { CarriedNames } from './carried';
import { forbiddenNames, readEnvironment } from './environment';
import { faultOf, clockTime } from './fault';
import { readFileHelper } from './helpers';
import { Loop, type LoopInput, type PreparedRun } from './loop';
import { runMemory } from './memory';
import { untried } from './outcome';
import { AnswerLookup, refer, type Unsent } from './references';
import { withRows } from './rows';
import type { RunPorts } from './ports';
import { abortable, Cancelled } from './wait';
import type { PlanProblem } from '../core/requests/run/analyse';
import type { World } from '../core/requests/run/evaluate';
import type { RequestReport, RunReport } from '../core/requests/run/model';
import type { Plan, Selection } from '../core/requests/run/plan';
import { located, Sources, type Located, type SourceOptions } from '../core/requests/run/source';
import type { RequestDocument } from '../core/requests/document/model';
import type { JsonValue } from '../core/solana/json/json';

/** For blocks that name no time (request-files, `@timeout`). */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface RunInput extends SourceOptions, LoopInput {
  /** In the order in which they run. Reports name them by their URI. */
  readonly files: readonly RequestDocument[];
  readonly selection: Selection;
}

export type RunOutcome =
  | { readonly kind: 'done'; readonly report: RunReport }
  /** Not sent. The report lists every selected block, the faulty ones as failed. */
  | { readonly kind: 'invalid'; readonly report: RunReport; readonly problems: readonly PlanProblem[] }
  | { readonly kind: 'unknownNames'; readonly names: readonly string[] }
  /** Not sent: these requests send a transaction, are referenced, and have no reusable answer. */
  | { readonly kind: 'unsent'; readonly requests: readonly Unsent[]; readonly report: RunReport };

/** A run's plan, and the sources it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly sources: Sources;
}

export function planRun(input: Pick<RunInput, 'files' | 'selection' | keyof SourceOptions>): Planned {
  const sources = new Sources(input);
  return { plan: createPlan(input.files, input.selection, sources), sources };
}

/** `planned`: the plan of the same input, from one who looked at it first. */
export async function run(
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
  planned = planRun(input),
): Promise<RunOutcome> {
  const started = clockTime(ports);
  const ready = await prepareRun(planned, input, ports, signal);
  if (ready.kind !== 'ready') return ready;
  const rows = await carryOut(ready, input, ports, signal);
  return { kind: 'done', report: reportOf(rows, clockTime(ports) - started, true) };
}

type Preparation = PreparedRun | Exclude<RunOutcome, { readonly kind: 'done' }>;

/** Asks, and finds every fault that can be found before anything is sent. */
export async function prepareRun(
  planned: Planned,
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Preparation> {
  try {
    return await prepared(planned, input, ports, signal);
  } catch (thrown) {
    const message = 'The run could not be prepared because of an internal error. Nothing was sent.';
    const error = { ...faultOf(thrown, ports), message };
    const rows = planned.plan.steps.map(({ at, skip }) =>
      skip ? untried(at, input.endpoint, 'skipped') : untried(at, input.endpoint, 'failed', error),
    );
    return { kind: 'invalid', problems: [], report: reportOf(rows, 0, false) };
  }
}

async function prepared(planned: Planned, input: RunInput, ports: RunPorts, signal: AbortSignal): Promise<Preparation> {
  const started = ports.clock.now();
  const { sources } = planned;
  const referred = await referencesOf(planned, input, ports, signal);
  if (referred !== undefined && referred.found.unsent.length > 0)
    return { kind: 'unsent', requests: referred.found.unsent, report: reportOf([], 0, false) };
  const plan =
    referred === undefined
      ? planned.plan
      : planWithout({ answered: referred.found.used, left: referred.found.left }, planned.plan);
  if (plan.unknownNames.length > 0) return { kind: 'unknownNames', names: plan.unknownNames };
  const asked = plan.problems.length > 0 ? [] : await askPrompts(plan, input, ports, signal);
  const problems = [...plan.problems, ...problemsOf(asked)];
  const prompted = new Map(asked.flatMap((one) => (one.kind === 'value' ? [[one.name, one.value]] : [])));
  if (problems.length === 0) problems.push(...(await missingOutside({ plan, sources, prompted }, ports, signal)));
  const carried = new CarriedNames(plan.steps, plannedWorld(sources, prompted), ports.environment);
  const updatesSnapshots = input.updatesSnapshots === true;
  if (problems.length === 0)
    problems.push(...forbiddenNames({ steps: plan.steps, sources, carried, updatesSnapshots }, ports));
  const rows = problems.length > 0 ? { steps: plan.steps, problems: [] } : await withRows(plan.steps, ports, signal);
  problems.push(...rows.problems);
  if (problems.length > 0) {
    const report = invalidRows(plan, problems, input.endpoint);
    return { kind: 'invalid', problems, report: reportOf(report, ports.clock.now() - started, false) };
  }
  return {
    kind: 'ready',
    plan: { ...plan, steps: rows.steps },
    sources,
    prompted,
    carried,
    memory: runMemory(),
    ...(referred !== undefined && { referred }),
  };
}

/** Resolves the references of the selected requests; undefined if everything runs. */
async function referencesOf(
  { plan, sources }: Planned,
  { references }: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<PreparedRun['referred']> {
  // A file with faults is not sent: they are said first.
  if (references === undefined || plan.problems.length > 0) return undefined;
  const world = { sources, references, ports, signal };
  try {
    const lookup = new AnswerLookup(world, plan);
    const found = await refer(plan, lookup, world);
    if (found.left.size === 0) return { lookup, found };
    // After a no, the known answers may be enough.
    const again = new AnswerLookup(world, plan);
    return { lookup: again, found: await refer(plan, again, world) };
  } catch (error) {
    // A cancelled run sends nothing: all of it is skipped.
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

/** Sends the prepared requests; the rows are in the plan's order. */
export const carryOut = (
  ready: PreparedRun,
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<readonly RequestReport[]> => {
  // Every request that is under way listens to it: Node would take more than ten for a leak.
  setMaxListeners(0, signal);
  return new Loop(input, ready, ports, signal).all(ready.plan.steps);
};

/** Values known before the run, without answers and helpers. */
const plannedWorld = (sources: Sources, prompted: World['prompted']): World => ({
  sources,
  prompted,
  answer: () => undefined,
  helper: ({ name }) => {
    throw new NoValue(`The helper ${name} is known during the run only.`);
  },
});

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

/** Missing files and environment variables, and invalid paths for responses: found before anything is sent. */
async function missingOutside(
  { plan, sources, prompted }: Pick<PreparedRun, 'plan' | 'sources' | 'prompted'>,
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
    problems.push(...(await missingSchemas(at, ports)), ...(await forbiddenPlaces(at, prompted, ports)));
  }
  return problems;
}

/** Schemas of `matchesSchema` that are not there. */
async function missingSchemas(at: Located, { files }: RunPorts): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  for (const { value, span } of at.block.assertions) {
    if (value?.kind !== 'file') continue;
    const read = await files.read(value.path, at.scope.document.uri, 'schema');
    if (!read.ok) problems.push({ at, span, code: 'bad-assertion', message: read.error.message });
  }
  return problems;
}

/** `>>` that leads out of the workspace or to a file that is never written; a name that a response completes is checked later. */
async function forbiddenPlaces(at: Located, prompted: World['prompted'], { files }: RunPorts): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  const known: Runtime = (dynamic) => {
    const value = dynamic.kind === 'prompt' ? prompted.get(dynamic.prompt.name) : undefined;
    return value === undefined ? undefined : { kind: 'value', value };
  };
  for (const { file, span } of at.block.redirects) {
    const path = knownText(at, file.text, known);
    if (path === undefined) continue;
    // As if it were to overwrite: a file that is there fails its request alone, and may be gone by then.
    const allowed = await files.mayWrite(path, at.scope.document.uri, true);
    if (!allowed.ok) problems.push({ at, span, code: 'bad-redirect', message: allowed.error.message });
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
    const error = invalidRequest(`${problem.code}: ${problem.message}`, 'Correct the file; nothing was sent.');
    return untried(at, endpoint, 'failed', error);
  });
}
