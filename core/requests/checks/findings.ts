// Caches the findings of a file's chunks between keystrokes: an edit has its own block checked again, and all blocks
// with references only if it changes the meaning of names. Checks nothing itself.
import { mayHold, perDefiningChunk } from '../document/chunk';
import type { Block, Chunk, PlacedBlock, Problem, RequestDocument, Variable } from '../document/model';
import { printPath } from '../document/variables/path';
import { Scope, type FileContext } from '../document/variables/variables';
import type { MethodTable } from '../methods';
import { perObject } from '../../solana/common/perObject';
import { methodsOf } from '../document/packs';
import { member, printJson } from '../../solana/json/json';
import { callsIn, methodOf } from '../../solana/json/calls';
import { checkBlock, NO_FINDINGS, type BlockFindings } from './checkBlock';
import { NameChecker } from './checkNames';
import type { FileAnalysis } from './analysis';
import { isFaultless } from './faultless';

/** The findings of a chunk; lines are counted from its first one. */
export interface ChunkFindings {
  readonly faults: readonly (PlacedBlock & { readonly problems: readonly Problem[] })[];
  readonly keys: readonly (readonly [Variable, Block])[];
  /** Transactions under a request line: whether the place they go to wants a tip is asked for each question. */
  readonly sends: readonly PlacedBlock[];
}

/** Stands for all that lies outside a block and can change what is found in it: while it is the same, so are findings. */
class Outside {
  /** Whether references run in circles; known once somebody had to look. */
  circular: boolean | undefined;

  constructor(readonly parts: readonly unknown[]) {}
}

/** A version of the named requests of a file: replaced when one of them asks for another answer. */
class Answers {
  #previous: Answers | undefined;

  /** `changed`: the names of the requests that differ from the previous version. */
  constructor(
    previous?: Answers,
    private readonly changed: ReadonlySet<string> = new Set(),
  ) {
    this.#previous = previous;
    // One step back is enough: every edit looks at every chunk.
    if (previous !== undefined) previous.#previous = undefined;
  }

  /** Whether what was found with `answers` holds for these where only requests of these names are read. */
  confirm(answers: Answers, names: ReadonlySet<string>): boolean {
    return answers === this || (answers === this.#previous && ![...this.changed].some((name) => names.has(name)));
  }
}

/** The findings of a chunk and its blocks. `outside` is undefined if no block depends on its surroundings. */
interface Kept {
  readonly outside: Outside | undefined;
  /** Undefined where no block reads an answer. */
  readonly answers: Answers | undefined;
  readonly found: ChunkFindings;
  /** By the index of the block; undefined where nothing was found in any. */
  readonly blocks: readonly BlockFindings[] | undefined;
  /** The methods that were known. */
  readonly methods: unknown;
}

const NOTHING: ChunkFindings = { faults: [], keys: [], sends: [] };

/** For chunks whose blocks are independent and faultless; one object serves all while the methods are the same. */
let faultless: Kept | undefined;

function faultlessWith(methods: MethodTable): Kept {
  if (faultless?.methods !== methods)
    faultless = { outside: undefined, answers: undefined, found: NOTHING, blocks: undefined, methods };
  return faultless;
}

/** Files whose names are remembered; more are open in no editor at once. */
const MAX_FILES = 100;

/** The state of a file at the last check. */
interface Last {
  readonly outside: Outside;
  readonly answers: Answers;
  readonly chunks: readonly Chunk[];
}

/** One host's memory of the files it checks. */
export class Memory {
  readonly #files = new Map<string, Last>();

