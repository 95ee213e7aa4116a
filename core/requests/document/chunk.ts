// Some blocks of a file in a row. A chunk of a new text is cut where a title begins and parsed when its blocks are
// first needed; an edited chunk is made of parsed blocks. Never looks beyond its own lines.
import { perObject } from '../../solana/common/perObject';
import { parseBlock } from './block';
import type { Block, Chunk, PlacedBlock, RequestDocument } from './model';

/** Target blocks per chunk; a chunk is split at twice this size and merged with the next at a quarter. */
export const CHUNK = 128;
/** UTF-16 units after which a chunk of a fresh text ends at the next title: some dozens of usual blocks. */
const CHUNK_UNITS = 8192;

export const isTitle = (text: string): boolean => text.startsWith('###');

/** False where no block of the chunk holds `sign`, which is found out without reading one; true where nobody knows. */
export const mayHold = (chunk: Chunk, sign: string): boolean => chunk.unread?.includes(sign) !== false;

/** `derive`, once for each chunk that may define something; `none` for every other. */
export function perDefiningChunk<T>(none: T, derive: (chunk: Chunk) => T): (chunk: Chunk) => T {
  const derived = perObject(derive);
  return (chunk) => (chunk.mayDefine ? derived(chunk) : none);
}

export const NO_BLOCKS: readonly PlacedBlock[] = [];

/**
 * The blocks of a chunk that pass, with lines counted from its first one; one shared list if none does. A chunk that does
 * not hold `sign` is not read for it.
 */
export function blocksIn(chunk: Chunk, sign: string, passes: (block: Block) => boolean): readonly PlacedBlock[] {
  if (!mayHold(chunk, sign)) return NO_BLOCKS;
  let next = 0;
  const found = chunk.blocks.flatMap((block) => {
    const line = next;
    next += block.lineStarts.length;
    return passes(block) ? [{ block, line }] : [];
  });
  return found.length === 0 ? NO_BLOCKS : found;
}

/** The blocks that `find` gives for each chunk of a document, at their places in it. */
export function* placedBlocks(
  document: RequestDocument,
  find: (chunk: Chunk) => readonly PlacedBlock[],
): Generator<PlacedBlock> {
  for (const [index, chunk] of document.chunks.entries())
    for (const one of find(chunk)) yield document.placedIn(index, one);
}

/** The part of a file that begins at its start or at a title. */
export interface FilePart {
  readonly text: string;
  readonly isFileStart: boolean;
  /** Whether the file has titles behind it. */
  readonly hasBlocksBehind: boolean;
}

/** Splits a part into blocks. Text before the first title is the preamble; a file without titles is one request. */
export function parseBlocks({ text, isFileStart, hasBlocksBehind }: FilePart): Block[] {
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

/** A part in chunks that nobody has read. The first block of a file is always read, so it gets a separate chunk. */
export function unreadChunks({ text, isFileStart, hasBlocksBehind }: FilePart): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (;;) {
    const isFirst = isFileStart && start === 0;
    const next = text.indexOf('\n###', isFirst ? 0 : start + CHUNK_UNITS);
    const isLast = next < 0;
    chunks.push(
      new UnreadChunk({
        text: isLast ? text.slice(start) : text.slice(start, next),
        isFileStart: isFirst,
        hasBlocksBehind: hasBlocksBehind || !isLast,
      }),
    );
    if (isLast) return chunks;
    start = next + 1;
  }
}

/** Blocks in chunks of the usual size. */
export function chunksOf(blocks: readonly Block[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < blocks.length; start += CHUNK) chunks.push(chunkOf(blocks.slice(start, start + CHUNK)));
  return chunks;
}

export function chunkOf(blocks: readonly Block[]): Chunk {
  let lineCount = 0;
  for (const { lineStarts } of blocks) lineCount += lineStarts.length;
  return { blocks, lineCount, unread: undefined, mayDefine: true };
}

class UnreadChunk implements Chunk {
  #part: FilePart | undefined;
  #blocks: readonly Block[] = [];
  #lineCount: number | undefined;
  #mayDefine: boolean | undefined;

  constructor(part: FilePart) {
    this.#part = part;
  }

  get unread(): string | undefined {
    return this.#part?.text;
  }

  get blocks(): readonly Block[] {
    if (this.#part !== undefined) {
      this.#blocks = parseBlocks(this.#part);
      this.#part = undefined;
    }
    return this.#blocks;
  }

  get mayDefine(): boolean {
    return (this.#mayDefine ??= mayHold(this, '@'));
  }

  get lineCount(): number {
    this.#lineCount ??= this.#part === undefined ? chunkOf(this.#blocks).lineCount : lineCountOf(this.#part.text);
    return this.#lineCount;
  }
}

function lineCountOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
