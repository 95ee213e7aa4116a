// All diagnostics of a file: the findings of its chunks put together. Answers problems in blocks; the face turns them into
// ranges.
import type { Block, PlacedBlock, Problem, RequestDocument, Variable } from '../document/model';
import type { FileAnalysis } from './analysis';
import { inOrder } from './checkBlock';
import { literalKey } from './checkSecrets';
import { applicable } from './conditions';
import { unusedIn } from './file/unused';
import type { PlacedProblem } from './problem';
import { FileChecker, Memory, type ChunkFindings } from './findings';

/** The findings of all checks of a file. */
interface Diagnosis {
  /** In the order of the text. */
  readonly problems: readonly PlacedProblem[];
  /** Blocks that send a transaction under a request line, in the order of the text. */
  readonly sends: readonly PlacedBlock[];
}

/** Every problem of the file, in the order of the text. With a memory only what an edit has changed is checked again. */
export const diagnose = (analysis: FileAnalysis, memory = new Memory()): readonly PlacedProblem[] =>
  examine(analysis, memory).problems;

/** The problems of the file, and what the checks that depend on its endpoint look at. */
export function examine(analysis: FileAnalysis, memory = new Memory()): Diagnosis {
  const { document } = analysis;
  const checker = new FileChecker(analysis, memory);
  const results = document.chunks.map((chunk) => checker.check(chunk));
  return {
    problems: together(
      applicable(placedIn(document, results), document, analysis.surroundings),
      unusedIn(document, analysis.others ?? [], analysis.surroundings),
    ),
    sends: results.flatMap(({ sends }, index) => sends.map((one) => document.placedIn(index, one))),
  };
}

/** The problems of a file with others of it that are found apart, in the order of the text. */
export function together(found: readonly PlacedProblem[], apart: readonly PlacedProblem[]): readonly PlacedProblem[] {
  if (apart.length === 0) return found;
  return [...found, ...apart].sort(
    (a, b) => a.placed.line - b.placed.line || a.problem.span.start - b.problem.span.start,
  );
}

function placedIn(document: RequestDocument, results: readonly ChunkFindings[]): PlacedProblem[] {
  const keys = results.flatMap((result) => result.keys);
  if (keys.length > 0)
    return withKeys(
      document,
      results.flatMap((result) => result.faults),
      new Map(keys),
    );
  return results.flatMap(({ faults }, index) =>
    faults.flatMap((fault) => {
      const placed = document.placedIn(index, fault);
      return fault.problems.map((problem) => ({ placed, problem }));
    }),
  );
}

/** Adds the problems of variables that other blocks use as a key. */
function withKeys(
  document: RequestDocument,
  faults: readonly { readonly block: Block; readonly problems: readonly Problem[] }[],
  keys: ReadonlyMap<Variable, Block>,
): PlacedProblem[] {
  const found = new Map(faults.map(({ block, problems }) => [block, [...problems]]));
  for (const [variable, owner] of keys) found.set(owner, inOrder([...(found.get(owner) ?? []), literalKey(variable)]));
  return document.blocks.flatMap((placed) => (found.get(placed.block) ?? []).map((problem) => ({ placed, problem })));
}
