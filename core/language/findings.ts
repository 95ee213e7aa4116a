// What was found in a file's chunks, kept from keystroke to keystroke: an edit has its own block checked again, and all
// blocks with references only where it changes what names mean. Checks nothing itself.
import type { Block, Chunk, Problem, RequestDocument, Variable } from '../document/model';
import { Scope, type Surroundings } from '../document/variables';
import { printJson } from '../values/json';
import { checkBlock, NO_FINDINGS, type BlockFindings } from './checkBlock';
import { NameChecker } from './checkNames';
import type { Analysis } from './diagnostics';

/** The findings of a chunk: its blocks with problems, by lines from its first one. */
export interface ChunkFindings {
  readonly faults: readonly { readonly block: Block; readonly line: number; readonly problems: readonly Problem[] }[];
  readonly keys: readonly (readonly [Variable, Block])[];
}

/** Stands for all that lies outside a block and can change what is found in it: while it is the same, so are findings. */
class Outside {
  /** Whether references run in circles; known once somebody had to look. */
  circular: boolean | undefined;

  constructor(readonly parts: readonly unknown[]) {}
}

/** Kept findings with what they depended on; nothing where the block or chunk stands alone. */
interface Kept<T> {
  readonly outside: Outside | undefined;
  readonly found: T;
}

/** Files whose names are remembered; more are open in no editor at once. */
const MAX_FILES = 100;

/** What one host remembers of the files it asks about. */
export class Memory {
  readonly #outsides = new Map<string, Outside>();

  /** The same object as the last time for as long as names, values and imports are the same. */
  outsideOf(document: RequestDocument, surroundings: Surroundings): Outside {
    const parts = partsOf(document, surroundings);
    const last = this.#outsides.get(document.uri);
    if (last?.parts.length === parts.length && parts.every((part, index) => part === last.parts[index])) return last;
    const outside = new Outside(parts);
    this.#outsides.delete(document.uri);
    this.#outsides.set(document.uri, outside);
    const [oldest] = this.#outsides.keys();
    if (this.#outsides.size > MAX_FILES && oldest !== undefined) this.#outsides.delete(oldest);
    return outside;
  }
}

function partsOf(document: RequestDocument, { vars, profile, imports }: Surroundings): unknown[] {
  const parts: unknown[] = [printed(vars), printed(profile)];
  for (const chunk of document.chunks) parts.push(linksOf(chunk));
  if (document.first.settings.imports.length === 0 || imports === undefined) return parts;
  const seen = new Set([document]);
  for (const from of seen) {
    for (const { text } of from.first.settings.imports) {
      const target = imports.documentOf(text, from.uri);
      parts.push(target);
      if (target !== undefined) seen.add(target);
    }
  }
  return parts;
}

const printed = (values: Surroundings['vars']): string =>
  values === undefined ? '' : [...values].map(([name, value]) => `${name}=${printJson(value)}`).join('\n');

const chunkLinks = new WeakMap<Chunk, string>();

/** What the blocks of a chunk mean to others: their names and references, and a preamble as a whole. */
function linksOf(chunk: Chunk): string {
  const known = chunkLinks.get(chunk);
  if (known !== undefined) return known;
  const links = chunk.blocks.map(linkOf).join('');
  chunkLinks.set(chunk, links);
  return links;
}

function linkOf(block: Block): string {
  const { kind, text, settings, references, variables } = block;
  if (kind === 'preamble') return `${text}\n`;
  const name = settings.name?.text;
  if (name === undefined && (variables.length === 0 || references.length === 0)) return '';
  const values = variables.map((variable) => text.slice(variable.span.start, variable.span.end));
  const uses = references.map(({ span, place }) => `${place} ${text.slice(span.start, span.end)}`);
  return `${[`# ${name ?? ''}`, ...values, ...uses].join('\n')}\n`;
}

const keptOfChunks = new WeakMap<Chunk, Kept<ChunkFindings>>();
const keptOfBlocks = new WeakMap<Block, Kept<BlockFindings>>();

/** Checks the chunks of one document; made for one question. */
export class FileChecker {
  readonly #outside: Outside;
  readonly #scope: Scope;
  readonly #names: NameChecker;

  constructor(
    private readonly analysis: Analysis,
    memory: Memory,
  ) {
    const { document, surroundings, files } = analysis;
    this.#outside = memory.outsideOf(document, surroundings);
    this.#scope = new Scope(document, surroundings);
    this.#names = new NameChecker(this.#scope, files, this.#outside);
  }

  check(chunk: Chunk): ChunkFindings {
    const kept = keptOfChunks.get(chunk);
    if (kept !== undefined && (kept.outside === undefined || kept.outside === this.#outside)) return kept.found;
    const faults: ChunkFindings['faults'][number][] = [];
    const keys: (readonly [Variable, Block])[] = [];
    let alone = true;
    let settled = true;
    let line = 0;
    for (const block of chunk.blocks) {
      const { problems, keys: used } = this.#block(block);
      if (problems.length > 0) faults.push({ block, line, problems });
      if (used.size > 0) keys.push(...used);
      line += block.lineStarts.length;
      alone &&= standsAlone(block);
      settled &&= !this.#asksForFiles(block);
    }
    const found = { faults, keys };
    if (settled) keptOfChunks.set(chunk, { outside: alone ? undefined : this.#outside, found });
    return found;
  }

  #block(block: Block): BlockFindings {
    const kept = keptOfBlocks.get(block);
    if (kept !== undefined && (kept.outside === undefined || kept.outside === this.#outside)) return kept.found;
    const found = checkBlock(this.#scope, this.#names, block, this.analysis.files);
    if (this.#asksForFiles(block)) return found;
    const alone = standsAlone(block);
    keptOfBlocks.set(
      block,
      alone && found === NO_FINDINGS ? FAULTLESS : { outside: alone ? undefined : this.#outside, found },
    );
    return found;
  }

  /** Files come and go without an edit. */
  #asksForFiles({ redirects, references }: Block): boolean {
    if (this.analysis.files === undefined) return false;
    return redirects.length > 0 || references.some(({ content }) => content.kind === 'helper');
  }
}

const FAULTLESS: Kept<BlockFindings> = { outside: undefined, found: NO_FINDINGS };

/** True where nothing outside the block can change what is found in it. */
function standsAlone({ references, directives, redirects }: Block): boolean {
  return references.length === 0 && directives.length === 0 && redirects.length === 0;
}
