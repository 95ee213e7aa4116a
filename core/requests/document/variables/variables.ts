// Looks up a name in `{{…}}` at a place of a file. Order: --var, prompts, the row of @foreach, captures, the block's
// variables, the preamble's, the environment, imports, the endpoint profile, and last the whole response of a request.
// Holds no state but caches; files come through a port; `evaluate.ts` computes the values.
import type { JsonValue } from '../../../solana/json/json';
import type { MethodTable } from '../../methods';
import type { PackId } from '../../../service/providers/packIds';
import type { Release } from '../../methods/releases';
import type { ChainAge } from '../../../solana/chain/chain';
import type {
  Block,
  Capture,
  Computed,
  PathStep,
  PlacedBlock,
  Prompt,
  ReferenceContent,
  RequestDocument,
  Token,
  Variable,
} from '../model';
import { blocksIn, NO_BLOCKS, perDefiningChunk, placedBlocks } from '../chunk';
import { perObject } from '../../../solana/common/perObject';

/** Other request files, parsed; the caller keeps them and knows which paths are allowed. */
export interface ImportPort {
  /** The file that `path` names in the file `from` (a URI); undefined if it does not exist or may not be read. */
  documentOf(path: string, from: string): RequestDocument | undefined;
  /** Why there is no such file, as a sentence; undefined if not known. */
  whyNone?(path: string, from: string): string | undefined;
}

export interface EndpointValues {
  /** Method packs that it serves. */
  readonly packs: readonly PackId[];
  /** The release of Agave that it runs, where an answer of it said so. */
  readonly agave?: Release;
  /** About the newest slot there, as far as answers said. */
  readonly slot?: bigint;
  /** The chain there, as far as answers showed it. */
  readonly chain?: ChainAge;
  /** Where its priority sends go, with `{key}` in the key's place. */
  readonly swqosUrl?: string;
}

/** The context in which a file is read. */
export interface FileContext {
  /** `--var`; values read with `readVariableText`. */
  readonly vars?: ReadonlyMap<string, JsonValue>;
  /** Variables of the chosen environment. */
  readonly environment?: ReadonlyMap<string, JsonValue>;
  /** Variables of the endpoint profile. */
  readonly profile?: ReadonlyMap<string, JsonValue>;
  readonly imports?: ImportPort;
  /** The methods that documents of the workspace add to; undefined: none. */
  readonly methods?: MethodTable;
  /** Method packs that a setting or the project asks for. */
  readonly packs?: readonly PackId[];
  /** The names of all endpoints; undefined where nobody knows all of them. */
  readonly endpoints?: readonly string[];
  /** Known facts about the endpoint of a name; undefined asks for the active one. */
  readonly endpoint?: (name: string | undefined) => EndpointValues;
}

export interface NamedRequest {
  readonly name: Token;
  readonly document: RequestDocument;
  readonly placed: PlacedBlock;
}

/** Known only while running: a response, a helper's value, an answer to a prompt. */
export type Dynamic =
  | {
      readonly kind: 'response';
      readonly request: NamedRequest;
      readonly path: readonly PathStep[];
      /** Where a capture gives the value its name. */
      readonly capture?: Capture;
    }
  | { readonly kind: 'helper'; readonly name: string; readonly args: readonly Token[] }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  /** Of the row that a `@foreach` is at. */
  | { readonly kind: 'row'; readonly name: string; readonly path: readonly PathStep[] };

export type Evaluation =
  | { readonly kind: 'known'; readonly value: JsonValue; readonly origin: ValueOrigin }
  | { readonly kind: 'unknown'; readonly waitsFor: Dynamic }
  | {
      readonly kind: 'unresolved';
      readonly reason: string;
      /** Nothing has the name, or an answer has no such value: a default counts then. */
      readonly isAbsent?: true;
      /** All names have values, and arithmetic has no result. */
      readonly isArithmetic?: true;
    }
  | { readonly kind: 'cycle'; readonly variable: Variable };

/** Where a value comes from; go to definition and hover need the place. */
export type ValueOrigin =
  /** `default`: of `else`. */
  | { readonly kind: 'var' | 'environment' | 'profile' | 'dynamic' | 'default' | 'computed' }
  | {
      readonly kind: 'variable';
      readonly variable: Variable;
      readonly block: Block;
      readonly document: RequestDocument;
    };

/** Resolves a name by one step. */
export type Meaning =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly origin: ValueOrigin }
  | { readonly kind: 'variable'; readonly origin: Extract<ValueOrigin, { kind: 'variable' }>; readonly scope: Scope }
  | { readonly kind: 'dynamic'; readonly dynamic: Dynamic }
  /** An expression: what its names mean is asked one by one. */
  | { readonly kind: 'computed'; readonly content: Computed }
  | { readonly kind: 'unresolved'; readonly reason: string; readonly isAbsent?: true };

