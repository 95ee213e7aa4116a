// Leaves out the problems that do not apply to this file and its endpoint. Done for each question, outside the cached
// findings: a directive in the preamble or another endpoint changes the result for every block.
import type { Block, Problem, RequestDocument } from '../document/model';
import { positionAt } from '../document/lines';
import type { FileContext } from '../document/variables/variables';
import type { PackId } from '../../service/providers/packIds';
import type { ProblemCondition } from '../methods/problems';
import { isOlder } from '../methods/releases';
import { endpointOf, packsAsked } from '../document/packs';
import type { FixData, PlacedProblem } from './problem';

/** The same list where no problem has a condition. */
export function applicable(
  found: PlacedProblem[],
  document: RequestDocument,
  surroundings: FileContext,
): PlacedProblem[] {
  if (!found.some(({ problem }) => problem.only !== undefined)) return found;
  return found.flatMap((one) => {
    const { problem, placed } = one;
    const { only, ...plain } = problem;
    if (!isCondition(only)) return [one];
    if (!holds(only, placed.block, document, surroundings)) return [];
    return [{ placed, problem: only.kind === 'withoutPack' ? withPackFix(plain, document, only.packs) : plain }];
  });
}

function holds(
  condition: ProblemCondition,
  block: Block,
  document: RequestDocument,
  surroundings: FileContext,
): boolean {
  if (condition.kind === 'withoutPack') {
    const known = packsAsked(document, block, surroundings);
    return !condition.packs.some((pack) => known.has(pack));
  }
  const agave = endpointOf(document, block, surroundings)?.agave;
  const isKnownOlder = agave !== undefined && isOlder(agave, condition.agave);
  return condition.kind === 'olderThan' ? isKnownOlder : !isKnownOlder;
}

const isCondition = (only: unknown): only is ProblemCondition =>
  typeof only === 'object' && only !== null && 'kind' in only;

/** The fix names a pack at the top of the file: behind those that are named there already, or on a line above all. */
function withPackFix(problem: Problem, document: RequestDocument, packs: readonly PackId[]): Problem {
  const { first } = document;
  const named = first.kind === 'preamble' ? first.directives.find(({ name }) => name.text === 'pack') : undefined;
  const isBare = named === undefined || named.value.text === '';
  const end = named === undefined ? undefined : positionAt(document.placed(first, 0), named.value.span.end);
  const at = isBare || end === undefined ? { line: 0, character: 0 } : end;
  const gap = first.text.startsWith('###') ? '\n' : '';
  const data: FixData = {
    kind: 'top',
    at,
    choices: packs.map((pack) => ({
      title: `Add # @pack ${pack}`,
      text: isBare ? `# @pack ${pack}\n${gap}` : ` ${pack}`,
    })),
  };
  return { ...problem, data };
}
