// The run loop: plans, asks, sends in file order, and reports. Knows the world through its ports only.
import { setMaxListeners } from 'node:events';
import { analyse } from '../core/run/analyse';
import { bodyPath } from '../core/run/answer';
import { NoValue } from '../core/run/evaluate';
import { createPlan, selectedIn } from '../core/run/plan';
import { reportOf } from '../core/run/report';
import { knownText, type Runtime } from '../core/document/evaluate';
import { readVariableText } from '../core/document/value';
import { forbiddenNames, readEnvironment } from './environment';
import { readFileHelper } from './helpers';
import { judge, untried } from './outcome';
import { AnswerLookup, refer, type Referred, type References, type Unsent } from './references';
import { start } from './request';
import { runSteps } from './together';
import { abortable, Cancelled } from './wait';
import type { Answer } from '../core/run/answer';
import type { PlanProblem } from '../core/run/analyse';
import type { World } from '../core/run/evaluate';
import type { RequestReport, RunReport } from '../core/run/model';
import type { Plan, Selection, Step } from '../core/run/plan';
import { located, Sources, type Located, type SourceOptions } from '../core/run/source';
import type { PlacedBlock, RequestDocument, Until } from '../core/document/model';
import type { ServiceError } from '../core/errors';
import type { JsonValue } from '../core/values/json/json';
import type { Outcome } from './outcome';
import type { GivenAnswer, RunPorts } from './ports';
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
  /** Every transaction that is sent is watched until it is final, not only those sent with priority. */
  readonly followsSends?: boolean;
  /** Requests of a file that may run at the same time where they only read; absent: one. */
  readonly parallel?: number;
  /** How answers of earlier runs are used; without it everything that is referred to runs, once. */
  readonly references?: References;
}

export type RunOutcome =
  | { readonly kind: 'done'; readonly report: RunReport }
  /** Nothing was sent. The report lists every selected block, the faulty ones as failed. */
  | { readonly kind: 'invalid'; readonly report: RunReport; readonly problems: readonly PlanProblem[] }
  | { readonly kind: 'unknownNames'; readonly names: readonly string[] }
  /** Nothing was sent: these requests send a transaction, are referred to, and have no answer to use. */
  | { readonly kind: 'unsent'; readonly requests: readonly Unsent[]; readonly report: RunReport };

/** All that is known before anything is sent, with every `@prompt` answered. */
export interface Ready {
  readonly kind: 'ready';
  readonly plan: Plan;
  readonly sources: Sources;
  readonly prompted: World['prompted'];
  readonly referred?: { readonly lookup: AnswerLookup; readonly found: Referred };
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
  const referred = await referencesOf(input, sources, ports, signal);
  if (referred !== undefined && referred.found.unsent.length > 0)
    return { kind: 'unsent', requests: referred.found.unsent, report: reportOf([], 0, false) };
  const known = referred === undefined ? undefined : { answered: referred.found.used, left: referred.found.left };
  const plan = createPlan(input.files, input.selection, sources, known);
  if (plan.unknownNames.length > 0) return { kind: 'unknownNames', names: plan.unknownNames };
  const asked = plan.problems.length > 0 ? [] : await askPrompts(plan, input, ports, signal);
  const problems = [...plan.problems, ...problemsOf(asked)];
  const prompted = new Map(asked.flatMap((one) => (one.kind === 'value' ? [[one.name, one.value]] : [])));
  if (problems.length === 0) problems.push(...(await missingOutside({ plan, sources, prompted }, ports, signal)));
  if (problems.length === 0) problems.push(...forbiddenNames(plan, plannedWorld(sources, prompted), ports));
  if (problems.length > 0) {
    const rows = invalidRows(plan, problems, input.endpoint);
    return { kind: 'invalid', problems, report: reportOf(rows, ports.clock.now() - started, false) };
  }
  return { kind: 'ready', plan, sources, prompted, ...(referred !== undefined && { referred }) };
}

