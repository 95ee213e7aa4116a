// The kinds of faults in docs/local-service.md: the last column of its table of scopes, which `npm run docs` writes.
import { FAULT_KINDS, FAULT_SCOPES, scopesOf, type FaultScope, type KindRule } from './kinds';

const KINDS: readonly (readonly [string, KindRule])[] = Object.entries(FAULT_KINDS);
const ROW = /^(\| `(\w+)` \| [^|\n]+ \| [^|\n]+ \| )[^|\n]+( \|)$/gm;

/** The page with the kinds that strike in each scope, in the row that begins with its name. */
export function withFaultKinds(page: string): string {
  return page.replace(ROW, (row, head: string, name: string, tail: string) => {
    const scope = FAULT_SCOPES.find((one) => one === name);
    return scope === undefined ? row : head + kindsIn(scope) + tail;
  });
}

/** The kinds of a scope, or those that it lacks where they are fewer. */
function kindsIn(scope: FaultScope): string {
  const isTaken = ([, rule]: readonly [string, KindRule]): boolean => scopesOf(rule).includes(scope);
  const taken = KINDS.filter(isTaken);
  const lacking = KINDS.filter((kind) => !isTaken(kind));
  const names = (kinds: typeof KINDS): string => kinds.map(([kind]) => `\`${kind}\``).join(', ');
  return lacking.length < taken.length ? `all but ${names(lacking)}` : names(taken);
}
