// A file as blocks. An edit parses only the blocks it touches; every other block, and nearly every chunk, stays the same
// object, so that no work on a keystroke grows with the file.
import { parseBlock } from './block';
import { offsetAt, placeAt, withoutMark, withPlainEnds } from './lines';
import type { Block, Chunk, PlacedBlock, Position, Range, RequestDocument } from './model';

/** Blocks of a fresh chunk; a chunk that has grown to the double is cut, one that has shrunk to a quarter joins the next. */
const CHUNK = 64;

const isTitle = (text: string): boolean => text.startsWith('###');

/** Parses a whole text; never throws. `version` is the editor's, 0 for a file from disk. */
export function parseDocument(uri: string, version: number, text: string): RequestDocument {
  return new ParsedDocument(uri, version, chunksOf(parseText(withPlainEnds(withoutMark(text)), true, false)));
}

class ParsedDocument implements RequestDocument {
  readonly chunkLines: readonly number[];
  // Hidden from a printed document: they are caches.
  #lines: readonly string[] | undefined;
  #blocks: readonly PlacedBlock[] | undefined;
  readonly #placed = new Map<Block, PlacedBlock>();

  constructor(
    readonly uri: string,
    readonly version: number,
    readonly chunks: readonly Chunk[],
  ) {
    let line = 0;
    this.chunkLines = chunks.map(({ lineCount }) => (line += lineCount) - lineCount);
  }

  get first(): Block {
    const block = this.chunks[0]?.blocks[0];
    if (block === undefined) throw new Error('A document has at least one block.');
    return block;
  }

  get lines(): readonly string[] {
    this.#lines ??= this.chunks.flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.split('\n')));
    return this.#lines;
  }

  get blocks(): readonly PlacedBlock[] {
    let line = 0;
    this.#blocks ??= this.chunks.flatMap(({ blocks }) =>
      blocks.map((block) => this.placed(block, (line += block.lineStarts.length) - block.lineStarts.length)),
    );
    return this.#blocks;
  }

  placed(block: Block, line: number): PlacedBlock {
    const known = this.#placed.get(block);
    if (known !== undefined) return known;
    const placed = { block, line };
    this.#placed.set(block, placed);
    return placed;
  }
}

/**
 * The blocks of a part of a file that begins at its start or at a title. Before the first title of a file stands a
 * preamble; what has no title anywhere behind it is one request.
 */
function parseText(text: string, isFileStart: boolean, hasBlocksBehind: boolean): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (;;) {
    const next = text.indexOf('\n###', start);
    const part = next < 0 ? text.slice(start) : text.slice(start, next);
    const titled = isTitle(part);
    const isPreamble = isFileStart && start === 0 && !titled && (next >= 0 || hasBlocksBehind);
    blocks.push(parseBlock({ kind: isPreamble ? 'preamble' : 'request', titled, text: part }));
    if (next < 0) return blocks;
    start = next + 1;
  }
}

function chunksOf(blocks: readonly Block[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < blocks.length; start += CHUNK) chunks.push(chunkOf(blocks.slice(start, start + CHUNK)));
  return chunks;
}

function chunkOf(blocks: readonly Block[]): Chunk {
  let lineCount = 0;
  for (const { lineStarts } of blocks) lineCount += lineStarts.length;
  return { blocks, lineCount };
}

/** Replaces `range` by `text`, as one change of LSP does. Out-of-bounds positions count as the nearest valid ones. */
export function applyEdit(document: RequestDocument, version: number, range: Range, text: string): RequestDocument {
  const { chunks } = document;
  const from = placeAt(document, range.start.line);
  const to = placeAt(document, Math.max(range.start.line, range.end.line));
  const start = clampedOffset(document, from.placed, range.start);
  const end = Math.max(clampedOffset(document, to.placed, range.end), from.placed.line === to.placed.line ? start : 0);
  const isFileStart = from.placed.line === 0;
  const changed = from.placed.block.text.slice(0, start) + withPlainEnds(text) + to.placed.block.text.slice(end);
  let part = isFileStart ? withoutMark(changed) : changed;

  // A first block that has lost its title belongs to the one before it.
  let { chunk: firstChunk, index: firstIndex } = from;
  let startsFile = isFileStart;
  if (!isFileStart && !isTitle(part)) {
    const before = placeAt(document, from.placed.line - 1);
    ({ chunk: firstChunk, index: firstIndex } = before);
    startsFile = before.placed.line === 0;
    part = `${before.placed.block.text}\n${part}`;
  }
  const ahead = chunks[firstChunk]?.blocks.slice(0, firstIndex) ?? [];
  const behind = chunks[to.chunk]?.blocks.slice(to.index + 1) ?? [];
  const hasBlocksBehind = behind.length > 0 || to.chunk + 1 < chunks.length;
  let blocks = [...ahead, ...parseText(part, startsFile, hasBlocksBehind), ...behind];
  let nextChunk = to.chunk + 1;
  if (blocks.length < CHUNK / 4) blocks = blocks.concat(chunks[nextChunk++]?.blocks ?? []);
  const fresh = blocks.length > 2 * CHUNK ? chunksOf(blocks) : [chunkOf(blocks)];
  return new ParsedDocument(document.uri, version, chunks.slice(0, firstChunk).concat(fresh, chunks.slice(nextChunk)));
}

/** The offset of a position in its block; a line before or behind the file means the file's start or end. */
function clampedOffset({ chunks, chunkLines }: RequestDocument, placed: PlacedBlock, position: Position): number {
  if (position.line < 0) return 0;
  const lineCount = (chunkLines.at(-1) ?? 0) + (chunks.at(-1)?.lineCount ?? 0);
  return position.line < lineCount ? offsetAt(placed, position) : placed.block.text.length;
}
