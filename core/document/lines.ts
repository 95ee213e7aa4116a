// Lines and positions: how a text falls into lines, and how offsets of a block and positions of a file meet.
import type { Block, PlacedBlock, Position, Range, RequestDocument, Span } from './model';

const BOM = 0xfeff;

/** Lines without their ends: LF, CRLF, and CR as LSP counts it. */
export function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
}

/** A file's text without its byte order mark, which has no position. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === BOM ? text.slice(1) : text);

/** Index of the last start that is not after `offset`. */
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

/** Index into `document.blocks` of the block that holds `line`; a document has at least one block. */
export function blockIndexAt(document: RequestDocument, line: number): number {
  let low = 0;
  let high = document.blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((document.blocks[middle]?.line ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The block that holds `line`. */
export function blockAt(document: RequestDocument, line: number): PlacedBlock | undefined {
  return document.blocks[blockIndexAt(document, line)];
}

/** The last line of a block, zero-based in the file. */
export function lastLine(placed: PlacedBlock): number {
  return placed.line + placed.block.lineStarts.length - 1;
}

/** True when `offset` lies in the span or at one of its ends. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

export const sliceOf = (block: Block, span: Span): string => block.text.slice(span.start, span.end);
