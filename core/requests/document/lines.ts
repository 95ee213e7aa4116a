// Lines and positions: how a text falls into lines, and how offsets of a block and positions of a file meet.
import type { PlacedBlock, Position, Range, RequestDocument, Span } from './model';

/** Index of the last start that is not after `offset`; 0 if all are. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The position in the file of an offset into a block's text. */
export function positionAt(placed: PlacedBlock, offset: number): Position {
  const line = lineOf(placed.block.lineStarts, offset);
  return { line: placed.line + line, character: offset - (placed.block.lineStarts[line] ?? 0) };
}

/** The range in the file of a span of a block's text. */
export function rangeOf(placed: PlacedBlock, span: Span): Range {
  return { start: positionAt(placed, span.start), end: positionAt(placed, span.end) };
}

/** The offset into the block's text of a position of the file; a character past its line's end counts as the end. */
export function offsetAt(placed: PlacedBlock, position: Position): number {
  const { lineStarts, text } = placed.block;
  const line = Math.max(0, Math.min(position.line - placed.line, lineStarts.length - 1));
  const start = lineStarts[line] ?? 0;
  const next = lineStarts[line + 1];
  const end = next === undefined ? text.length : next - 1;
  return Math.max(start, Math.min(start + position.character, end));
}

/** The position of a block in its document's chunks. */
export interface BlockPlace {
  /** Index of the chunk in the document. */
  readonly chunk: number;
  /** Index of the block in the chunk. */
  readonly index: number;
  readonly placed: PlacedBlock;
}

/** The place of the block that holds `line`; the first or the last one for a line outside the file. */
export function placeAt(document: RequestDocument, line: number): BlockPlace {
  const { chunks, chunkLines } = document;
  const chunk = lineOf(chunkLines, line);
  const blocks = chunks[chunk]?.blocks ?? [];
  let start = chunkLines[chunk] ?? 0;
  let index = 0;
  for (; index < blocks.length - 1; index++) {
    const count = blocks[index]?.lineStarts.length ?? 0;
    if (start + count > line) break;
    start += count;
  }
  return { chunk, index, placed: document.placed(blocks[index] ?? document.first, start) };
}

/** The block that holds `line`. */
export const blockAt = (document: RequestDocument, line: number): PlacedBlock => placeAt(document, line).placed;

/** The last line of a block, zero-based in the file. */
export function lastLine(placed: PlacedBlock): number {
  return placed.line + placed.block.lineStarts.length - 1;
}

/** The end of the line of a place, in front of its break. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The whole lines of a span, with the break behind them. */
export const wholeLines = (text: string, { start, end }: Span): Span => ({
  start: text.lastIndexOf('\n', start - 1) + 1,
  end: Math.min(text.length, endOfLine(text, end) + 1),
});

/** `text` with each of the spans, in order, as `write` gives it. The spans count from `base` characters before the text. */
export function replaced<S extends Span>(
  text: string,
  spans: readonly S[],
  write: (piece: string, span: S) => string,
  base = 0,
): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    const [from, to] = [span.start - base, span.end - base];
    pieces.push(text.slice(at, from), write(text.slice(from, to), span));
    at = to;
  }
  return pieces.join('') + text.slice(at);
}

/** True when `offset` lies in the span or at one of its ends. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}
