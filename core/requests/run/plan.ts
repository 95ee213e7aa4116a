// Plans a run before it starts: its blocks, their order and dependencies, and the problems that stop it. Linear in the
// selected blocks and the names they use.
import { importFailure } from '../checks/checkNames';
import { diagnose } from '../checks/diagnostics';
import { analyse } from './analyse';
import { preambleOf, settingsOf } from './source';
import type { RunAnalysis, PlanProblem } from './analyse';
import type { Located, Sources } from './source';
import type { Block, PlacedBlock, Problem, RequestDocument, Settings } from '../document/model';
import type { Scope } from '../document/variables/variables';

/** The selection to run. Names and tags are alternatives: a block that has one of them is selected. */
export type Selection =
  | { readonly kind: 'all' }
  /** Zero-based lines, each anywhere in a block that is to run. */
  | { readonly kind: 'lines'; readonly lines: readonly number[] }
  | { readonly kind: 'named'; readonly names: readonly string[]; readonly tags: readonly string[] };

/** One block to run, or to list as skipped because it is `@disabled`. */
export interface Step {
  readonly at: Located;
  readonly skip: boolean;
  /** It is skipped since it sends a transaction that may not be sent, or needs one. */
  readonly isLeft?: true;
  /** Why it is skipped, as a sentence. */
  readonly reason?: string;
  /** The blocks whose responses it uses; each is earlier in the plan. */
  readonly needs: readonly PlacedBlock[];
  /** Those of them without which it is skipped. */
  readonly requires: readonly PlacedBlock[];
}

export interface Plan {
  /** In the order of the run. */
  readonly steps: readonly Step[];
  /** The blocks of the selection, without their dependencies; `@setup` and `@teardown` are among those of a whole file. */
  readonly selected: ReadonlySet<PlacedBlock>;
  /** `@setup` and `@teardown` of files of which something else is selected. */
  readonly around: ReadonlySet<PlacedBlock>;
  /** Anything here stops the run before it sends. */
  readonly problems: readonly PlanProblem[];
  /** Names that were asked for and that no file has. */
  readonly unknownNames: readonly string[];
}

/** Codes that stop a run, besides those of names; with any other diagnostic the request is sent. */
const STOPPING = new Set([
  'json-syntax',
  'stray-text',
  'second-body',
  'bad-directive',
  'bad-assertion',
  'bad-redirect',
]);

/** Facts about the requests that are only referenced. */
export interface Known {
  /** Their last answers are used: they do not run. */
  readonly answered: { has(request: PlacedBlock): boolean };
  /** These and their dependents may not run. */
  readonly left: ReadonlySet<PlacedBlock>;
}

/** The blocks that run before and after the selected ones of a file: `@setup` and `@teardown`. */
function aroundIn(file: RequestDocument, selection: Selection, sources: Sources): Located[] {
  const located = file.blocks.map((placed) => sources.locate(file, placed));
  const isSelected = (at: Located): boolean => at.block.settings.role === undefined && choose(at, selection) === 'run';
  const around = located.filter(({ block }) => block.settings.role !== undefined && isRequest(block));
  return around.length > 0 && located.some(isSelected) ? around : [];
}

