// What one block needs: the requests it names, directly or through variables, the helpers it calls, and the references
// that lead nowhere.
import { findRequest, findVariable } from './source';
import { referencesIn } from './splice';
import type { Found, Given, Located } from './source';
import type { Reference, ReferenceContent, Span, Variable } from '../document/model';

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

/** A helper and the place that names it: paths are relative to that file. */
export interface HelperUse {
  readonly at: Located;
  readonly span: Span;
  readonly helper: Extract<ReferenceContent, { kind: 'helper' }>;
}

export interface Analysis {
  readonly dependencies: readonly Dependency[];
  readonly helpers: readonly HelperUse[];
  readonly problems: readonly PlanProblem[];
}

/** Arguments of these helpers may be names of variables. */
const TAKES_NAMES = new Set(['$transfer']);

/** Follows every reference of a block and of the variables it reaches. */
export function analyse(at: Located, given: Given): Analysis {
  const walk = new Walk(at, given);
  for (const reference of at.placed.block.references) walk.follow(at, reference);
  return { dependencies: [...walk.dependencies.values()], helpers: walk.helpers, problems: walk.problems };
}

class Walk {
  readonly dependencies = new Map<unknown, Dependency>();
  readonly helpers: HelperUse[] = [];
  readonly problems: PlanProblem[] = [];
  /** Variables being followed, and those that were. */
  private readonly variables = new Map<Variable, 'open' | 'done'>();

  constructor(
    private readonly root: Located,
    private readonly given: Given,
  ) {}

  follow(at: Located, reference: Reference): void {
    const { content, span } = reference;
    switch (content.kind) {
      case 'invalid':
        this.report(at, span, 'unresolved-variable', content.reason);
        return;
      case 'helper':
        this.helpers.push({ at, span, helper: content });
        if (TAKES_NAMES.has(content.name)) {
          for (const arg of content.args) this.reach(at, reference, findVariable(arg.text, at, this.given));
        }
        return;
      case 'response': {
        const request = findRequest(content.request, at.file);
        if (request === undefined) {
          this.report(at, span, 'unresolved-variable', `No request is named ${content.request}.`);
        } else this.depend(at, reference, request);
        return;
      }
      case 'variable': {
        const found = findVariable(content.name, at, this.given);
        if (found.kind === 'missing') {
          this.report(at, span, 'unresolved-variable', `The variable ${content.name} is not defined.`);
        } else this.reach(at, reference, found);
      }
    }
  }

  private reach(at: Located, reference: Reference, found: Found): void {
    switch (found.kind) {
      case 'request':
        this.depend(at, reference, found.request);
        return;
      case 'variable': {
        const { variable, at: home } = found;
        const state = this.variables.get(variable);
        if (state === 'open') {
          this.report(at, reference.span, 'reference-cycle', `The variable ${variable.name.text} needs itself.`);
        }
        if (state !== undefined) return;
        this.variables.set(variable, 'open');
        const { start, end } = variable.value.span;
        for (const inner of referencesIn(home.placed.block.references, start, end)) this.follow(home, inner);
        this.variables.set(variable, 'done');
        return;
      }
      case 'value':
      case 'prompt':
      case 'missing':
        return;
    }
  }

  private depend(at: Located, reference: Reference, target: Located): void {
    // What is looked at once the answer is here may name the request's own answer.
    const isAfter = reference.place === 'assertion' || reference.place === 'retry' || reference.place === 'redirect';
    if (target.placed === this.root.placed && isAfter) return;
    if (!this.dependencies.has(target.placed)) {
      this.dependencies.set(target.placed, { target, from: { at, span: reference.span } });
    }
  }

  private report(at: Located, span: Span, code: string, message: string): void {
    if (this.problems.some((known) => known.at.placed === at.placed && known.span.start === span.start)) return;
    this.problems.push({ at, span, code, message });
  }
}
