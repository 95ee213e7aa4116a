// A file as blocks. A block is parsed when it is asked for, and an edit parses only the blocks it touches; every other
// block, and nearly every chunk, stays the same object, so that no work on a keystroke grows with the file.
import { CHUNK, chunkOf, chunksOf, isTitle, parseBlocks, unreadChunks, type FilePart } from './chunk';
import { withPlainEnds, withoutMark } from '../../solana/common/textFile';
import { offsetAt, placeAt } from './lines';
import type { Block, Chunk, PlacedBlock, Position, Range, RequestDocument } from './model';

/** UTF-16 units of an edit above which its blocks wait to be read. */
const MUCH_TEXT = 65_536;

/** A whole text; never throws. Its blocks are parsed chunk by chunk, on first use. `version` is the editor's, 0 for a file from disk. */
export function parseDocument(uri: string, version: number, text: string): RequestDocument {
  const part = { text: withPlainEnds(withoutMark(text)), isFileStart: true, hasBlocksBehind: false };
  return new ParsedDocument(uri, version, unreadChunks(part));
}

class ParsedDocument implements RequestDocument {
  // Hidden from a printed document: they are caches.
  #chunkLines: readonly number[] | undefined;
  #lines: readonly string[] | undefined;
  #blocks: readonly PlacedBlock[] | undefined;
  readonly #placed = new Map<Block, PlacedBlock>();

  constructor(
    readonly uri: string,
    readonly version: number,
    readonly chunks: readonly Chunk[],
  ) {}

  get chunkLines(): readonly number[] {
    let line = 0;
    this.#chunkLines ??= this.chunks.map(({ lineCount }) => (line += lineCount) - lineCount);
    return this.#chunkLines;
  }

  get first(): Block {
    const block = this.chunks[0]?.blocks[0];
    if (block === undefined) throw new Error('A document has at least one block.');
    return block;
  }

  get lines(): readonly string[] {
    this.#lines ??= this.chunks.flatMap(
      (chunk) => chunk.unread?.split('\n') ?? chunk.blocks.flatMap(({ text }) => text.split('\n')),
    );
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

  placedIn(chunk: number, { block, line }: PlacedBlock): PlacedBlock {
    return this.placed(block, (this.chunkLines[chunk] ?? 0) + line);
  }
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
  const changedPart = { text: part, isFileStart: startsFile, hasBlocksBehind };
  let nextChunk = to.chunk + 1;
  const follow = (): readonly Block[] => chunks[nextChunk++]?.blocks ?? [];
  const fresh = freshChunks(ahead, changedPart, behind, follow);
  return new ParsedDocument(document.uri, version, chunks.slice(0, firstChunk).concat(fresh, chunks.slice(nextChunk)));
}

/** The chunks of what an edit has touched; `follow` takes the next chunk of the file in where they would be too small. */
function freshChunks(
  ahead: readonly Block[],
  part: FilePart,
  behind: readonly Block[],
  follow: () => readonly Block[],
): readonly Chunk[] {
  // Much text at once is like a fresh file: nothing of it is read before it is asked for.
  if (part.text.length > MUCH_TEXT) return [...chunksOf(ahead), ...unreadChunks(part), ...chunksOf(behind)];
  let blocks = [...ahead, ...parseBlocks(part), ...behind];
  if (blocks.length < CHUNK / 4) blocks = blocks.concat(follow());
  return blocks.length > 2 * CHUNK ? chunksOf(blocks) : [chunkOf(blocks)];
}

/** The offset of a position in its block; a line before or behind the file means the file's start or end. */
function clampedOffset({ chunks, chunkLines }: RequestDocument, placed: PlacedBlock, position: Position): number {
  if (position.line < 0) return 0;
  const lineCount = (chunkLines.at(-1) ?? 0) + (chunks.at(-1)?.lineCount ?? 0);
  return position.line < lineCount ? offsetAt(placed, position) : placed.block.text.length;
}