export function createPlan(files: readonly RequestDocument[], selection: Selection, sources: Sources): Plan {
  const planner = new Planner(sources);
  const found = new Set<string>();
  const selected = new Set<PlacedBlock>();
  const aroundThem = new Set<PlacedBlock>();
  const take = (at: Located, choice: 'run' | 'skip', isSelected = true): void => {
    const name = at.block.settings.name?.text;
    if (name !== undefined) found.add(name);
    if (choice === 'skip') return planner.skip(at);
    (isSelected ? selected : aroundThem).add(at.placed);
    planner.add(at);
  };
  for (const file of files) {
    const around = aroundIn(file, selection, sources);
    const takeRole = (role: Settings['role']): void => {
      for (const at of around) {
        const { settings } = at.block;
        // Sending a whole file includes its setup and teardown.
        const isSelected = selection.kind === 'all' || choose(at, selection) === 'run';
        if (settings.role === role) take(at, settings.disabled ? 'skip' : 'run', isSelected);
      }
    };
    takeRole('setup');
    for (const placed of file.blocks) {
      const at = sources.locate(file, placed);
      const choice = choose(at, selection);
      // A block that is selected itself keeps its place.
      if (choice !== 'leave' && !(placed.block.settings.role === 'teardown' && around.length > 0)) take(at, choice);
    }
    takeRole('teardown');
  }
  const names = selection.kind === 'named' ? selection.names : [];
  // Of a file that is imported the first request of the name, as a reference means it.
  for (const name of names) {
    if (found.has(name)) continue;
    const imported = files.flatMap((file) => {
      const [first] = file.blocks;
      return first === undefined ? [] : (sources.locate(file, first).scope.requestNamed(name) ?? []);
    });
    const [request] = imported;
    if (request !== undefined) take(sources.request(request), 'run');
  }
  return {
    steps: planner.steps,
    selected,
    around: aroundThem,
    problems: planner.problems,
    unknownNames: names.filter((name) => !found.has(name)),
  };
}

/** The plan without answered requests and what only they need; requests that may not run are skipped. */
export function planWithout({ answered, left }: Known, plan: Plan): Plan {
  const steps = new Map(plan.steps.map((step) => [step.at.placed, step]));
  const roots = new Set(plan.steps.flatMap(({ at, skip }) => (skip || isRoot(plan, at) ? [at.placed] : [])));
  const running = new Set([...roots].filter((root) => !left.has(root)));
  for (const placed of running)
    for (const needed of steps.get(placed)?.needs ?? []) if (!answered.has(needed)) running.add(needed);
  const leftOut = ({ at }: Step): Step => ({ at, skip: true, isLeft: true, needs: [], requires: [] });
  return {
    ...plan,
    steps: plan.steps.flatMap((step) => {
      if (running.has(step.at.placed)) return [step];
      return roots.has(step.at.placed) ? [leftOut(step)] : [];
    }),
  };
}

const isRoot = ({ selected, around }: Plan, { placed }: Located): boolean => selected.has(placed) || around.has(placed);

/** True for a block that sends something; a heading or notes do not. */
export function isRequest(block: Block): boolean {
  return block.kind === 'request' && (block.body !== undefined || block.requestLine?.transport === 'GRPC');
}

function choose(at: Located, selection: Selection): 'run' | 'skip' | 'leave' {
  const { block, line } = at.placed;
  const stops = block.problems.some(({ code, severity }) => severity === 'error' && STOPPING.has(code));
  if (block.kind !== 'request' || (!isRequest(block) && !stops)) return 'leave';
  switch (selection.kind) {
    case 'all':
      if (block.settings.role !== undefined) return 'leave';
      return block.settings.disabled ? 'skip' : 'run';
    case 'lines': {
      const end = line + block.lineStarts.length;
      return selection.lines.some((wanted) => wanted >= line && wanted < end) ? 'run' : 'leave';
    }
    case 'named': {
      const name = block.settings.name?.text;
      if (name !== undefined && selection.names.includes(name)) return 'run';
      if (block.settings.role !== undefined) return 'leave';
      if (!settingsOf(at).tags.some((tag) => selection.tags.includes(tag))) return 'leave';
      return block.settings.disabled ? 'skip' : 'run';
    }
  }
}

/** A block on the way into the plan, and how many of its dependencies have been looked at. */
interface Visit {
  readonly at: Located;
  readonly analysis: RunAnalysis;
  next: number;
}

class Planner {
  readonly steps: Step[] = [];
  readonly problems: PlanProblem[] = [];
  readonly #state = new Map<PlacedBlock, 'open' | 'done'>();
  readonly #checked = new Set<RequestDocument>();
  readonly #faultsOf = new Map<RequestDocument, ReadonlyMap<Block, readonly Problem[]>>();

