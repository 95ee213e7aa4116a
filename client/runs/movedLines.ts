// Where the lines of a run are after an edit: what is run again is the block that was run, wherever it has moved.
import type { TextDocumentContentChangeEvent } from 'vscode';

/** Lines of the blocks to run, zero-based; undefined is all of the file. */
export type BlockLines = readonly number[] | undefined;

/** `changes` as the editor reports them: each range is one of the text before the edit, and none overlaps another. */
export function movedLines(
  lines: BlockLines,
  changes: readonly Pick<TextDocumentContentChangeEvent, 'range' | 'text'>[],
): BlockLines {
  return lines?.map((line) => {
    let moved = line;
    for (const { range, text } of changes) {
      const { start, end } = range;
      const isAbove = end.line < line || (end.line === line && end.character === 0);
      if (isAbove) moved += text.split('\n').length - 1 - (end.line - start.line);
    }
    return moved;
  });
}
