// Resolves references through variables, and through helper arguments that may be names of variables. The single walk for
// a run's dependencies (analyse.ts) and an answer's inputs (subject.ts).
import { takesNames } from '../document/variables/reference';
import { referencesIn } from '../document/splice';
import { meaningAt } from './source';
import type { Home } from '../document/variables/evaluate';
import type { PathStep, Reference, ReferenceContent, Variable } from '../document/model';
import type { NamedRequest } from '../document/variables/variables';
import type { JsonValue } from '../../solana/json/json';

export type Helper = Extract<ReferenceContent, { kind: 'helper' }>;

/** A reference in the block or in a variable's value, and its target. */
export type FollowedReference = {
  /** Where the reference is. */
  readonly home: Home;
  readonly reference: Reference;
} & (
  | { readonly kind: 'unresolved'; readonly reason: string }
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** Its names follow. */
  | { readonly kind: 'computed' }
  /** `isCycle`: its value refers to itself. The references in its value follow, the first time. */
  | { readonly kind: 'variable'; readonly variable: Variable; readonly isCycle: boolean }
  | { readonly kind: 'response'; readonly request: NamedRequest; readonly path: readonly PathStep[] }
  | { readonly kind: 'helper'; readonly helper: Helper }
);

type Step =
  | { readonly kind: 'follow'; readonly home: Home; readonly reference: Reference }
  /** Everything that the variable's value names was followed. */
  | { readonly kind: 'leave'; readonly variable: Variable };

/** Every reference reachable from these, each before its own. A variable is entered once. */
export function* follow(from: Home, references: readonly Reference[]): Generator<FollowedReference, void, undefined> {
  const variables = new Map<Variable, 'open' | 'done'>();
  // A stack and no recursion: a chain of variables may be as long as a file.
  const pending: Step[] = [];
  const enter = (home: Home, inside: readonly Reference[]): void => {
    for (const reference of inside.toReversed()) pending.push({ kind: 'follow', home, reference });
  };
  enter(from, references);
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if (step.kind === 'leave') {
      variables.set(step.variable, 'done');
      continue;
    }
    const { home, reference } = step;
    const meaning = meaningAt(home, reference.content);
    switch (meaning.kind) {
      case 'unresolved':
        // A default counts in its place.
        if (reference.isOptional === true && meaning.isAbsent === true) break;
        yield { kind: 'unresolved', home, reference, reason: meaning.reason };
        break;
      case 'computed':
        yield { kind: 'computed', home, reference };
        break;
      case 'value':
        yield { kind: 'value', home, reference, value: meaning.value };
        break;
      case 'variable': {
        const { variable, block } = meaning.origin;
        const state = variables.get(variable);
        yield { kind: 'variable', home, reference, variable, isCycle: state === 'open' };
        if (state !== undefined) break;
        variables.set(variable, 'open');
        pending.push({ kind: 'leave', variable });
        const { start, end } = variable.value.span;
        enter({ scope: meaning.scope, block }, referencesIn(block.references, start, end));
        break;
      }
      case 'dynamic': {
        const { dynamic } = meaning;
        if (dynamic.kind === 'response') {
          yield { kind: 'response', home, reference, request: dynamic.request, path: dynamic.path };
        } else if (dynamic.kind === 'helper') {
          yield { kind: 'helper', home, reference, helper: dynamic };
          if (takesNames(dynamic.name)) enter(home, namesIn(home, reference, dynamic));
        }
      }
    }
  }
}

/** The arguments that are names of something, as references in the place of the helper. */
function namesIn(home: Home, reference: Reference, { args }: Helper): readonly Reference[] {
  return args
    .map(({ text }): Reference => ({ ...reference, content: { kind: 'variable', name: text } }))
    .filter(({ content }) => meaningAt(home, content).kind !== 'unresolved');
}
