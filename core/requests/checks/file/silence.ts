// `@silence CODE why`: findings that a file says are meant, left out; and what is wrong with such a line itself.
import { CodeActionKind, type CodeAction, type Diagnostic } from 'vscode-languageserver-types';
import { rangeOf } from '../../document/lines';
import { blocksIn, NO_BLOCKS, perDefiningChunk, placedBlocks } from '../../document/chunk';
import type { PlacedBlock, Problem, RequestDocument, Silence } from '../../document/model';
import { nearestNames } from '../../../solana/common/nearest';
import { didYouMean } from '../../methods/reporter';
import { CODES, STOPS_A_RUN, type Code } from '../../diagnostics/codes';
import { problem, removal, type PlacedProblem } from '../problem';
import { together } from '../diagnostics';

/** The line that silences a finding in its block, behind the title; its reason is for people to write. */
export function silencingAction(uri: string, { placed, problem }: PlacedProblem, diagnostic: Diagnostic): CodeAction[] {
  const { block } = placed;
  const { code } = problem;
  if (cannotBeSilenced(code) || code === 'useless-silence' || code === 'unknown-directive') return [];
  const isTitled = block.text.startsWith('###');
  const offset = isTitled ? block.lineStarts[1] : 0;
  if (offset === undefined) return [];
  const newText = `# @silence ${code} \n`;
  const edits = [{ range: rangeOf(placed, { start: offset, end: offset }), newText }];
  return [
    {
      title: 'Silence This Finding',
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      edit: { changes: { [uri]: edits } },
    },
  ];
}

/** Found by the editor alone, and not for every endpoint. */
const PASSING: Code = 'confirmed-commitment';

const cannotBeSilenced = (code: string): boolean => STOPS_A_RUN.has(code) || code === 'secret-in-file';

/** The findings of a file without those that it silences, and with what its own lines say wrongly. */
export function withoutSilenced(
  document: RequestDocument,
  problems: readonly PlacedProblem[],
): readonly PlacedProblem[] {
  const placed = [...placedBlocks(document, silencingIn)];
  if (placed.length === 0) return problems;
  const used = new Set<Silence>();
  const shared = document.first.kind === 'preamble' ? document.first.settings.silences : [];
  const left = problems.filter(({ placed: { block }, problem: { code } }) => {
    if (cannotBeSilenced(code)) return true;
    const own = block === document.first && block.kind === 'preamble' ? [] : block.settings.silences;
    const silence = [...own, ...shared].find((one) => one.code.text === code);
    if (silence !== undefined) used.add(silence);
    return silence === undefined;
  });
  const hints = placed.flatMap((one) =>
    one.block.settings.silences.flatMap((silence): PlacedProblem[] => {
      const found = faultOf(one, silence, used.has(silence));
      return found === undefined ? [] : [{ placed: one, problem: found }];
    }),
  );
  return together(left, hints);
}

function faultOf({ block }: PlacedBlock, { code, why, span }: Silence, isUsed: boolean): Problem | undefined {
  const gone = removal(block, span);
  if (!Object.hasOwn(CODES, code.text)) {
    const names = nearestNames(code.text, Object.keys(CODES), 2);
    const message = `There is no finding "${code.text}".${didYouMean(names)}`;
    return problem('useless-silence', message, code.span, { kind: 'rename', span: code.span, names });
  }
  if (cannotBeSilenced(code.text))
    return problem('useless-silence', `${code.text} cannot be silenced.`, code.span, gone);
  if (!isUsed && code.text !== PASSING)
    return problem('useless-silence', `There is no ${code.text} here to silence.`, code.span, gone);
  return why === '' ? problem('useless-silence', 'Say why, behind the code.', code.span) : undefined;
}

/** The blocks of a chunk that silence something, with lines counted from its first one. */
const silencingIn = perDefiningChunk(NO_BLOCKS, (chunk) =>
  blocksIn(chunk, 'silence', ({ settings }) => settings.silences.length > 0),
);