/** Looks at what the selected requests refer to; undefined where everything runs. */
async function referencesOf(
  input: RunInput,
  sources: Sources,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Ready['referred']> {
  try {
    return await lookedUp(input, sources, ports, signal);
  } catch (error) {
    // A run that was cancelled sends nothing: all of it is skipped.
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

async function lookedUp(
  { files, selection, references }: RunInput,
  sources: Sources,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Ready['referred']> {
  if (references === undefined) return undefined;
  const world = { sources, references, ports, signal };
  const roots = selectedIn(files, selection, sources);
  // A file with faults is not sent: they are said first.
  if (createPlan(files, selection, sources).problems.length > 0) return undefined;
  const lookup = new AnswerLookup(world, roots);
  const found = await refer(roots, lookup, world);
  if (found.left.size === 0) return { lookup, found };
  // Told no, the answers that are known may do.
  const again = new AnswerLookup(world, roots);
  return { lookup: again, found: await refer(roots, again, world) };
}

/** Sends what was prepared; the rows stand in the order of the plan. */
export const carryOut = (
  ready: Ready,
  input: RunInput,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<readonly RequestReport[]> => {
  // Every request that is under way listens to it: Node would take more than ten for a leak.
  setMaxListeners(0, signal);
  return new Loop(input, ready, ports, signal).all(ready.plan.steps);
};

/** What is known before the run: no answer, no helper. */
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

/** Files and environment variables that are not there, and places where no response is saved: found before anything is sent. */
async function missingOutside(
  { plan, sources, prompted }: Omit<Ready, 'kind'>,
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
    problems.push(...(await forbiddenPlaces(at, prompted, ports)));
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
    return untried(at, endpoint, 'failed', {
      kind: 'invalidRequest',
      message: `${problem.code}: ${problem.message}`,
      hint: 'Correct the file; nothing was sent.',
    });
  });
}

type Done = (row: RequestReport, given?: GivenAnswer) => void;

/** Why a request was left out of a run. */
const NOT_AGREED: ServiceError = {
  kind: 'confirmation',
  message: 'It sends a transaction, or needs the answer of one, that you did not agree to send.',
  hint: 'Send it by itself first.',
};

class Loop {
  readonly #answers = new Map<PlacedBlock, Answer>();
  readonly #streams = new Map<PlacedBlock, Promise<void>>();
  /** Transactions that are watched while later requests run. */
  readonly #landings: Promise<void>[] = [];
  readonly #world: World;
  /** The ids of the answers that this run got, by request. */
  readonly #ids = new Map<PlacedBlock, string>();
  #lastId = 0;
  #hasFailed = false;
  #hasLarge = false;

  constructor(
    private readonly input: RunInput,
    private readonly ready: Ready,
    private readonly ports: RunPorts,
    private readonly signal: AbortSignal,
  ) {
    const { sources, prompted, referred } = ready;
    for (const { answer } of referred?.found.used.values() ?? []) if (answer.large !== undefined) this.#hasLarge = true;
    this.#world = {
      sources,
      prompted,
      answer: (request) => this.#answerTo(request),
      helper: ({ name }) => {
        throw new NoValue(`The helper ${name} was not fetched.`);
      },
    };
  }

  /** The rows in the order of the plan, once every stream has ended. */
  async all(steps: readonly Step[]): Promise<readonly RequestReport[]> {
    const rows: RequestReport[] = [];
    const ends = new Map(steps.map((step) => [step, this.#begin(step)]));
    try {
      await runSteps(steps, { parallel: this.input.parallel ?? 1, sources: this.ready.sources }, (step, index) =>
        this.#one(step, (row, given) => {
          rows[index] = row;
          if (row.status === 'failed') this.#hasFailed = true;
          this.ports.onProgress?.({ kind: 'done', report: row, index, ...(given !== undefined && { given }) });
          ends.get(step)?.();
        }),
      );
      await Promise.all([...this.#streams.values(), ...this.#landings]);
    } finally {
      for (const end of ends.values()) end?.();
    }
    return rows;
  }

  /** Lets other runs wait for the answer of a step. */
  #begin({ at, skip }: Step): (() => void) | undefined {
    const key = skip ? undefined : this.ready.referred?.lookup.keyOf(at);
    return key === undefined ? undefined : this.input.references?.answers.begin(key);
  }

  #answerTo(request: PlacedBlock): Answer | undefined {
    return this.#answers.get(request) ?? this.ready.referred?.found.used.get(request)?.answer;
  }

  /** What the answer of a step will have been given to; undefined where nobody keeps it. */
  async #given(at: Located): Promise<GivenAnswer | undefined> {
    const { referred } = this.ready;
    const key = referred?.lookup.keyOf(at);
    if (referred === undefined || key === undefined) return undefined;
    const idOf = (needed: PlacedBlock): string | undefined =>
      this.#ids.get(needed) ?? referred.found.used.get(needed)?.kept.id;
    const provenance = await referred.lookup.provenance(at, idOf);
    this.#ids.set(at.placed, provenance.id);
    return { key, provenance };
  }

  async #one({ at, skip, isLeft, needs }: Step, done: Done): Promise<void> {
    const { endpoint, defaultTimeoutMs, defaultUntil, bail } = this.input;
    if (skip || this.signal.aborted || (bail && this.#hasFailed)) {
      done(untried(at, endpoint, 'skipped', isLeft === true ? NOT_AGREED : undefined));
      return;
    }
    await this.#waitForStreams(at.placed.line, needs);
    await this.#fetchLarge(at);
    const given = await this.#given(at);
    const allowed = this.ready.referred?.found.allowed;
    const started = await start({
      at,
      world: this.#world,
      ports: this.ports,
      freshId: () => ++this.#lastId,
      defaultTimeoutMs,
      defaultUntil,
      maySend: allowed === undefined || allowed.has(at.placed),
      followsSends: this.input.followsSends === true,
      signal: this.signal,
    });
    const finish = started.outcome.then(async (outcome) => {
      if (outcome.answer !== undefined) this.#answers.set(at.placed, outcome.answer);
      if (outcome.large !== undefined) this.#hasLarge = true;
      await this.#fetchLarge(at);
      const sent = outcome.request === undefined ? undefined : given;
      if (started.watch === undefined) done(await judge(at, endpoint, outcome, started.resolve), sent);
      else this.#landings.push(this.#follow(at, started, outcome, sent).then((row) => done(row, sent)));
    });
    if (started.isStream) this.#streams.set(at.placed, finish);
    else await finish;
  }

  /** Watches what was sent, beside the requests that follow; the row once it is finalized, or too old. */
  async #follow(
    at: Located,
    { watch, resolve }: Started,
    outcome: Outcome,
    given: GivenAnswer | undefined,
  ): Promise<RequestReport> {
    const { endpoint } = this.input;
    const row = (more: Partial<Outcome>): Promise<RequestReport> =>
      judge(at, endpoint, { ...outcome, ...more }, resolve);
    const progress = (report: RequestReport): void =>
      this.ports.onProgress?.({ kind: 'landing', report, ...(given !== undefined && { given }) });
    progress(await row({}));
    const watched = await watch?.((landing) => void row({ landing }).then(progress));
    return row(watched ?? {});
  }

  /** Reads what a block names of answers in files; a run without any does not look for it. */
  async #fetchLarge(at: Located): Promise<void> {
    if (!this.#hasLarge) return;
    for (const { request, path } of analyse(at, this.#world.sources).responses) {
      const steps = bodyPath(path);
      if (steps !== undefined) await this.#answerTo(request)?.large?.fetch(steps);
    }
  }

  async #waitForStreams(line: number, needs: readonly PlacedBlock[]): Promise<void> {
    const waited = needs.flatMap((need) => this.#streams.get(need) ?? []);
    if (waited.length === 0) return;
    this.ports.onProgress?.({ kind: 'waiting', line, reason: 'dependency' });
    await Promise.all(waited);
  }
}