  /** The last state. Its `outside` is the same object as last time if nothing outside the blocks has changed. */
  recall(document: RequestDocument, surroundings: FileContext): Last {
    const parts = partsOf(document, surroundings);
    const last = this.#files.get(document.uri);
    const isSame =
      last?.outside.parts.length === parts.length && parts.every((part, at) => part === last.outside.parts[at]);
    const outside = isSame ? last.outside : new Outside(parts);
    const answers = last === undefined ? new Answers() : answersAfter(last, document.chunks);
    this.#files.delete(document.uri);
    this.#files.set(document.uri, { outside, answers, chunks: document.chunks });
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#files.delete(oldest);
    return { outside, answers, chunks: last?.chunks ?? [] };
  }
}

/** The same as the last time while every named request answers to the same. */
function answersAfter({ chunks, answers }: Last, current: readonly Chunk[]): Answers {
  const { before, after } = replacedChunks(chunks, current);
  const [was, is] = [answeredByName(before), answeredByName(after)];
  const names = [...was.keys(), ...is.keys()].filter((name) => was.get(name) !== is.get(name));
  return names.length === 0 ? answers : new Answers(answers, new Set(names));
}

/** The chunks that the last edits replaced, and those in their place. */
function replacedChunks(
  last: readonly Chunk[],
  current: readonly Chunk[],
): { readonly before: readonly Chunk[]; readonly after: readonly Chunk[] } {
  let start = 0;
  while (start < last.length && last[start] === current[start]) start++;
  let end = last.length;
  const shift = current.length - last.length;
  while (end > start && end + shift > start && last[end - 1] === current[end - 1 + shift]) end--;
  return { before: last.slice(start, end), after: current.slice(start, end + shift) };
}

function partsOf(
  document: RequestDocument,
  { vars, environment, profile, imports, endpoints }: FileContext,
): unknown[] {
  const parts: unknown[] = [printed(vars), printed(environment), printed(profile), endpoints?.join('\n')];
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

const printed = (values: FileContext['vars']): string =>
  values === undefined ? '' : [...values].map(([name, value]) => `${name}=${printJson(value)}`).join('\n');

/**
 * The parts of a chunk that affect other blocks: names and references, and a preamble as a whole. Names and variables
 * begin with an "@"; a preamble is in the first chunk, which is always read.
 */
const linksOf = perDefiningChunk('', (chunk) => chunk.blocks.map(linkOf).join(''));

function linkOf(block: Block): string {
  const { kind, text, settings, references, variables } = block;
  if (kind === 'preamble') return `${text}\n`;
  const name = settings.name?.text;
  const prompts = settings.prompts.map((prompt) => `? ${prompt.name}`);
  const captures = [
    ...settings.captures.map((capture) => `= ${capture.name.text}`),
    ...(settings.foreach === undefined ? [] : [`* ${settings.foreach.name.text}`]),
  ];
  if (name === undefined && captures.length === 0 && (variables.length === 0 || references.length === 0))
    return [...prompts, ...variables.map((variable) => `@ ${variable.name.text}`)].map((line) => `${line}\n`).join('');
  const values = variables.map((variable) => text.slice(variable.span.start, variable.span.end));
  const uses = references.map(({ span, place }) => `${place} ${text.slice(span.start, span.end)}`);
  return `${[`# ${name ?? ''}`, ...captures, ...values, ...prompts, ...uses].join('\n')}\n`;
}

/** The texts that decide what the named requests of these chunks return. A repeated name has both texts. */
function answeredByName(chunks: readonly Chunk[]): ReadonlyMap<string, string> {
  const answered = new Map<string, string>();
  for (const [name, text] of chunks.flatMap(answeredIn)) answered.set(name, `${answered.get(name) ?? ''}\n${text}`);
  return answered;
}

/** Names and what they answer to, as far as paths into the answers depend on it. */
const answeredIn = perDefiningChunk<readonly (readonly [name: string, answered: string])[]>([], (chunk) =>
  chunk.blocks.flatMap((block) => {
    const { name, captures } = block.settings;
    if (name === undefined && captures.length === 0) return [];
    const answered = answeredBy(block);
    return [
      ...(name === undefined ? [] : [[name.text, answered] as const]),
      ...captures.map((capture) => [capture.name.text, `${answered} ${printPath(capture.path.steps)}`] as const),
    ];
  }),
);

/** Its methods, and the ids of a batch. */
function answeredBy({ requestLine, body }: Block): string {
  const line = `${requestLine?.transport ?? ''} ${requestLine?.method?.text ?? ''}`;
  return `${line} ${callsIn(body?.value() ?? null)
    .map(({ request }) => `${methodOf(request) ?? ''} ${printJson(member(request, 'id') ?? null)}`)
    .join()}`;
}

// By chunk, not by block: ten thousand entries of a weak map cost more than the checks of their blocks.
const keptOfChunks = new WeakMap<Chunk, Kept>();

/** Checks the chunks of one document; made for one question. */
export class FileChecker {
  readonly #last: Last;
  readonly #methods: MethodTable;
  readonly #scope: Scope;
  readonly #names: NameChecker;
  #before: ReadonlyMap<Block, BlockFindings> | undefined;

  constructor(
    private readonly analysis: FileAnalysis,
    memory: Memory,
  ) {
    const { document, surroundings, files } = analysis;
    this.#methods = methodsOf(surroundings);
    this.#last = memory.recall(document, surroundings);
    this.#scope = new Scope(document, surroundings);
    this.#names = new NameChecker(this.#scope, files, this.#last.outside);
  }

  check(chunk: Chunk): ChunkFindings {
    const kept = keptOfChunks.get(chunk);
    if (kept !== undefined && this.#holds(kept, namesReadIn(chunk))) {
      if (kept.answers !== undefined && kept.answers !== this.#last.answers)
        keptOfChunks.set(chunk, { ...kept, answers: this.#last.answers });
      return kept.found;
    }
    if (chunk.unread !== undefined && isFaultless(chunk.unread, this.#methods)) {
      keptOfChunks.set(chunk, faultlessWith(this.#methods));
      return NOTHING;
    }
    const blocks = chunk.blocks.map((block, index) => this.#kept(kept, block, index) ?? this.#block(block));
    const faults: ChunkFindings['faults'][number][] = [];
    const sends: PlacedBlock[] = [];
    let line = 0;
    for (const [index, block] of chunk.blocks.entries()) {
      const problems = blocks[index]?.problems ?? [];
      if (problems.length > 0) faults.push({ block, line, problems });
      if (sendsByLine(block)) sends.push({ block, line });
      line += block.lineStarts.length;
    }
    const found = { faults, keys: blocks.flatMap(({ keys }) => (keys.size === 0 ? [] : [...keys])), sends };
    if (!chunk.blocks.some((block) => this.#asksForFiles(block)))
      keptOfChunks.set(chunk, {
        outside: chunk.blocks.every(standsAlone) ? undefined : this.#last.outside,
        answers: namesReadIn(chunk).size > 0 ? this.#last.answers : undefined,
        found,
        blocks,
        methods: this.#methods,
      });
    return found;
  }

  /** Whether the findings still hold for a reader of these names' answers. */
  #holds({ outside, answers, methods }: Kept, names: ReadonlySet<string>): boolean {
    if (methods !== this.#methods || (outside !== undefined && outside !== this.#last.outside)) return false;
    return answers === undefined || this.#last.answers.confirm(answers, names);
  }

  /** The findings in a block of a chunk; undefined if they no longer hold. */
  #kept(kept: Kept | undefined, block: Block, index: number): BlockFindings | undefined {
    if (kept?.methods !== this.#methods) return undefined;
    if (!standsAlone(block) && !this.#holds(kept, namesReadBy(block))) return undefined;
    return kept.blocks === undefined ? NO_FINDINGS : kept.blocks[index];
  }

  #block(block: Block): BlockFindings {
    this.#before ??= this.#replaced();
    return this.#before.get(block) ?? checkBlock(this.#scope, this.#names, block, this.analysis.files);
  }

  /** The findings that still hold in the chunks that the last edits replaced. */
  #replaced(): ReadonlyMap<Block, BlockFindings> {
    const found = new Map<Block, BlockFindings>();
    for (const chunk of replacedChunks(this.#last.chunks, this.analysis.document.chunks).before) {
      // Blocks that were never asked for are in no chunk of now.
      if (chunk.unread !== undefined) continue;
      const kept = keptOfChunks.get(chunk);
      for (const [index, block] of chunk.blocks.entries()) {
        const findings = this.#kept(kept, block, index);
        if (findings !== undefined) found.set(block, findings);
      }
    }
    return found;
  }

  /** Files come and go without an edit. */
  #asksForFiles({ redirects, references, assertions, settings }: Block): boolean {
    const { files } = this.analysis;
    if (files === undefined) return false;
    if (settings.foreach?.source.kind === 'file') return true;
    if (files.whyNotSaved !== undefined && redirects.length > 0) return true;
    if (files.whyNotRead === undefined) return false;
    const readsHelper = references.some(({ content }) => content.kind === 'helper');
    return readsHelper || assertions.some(({ value }) => value?.kind === 'file');
  }
}

const SENDS = /"send(?:Transaction|Bundle)"/;

const sendsByLine = ({ requestLine, body }: Block): boolean =>
  requestLine !== undefined && body !== undefined && SENDS.test(body.text);

/** The names of the requests whose answers a block reads, and of what may be captured of them. */
const namesReadBy = perObject(
  ({ references }: Block): ReadonlySet<string> =>
    new Set(
      references.flatMap(({ content }) =>
        content.kind === 'response' ? [content.request] : content.kind === 'variable' ? [content.name] : [],
      ),
    ),
);

/** The names of the requests whose answers a chunk reads. */
const namesReadIn = perObject(
  (chunk: Chunk): ReadonlySet<string> =>
    new Set(mayHold(chunk, '{{') ? chunk.blocks.flatMap((block) => [...namesReadBy(block)]) : []),
);

/** True where nothing outside the block can change what is found in it. */
function standsAlone({ references, directives, redirects }: Block): boolean {
  return references.length === 0 && directives.length === 0 && redirects.length === 0;
}