/** After so many names it is cheaper to gather them all. */
const MAX_LOOK_UPS = 8;

interface Names {
  readonly requests: ReadonlyMap<string, NamedRequest>;
  readonly duplicates: readonly NamedRequest[];
}

/** The names of one file, read against its surroundings. Cheap to make: blocks are looked at, not walked. */
export class Scope {
  readonly #imports: readonly Scope[];
  readonly #preamble: Block | undefined;
  /** The values of variables that the files alone give; `evaluate` keeps them here. */
  readonly values = new Map<Variable, Evaluation>();
  #reachable: readonly Scope[] | undefined;
  #named: Names | undefined;
  #captures: ReadonlyMap<string, Captured> | undefined;
  #lookUps = 0;

  constructor(
    readonly document: RequestDocument,
    readonly surroundings: FileContext,
    known = new Map<string, Scope>(),
  ) {
    const { first } = document;
    this.#preamble = first.kind === 'preamble' ? first : undefined;
    // Each file once, however often it is imported, circles included.
    known.set(document.uri, this);
    this.#imports = first.settings.imports.flatMap(({ text }) => {
      const target = surroundings.imports?.documentOf(text, document.uri);
      return target === undefined ? [] : [known.get(target.uri) ?? new Scope(target, surroundings, known)];
    });
  }

  /** The first request of each name; a later one of the same name is a duplicate. */
  get requests(): ReadonlyMap<string, NamedRequest> {
    this.#named ??= namesOf(this.document);
    return this.#named.requests;
  }

  get duplicates(): readonly NamedRequest[] {
    this.#named ??= namesOf(this.document);
    return this.#named.duplicates;
  }

  /** A few names are looked up chunk by chunk, so that a keystroke does not gather all names of a large file. */
  #request(name: string): NamedRequest | undefined {
    if (this.#named !== undefined || ++this.#lookUps > MAX_LOOK_UPS) return this.requests.get(name);
    const { document } = this;
    for (const [index, chunk] of document.chunks.entries()) {
      const found = namedIn(chunk).get(name)?.[0];
      const token = found?.block.settings.name;
      if (found === undefined || token === undefined) continue;
      return { name: token, document, placed: document.placedIn(index, found) };
    }
    return undefined;
  }

  /** The scopes of all imported files, nearest first, without this one. */
  imported(): readonly Scope[] {
    if (this.#reachable === undefined) {
      const seen = new Set<Scope>([this]);
      for (const scope of seen) for (const next of scope.#imports) seen.add(next);
      seen.delete(this);
      this.#reachable = [...seen];
    }
    return this.#reachable;
  }

  /** The request of that name: this file's, else the first imported one. */
  requestNamed(name: string): NamedRequest | undefined {
    const own = this.#request(name);
    if (own !== undefined) return own;
    for (const scope of this.imported()) {
      const found = scope.#request(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Resolves a reference in `block` of this file by one step. */
  meaningOf(block: Block | undefined, content: ReferenceContent): Meaning {
    switch (content.kind) {
      case 'invalid':
        return { kind: 'unresolved', reason: content.reason };
      case 'computed':
        return { kind: 'computed', content };
      case 'helper':
        return { kind: 'dynamic', dynamic: content };
      case 'response': {
        const isRow = block?.settings.foreach?.name.text === content.request;
        if (isRow) return { kind: 'dynamic', dynamic: { kind: 'row', name: content.request, path: content.path } };
        const request = this.requestNamed(content.request);
        if (request !== undefined)
          return { kind: 'dynamic', dynamic: { kind: 'response', request, path: content.path } };
        return { kind: 'unresolved', reason: `No request is named "${content.request}".` };
      }
      case 'variable':
        return this.#meaningOfName(block, content.name);
    }
  }

  #meaningOfName(block: Block | undefined, name: string): Meaning {
    const { vars, environment, profile } = this.surroundings;
    const given = vars?.get(name);
    if (given !== undefined) return { kind: 'value', value: given, origin: { kind: 'var' } };
    const prompt = block?.settings.prompts.find((candidate) => candidate.name === name);
    if (prompt !== undefined) return { kind: 'dynamic', dynamic: { kind: 'prompt', prompt } };
    if (block?.settings.foreach?.name.text === name)
      return { kind: 'dynamic', dynamic: { kind: 'row', name, path: [] } };
    const own = this.#captured(name) ?? this.#ownName(block, name);
    if (own !== undefined) return own;
    const chosen = environment?.get(name);
    if (chosen !== undefined) return { kind: 'value', value: chosen, origin: { kind: 'environment' } };
    const imported = this.#importedName(name);
    if (imported !== undefined) return imported;
    const value = profile?.get(name);
    if (value !== undefined) return { kind: 'value', value, origin: { kind: 'profile' } };
    const request = this.requestNamed(name);
    if (request !== undefined) return { kind: 'dynamic', dynamic: { kind: 'response', request, path: [] } };
    return { kind: 'unresolved', reason: `No variable, prompt or request is named "${name}".`, isAbsent: true };
  }

  /** The captures of this file by name, the first one of each. */
  get captures(): ReadonlyMap<string, Captured> {
    this.#captures ??= capturesOf(this.document);
    return this.#captures;
  }

  /** The first capture of that name in this file. */
  #captured(name: string): Meaning | undefined {
    const dynamic = this.captures.get(name);
    return dynamic === undefined ? undefined : { kind: 'dynamic', dynamic };
  }

  /** True if `{{name}}` is a variable or a prompt in some block of this file, even if a request has the same name. */
  hasVariable(name: string): boolean {
    const { environment, profile } = this.surroundings;
    if (environment?.has(name) === true || profile?.has(name) === true || this.#importedName(name) !== undefined)
      return true;
    return this.document.chunks.some((chunk) => variableNamesIn(chunk).has(name));
  }

  #ownName(block: Block | undefined, name: string): Meaning | undefined {
    for (const place of [block, this.#preamble]) {
      const variable = place === undefined ? undefined : variablesOf(place).get(name);
      if (place !== undefined && variable !== undefined)
        return {
          kind: 'variable',
          origin: { kind: 'variable', variable, block: place, document: this.document },
          scope: this,
        };
    }
    return undefined;
  }

  #importedName(name: string): Meaning | undefined {
    for (const scope of this.imported()) {
      const { first } = scope.document;
      // A file of one block without a title has its variables in that block.
      const found = scope.#captured(name) ?? scope.#ownName(first.text.startsWith('###') ? undefined : first, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The named requests of a chunk, with lines counted from its first one. */
export const namedIn = perDefiningChunk<ReadonlyMap<string, readonly PlacedBlock[]>>(new Map(), (chunk) => {
  const names = new Map<string, PlacedBlock[]>();
  let line = 0;
  for (const block of chunk.blocks) {
    const name = block.kind === 'preamble' ? undefined : block.settings.name?.text;
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), { block, line }]);
    line += block.lineStarts.length;
  }
  return names;
});