  constructor(private readonly sources: Sources) {}

  skip(at: Located): void {
    if (this.#state.has(at.placed)) return;
    this.#state.set(at.placed, 'done');
    this.steps.push({ at, skip: true, needs: [], requires: [] });
  }

  /** Adds a block after everything it depends on. Uses an explicit stack: a chain may have any length. */
  add(root: Located): void {
    if (this.#state.has(root.placed)) return;
    const stack = [this.#enter(root)];
    for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
      const dependency = visit.analysis.dependencies[visit.next++];
      if (dependency === undefined) {
        stack.pop();
        this.#state.set(visit.at.placed, 'done');
        const { dependencies } = visit.analysis;
        const needs = dependencies.map(({ target }) => target.placed);
        const requires = dependencies.filter(({ isOptional }) => !isOptional).map(({ target }) => target.placed);
        this.steps.push({ at: visit.at, skip: false, needs, requires });
        continue;
      }
      const state = this.#state.get(dependency.target.placed);
      if (state === 'open') {
        const message = 'Requests wait for each other in a circle.';
        this.problems.push({ ...dependency.from, code: 'reference-cycle', message });
      } else if (state === undefined) stack.push(this.#enter(dependency.target));
    }
  }

  #enter(at: Located): Visit {
    this.#state.set(at.placed, 'open');
    this.#checkFile(at.scope.document);
    this.#checkGrammar(at);
    const analysis = analyse(at, this.sources);
    this.problems.push(...analysis.problems);
    for (const { target } of analysis.dependencies) this.#checkName(target);
    return { at, analysis, next: 0 };
  }

  #checkFile(document: RequestDocument): void {
    if (this.#checked.has(document)) return;
    this.#checked.add(document);
    const placed = preambleOf(document);
    if (placed === undefined) return;
    const at = this.sources.locate(document, placed);
    this.#checkGrammar(at);
    for (const { text, span } of placed.block.settings.imports) {
      const { imports } = this.sources.options;
      const imported = imports.documentOf(text, document.uri);
      if (imported !== undefined) this.#checkFile(imported);
      else this.problems.push({ at, span, code: 'import-failed', message: importFailure(imports, text, document.uri) });
    }
  }

  #checkGrammar(at: Located): void {
    for (const { code, message, span } of this.#faults(at.scope).get(at.block) ?? []) {
      this.problems.push({ at, span, code, message });
    }
  }

  /** The stopping problems of a file by block; asked once per file. Names are looked up by `analyse`. */
  #faults(scope: Scope): ReadonlyMap<Block, readonly Problem[]> {
    const known = this.#faultsOf.get(scope.document);
    if (known !== undefined) return known;
    const faults = new Map<Block, Problem[]>();
    for (const { placed, problem } of diagnose(scope)) {
      // Grammar errors stop a run; `analyse` resolves the names.
      const isOfGrammar = placed.block.problems.includes(problem);
      if (problem.severity !== 'error' || !(isOfGrammar || STOPPING.has(problem.code))) continue;
      faults.set(placed.block, [...(faults.get(placed.block) ?? []), problem]);
    }
    this.#faultsOf.set(scope.document, faults);
    return faults;
  }

  /** A name that is used must lead to one request. */
  #checkName({ scope, block }: Located): void {
    const name = block.settings.name?.text;
    const second = scope.duplicates.find((candidate) => candidate.name.text === name);
    if (name === undefined || second === undefined) return;
    const at = this.sources.request(second);
    if (this.problems.some((problem) => problem.at.placed === at.placed && problem.code === 'duplicate-name')) return;
    const message = `The name ${name} is used twice in this file, so it is unclear which request is meant.`;
    this.problems.push({ at, span: second.name.span, code: 'duplicate-name', message });
  }
}
