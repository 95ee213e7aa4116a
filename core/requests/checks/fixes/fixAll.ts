// Fixes that can be made for a whole file at once, because each has one right answer and changes no meaning.
import { CodeActionKind, type CodeAction, type TextEdit } from 'vscode-languageserver-types';
import { rangeOf } from '../../document/lines';
import type { RequestDocument } from '../../document/model';
import type { PlacedProblem } from '../problem';
import { mendsOf } from './fixes';

/** Codes whose first fix is safe unseen. */
export const SAFE: ReadonlySet<string> = new Set([
  'trailing-comma',
  'bare-variable',
  'params-by-name',
  'transaction-encoding',
]);

/** The action that an editor runs on request or on saving; none where nothing is to be done. */
export function fixAllAction({ uri }: RequestDocument, found: readonly PlacedProblem[]): CodeAction[] {
  const edits = fixAllEdits(found);
  if (edits.length === 0) return [];
  return [{ title: 'Fix all that is safe', kind: CodeActionKind.SourceFixAll, edit: { changes: { [uri]: edits } } }];
}

/** The edits of all safe fixes. A fix that touches an earlier one is left for the next time. */
export function fixAllEdits(found: readonly PlacedProblem[]): TextEdit[] {
  const edits: TextEdit[] = [];
  let last = { line: -1, character: 0 };
  for (const { placed, problem } of found) {
    if (!SAFE.has(problem.code)) continue;
    const [mend] = mendsOf(placed, problem);
    const ranges = (mend?.edits ?? []).map(({ span, text }) => ({ range: rangeOf(placed, span), newText: text }));
    const isFree = ranges.every(
      ({ range: { start } }) =>
        start.line > last.line || (start.line === last.line && start.character >= last.character),
    );
    if (!isFree) continue;
    edits.push(...ranges);
    for (const { range } of ranges)
      if (range.end.line > last.line || (range.end.line === last.line && range.end.character > last.character))
        last = range.end;
  }
  return edits;
}
