// A file as blocks. An edit parses only the blocks it touches; every other block stays the same object.
import { parseBlock } from './block';
import { blockIndexAt, lastLine, splitLines, withoutMark } from './lines';
import type { Block, PlacedBlock, Range, RequestDocument } from './model';

const isTitle = (line: string | undefined): boolean => line?.startsWith('###') === true;

/** Parses a whole text; never throws. `version` is the editor's, 0 for a file from disk. */
export function parseDocument(uri: string, version: number, text: string): RequestDocument {
  const lines = splitLines(withoutMark(text));
  return { uri, version, lines, blocks: parseLines(lines, 0, lines.length) };
}

/** The blocks of the lines from `from` to before `to`; `from` is line 0 or a title. */
function parseLines(lines: readonly string[], from: number, to: number): PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  let start = from;
  for (let line = from + 1; line <= to; line++) {
    if (line < to && !isTitle(lines[line])) continue;
    const kind = start === 0 && line < lines.length && !isTitle(lines[0]) ? 'preamble' : 'request';
    blocks.push({ block: parseLinesAs(kind, lines, start, line), line: start });
    start = line;
  }
  return blocks;
}

function parseLinesAs(kind: Block['kind'], lines: readonly string[], from: number, to: number): Block {
  return parseBlock({ kind, titled: isTitle(lines[from]), lines: lines.slice(from, to) });
}

/** Replaces `range` by `text`, as one change of LSP does. Out-of-bounds positions count as the nearest valid ones. */
export function applyEdit(document: RequestDocument, version: number, range: Range, text: string): RequestDocument {
  const { lines, blocks } = document;
  const startLine = Math.max(0, Math.min(range.start.line, lines.length - 1));
  const endLine = Math.max(startLine, Math.min(range.end.line, lines.length - 1));
  const head =
    range.start.line >= lines.length
      ? (lines[startLine] ?? '')
      : (lines[startLine] ?? '').slice(0, range.start.character);
  const tail = range.end.line >= lines.length ? '' : (lines[endLine] ?? '').slice(range.end.character);
  const changed = head + text + tail;
  const inserted = splitLines(startLine === 0 ? withoutMark(changed) : changed);
  const after = [...lines.slice(0, startLine), ...inserted, ...lines.slice(endLine + 1)];
  const delta = after.length - lines.length;

  // The touched blocks, by index; one more in front where the first of them has lost its title.
  let first = blockIndexAt(document, startLine);
  const last = blockIndexAt(document, endLine);
  while (first > 0 && !isTitle(after[blocks[first]?.line ?? 0])) first--;
  const firstLine = blocks[first]?.line ?? 0;
  const untouched = blocks.slice(last + 1);
  const lastTouched = blocks[last];
  const end = (lastTouched === undefined ? lines.length : lastLine(lastTouched) + 1) + delta;

  const result = [
    ...blocks.slice(0, first),
    ...parseLines(after, firstLine, end),
    ...(delta === 0 ? untouched : untouched.map(({ block, line }) => ({ block, line: line + delta }))),
  ];
  return { uri: document.uri, version, lines: after, blocks: withRightKind(result, after) };
}

/** What stands before the first title is a preamble only while there is a title. */
function withRightKind(blocks: PlacedBlock[], lines: readonly string[]): PlacedBlock[] {
  const first = blocks[0];
  if (first === undefined) return blocks;
  const kind = blocks.length > 1 && !isTitle(lines[0]) ? 'preamble' : 'request';
  if (first.block.kind === kind) return blocks;
  const block = parseLinesAs(kind, lines, 0, lastLine(first) + 1);
  return [{ block, line: 0 }, ...blocks.slice(1)];
}
