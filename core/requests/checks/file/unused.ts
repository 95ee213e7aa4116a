// Variables and prompts that nothing in the file uses. Kept by chunk, so that a keystroke looks at names, not at blocks.
import { blocksIn, mayHold, perDefiningChunk } from '../../document/chunk';
import type { Block, Chunk, PlacedBlock, Reference, RequestDocument, Span } from '../../document/model';
import { perObject } from '../../../solana/common/perObject';
import type { FileContext } from '../../document/variables/variables';
import { problem, removal, type PlacedProblem } from '../problem';

/**
 * Variables of a block are looked for in it, those of the preamble in the whole file and in `others`: files that may import
 * this one. A file without a request is there to be imported, and all of it counts as used.
 */
export function unusedIn(
  document: RequestDocument,
  others: readonly RequestDocument[],
  { imports }: FileContext,
): PlacedProblem[] {
  const found = document.chunks.flatMap((chunk, index) =>
    unusedInChunk(chunk).map((one) => hint(document.placedIn(index, one), one)),
  );
  const { first } = document;
  if (first.kind !== 'preamble' || first.variables.length === 0 || !document.chunks.some(hasRequest)) return found;
  const importing = others.filter(
    (other) =>
      other !== document &&
      other.first.settings.imports.some(({ text }) => imports?.documentOf(text, other.uri)?.uri === document.uri),
  );
  const chunks = [document, ...importing].flatMap((one) => one.chunks);
  const unused = first.variables.filter(({ name }) => !chunks.some((chunk) => usesIn(chunk).has(name.text)));
  const placed = document.placed(first, 0);
  return [...unused.map(({ name, span }) => hint(placed, { name: name.text, at: name.span, span })), ...found];
}

/** A name that is defined, where it is marked, and what goes with it. */
interface Definition {
  readonly name: string;
  readonly at: Span;
  readonly span: Span;
}

function hint(placed: PlacedBlock, { name, at, span }: Definition): PlacedProblem {
  return { placed, problem: problem('unused-variable', `Nothing uses "${name}".`, at, removal(placed.block, span)) };
}

const hasRequest = perObject((chunk: Chunk): boolean =>
  chunk.unread === undefined
    ? chunk.blocks.some(({ body, requestLine }) => body !== undefined || requestLine !== undefined)
    : mayHold(chunk, '{') || mayHold(chunk, 'GRPC'),
);

/** The names that the references of a chunk use; arguments of helpers may be names. */
const usesIn = perObject(
  (chunk: Chunk): ReadonlySet<string> =>
    new Set(mayHold(chunk, '{{') ? chunk.blocks.flatMap(({ references }) => references.flatMap(namesIn)) : []),
);

function namesIn({ content }: Reference): readonly string[] {
  if (content.kind === 'variable') return [content.name];
  return content.kind === 'helper' ? content.args.map(({ text }) => text) : [];
}

/** Lines count from the first one of the chunk. */
const unusedInChunk = perDefiningChunk<readonly (Definition & PlacedBlock)[]>([], (chunk) =>
  blocksIn(chunk, '@', () => true).flatMap((placed) =>
    unusedInBlock(placed.block).map((definition) => ({ ...definition, ...placed })),
  ),
);

function unusedInBlock(block: Block): readonly Definition[] {
  if (block.kind === 'preamble' || (block.variables.length === 0 && block.settings.prompts.length === 0)) return [];
  // A file's only block has its variables in it, and may be there to be imported.
  if (block.body === undefined && block.requestLine === undefined) return [];
  const used = new Set(block.references.flatMap(namesIn));
  const variables = block.variables.map(({ name, span }) => ({ name: name.text, at: name.span, span }));
  const prompts = block.directives.flatMap(({ name, value, span }) => {
    const asked = name.text === 'prompt' ? (/^\S+/.exec(value.text)?.[0] ?? '') : '';
    return block.settings.prompts.some((prompt) => prompt.name === asked) ? [{ name: asked, at: span, span }] : [];
  });
  return [...variables, ...prompts].filter(({ name }) => !used.has(name));
}