/** The names of the variables and prompts that the blocks of a chunk define. */
const variableNamesIn = perDefiningChunk<ReadonlySet<string>>(new Set(), (chunk) => {
  const names = new Set<string>();
  for (const { variables, settings } of chunk.blocks) {
    for (const { name } of variables) names.add(name.text);
    for (const { name } of settings.prompts) names.add(name);
    for (const { name } of settings.captures) names.add(name.text);
  }
  return names;
});

type Captured = Extract<Dynamic, { readonly kind: 'response' }>;

const NO_CAPTURES: ReadonlyMap<string, Captured> = new Map();

/** The captures by name, with the first block of each; most files have no captures. */
function capturesOf(document: RequestDocument): ReadonlyMap<string, Captured> {
  let captures: Map<string, Captured> | undefined;
  for (const placed of placedBlocks(document, capturingIn)) {
    const { settings } = placed.block;
    for (const capture of settings.captures) {
      captures ??= new Map();
      if (captures.has(capture.name.text)) continue;
      const request = { name: settings.name ?? capture.name, document, placed };
      captures.set(capture.name.text, { kind: 'response', request, path: capture.path.steps, capture });
    }
  }
  return captures ?? NO_CAPTURES;
}

/** The blocks of a chunk that capture something, with lines counted from its first one. */
const capturingIn = perDefiningChunk(NO_BLOCKS, (chunk) =>
  blocksIn(chunk, 'capture', ({ settings }) => settings.captures.length > 0),
);

function namesOf(document: RequestDocument): Names {
  const requests = new Map<string, NamedRequest>();
  const duplicates: NamedRequest[] = [];
  for (const placed of placedBlocks(document, (chunk) => [...namedIn(chunk).values()].flat())) {
    const { name } = placed.block.settings;
    if (name === undefined) continue;
    const request = { name, document, placed };
    if (requests.has(name.text)) duplicates.push(request);
    else requests.set(name.text, request);
  }
  return { requests, duplicates };
}

/** A block's variables by name; of two with one name the later counts. */
const variablesOf = perObject(
  (block: Block): ReadonlyMap<string, Variable> =>
    new Map(block.variables.map((variable) => [variable.name.text, variable])),
);
