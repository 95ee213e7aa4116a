// What one block needs: the requests it names, directly or through variables, the helpers it calls, and the references
// that lead nowhere.
import { located, meaningAt } from './source';
import type { Home } from '../document/evaluate';
import { referencesIn } from '../document/splice';
import type { Located, Sources } from './source';
import type { PathStep, PlacedBlock, Reference, ReferenceContent, Span, Variable } from '../document/model';
import type { Meaning } from '../document/variables';

/** Something that stops a run, with its place. Codes are those of docs/diagnostics.md. */
export interface PlanProblem {
  readonly at: Located;
  readonly span: Span;
  readonly code: string;
  readonly message: string;
}

export interface Dependency {
  readonly target: Located;
  /** The reference that names it. */
  readonly from: { readonly at: Located; readonly span: Span };
}

export type Helper = Extract<ReferenceContent, { kind: 'helper' }>;

/** A helper and the place that names it: paths are relative to that file. */
export interface HelperUse {
  readonly home: Home;
  readonly span: Span;
  readonly helper: Helper;
}

/** A value out of a response; it may be the block's own. */
export interface ResponseUse {
  readonly request: PlacedBlock;
  readonly path: readonly PathStep[];
}

export interface Analysis {
  readonly responses: readonly ResponseUse[];
  readonly dependencies: readonly Dependency[];
  readonly helpers: readonly HelperUse[];
  readonly problems: readonly PlanProblem[];
}

/** Arguments of these helpers may be names of variables. */
const TAKES_NAMES = new Set(['$transfer']);

/** Follows every reference of a block and of the variables it reaches. */
export function analyse(at: Located, sources: Sources): Analysis {
  const walk = new Walk(at, sources);
  for (const reference of at.block.references) walk.follow(at, reference);
  const { responses, dependencies, helpers, problems } = walk;
  return { responses, dependencies: [...dependencies.values()], helpers, problems };
}

class Walk {
  readonly responses: ResponseUse[] = [];
  readonly dependencies = new Map<unknown, Dependency>();
  readonly helpers: HelperUse[] = [];
  readonly problems: PlanProblem[] = [];
  /** Variables being followed, and those that were. */
  readonly #variables = new Map<Variable, 'open' | 'done'>();

  constructor(
    private readonly root: Located,
    private readonly sources: Sources,
  ) {}

  follow(home: Home, reference: Reference): void {
    this.#reach(home, reference, meaningAt(home, reference.content));
  }

  #reach(home: Home, reference: Reference, meaning: Meaning): void {
    switch (meaning.kind) {
      case 'unresolved':
        this.#report(home, reference.span, 'unresolved-variable', meaning.reason);
        return;
      case 'value':
        return;
      case 'variable':
        this.#enter(home, reference, meaning);
        return;
      case 'dynamic':
        if (meaning.dynamic.kind === 'response') {
          const target = this.sources.request(meaning.dynamic.request);
          this.responses.push({ request: target.placed, path: meaning.dynamic.path });
          this.#depend(home, reference, target);
        }
        if (meaning.dynamic.kind === 'helper') this.#call(home, reference, meaning.dynamic);
    }
  }

  #enter(home: Home, reference: Reference, meaning: Extract<Meaning, { kind: 'variable' }>): void {
    const { variable, block } = meaning.origin;
    const state = this.#variables.get(variable);
    if (state === 'open') {
      this.#report(home, reference.span, 'reference-cycle', `The variable ${variable.name.text} needs itself.`);
    }
    if (state !== undefined) return;
    this.#variables.set(variable, 'open');
    const { start, end } = variable.value.span;
    const inner = { scope: meaning.scope, block };
    for (const next of referencesIn(block.references, start, end)) this.follow(inner, next);
    this.#variables.set(variable, 'done');
  }

  #call(home: Home, reference: Reference, helper: Helper): void {
    this.helpers.push({ home, span: reference.span, helper });
    if (!TAKES_NAMES.has(helper.name)) return;
    for (const { text } of helper.args) {
      const meaning = meaningAt(home, { kind: 'variable', name: text });
      if (meaning.kind !== 'unresolved') this.#reach(home, reference, meaning);
    }
  }

  #depend(home: Home, { place, span }: Reference, target: Located): void {
    // What is looked at once the answer is here may name the request's own answer.
    const isAfter = place === 'assertion' || place === 'retry' || place === 'redirect';
    if (target.placed === this.root.placed && isAfter) return;
    const at = this.#placeOf(home);
    if (!this.dependencies.has(target.placed)) this.dependencies.set(target.placed, { target, from: { at, span } });
  }

  /** Almost always the block itself: looking it up among all blocks would make a long file cost its square. */
  #placeOf(home: Home): Located {
    return home.block === this.root.block ? this.root : (located(home) ?? this.root);
  }

  #report(home: Home, span: Span, code: string, message: string): void {
    if (this.problems.some((known) => known.at.block === home.block && known.span.start === span.start)) return;
    this.problems.push({ at: this.#placeOf(home), span, code, message });
  }
}
