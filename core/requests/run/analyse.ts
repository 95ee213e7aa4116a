// The dependencies of one block: the requests it names, directly or through variables, the helpers it calls, and the
// references that cannot be resolved.
import { isAfterwards, NAMED_BY_OWN_RESPONSE } from '../document/variables/dependencies';
import { evaluate, type Home } from '../document/variables/evaluate';
import { follow, type Helper } from './references';
import { located, type Located, type Sources } from './source';

import type { PathStep, PlacedBlock, Reference, Span } from '../document/model';

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
  /** Every reference to it has a default: it may be left out. */
  readonly isOptional: boolean;
}

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

export interface RunAnalysis {
  readonly responses: readonly ResponseUse[];
  readonly dependencies: readonly Dependency[];
  readonly helpers: readonly HelperUse[];
  readonly problems: readonly PlanProblem[];
}

/** Resolves every reference of a block. */
export function analyse(at: Located, sources: Sources): RunAnalysis {
  const responses: ResponseUse[] = [];
  const dependencies = new Map<unknown, Dependency>();
  const helpers: HelperUse[] = [];
  const problems: PlanProblem[] = [];
  /** Almost always the block itself: looking it up among all blocks would make a long file cost its square. */
  const placeOf = (home: Home): Located => (home.block === at.block ? at : (located(home) ?? at));
  const report = (home: Home, { span }: Reference, code: string, message: string): void => {
    if (problems.some((known) => known.at.block === home.block && known.span.start === span.start)) return;
    problems.push({ at: placeOf(home), span, code, message });
  };
  for (const followed of follow(at, at.block.references)) {
    const { home, reference } = followed;
    switch (followed.kind) {
      case 'unresolved':
        report(home, reference, 'unresolved-variable', followed.reason);
        break;
      case 'variable':
        if (followed.isCycle)
          report(home, reference, 'reference-cycle', `The variable ${followed.variable.name.text} needs itself.`);
        break;
      case 'helper':
        helpers.push({ home, span: reference.span, helper: followed.helper });
        break;
      case 'response': {
        const target = sources.request(followed.request);
        responses.push({ request: target.placed, path: followed.path });
        const isOwn = target.placed === at.placed;
        if (isOwn && reference.place === 'redirect') {
          report(home, reference, 'bad-redirect', NAMED_BY_OWN_RESPONSE);
          break;
        }
        // References evaluated after the answer may name the request's own answer.
        if (isOwn && isAfterwards(reference)) break;
        const isOptional = reference.isOptional === true && home.block === at.block;
        const known = dependencies.get(target.placed);
        if (known === undefined || (known.isOptional && !isOptional))
          dependencies.set(target.placed, { target, from: { at: placeOf(home), span: reference.span }, isOptional });
        break;
      }
      case 'computed': {
        // Errors in every run: a division by zero, a name that is not a number.
        const value = evaluate(home, reference.content);
        if (value.kind === 'unresolved' && value.isArithmetic === true)
          report(home, reference, 'unresolved-variable', value.reason);
        break;
      }
      case 'value':
    }
  }
  return { responses, dependencies: [...dependencies.values()], helpers, problems };
}
